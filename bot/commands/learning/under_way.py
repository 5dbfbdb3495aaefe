"""Positions of matches that are not over: nobody may have them looked at, by any door."""

import asyncio
from collections.abc import Mapping
from typing import Any

from bot.commands.context import Context, Effect, reply
from bot.repository import Repository
from engine.dice import Dice
from engine.game import AnyGame
from engine.match.commands import Player
from engine.match.record.course import Course
from engine.match.state import Match
from engine.match.terms import read_terms
from engine.teaching.likeness import Standing, likenesses, standing
from engine.text import Text


async def own_match_with(
    repository: Repository, accounts: tuple[Player, ...], game: AnyGame, position: Any
) -> Match | None:
    """Returns a running match of somebody's in which a position stands or has stood, however it is turned, mirrored or
    counted, and whichever side is whose."""
    wanted: frozenset[Standing] | None = None
    for summary in await repository.matches_of(accounts, "running"):
        match = await repository.match(summary.match) if summary.game == game.key else None
        if match is None or match.position is None:
            continue
        wanted = await asyncio.to_thread(likenesses, game, position) if wanted is None else wanted
        course = await repository.course(match)
        if await asyncio.to_thread(_stood, match, course, accounts, wanted):
            return match
    return None


async def begins_under_way(
    repository: Repository, context: Context, game: AnyGame, terms: Mapping[str, str]
) -> Effect | None:
    """Returns the refusal of terms by which a match against Riposte would begin where a running match of theirs stands
    or has stood."""
    start = read_terms(game, terms)["start"]
    if not start:
        return None
    position = game.decode(start)
    if game.identity(position) == game.identity(game.setup(dict(terms) | {"start": ""}, Dice(bytes(32)))):
        return None  # anybody may begin at the beginning
    match = await own_match_with(repository, context.accounts, game, position)
    if match is None:
        return None
    return reply(
        context.message,
        Text("That position stands in match {match}, which is not over.", match=match.id),
        Text("Practise it once that match is over."),
    )


async def untold_verdicts(repository: Repository, accounts: tuple[Player, ...], here: str, game: AnyGame) -> bool:
    """Returns whether a running match of this game is somebody's, or is played `here`: then no turn is judged for them.

    Calls would be too easy.
    """
    match = await repository.match(here) if here else None
    if match is not None and match.status == "running" and match.game.key == game.key:
        return True
    return any(match.game == game.key for match in await repository.matches_of(accounts, "running"))


def _stood(match: Match, course: Course, accounts: tuple[Player, ...], wanted: frozenset[Standing]) -> bool:
    """Whether one of these has stood in a match, as everybody or the player sees it; what was taken back counts."""
    own = [side for side, player in match.seats.items() if player in accounts]
    plies = (*match.plies, *(step.ply for step in course.steps))
    positions = (match.start, match.position, *(at for ply in plies for at in (ply.before, ply.after)))
    seen = {id(position): position for position in positions if position is not None}
    return any(
        standing(match.game, position, viewer) in wanted for position in seen.values() for viewer in (None, *own)
    )
