"""The callout as Riposte plays it: which untenable turns it notices, and slips of its own that one can call."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from engine.appraisal import Appraising
from engine.dice import Dice
from engine.game import NotationError, Ruling

NOTICED: Sequence[tuple[int, int]] = ((35, 5), (55, 15), (75, 35), (90, 60), (97, 85), (100, 100))
"""By level: of a hundred turns that break a rule, how many are noticed; and how many that break only subtle ones."""
SLIPS = 12
"""Of a hundred turns, how many are slips under `slips=on`."""
BLUFFS = 6
"""Of a hundred turns, how many mislead, where a game knows bluffs."""
TRIES = 60
"""Texts that are tried for one."""


def notices(game: Appraising[Any, Any], rulings: Iterable[Ruling[Any]], level: int, dice: Dice) -> str:
    """The number of the rule whose breach is noticed, or "". Luck is asked whether or not anything is broken."""
    drawn = dice.roll(100)
    plain, subtle = NOTICED[level - 1]
    for ruling in sorted(rulings, key=lambda one: one.rule.ref in game.subtle):
        if drawn < (subtle if ruling.rule.ref in game.subtle else plain):
            return ruling.rule.ref
    return ""


def slip(game: Appraising[Any, Any], position: Any, turn: Any, dice: Dice) -> Any:
    """An untenable turn that somebody could mistake for this one: a place of it is another; None if none is found."""
    sites = list(game.board(position).outlines)
    place = re.compile("|".join(map(re.escape, sorted(sites, key=len, reverse=True))))
    text = game.write(turn, position)
    spots = list(place.finditer(text))
    for _ in range(TRIES if spots else 0):
        spot = spots[-1 - dice.roll(min(2, len(spots)))]
        other = text[: spot.start()] + sites[dice.roll(len(sites))] + text[spot.end() :]
        try:
            meant = game.read(other, position)
        except NotationError:
            continue
        harmless = game.caution(position, meant, game.play(position, meant)) is None and not game.rolls(meant)
        if harmless and not game.tenable(position, meant):
            return meant
    return None
