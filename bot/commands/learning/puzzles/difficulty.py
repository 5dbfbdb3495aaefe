"""How hard it is to spot what a turn breaks, by its rule and by how people have fared, and which turn suits whom."""

from collections.abc import Callable, Mapping, Sequence

from engine.appraisal import Appraising

OWNER = "spot"
"""Whose setting it is how people have fared with the rules of a game, by its key: `flat 12 20;house 3 4`."""
WEIGHT = 4
"""What is thought of a rule at first counts as much as so many answers."""
PLAIN, SUBTLE = 40, 60
"""Of a hundred answers, how many are thought to be wrong at first."""
HOLDS = "-"
"""Stands for turns that break nothing."""
CHOICE = 3
"""Turns of which the fitting one is asked about."""

Fared = Mapping[str, tuple[int, int]]
"""By rule: answers that were right, answers in all."""


def read(stored: str) -> Fared:
    """How people have fared, from the setting."""
    return {ref: (int(right), int(total)) for ref, right, total in (one.rsplit(" ", 2) for one in _parts(stored))}


def after(stored: str, rule: str, *, right: bool) -> str:
    """The setting after one more answer."""
    fared = dict(read(stored))
    was, total = fared.get(rule, (0, 0))
    fared[rule] = (was + right, total + 1)
    return ";".join(f"{ref} {seen} {all_}" for ref, (seen, all_) in sorted(fared.items()))


def difficulty(game: Appraising, rule: str, fared: Fared) -> float:  # type: ignore[type-arg]
    """Of a hundred people, how many miss what breaks this rule."""
    right, total = fared.get(rule, (0, 0))
    first = SUBTLE if rule in game.subtle else PLAIN
    return (100 * (total - right) + first * WEIGHT) / (total + WEIGHT)


def wanted(right: int, total: int) -> float:
    """The difficulty that suits somebody: whoever is always right gets what most people miss."""
    return 100 * (right + WEIGHT / 2) / (total + WEIGHT)


def fitting(found: Sequence[str], aim: float, hard: Callable[[str], float]) -> int:
    """Which of several turns, by the rules they break, comes nearest to a difficulty."""
    return min(range(len(found)), key=lambda number: abs(hard(found[number]) - aim))


def _parts(stored: str) -> list[str]:
    return [one for one in stored.split(";") if one]
