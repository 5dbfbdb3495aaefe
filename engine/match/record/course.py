"""What has happened in a match turn by turn, with those that were called out, taken back or lost."""

from dataclasses import dataclass, replace
from typing import Any

from engine.game import Ruling
from engine.match.commands import Player
from engine.match.events import CalledOut, CallFailed, Event, Played
from engine.match.evolve import evolve
from engine.match.state import Match, Ply, at_fault


@dataclass(frozen=True, slots=True)
class Callout:
    """A call that held, and what it showed."""

    by: Player
    late: bool
    part: Ply
    """The part of the turn that was at fault."""
    rulings: tuple[Ruling[Any], ...]


@dataclass(frozen=True, slots=True)
class Step:
    """One turn, or one that was lost."""

    ply: Ply
    since: int
    """After how many events of the match it last changed."""
    stands: bool = True
    callout: Callout | None = None
    in_vain: tuple[Player, ...] = ()
    """Who has called it out wrongly."""


@dataclass(frozen=True, slots=True)
class Course:
    """A match up to an event. A step keeps its index for ever."""

    match: Match | None = None
    steps: tuple[Step, ...] = ()
    line: tuple[int | None, ...] = ()
    """For each ply that stands the index of its step; None for a private answer."""


def follow_course(course: Course, event: Event) -> Course:
    """The course with one more event."""
    before, match = course.match, evolve(course.match, event)
    steps, line = list(course.steps), list(course.line)
    since, plies = match.length, match.plies
    kept = 0
    while kept < min(len(line), len(plies)) and before is not None and before.plies[kept] is plies[kept]:
        kept += 1
    gone = [index for index in line[kept:] if index is not None]
    del line[kept:]
    for index in gone:
        steps[index] = replace(steps[index], stands=False, since=since)
    if isinstance(event, CalledOut | CallFailed) and before is not None:
        index = _called(course, before, event.ply)
        step = steps[index]
        if isinstance(event, CallFailed):
            steps[index] = replace(step, in_vain=(*step.in_vain, event.by), since=since)
        else:
            steps[index] = replace(
                step, callout=Callout(event.by, event.late, *at_fault(before, step.ply)), since=since
            )
    for ply in plies[kept:]:
        if ply.kind == "reply":
            line.append(None)
        elif isinstance(event, Played) and event.extends and gone:
            line.append(gone[0])  # it stands in for its first half
            steps[gone[0]] = Step(ply, since)
        else:
            line.append(len(steps))
            steps.append(Step(ply, since))
    return Course(match, tuple(steps), tuple(line))


def _called(course: Course, before: Match, number: int) -> int:
    """The index of the turn that a call is about."""
    stood = zip(before.plies, course.line, strict=True)
    return next(index for ply, index in stood if ply.number == number and index is not None)
