"""Vacations that begin by themselves when somebody's time would run out."""

from dataclasses import dataclass, replace

from bot.commands.parser import ParsedCommand, read_command
from bot.messages.model import PARTNER, IncomingMessage
from bot.repository import Repository, Setting
from bot.rests.calendars import Calendar, allowance_left, rests_of, vacations, write_vacations
from engine.board import Side
from engine.match.alarms import deadline, limits_of
from engine.match.clock import DAY
from engine.match.commands import Player, Rest
from engine.match.decide import decide
from engine.match.events import Refusal
from engine.match.evolve import Decision
from engine.match.state import Match


@dataclass(frozen=True, slots=True)
class Begun:
    """What follows from vacations that have begun: the match in which time rests now, and what is stored."""

    decision: Decision
    players: tuple[Player, ...]
    settings: tuple[Setting, ...]


def named_match(message: IncomingMessage) -> str:
    """Returns the number of the match that a message is about, as far as its words tell."""
    parsed = read_command(message.text)
    return (parsed.match if isinstance(parsed, ParsedCommand) else "") or message.where.thread


async def begun(repository: Repository, match: Match, at: int) -> Begun | None:
    """Returns the vacations that begin because time would be over by an instant; None where there are none."""
    due = deadline(match)
    if due is None or at < due or match.ending is not None:
        return None
    found = Begun(Decision(), (), ())
    for side, limit in limits_of(match).items():
        if limit <= at and match.seats[side] != PARTNER:
            found = await _one_more(repository, match, side, limit, found)
            match = found.decision.after if found.decision.events else match
    return found if found.players else None


async def _one_more(repository: Repository, match: Match, side: Side, limit: int, found: Begun) -> Begun:
    player = match.seats[side]
    calendar = await repository.calendar(player)
    left = allowance_left(calendar, limit)
    if not calendar.auto or left < DAY:
        return found
    begins = limit - 1  # a last millisecond is left, so that the time rests before it is over
    spans = (*vacations(calendar), (begins, begins + left))
    away = Calendar(calendar.zones, write_vacations(tuple(sorted(spans)), limit), calendar.quiet, auto=True)
    weekends, vacation = rests_of(match, side, away)
    decided = decide(match, Rest(player, weekends, vacation), match.runs_since, match.dice)
    assert not isinstance(decided, Refusal), "nobody asked for it"
    if not decided.events or limits_of(decided.after)[side] <= limit:
        return found  # these terms know no vacation
    owner = (await repository.accounts(player))[0]
    stored = (owner, "vacations", away.vacations)
    return replace(
        found,
        decision=found.decision + decided,
        players=(*found.players, player),
        settings=(*found.settings, stored),
    )
