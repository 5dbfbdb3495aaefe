"""Ratings of those who play by three and more: the Bradley-Terry model of all pairs (Weng and Lin 2011), by openskill.

On the scale of Glicko-2: everybody begins alike, and between two whose strengths are known a distance says the same.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Final

from bot.ratings.glicko import BEGINNER, SCALE, Rating, Score

if TYPE_CHECKING:
    from openskill.models import BradleyTerryFull

BETA: Final = SCALE / math.sqrt(2)
"""How far a player's strength swings from match to match, in points."""
TAU: Final = BEGINNER.deviation / 100
"""By how much each match makes strengths less sure before it is counted, as openskill has it."""


def update(rating: Rating, scores: Sequence[Score]) -> Rating:
    """Returns what is believed after a match, by how somebody did against each of the others of whom it tells.

    Nobody's place behind the winners is known, so each pair is rated alone: two who have lost would else have drawn,
    and the weaker of them could gain by it.
    """
    if not scores:
        return rating
    model = _model()
    teams = [[model.rating(one.points, one.deviation)] for one in (rating, *(score.against for score in scores))]
    after = model.rate(teams, ranks=[0.5, *(score.points for score in scores)])[0][0]
    return replace(rating, points=after.mu, deviation=min(after.sigma, BEGINNER.deviation))


@cache
def _model() -> "BradleyTerryFull":
    from openskill.models import BradleyTerryFull  # slow to import, and only matches of several need it

    return BradleyTerryFull(BEGINNER.points, BEGINNER.deviation, BETA, gamma=_whole, tau=TAU)


def _whole(*_asked: object) -> float:
    """How much of what a match tells makes a rating surer: all, or it stays provisional for sixty matches."""
    return 1.0
