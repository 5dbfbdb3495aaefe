"""How a line can be completed."""

from bot.commands.community import VALUES
from bot.commands.people.secrecy import is_hidden
from bot.commands.spec import BY_NAME, COMMANDS
from bot.commands.spec.parts import BOARD_WORDS, SETTINGS
from bot.commands.suggestions.words import MOST, condensed, nameable, tenable, values
from bot.messages.model import Person, Place
from bot.repository import Repository
from engine.games import GAMES
from engine.match.state import Match
from engine.match.terms import sheet
from render.theme import THEMES


async def complete(repository: Repository, who: Person, where: Place, text: str) -> list[str]:
    """Returns whole lines that begin with what was typed so far, likeliest first."""
    line = text.lstrip()
    head, space, tail = line.partition(" ")
    match = await repository.match(where.thread) if where.thread else None
    accounts = await repository.accounts(who.key)
    if not space:
        words = [command.name for command in COMMANDS if command.name.startswith(head.lower())]
        return [*words, *tenable(match, accounts, head)][:MOST] if head else words[:MOST]
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
        return [stem + turn for turn in tenable(match, accounts, last)]
    options = [*_words(command.name, tail, match)]
    if command.scope == "match" and not where.thread and not spaced:
        options += [m.match for m in await repository.matches_of(accounts) if m.status in ("open", "running")]
    begun = [option for option in dict.fromkeys(options) if option.lower().startswith(last.lower())]
    if len(begun) < MOST:
        begun += condensed(nameable(command.name, match, accounts), last, MOST - len(begun))
    return [stem + option for option in begun][:MOST]


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
        "settings": [value.rpartition(" ")[2] for value in values(what, rest)] if spaced else list(SETTINGS),
        "board": list(BOARD_WORDS),
        "replay": ["sheet", "large"],
    }.get(name, [])
