"""Luck is fair: counted over everything that the dice can give, not sampled."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import permutations

import pytest

from engine.dice import Dice

SEED = bytes(range(32))


@dataclass(slots=True)
class Loaded(Dice):
    """Gives what it is told to, then noughts; remembers how many faces each roll had."""

    told: tuple[int, ...] = ()
    faces: list[int] = field(default_factory=list)

    def roll(self, faces: int) -> int:
        self.faces.append(faces)
        nth = len(self.faces) - 1
        return self.told[nth] if nth < len(self.told) else 0


def orders(items: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Fraction]]:
    """Every order that a shuffle can lead to, once for each way there, with how likely that way is."""
    waiting: list[tuple[int, ...]] = [()]
    while waiting:
        told = waiting.pop()
        dice = Loaded(SEED, told=told)
        order = dice.shuffle(items)
        if len(dice.faces) > len(told):
            waiting += [(*told, face) for face in range(dice.faces[len(told)])]
            continue
        likely = Fraction(1)
        for faces in dice.faces:
            likely /= faces
        yield order, likely


@pytest.mark.parametrize("items", ["", "a", "ab", "abc", "abcd", "abcde"])
def test_a_shuffle_leads_to_every_order_equally_often(items: str) -> None:
    likely: dict[tuple[str, ...], Fraction] = {}
    for order, share in orders(tuple(items)):
        likely[order] = likely.get(order, Fraction(0)) + share
    every = list(permutations(items))
    assert likely == dict.fromkeys(every, Fraction(1, len(every)))


def test_a_shuffle_of_real_dice_leads_to_every_order_about_equally_often() -> None:
    seen = Counter(Dice(seed.to_bytes(32, "big")).shuffle(("a", "b", "c")) for seed in range(6_000))
    assert len(seen) == 6
    assert sum((count - 1_000) ** 2 / 1_000 for count in seen.values()) < 20.5  # chi-square, 5 degrees: 1 in 1,000


def test_a_shuffle_takes_one_number_for_each_item_but_the_last() -> None:
    dice = Dice(SEED)
    dice.shuffle(("a", "b", "c", "d"))
    assert dice.counter == 3


@pytest.mark.parametrize("faces", [1, 2, 3, 6, 8, 16])
def test_every_face_comes_up_about_equally_often(faces: int) -> None:
    dice = Dice(SEED)
    seen = Counter(dice.roll(faces) for _ in range(1_000 * faces))
    assert set(seen) == set(range(faces))
    assert all(850 < count < 1_150 for count in seen.values())


def test_a_number_that_would_favour_low_faces_is_drawn_again() -> None:
    faces = 3 << 62  # a quarter of all numbers are of no use: without a second draw, the low third would be half
    dice = Dice(SEED)
    rolls = [dice.roll(faces) for _ in range(3_000)]
    assert 900 < sum(roll < faces // 3 for roll in rolls) < 1_100
    assert dice.counter == 3_000, "a second draw is no roll of its own"


def test_the_same_seed_and_counter_give_the_same_rolls_for_ever() -> None:
    assert [Dice(SEED, counter).roll(1_000) for counter in range(4)] == list(PINNED)
    assert Dice(bytes(32)).roll(1_000) != Dice(SEED).roll(1_000)


PINNED = (372, 353, 294, 292)
"""What matches that have begun rely on."""
