"""Whether what a button says can still be done, and by whom: never anything about what is tenable."""

from collections.abc import Sequence

from bot.commands.parser import ParsedCommand, read_command
from bot.messages.model import Choice, Place
from bot.messages.prompts import turn_choices
from bot.messages.serialization import channel_address
from bot.repository import Repository
from engine.match.commands import Player
from engine.match.state import Match, open_to_call


async def current(repository: Repository, line: str) -> bool:
    """Returns whether a button's command still leads to something, whoever presses it."""
    parsed = read_command(line)
    if not isinstance(parsed, ParsedCommand) or not parsed.match:
        return True
    try:
        match = await repository.match(parsed.match)
    except OSError:  # damaged: whoever presses it is told
        return True
    return match is not None and _is_current(match, parsed)


async def answerable(repository: Repository, player: Player, where: Place, line: str) -> bool:
    """Returns whether a challenge or an offer waits for the answer that a button gives, and for this player's.

    A challenge that lives elsewhere is, to whoever is not asked, as if it were not there.
    """
    parsed = read_command(line)
    if not isinstance(parsed, ParsedCommand) or not parsed.match:
        return False
    try:
        match = await repository.match(parsed.match)
    except OSError:  # damaged: whoever presses it is told
        return True
    if match is None or match.status == "over" or not _is_current(match, parsed):
        return False
    accounts = set(await repository.accounts(player))
    if match.status == "running":
        playing = not accounts.isdisjoint(match.seats.values())
        if parsed.command.name == "decline" or not playing:
            return playing
        offers = [offer for offer in match.offers if offer.what in parsed.words]
        return any(accounts.isdisjoint({offer.by, *offer.agreed}) for offer in offers)
    asked = not accounts.isdisjoint(match.parties)
    if parsed.command.name == "decline":
        return asked
    free = channel_address(where) in match.places and len(match.parties) < len(match.game.seats(match.terms))
    return (asked or free) and accounts.isdisjoint(match.joined) and accounts.isdisjoint(match.left)


async def applauded(repository: Repository, player: Player, where: Place, line: str) -> bool:
    """Returns whether a sign that means this answer is only applause: it is asked for, but not of this player."""
    return await current(repository, line) and not await answerable(repository, player, where, line)


async def due(repository: Repository, player: Player, line: str) -> bool:
    """Returns whether it is a player's to do now what a line is asked for; in some match, if it names none."""
    parsed = read_command(line)
    if not isinstance(parsed, ParsedCommand) or parsed.command.name not in ("move", "secret"):
        return True
    accounts = await repository.accounts(player)
    named = [parsed.match] if parsed.match else [one.match for one in await repository.matches_of(accounts, "running")]
    for number in named:
        try:
            match = await repository.match(number)
        except OSError:  # damaged: whoever asks about it is told
            return True
        if match is not None and _is_current(match, parsed) and _awaits(match, accounts):
            return True
    return False


async def turn_due(repository: Repository, player: Player, number: str) -> Choice | None:
    """Returns the button for a player's turn in a match, if one is due."""
    match = await repository.match(number)
    if match is None or match.status != "running":
        return None
    if not _awaits(match, await repository.accounts(player)):
        return None
    return next(iter(turn_choices(match)), None)


def _awaits(match: Match, accounts: Sequence[Player]) -> bool:
    return any(match.seats[side] in accounts for side in match.sides_to_act)


def _is_current(match: Match, parsed: ParsedCommand) -> bool:
    running, ply, name = match.status == "running", parsed.ply, parsed.command.name
    match name:
        case "move":
            return running and bool(turn_choices(match)) and ply in (None, match.next_number)
        case "secret":
            return running and bool(match.game.asks(match.position))
        case "call":
            return any(turn.number == ply for turn in open_to_call(match))
        case "ok":
            return running and match.ending is not None and ply == match.stamp
        case "claim":
            return running and (match.claimable or match.overrun)
        case "rematch":
            return match.status == "over"
        case "accept" | "decline" if match.status == "open":
            return ply in (None, match.stamp)
        case "accept" | "decline":
            return running and ply == match.stamp and any(offer.what in parsed.words for offer in match.offers)
        case _:
            return True
