"""A position with plain fields has one line of text, and comes back from it whatever is in it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.position_text import Unreadable, position_text, read_position


@dataclass(frozen=True, slots=True)
class Plain:
    """Every kind of field that has a text of its own."""

    word: str
    number: int
    truth: bool
    side: Literal["R", "W", "-"]
    perhaps: str | None
    last: int | None
    row: tuple[int, ...]
    pair: tuple[str, bool]
    names: frozenset[str]
    rows: tuple[tuple[str, ...], ...]
    groups: frozenset[tuple[str, int]]
    pieces: Mapping[str, str] = field(hash=False)
    hands: dict[int, tuple[str, ...]] = field(hash=False)


words = st.text(max_size=4) | st.sampled_from(
    ["-", "~", "()", "", "yes", "3", '"', "a b", " / ", "x: y", "\u2028", "é"]
)
numbers = st.integers()
plain = st.builds(
    Plain,
    word=words,
    number=numbers,
    truth=st.booleans(),
    side=st.sampled_from(["R", "W", "-"]),
    perhaps=st.none() | words,
    last=st.none() | numbers,
    row=st.lists(numbers, max_size=3).map(tuple),
    pair=st.tuples(words, st.booleans()),
    names=st.frozensets(words, max_size=3),
    rows=st.lists(st.lists(words, max_size=2).map(tuple), max_size=3).map(tuple),
    groups=st.frozensets(st.tuples(words, numbers), max_size=2),
    pieces=st.dictionaries(words, words, max_size=3),
    hands=st.dictionaries(numbers, st.lists(words, max_size=2).map(tuple), max_size=2),
)


@given(position=plain)
def test_a_position_is_one_line_and_comes_back_from_it(position: Plain) -> None:
    text = position_text(position)
    assert len(text.splitlines()) == 1
    assert "`" not in text
    assert read_position(position, f" {text}\n") == position


class Simple(NamedTuple):
    """A position of a small game."""

    petals: frozenset[str] = frozenset("cab")
    to_move: str = "S"
    plies: int = 0
    pot: tuple[int, int] = (0, 12)


SIMPLE = "petals: a b c / to_move: S / plies: 0 / pot: 0 12"


def test_it_reads_like_a_list_of_the_fields() -> None:
    assert position_text(Simple()) == SIMPLE
    assert position_text(Simple(frozenset(), "a side")) == 'petals: - / to_move: "a\\u0020side" / plies: 0 / pot: 0 12'


def test_what_has_no_order_may_be_written_in_any() -> None:
    assert read_position(Simple(), SIMPLE.replace("a b c", "c b a")) == Simple()


@pytest.mark.parametrize(
    ("written", "instead", "fact"),
    [
        ("plies: 0", "plies: 01", "`plies` cannot be `01`."),
        ("plies: 0", "plies: many", "`plies` cannot be `many`."),
        ("plies: 0", "plies: -0", "`plies` cannot be `-0`."),
        ("a b c", "a  b", "`petals` cannot be `a  b`."),
        ("0 12", "0 12 7", "`pot` cannot be `0 12 7`."),
        ("to_move: S", 'to_move: "S"', '`to_move` cannot be `"S"`.'),
        ("to_move: S", "to_move: ", "`to_move` cannot be ``."),
        ("plies", "turns", "That is no position of this game."),
        (SIMPLE, "", "That is no position of this game."),
    ],
)
def test_what_is_no_position_is_answered_with_the_fact(written: str, instead: str, fact: str) -> None:
    found = read_position(Simple(), SIMPLE.replace(written, instead))
    assert isinstance(found, Unreadable)
    assert str(found.because) == fact
    assert SIMPLE in str(found.remedy)


class Deep(NamedTuple):
    """Too deep for a line that people can read."""

    board: tuple[tuple[tuple[int, ...], ...], ...] = ()


def test_a_position_that_is_not_plain_is_told_what_to_write_instead() -> None:
    with pytest.raises(TypeError, match="write the game's `encode` and `decode`"):
        position_text(Deep())
