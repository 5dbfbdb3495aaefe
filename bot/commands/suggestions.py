"""How a line or a form could be filled further; never a hint at what is tenable where calls decide."""

from collections.abc import Mapping
from itertools import islice

from bot.commands.community import VALUES
from bot.commands.spec import BOARDS, BY_NAME, COMMANDS, SETTLED, Slot
from bot.messages.model import Person, Place
from bot.repository import Repository
from engine.game import AnyGame
from engine.games import GAMES
from engine.match.commands import Player
from engine.match.state import Match
from engine.match.terms import sheet
from render.theme import THEMES
from storage.store import Summary

MOST = 25
"""Suggestions at once: Discord shows no more."""
WEIGHED = 400
"""Turns looked at for suggestions; nobody who is typing waits for thousands."""


async def complete(desk: Repository, who: Person, where: Place, text: str) -> list[str]:
    """Whole lines that begin with what was typed so far, likeliest first."""
    line = text.lstrip()
    head, space, tail = line.partition(" ")
    match = await desk.match(where.thread) if where.thread else None
    accounts = await desk.accounts(who.key)
    if not space:
        words = [command.name for command in COMMANDS if command.name.startswith(head.lower())]
        return [*words, *_tenable(match, accounts, head)][:MOST] if head else words[:MOST]
    command = BY_NAME.get(head.lower())
    if command is None:
        return []
    last = tail.rpartition(" ")[2]
    stem = text[: len(text) - len(last)]
    if command.name == "move":
        return [stem + turn for turn in _tenable(match, accounts, last)]
    options = [*_words(command.name, tail, match)]
    if command.scope == "match" and not where.thread:
        options += [m.match for m in await desk.matches_of(accounts) if m.status in ("open", "running")]
    return [stem + option for option in dict.fromkeys(options) if option.startswith(last.lower())][:MOST]


async def fill(
    desk: Repository, who: Person, where: Place, slot: Slot, filled: Mapping[str, str]
) -> list[tuple[str, str]]:
    """What a slot of a form can hold that begins as it does so far, each with how it is shown."""
    typed = filled.get(slot.name, "")
    start = typed.strip().lower()
    if slot.kind == "match":
        found = await desk.matches_of(accounts := await desk.accounts(who.key))
        likely = sorted(found, key=lambda match: (match.status == "over", not set(accounts) & set(match.to_act)))
        shown = [(match.match, await _told(desk, match, accounts)) for match in likely if match.status != "declined"]
        return [(value, label) for value, label in shown if start in label.lower()][:MOST]
    if slot.kind in ("game", "command"):
        words = {key: f"{game.name}: {game.gist}" for key, game in GAMES.items()}
        if slot.kind == "command":
            words = {command.name: f"{command.name}: {command.gist}" for command in COMMANDS} | words
        hits = [(value, label) for value, label in words.items() if start in label.lower()]
        return sorted(hits, key=lambda hit: not hit[0].startswith(start))[:MOST]
    if slot.kind == "custom":
        return [(text, text) for text in _customs(filled.get("what", ""), typed)][:MOST]
    number = filled.get("match") or where.thread
    match = await desk.match(number) if number.isdigit() else None
    if slot.kind == "terms":
        game = GAMES.get(filled.get("game", "")) or (match.game if match else None)
        return [(text, text) for text in _terms(game, typed)][:MOST] if game else []
    if slot.kind == "turn" and match is not None and match.status == "running":
        texts = _places(match, typed) if match.calling else _tenable(match, await desk.accounts(who.key), start)
        return [(text, text) for text in texts][:MOST]
    return [(word, word) for word in slot.words if word.startswith(start)][:MOST]


async def _told(desk: Repository, match: Summary, accounts: tuple[Player, ...]) -> str:
    """A match in a line of a list to choose from."""
    others = [(await desk.person(player)).name for player in match.players if player not in accounts]
    state = {"over": "over", "open": "not begun"}.get(
        match.status, "your turn" if set(accounts) & set(match.to_act) else ""
    )
    name = GAMES[match.game].name if match.game in GAMES else match.game
    return f"{match.match} {name} against {', '.join(others) or 'nobody yet'}{state and f' ({state})'}"


def _terms(game: AnyGame, typed: str) -> list[str]:
    """What was typed with its last term completed; the terms that are named already are left out."""
    last = typed.rpartition(" ")[2].lower()
    stem = typed[: len(typed) - len(last)]
    named = {word.partition("=")[0].lower() for word in stem.split()}
    options = [option for option in sheet(game) if option.key not in named and option.key != "start"]
    terms = [f"{option.key}={value}" for option in options for value in option.values or (option.default,)]
    usual = [f"{option.key}={option.default}" for option in options]
    hits = [[term for term in some if term.startswith(last)] for some in (terms, usual)]
    return [stem + term for term in hits[len(hits[0]) > MOST]]  # too many to choose from: first which, then its value


def _customs(what: str, typed: str) -> list[str]:
    """What was typed of a setting's value, completed; of terms without a game, by those that all games have."""
    words = typed.lower().split(" ")
    begun = [value for value in VALUES.get(what, ()) if value.startswith(words[0])] if len(words) == 1 else []
    if what != "terms":
        return begun
    games = [GAMES[words[0]]] if words[0] in GAMES else list(GAMES.values())
    terms = [_terms(game, typed) for game in games]
    return begun + [term for term in terms[0] if all(term in others for others in terms)]


def _places(match: Match, typed: str) -> list[str]:
    """What was typed with the name of a place completed: any place of the board, whatever stands there."""
    names = [name for name in match.game.board(match.position).outlines if name.isalnum()]
    longest = min(len(typed), max(map(len, names)))
    for stem, begun in (
        (typed[: len(typed) - size], typed[len(typed) - size :].lower()) for size in range(longest, 0, -1)
    ):
        hits = [stem + name for name in names if name.lower().startswith(begun)]
        if hits:
            return hits
    return [typed + name for name in names]


def _words(name: str, tail: str, match: Match | None) -> list[str]:
    """What can follow a command, whatever has been typed of it."""
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
        "amend": terms,
        "theme": list(THEMES),
        "settings": [value.rpartition(" ")[2] for value in _customs(what, rest)] if spaced else list(SETTLED),
        "board": list(BOARDS),
    }.get(name, [])


def _tenable(match: Match | None, accounts: tuple[Player, ...], start: str) -> list[str]:
    """Turns that begin like this, where the umpire refuses others anyway; others' turns may hold secrets."""
    if match is None or match.status != "running" or match.calling or match.game.asks(match.position):
        return []
    game, position = match.game, match.position
    if match.seats[game.to_act(position)] not in accounts:
        return []
    texts = (game.write(turn, position) for turn in islice(game.turns(position), WEIGHED))
    return list(islice((text for text in texts if text.lower().startswith(start.lower())), MOST))
