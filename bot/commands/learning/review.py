"""A match that is over, looked at again: what nobody called, wrong calls, and where it turned."""

import asyncio
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from bot.commands.context import Effect, MatchContext, not_begun, whisper
from bot.commands.learning.uncalled import tallies, uncalled
from bot.messages.model import Choice, IncomingMessage, Lines, Picture
from bot.messages.narrator import Draft
from bot.messages.people_text import Names, who
from bot.messages.showing.pictures import picture
from bot.repository import Repository
from engine.appraisal import Appraising
from engine.board import Side
from engine.chart import Chart, Series
from engine.game import Ruling
from engine.match.commands import Player
from engine.match.state import Match, Ply
from engine.search.course import bounded, standings
from engine.search.partner import earnest, think
from engine.search.values import Task
from engine.text import Text, plural

MOST_TOLD = 10
"""Untenable turns in one answer."""
MOST_SWINGS = 3
"""Turns that decided it, in one answer."""
LEAST_SWING = 60
"""Points that a turn has to lose to be told."""
LEVEL = 2
"""At which level Riposte looks for what was better."""
PHASES, FEWEST = 3, 2
"""Into how many parts a match is cut, and how many turns of a side one needs to be told of."""
SHOW_COURSE = Text("From turn to turn")


@dataclass(frozen=True, slots=True)
class Swing:
    """A turn that lost much of what its side had."""

    ply: Ply
    lost: int
    better: str
    """What Riposte would have played."""


async def review(repository: Repository, context: MatchContext) -> Effect:
    """Tells what a match that is over has to teach."""
    match, message = context.match, context.message
    if match.position is None and match.status != "over":
        return not_begun(context)
    if match.status != "over":
        return whisper(
            message,
            Text("Match {match} is not over: what could still be called stays untold.", match=match.id),
            Text("`review {match}` tells it afterwards.", match=match.id),
        )
    if not match.plies:
        return whisper(message, Text("No turn was made in match {match}.", match=match.id))
    broken, swings, phases, course = await asyncio.to_thread(_looked_at, match)
    names = await repository.names(match, message.who)
    if context.parsed.rest:
        return _plot(match, message, course, names)
    lines: list[tuple[Text, ...]] = [
        (Text("**Match {match}: {game}, in review**", match=match.id, game=match.game.name),),
        *_untold(match, broken),
        *(
            (
                Text(
                    "{player} called turn {number} out, and it held.", player=who(player, names), number=step.ply.number
                ),
            )
            for step in (await repository.course(match)).steps
            for player in step.in_vain
        ),
        *tallies(match, names),
    ]
    lines += _turning_points(match, swings)
    lines += phases
    choices = (Choice(SHOW_COURSE, f"review {match.id} course"),) if course else ()
    return Effect(drafts=(Draft(tuple(lines), _shown(match, broken), choices, only=message.who.key),))


Course: TypeAlias = Mapping[Side, tuple[int, ...]]
"""Of each side the points after each turn; of two the first one alone. Empty where a game cannot be appraised."""


def _looked_at(match: Match) -> tuple[list[tuple[Ply, Ruling[Any]]], list[Swing], Lines, Course]:
    """What each turn broke, which lost most, how well each side played when, and the course of the match."""
    made = [ply for ply in match.plies if ply.kind == "turn"]
    broken = [(ply, rulings[0]) for ply, rulings in uncalled(match)]
    game = match.game
    if not isinstance(game, Appraising):
        return broken, [], (), {}
    untenable = {ply.number for ply, _ in broken}
    lost = _lost(game, made)
    worst = sorted((one for one in lost if one[1].number not in untenable), key=lambda one: -one[0])[:MOST_SWINGS]
    swings = [Swing(ply, points, _better(match, ply)) for points, ply in worst if points >= LEAST_SWING]
    swings = [swing for swing in swings if swing.better != swing.ply.text]
    course = standings(game, [ply.after for ply in made], game.playing(made[0].before))
    return broken, swings, _phases(game, lost), course


def _lost(game: Appraising[Any, Any], made: Sequence[Ply]) -> list[tuple[int, Ply]]:
    """With each turn the points that its side had lost by the time it was to act again: what a turn gives away is seen
    in the answer to it."""
    lost = []
    after: dict[str, Any] = {}
    end = made[-1].after
    for ply in reversed(made):
        stood, came = (bounded(game.evaluate(at, ply.side)) for at in (ply.before, after.get(ply.side, end)))
        lost.append((stood - came, ply))
        after[ply.side] = ply.before
    return lost[::-1]


def _phases(game: Appraising[Any, Any], lost: Sequence[tuple[int, Ply]]) -> Lines:
    """By side and by third of the match, how many of a hundred turns kept what there was."""
    lines = []
    for side in game.sides:
        shares = []
        for part in range(PHASES):
            some = lost[part * len(lost) // PHASES : (part + 1) * len(lost) // PHASES]
            own = [points < LEAST_SWING for points, ply in some if ply.side == side]
            shares.append(100 * sum(own) // len(own) if len(own) >= FEWEST else None)
        if None not in shares:
            opening, middle, end = shares
            told = Text(KEPT.template, side=game.names[side], opening=opening, middle=middle, end=end)
            lines.append((told,))
    return tuple(lines)


KEPT = Text(
    "{side} gave nothing away with {opening} % of the turns in the opening, {middle} % in the middle, {end} % at the "
    "end."
)


def _better(match: Match, ply: Ply) -> str:
    game = match.game
    assert isinstance(game, Appraising), "asked before"
    seed = hashlib.sha256(f"review|{match.id}|{ply.number}".encode()).digest()
    turn = think(Task(game, ply.side), ply.before, earnest(game, LEVEL), seed).turn
    return "" if turn is None else game.write(turn, ply.before)


def _plot(match: Match, message: IncomingMessage, course: Course, names: Names) -> Effect:
    """The course of a match as a picture: bars for two, a line for each of several."""
    game = match.game
    if not course:
        return whisper(message, Text("Riposte does not know how to play {game}.", game=game.name))
    title = Text("**Match {match}: {game}, from turn to turn**", match=match.id, game=game.name)
    if len(course) == 1:
        (values,) = course.values()
        told, drawn = TOWARD, Picture(game.key, "", None, course=values)
    else:
        told, drawn = EACH, Picture(game.key, "", None, chart=_lines(match, course, names))
    return Effect(drafts=(Draft(((title, told),), drawn, only=message.who.key),))


TOWARD = Text("Each bar reaches toward the side that Riposte thinks stood better.")
EACH = Text("Each line goes up where Riposte thinks that its player stood better.")


def _lines(match: Match, course: Course, names: Names) -> Chart:
    """A line for each player, turn by turn."""
    count = len(next(iter(course.values())))
    step = max(1, count // 8)
    ticks = tuple((float(turn), str(turn)) for turn in range(1, count + 1, step))
    series = tuple(
        Series(_called(match.seats[side], names), tuple((float(turn), value) for turn, value in enumerate(values, 1)))
        for side, values in course.items()
    )
    return Chart(match.game.name, form="line", series=series, ticks=ticks)


def _called(player: Player, names: Names) -> str:
    known = who(player, names)
    return known if isinstance(known, str) else known.name


def _untold(match: Match, broken: Sequence[tuple[Ply, Ruling[Any]]]) -> Lines:
    """The untenable turns that nobody called."""
    if not broken:
        return ((Text("No turn that stood broke a rule."),),)
    lines = [
        (
            Text("{number}. {side} `{turn}` was untenable, and nobody called it.", **_named(match, ply)),
            ruling.because,
        )
        for ply, ruling in broken[:MOST_TOLD]
    ]
    more = len(broken) - MOST_TOLD
    return (
        (*lines, (plural("{count} more was untenable.", "{count} more were untenable.", more),))
        if more > 0
        else (*lines,)
    )


def _turning_points(match: Match, swings: Sequence[Swing]) -> Lines:
    lines = []
    for swing in swings:
        told = _named(match, swing.ply)
        if swing.better:
            lines.append(
                (
                    Text(
                        "{number}. {side} `{turn}` lost much; Riposte would have played `{better}`.",
                        better=swing.better,
                        **told,
                    ),
                )
            )
        else:
            lines.append((Text("{number}. {side} `{turn}` lost much.", **told),))
    return tuple(lines)


def _named(match: Match, ply: Ply) -> dict[str, str]:
    shown = match.game.show(ply.turn, ply.before, None)
    return {"number": str(ply.number), "side": match.game.names[ply.side], "turn": shown}


def _shown(match: Match, broken: Sequence[tuple[Ply, Ruling[Any]]]) -> Picture:
    """The first turn that nobody called, with what it broke; else the board at the end."""
    if not broken:
        return picture(match.game, match.position, None)
    ply, ruling = broken[0]
    return picture(match.game, ply.before, None, marks=ruling.marks)
