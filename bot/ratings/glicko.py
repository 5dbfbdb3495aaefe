"""Glicko-2, by Mark Glickman's "Example of the Glicko-2 system" (2022); the numbers of steps are those of the paper."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

SCALE: Final = 173.7178
"""Points of a rating in one unit of the paper's own scale (step 2)."""
TAU: Final = 0.5
"""How much the volatility may change (step 1): small, since results in unusual games swing anyway."""
TOLERANCE: Final = 0.000001


@dataclass(frozen=True, slots=True)
class Rating:
    """What is believed of somebody's strength in one game."""

    points: float = 1500.0
    deviation: float = 350.0
    """In nineteen cases of twenty their strength is within two of these."""
    volatility: float = 0.06


BEGINNER: Final = Rating()


@dataclass(frozen=True, slots=True)
class Score:
    """How somebody did against one other."""

    against: Rating
    points: float
    """1 = won, 0.5 = drawn, 0 = lost."""


def rest(rating: Rating, periods: float) -> Rating:
    """Returns what is believed after some rating periods without a result: the same, less surely."""
    phi = math.hypot(rating.deviation / SCALE, rating.volatility * math.sqrt(max(periods, 0)))
    return Rating(rating.points, min(phi * SCALE, BEGINNER.deviation), rating.volatility)


def update(rating: Rating, scores: Sequence[Score]) -> Rating:
    """Returns what is believed after the results of one period (steps 3 to 8)."""
    if not scores:
        return rest(rating, 1)
    mu, phi = (rating.points - BEGINNER.points) / SCALE, rating.deviation / SCALE
    information = surprise = 0.0
    for score in scores:
        g = 1 / math.sqrt(1 + 3 * (score.against.deviation / SCALE) ** 2 / math.pi**2)
        expected = 1 / (1 + math.exp(-g * (mu - (score.against.points - BEGINNER.points) / SCALE)))
        information += g * g * expected * (1 - expected)
        surprise += g * (score.points - expected)
    variance = 1 / information
    sigma = _volatility(rating.volatility, phi, variance, variance * surprise)
    phi = 1 / math.sqrt(1 / (phi * phi + sigma * sigma) + information)
    return Rating(BEGINNER.points + SCALE * (mu + phi * phi * surprise), phi * SCALE, sigma)


def _volatility(sigma: float, phi: float, variance: float, improvement: float) -> float:
    """The new volatility (step 5), by the Illinois algorithm."""
    start = math.log(sigma * sigma)

    def f(x: float) -> float:
        spread = phi * phi + variance + math.exp(x)
        return math.exp(x) * (improvement**2 - spread) / (2 * spread**2) - (x - start) / TAU**2

    low = start
    high = math.log(improvement**2 - phi**2 - variance) if improvement**2 > phi**2 + variance else start - TAU
    while improvement**2 <= phi**2 + variance and f(high) < 0:
        high -= TAU
    at_low, at_high = f(low), f(high)
    while abs(high - low) > TOLERANCE:
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = f(middle)
        if at_middle * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = middle, at_middle
    return math.exp(low / 2)
