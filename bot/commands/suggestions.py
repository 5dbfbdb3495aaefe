"""How a line or a form can be completed; never a hint at what is tenable where calls decide."""

from collections.abc import Mapping, Sequence
from itertools import islice

from bot.commands.club.tournaments import HERE
from bot.commands.community import VALUES
from bot.commands.people.secrecy import is_hidden
from bot.commands.spec import BY_NAME, COMMANDS
from bot.commands.spec.parts import BOARD_WORDS, SETTINGS, Slot
from bot.messages.catalogue import Language
from bot.messages.model import Person, Place
from bot.messages.serialization import channel_address
from bot.readers import person_language
from bot.repository import Repository
from engine.game import AnyGame
from engine.games import GAMES
from engine.match.calls import reasons
from engine.match.commands import Player
from engine.match.state import Match
from engine.match.terms import sheet
from engine.text import Listing, Term, Text
from render.theme import THEMES
from storage.store import Summary

MOST = 25
"""Suggestions at once: Discord shows no more."""
MORE = "more"
"""Stands last among suggestions that are too many; chosen, or written, it gives way to the others."""
MOST_TURNS = 400
"""Turns looked at for suggestions; nobody who is typing waits for thousands."""


async def complete(repository: Repository, who: Person, where: Place, text: str) -> list[str]:
    """Returns whole lines that begin with what was typed so far, likeliest first."""
    line = text.lstrip()
    head, space, tail = line.partition(" ")
    match = await repository.match(where.thread) if where.thread else None
    accounts = await repository.accounts(who.key)
    if not space:
        words = [command.name for command in COMMANDS if command.name.startswith(head.lower())]
        return [*words, *_tenable(match, accounts, head)][:MOST] if head else words[:MOST]
    command = BY_NAME.get(head.lower())
    if command is None:
        return []
    last = tail.rpartition(" ")[2]
    stem = text[: len(text) - len(last)]
    number, spaced, _ = tail.partition(" ")
    if command.scope == "match" and spaced and number.isdigit():
        match = await repository.match(number)
        match = None if await is_hidden(repository, match, accounts, where) else match
    if command.name == "move":
        return [stem + turn for turn in _tenable(match, accounts, last)]
    options = [*_words(command.name, tail, match)]
    if command.scope == "match" and not where.thread and not spaced:
        options += [m.match for m in await repository.matches_of(accounts) if m.status in ("open", "running")]
    begun = [option for option in dict.fromkeys(options) if option.lower().startswith(last.lower())]
    if len(begun) < MOST:
        begun += _condensed(_named(command.name, match, accounts), last, MOST - len(begun))
    return [stem + option for option in begun][:MOST]


async def fill(
    repository: Repository, who: Person, where: Place, slot: Slot, filled: Mapping[str, str]
) -> list[tuple[str, str]]:
    """Returns what a slot of a form can hold that begins as it does so far, each with its label."""
    typed = filled.get(slot.name, "")
    start = typed.strip().lower()
    accounts = await repository.accounts(who.key)
    if slot.kind == "match":
        spoken = await _language(repository, who.key, where)
        found = await repository.matches_of(accounts)
        likely = sorted(found, key=lambda match: (match.status == "over", not set(accounts) & set(match.to_act)))
        shown = [
            (match.match, spoken.say(await _label(repository, match, accounts)))
            for match in likely
            if match.status != "declined"
        ]
        return [(value, label) for value, label in shown if start in label.lower()][:MOST]
    if slot.kind == "tournament":
        return [(number, label) for number, label in await _tournaments(repository, where) if start in label.lower()]
    if slot.kind in ("game", "command"):
        spoken = await _language(repository, who.key, where)
        words = {key: _explained(spoken, game.name, game.gist) for key, game in GAMES.items()}
        if slot.kind == "command":
            words = {command.name: _explained(spoken, command.name, command.gist) for command in COMMANDS} | words
        hits = [(value, label) for value, label in words.items() if start in label.lower()]
        return sorted(hits, key=lambda hit: not hit[0].startswith(start))[:MOST]
    if slot.kind == "setting":
        return [(text, text) for text in _values(filled.get("what", ""), typed)][:MOST]
    number = filled.get("match") or where.thread
    match = await repository.match(number) if number.isdigit() else None
    match = None if await is_hidden(repository, match, accounts, where) else match
    if slot.kind == "terms":
        game = GAMES.get(filled.get("game", "")) or (match.game if match else None)
        return [(text, text) for text in _terms(game, typed)][:MOST] if game else []
    if slot.kind == "turn" and match is not None and match.status == "running":
        if pieces := _pieces(match, accounts, typed):
            spoken = await _language(repository, who.key, where)
            return [(text, spoken.say(label)) for text, label in pieces.items()][:MOST]
        texts = _places(match, typed) if match.calling else _tenable(match, accounts, start)
        return [(text, text) for text in texts][:MOST]
    if slot.kind in ("reason", "number") and match is not None:
        groups = _named("call" if slot.kind == "reason" else "late", match, accounts)
        whole = {word for group in groups for word in group if len([*_begun(group, word)]) == 1}
        return [(text, text if text in whole else f"{text} …") for text in _condensed(groups, start, MOST)]
    return [(word, word) for word in slot.words if word.startswith(start)][:MOST]


async def _tournaments(repository: Repository, where: Place) -> list[tuple[str, str]]:
    """The latest tournaments of a server or room, by number and name."""
    here = channel_address(where)
    numbers = (await repository.setting(await repository.setting(here, "server") or here, HERE)).split()[-MOST:]
    found = [await repository.tournament(f"t{number}") for number in reversed(numbers)]
    return [(of.number, f"{of.number} {of.name}") for of in found if of is not None]


# --- labels -----------------------------------------------------------------------------------------------
async def _label(repository: Repository, match: Summary, accounts: tuple[Player, ...]) -> Text:
    """Returns a match in a line of a list to choose from."""
    others = [(await repository.person(player)).name for player in match.players if player not in accounts]
    state = "your turn" if match.status == "running" and set(accounts) & set(match.to_act) else match.status
    return Text(
        LABELS[state].template,
        match=match.match,
        game=GAMES[match.game].name if match.game in GAMES else match.game,
        players=Listing(tuple(others), "unit") if others else NOBODY_YET,
    )


NOBODY_YET = Term("nobody yet")

LABELS = {
    "your turn": Text("{match} {game} against {players} (your turn)"),
    "running": Text("{match} {game} against {players}"),
    "open": Text("{match} {game} against {players} (not begun)"),
    "over": Text("{match} {game} against {players} (over)"),
}
"""By the status of a match, or because it is one's turn there."""


def _explained(spoken: Language, name: str, gist: Text) -> str:
    return " ".join(spoken.say(text) for text in (Text("{name}:", name=name), gist))


async def _language(repository: Repository, player: Player, where: Place) -> Language:
    """Returns the language of whoever fills in a form."""
    room = channel_address(where)
    return await person_language(repository, player, await repository.setting(room, "server") or room)


# --- words ------------------------------------------------------------------------------------------------
def _terms(game: AnyGame, typed: str) -> list[str]:
    """Returns what was typed with its last term completed; terms named already are left out.

    Too many to choose from are asked for one after the other: first which term, then its value. Where even the terms
    are too many, `MORE` stands for the rest of them.
    """
    last = typed.rpartition(" ")[2].lower()
    stem = typed[: len(typed) - len(last)]
    named = {word.partition("=")[0].lower() for word in stem.split()}
    options = [option for option in sheet(game) if option.key not in named and option.key != "start"]
    terms = [f"{option.key}={value}" for option in options for value in option.values or (option.default,)]
    usual = [f"{option.key}={option.default}" for option in options]
    if last == MORE:
        return [stem + term for term in usual[MOST - 1 :]]
    hits = [[term for term in some if term.startswith(last)] for some in (terms, usual)]
    found = hits[len(hits[0]) > MOST]
    return [stem + term for term in (found if len(found) <= MOST else [*found[: MOST - 1], MORE])]


def _values(what: str, typed: str) -> list[str]:
    """Returns what was typed of a setting's value, completed; terms without a game, by those that all games have."""
    words = typed.lower().split(" ")
    begun = [value for value in VALUES.get(what, ()) if value.startswith(words[0])] if len(words) == 1 else []
    if what != "terms":
        return begun
    games = [GAMES[words[0]]] if words[0] in GAMES else list(GAMES.values())
    terms = [_terms(game, typed) for game in games]
    return begun + [term for term in terms[0] if all(term in others for others in terms)]


def _pieces(match: Match, accounts: tuple[Player, ...], typed: str) -> dict[str, Text]:
    """Returns how a turn can go on: own pieces first, then places and choices, each with its label.

    Where untenable turns stand, whatever can be described; where they are refused, what leads to a tenable one.
    """
    game, position = match.game, match.position
    side = game.to_act(position)
    if game.asks(position) or match.seats[side] not in accounts:
        return {}
    ways = None if match.calling else {game.picks(turn, position) for turn in game.turns(position)}
    drawn = game.draw(position, side)
    names = {one.site: one.name for one in drawn.figures if not one.ghost and one.kind not in drawn.signs}
    going_on = islice(game.going_on(position, typed.strip(), ways), MOST)
    return {
        text: Text("{turn}: {piece}", turn=text, piece=names[pick]) if pick in names else Text("{turn}", turn=text)
        for text, pick in going_on
    }


def _places(match: Match, typed: str) -> list[str]:
    """Returns what was typed with the name of a place completed: any place of the board, whatever stands there."""
    names = [name for name in match.game.board(match.position).outlines if name.isalnum()]
    longest = min(len(typed), max(map(len, names)))
    for stem, begun in (
        (typed[: len(typed) - size], typed[len(typed) - size :].lower()) for size in range(longest, 0, -1)
    ):
        hits = [stem + name for name in names if name.lower().startswith(begun)]
        if hits:
            return hits
    return [typed + name for name in names]


def _named(command: str, match: Match | None, accounts: tuple[Player, ...]) -> tuple[tuple[str, ...], ...]:
    """Returns all that a call or a late call can name, whatever was played, in groups."""
    if match is None:
        return ()
    if command == "call" and match.status == "running" and match.calling:
        return reasons(match)
    if command == "late" and set(accounts) & set(match.parties):
        return (tuple(str(ply.number) for ply in match.plies if ply.kind == "turn" and ply.by not in accounts),)
    return ()


def _condensed(groups: Sequence[Sequence[str]], start: str, most: int) -> list[str]:
    """Returns the words that begin like this, or, where there are too many, beginnings that lead to each of them.

    Groups that come first are told more fully. The last of several is told only once something is typed.
    """
    found = [_begun(group, start) for group in (groups if start else groups[:3])]
    shown = [_stems(hits, len(start) + 1) for hits in found]
    for at, hits in enumerate(found):
        for size in range(len(start) + 2, max(map(len, hits), default=0) + 1):
            finer = _stems(hits, size)
            if sum(map(len, shown)) - len(shown[at]) + len(finer) <= most:
                shown[at] = finer
    return list(dict.fromkeys(word for stems in shown for word in stems))[:most]


def _begun(words: Sequence[str], start: str) -> list[str]:
    return [word for word in words if word.lower().startswith(start.lower())]


def _stems(words: Sequence[str], size: int) -> list[str]:
    """Returns what words have in common that share their first letters, the whole word where it is the only one."""
    shared: dict[str, list[str]] = {}
    for word in words:
        shared.setdefault(word[:size], []).append(word)
    return [_common(min(alike), max(alike)) for alike in shared.values()]


def _common(first: str, last: str) -> str:
    apart = (at for at, (one, other) in enumerate(zip(first, last, strict=False)) if one != other)
    return first[: next(apart, len(first))]


def _words(name: str, tail: str, match: Match | None) -> list[str]:
    """Returns what can follow a command."""
    games = list(GAMES)
    named = next((word for word in tail.lower().split() if word in games), "")
    game = GAMES.get(named) or (match.game if match else None)
    terms = [f"{o.key}={value}" for o in sheet(game) for value in (o.values or (o.default,))] if game else []
    what, spaced, rest = tail.partition(" ")
    return {
        "games": games,
        "rules": games,
        "terms": games,
        "help": [*(command.name for command in COMMANDS), *games],
        "challenge": terms if named else games,
        "counter": terms,
        "rematch": terms,
        "theme": list(THEMES),
        "language": list(VALUES["language"]),
        "settings": [value.rpartition(" ")[2] for value in _values(what, rest)] if spaced else list(SETTINGS),
        "board": list(BOARD_WORDS),
        "replay": ["sheet"],
    }.get(name, [])


def _tenable(match: Match | None, accounts: tuple[Player, ...], start: str) -> list[str]:
    """Returns turns that begin like this, where untenable ones are refused anyway; others' turns may hold secrets."""
    if match is None or match.status != "running" or match.calling or match.game.asks(match.position):
        return []
    game, position = match.game, match.position
    if match.seats[game.to_act(position)] not in accounts:
        return []
    texts = (game.write(turn, position) for turn in islice(game.turns(position), MOST_TURNS))
    return list(islice((text for text in texts if text.lower().startswith(start.lower())), MOST))
