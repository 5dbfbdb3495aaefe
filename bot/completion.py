"""How a line that somebody is typing could go on; never a hint at what is tenable where calls decide."""

from itertools import islice

from bot.chat import Person, Place
from bot.desk import Desk
from bot.grammar import BOARDS, BY_NAME, COMMANDS
from engine.games import GAMES
from engine.match import Match
from engine.terms import sheet
from render.theme import THEMES

MOST = 25
"""Suggestions at once: Discord shows no more."""
WEIGHED = 400
"""Turns looked at for suggestions; nobody who is typing waits for thousands."""


async def complete(desk: Desk, who: Person, where: Place, text: str) -> list[str]:
    """Whole lines that begin with what was typed so far, likeliest first."""
    line = text.lstrip()
    head, space, tail = line.partition(" ")
    match = await desk.match(where.thread) if where.thread else None
    if not space:
        words = [command.name for command in COMMANDS if command.name.startswith(head.lower())]
        return [*words, *_tenable(match, who, head)][:MOST] if head else words[:MOST]
    command = BY_NAME.get(head.lower())
    if command is None:
        return []
    last = tail.rpartition(" ")[2]
    stem = text[: len(text) - len(last)]
    if command.name == "move":
        return [stem + turn for turn in _tenable(match, who, last)][:MOST]
    options = [*_words(command.name, tail, match)]
    if command.scope == "match" and not where.thread:
        options += [
            m.match for m in await desk.matches_of(await desk.accounts(who.key)) if m.status in ("open", "running")
        ]
    return [stem + option for option in dict.fromkeys(options) if option.startswith(last.lower())][:MOST]


def _words(name: str, tail: str, match: Match | None) -> list[str]:
    """What can follow a command, whatever has been typed of it."""
    games = list(GAMES)
    named = next((word for word in tail.lower().split() if word in games), "")
    game = GAMES.get(named) or (match.game if match else None)
    terms = [f"{o.key}={value}" for o in sheet(game) for value in (o.values or (o.default,))] if game else []
    return {
        "games": games,
        "rules": games,
        "terms": games,
        "help": [*(command.name for command in COMMANDS), *games],
        "challenge": terms if named else games,
        "amend": terms,
        "theme": list(THEMES),
        "board": list(BOARDS),
    }.get(name, [])


def _tenable(match: Match | None, who: Person, start: str) -> list[str]:
    """Turns that begin like this, where the umpire refuses others anyway; others' turns may hold secrets."""
    if match is None or match.status != "running" or match.calling or match.game.asks(match.position):
        return []
    game, position = match.game, match.position
    if match.side_of(who.key) != game.to_act(position):
        return []
    texts = (game.write(turn, position) for turn in islice(game.turns(position), WEIGHED))
    return list(islice((text for text in texts if text.lower().startswith(start.lower())), MOST))
