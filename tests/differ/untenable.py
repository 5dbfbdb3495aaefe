"""Matches of random turns, many untenable, beside themselves under a judge who objects to nothing."""

from collections.abc import Iterator
from contextlib import nullcontext, suppress
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

from bot.commands.spec import COMMANDS
from engine.dice import Dice
from engine.game import AnyGame, NotationError
from engine.games import GAMES
from engine.match.commands import Play, Reply
from engine.match.events import Played, Refusal
from tests.chat_room import DAY, open_room
from tests.differ.blind import blind, sighted
from tests.differ.noticed import PEOPLE, Found, Noticed, Watch, found
from tests.table import SEED, Table, begun

Line: TypeAlias = tuple[str, str]
"""Who says what."""

TURNS = 8
CHOICE = 60
"""Tenable turns from which one is chosen, and spoilt."""
ASIDE = 7
"""Commands between two turns."""

ASKED: dict[str, tuple[str, ...]] = {
    "help": ("help", "help move", "help {game}"),
    "games": ("games", "games {game}"),
    "rules": ("rules {game}", "rules {game} all {rule}", "rules {game} {word}"),
    "learn": ("learn", "learn list"),
    "spot": ("spot call", "spot nonsense"),  # what it shows is found by the judge, and is no match
    "solve": ("solve nonsense", "solve answer"),  # what it shows is no match
    "daily": ("daily", "daily call"),
    "analyse": (
        "analyse 1",
        "analyse 1 0",
        "analyse back",
        "analyse {game}",
        "analyse {last}",
        "analyse kept",
    ),
    "record": ("record 1. SX5, eY11; 2. a+ eY6, $X9",),
    "terms": ("terms {game}",),
    "challenge": ("challenge @ben {game}",),
    "play": ("play", "play {game} level=99"),  # a match with Riposte itself is another match
    "accept": ("accept 1", "accept draw", "accept 1 takeback"),
    "decline": ("decline draw", "decline 1", "decline takeback"),
    "counter": ("counter 1 time=5d",),
    "preset": ("preset",),
    "rematch": ("rematch 99",),  # another match
    "matches": ("matches", "matches past {game}", "matches all"),
    "move": ("move 1 @1 {place}", "move 1 {place}", "move 1", "move this is no turn", "{last}"),
    "add": ("add 1 {place}", "add {last}"),
    "board": ("board", "board all", "board legal", "board text", "board dark", "board text all"),
    "look": ("look {place}", "look nowhere"),
    "hint": ("hint",),
    "review": ("review 99",),  # of a match that is over it tells verdicts
    "turns": ("turns", "turns 1"),
    "replay": ("replay", "replay 1 3", "replay 1 sheet"),
    "open": ("open", "open 1"),
    "call": ("call @99", "call 99"),
    "late": ("late 1 99", "late"),
    "ok": ("ok 1",),
    "secret": ("secret 1", "secret 1 nonsense"),
    "draw": ("draw",),
    "nocontest": ("nocontest",),
    "contest": ("contest",),
    "takeback": ("takeback",),
    "anew": ("anew", "decline anew"),
    "resign": ("resign",),
    "claim": ("claim",),
    "note": ("note", "note look at {place}"),
    "if": ("if {last} then {last}", "if {place} then {place}", "if draw then decline", "if", "if off"),
    "calls": ("calls 99",),  # of a match that is over everything is told
    "follow": ("follow 1", "follow 1 off"),
    "pause": ("pause 2d", "pause 99d", "accept 1 pause", "adjourn", "accept 1 adjourn"),
    "resume": ("resume", "accept 1 resume"),
    "moretime": ("moretime 1d", "accept 1 time"),
    "gift": ("gift 1d",),
    "propose": ("propose time=6d", "propose umpire=refuse", "accept 1 terms"),
    "mute": ("mute 1", "mute 1 off"),
    "next": ("next", "skip"),
    "zone": ("zone", "zone Europe/Berlin"),
    "quiet": ("quiet 22-8", "quiet off"),
    "vacation": ("vacation", "vacation 2d", "vacation end"),
    "digest": ("digest 8", "digest off"),
    "abort": ("abort 99",),
    "link": ("link 1",),
    "export": ("export",),
    "rating": ("rating", "rating @ben", "rating {game}"),
    "ladder": ("ladder {game}", "ladder {game} all"),
    "token": ("token", "token moon shell"),
    "account": ("account apart",),
    "apikey": ("apikey", "apikey webhook off"),
    "theme": ("theme dark",),
    "language": ("language", "language en"),
    "settings": ("settings",),
    "tournament": ("tournament", "tournament swiss {game} Cup seats=4", "tournament 1"),
    "join": ("join 1", "join"),
    "withdraw": ("withdraw 1",),
    "climb": ("climb 1",),
    "profile": ("profile", "profile @ben"),
    "wish": ("wish", "wish 1 {game} time=9d", "wish off {game}"),
    "kibitz": ("kibitz 1", "kibitz 1 {last} looks odd"),
    "organise": ("organise 1 begin", "organise 1"),
    "role": ("role", "role @ben arbiter"),
    "block": ("block", "block @cleo", "block @cleo off"),
    "privacy": ("privacy", "privacy erase"),
    "ruling": ("ruling 1", "accept 1 ruling"),
    "arbiter": ("arbiter 1", "arbiter 1 draw because"),
    "report": ("report 1", "report 1 something is wrong"),
}
"""What can be said while a match goes on, for every command; of `call` and `late` only what calls no turn."""
TELLING = ("record", "profile")
"""What tells verdicts of matches that are over."""
TALK = ("this is no turn", "gg", "how do I move?", "{place}", "{place}{place}", "did you see {place}?")
SHEETS: dict[str, tuple[dict[str, str], ...]] = {
    "veney": (
        {"first": "white"},  # a lot would fall otherwise in the room
        {"first": "white", "secondhalf": "on", "takeback": "free"},
        {"first": "white", "whiteset": "guard", "blackset": "aristocrat", "lines": "abcd"},
        {"first": "white", "castmark": "on", "donkey": "shared"},
    ),
    "ironclad": ({}, {"mode": "discourse"}),
    "chirality": ({}, {"setup": "quick"}),
}


async def evening(key: str, number: int, folder: Path, *, call: bool = False) -> Found:
    """A match played twice, once under a judge who objects to nothing; all that could be noticed is compared."""
    chance = Random(f"{key} {number}")
    table, lines = _spoilt(key, chance)
    if call:
        lines = [one for line in lines for one in (line, ("anna", "call sure"), ("ben", "call sure"))]
    broken = sum(bool(event.broken) for event in table.events if isinstance(event, Played))
    real = await _noticed(table, lines, folder / "real", number, twin=False)
    with blind(key):
        unseeing = await _noticed(table, lines, folder / "blind", number, twin=True)
    return found(("", *lines), real, unseeing, broken)


def _spoilt(key: str, chance: Random) -> tuple[Table, list[Line]]:
    """A match with an untenable turn in it, and who says what; in a small game that may take several attempts."""
    game = GAMES[key]
    others = ("ben", "carol") if key == "chirality" and chance.random() < 0.3 else ("ben",)
    for _ in range(50):
        terms = {
            "umpire": chance.choice(game.penalties),
            "judge": "silent",
            "time": chance.choice(("5d", "10m", "none")),
        }
        terms["time"] = "5d" if terms["umpire"] == "time" else terms["time"]
        terms |= {"side": game.names[game.sides[0]].lower(), **chance.choice(SHEETS.get(key, ({},)))}
        terms |= {"players": "3"} if len(others) > 1 else {}
        terms.pop("setup", None) if len(others) > 1 else None
        table = begun(key, others, **terms)
        lines = _script(table, chance)
        if any(event.broken for event in table.events if isinstance(event, Played)):
            return table, lines
    raise AssertionError("without one it would show nothing")


def _script(table: Table, chance: Random) -> list[Line]:
    """Who says what in a match."""
    lines: list[Line] = []
    while len(table.now.plies) < TURNS and table.now.status == "running" and table.now.ending is None:
        who, last = next_turn(table, chance)
        lines.append((who, last))
        lines += [
            (chance.choice(PEOPLE), aside(table.now.game, table.now.position, last, chance)) for _ in range(ASIDE)
        ]
    return [*lines, *_last_words(chance)]


def aside(game: AnyGame, position: Any, last: str, chance: Random) -> str:
    """Something said between two turns."""
    what = chance.choice((*COMMANDS, None))
    text = chance.choice(ASKED[what.name] if what else TALK)
    place = chance.choice([site for site in game.board(position).outlines if site.isalnum()])
    rule = str(chance.choice(game.rules).title)
    word = str(chance.choice([entry.name for entry in game.entries] or [rule]))
    return text.format(place=place, game=game.key, rule=rule, word=word, last=last)


def _last_words(chance: Random) -> list[Line]:
    ends = (
        [("ben", "ok 1"), ("anna", "ok 1")],
        [("anna", "draw"), ("ben", "accept draw")],
        [("ben", "resign yes")],
        [("anna", "takeback"), ("ben", "accept takeback"), ("ben", "board")],
    )
    return [*chance.choice(ends), *((name, text) for name in PEOPLE for text in ("board", "turns", "matches"))]


def next_turn(table: Table, chance: Random, *, lucky: bool = True) -> Line:
    """A turn that stands, mostly an untenable one, or an answer in private; where luck is not wanted, one without."""
    match, game = table.now, table.now.game
    for ask in game.asks(match.position):
        table.done(Reply(match.seats[ask.side], ask.example))
        return match.seats[ask.side], f"secret 1 {ask.example}"
    mover = table.to_act
    for text in spoilt(game, match.position, chance):
        if not lucky and _throws(game, match.position, text):
            continue
        if not isinstance(table.says(Play(mover, text)), Refusal):
            break
    return mover, text


def spoilt(game: AnyGame, position: Any, chance: Random) -> Iterator[str]:
    """Tenable turns, most of which end where they need not: without end."""
    sites = tuple(game.board(position).outlines)
    turns = list(islice(game.turns(position), CHOICE))
    while True:
        turn = chance.choice(turns)
        text = game.write(turn, position)
        place = (turn[0].target or turn[0].origin) if turn else ""
        yield text.replace(place, chance.choice(sites)) if place and chance.random() < 0.7 else text


def _throws(game: AnyGame, position: Any, text: str) -> bool:
    with suppress(NotationError):
        return bool(game.rolls(game.roll(position, game.read(text, position), Dice(bytes(32)))))
    return False


async def _noticed(table: Table, lines: list[Line], folder: Path, number: int, *, twin: bool) -> list[list[Noticed]]:
    """All that anybody could have noticed, after the beginning and after each line."""
    others, terms = table.now.parties[1:], {key: value for key, value in table.now.terms.items() if value}
    folder.mkdir(parents=True)
    room = await open_room(folder)
    room.seed = int.from_bytes(SEED, "big")
    watch, chance = Watch(room, twin=twin), Random(number)
    try:
        names, sheet = (" ".join(words) for words in ([f"@{name}" for name in others], map("=".join, terms.items())))
        told = [await watch.says("anna", f"challenge {names} {table.now.game.key} {sheet}", "")]
        for name in others:
            told[0] += await watch.says(name, "accept 1")
        for at, (who, text) in enumerate(lines):
            over = await watch.is_over()  # then turns may be judged
            with sighted(table.now.game.key) if text.startswith("rules") else nullcontext():  # it draws its own scene
                told.append([] if over and text.startswith(TELLING) else await watch.says(who, text))
            if at % (ASIDE + 1) == 0:
                told[-1] += await watch.offered(chance, text)
            if at == len(lines) // 2:
                told[-1] += await watch.daily("anna", *others)
        told[-1] += watch.posts(await room.wait(9 * DAY))
        return told
    finally:
        await room.store.close()
