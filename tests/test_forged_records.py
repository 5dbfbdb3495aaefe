"""A record says each thing once and in one way: a host who spells it otherwise, hides a line or doubles one is found.

The cheats here need no other throw to be drawn: they look for a spelling that makes what was chosen come out, or for
a line that a reader sees and a program passes over. `riposte verify` and the stand-alone script must find each.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from engine.match.commands import Resign
from tests.test_bound_dice import (
    MATCHES,
    another_match,
    another_throw,
    begun,
    finished,
    found,
    other_lots,
    other_seats,
)
from tests.test_true_records import told as recorded

Cheat = Callable[[str], Iterator[str]]


def changed(old: str, new: str) -> tuple[str, str, str]:
    """The line that differs, and what stands before and after it in the new text."""
    before, after = old.split("\n"), new.split("\n")
    at = next(at for at, line in enumerate(before) if line != after[at])
    return "".join(f"{line}\n" for line in after[:at]), after[at], "".join(f"\n{line}" for line in after[at + 1 :])


def hidden_throws(text: str) -> Iterator[str]:
    """Another throw, in a line that a program could pass over."""
    for forged in another_throw(text):
        before, line, after = changed(text, forged)
        for told in (f" {line}", f"\t{line}", line.replace(". ", ".  ", 1), line.replace(" ", "\u00a0", 1)):
            yield before + told + after


def throws_in_other_brackets(text: str) -> Iterator[str]:
    for forged in another_throw(text):
        before, line, after = changed(text, forged)
        for old, new in (("(", " ("), ("(", "( "), (")", " )"), ("(", "\uff08"), ("(", "["), ("(", "(0"), ("(", "<")):
            yield before + line.replace(old, new) + after


def throws_in_other_digits(text: str) -> Iterator[str]:
    """The throw that was made, spelled so that another number is read."""
    for thrown in re.finditer(r"\(([+-]?)(\d)\)", text):
        arabic = chr(ord("\u0660") + int(thrown[2]))
        for other in (f"({thrown[1]}{arabic})", f"({thrown[1]}0{thrown[2]})", f"(+-{thrown[2]})"):
            yield text[: thrown.start()] + other + text[thrown.end() :]


def seats_turned_round(text: str) -> Iterator[str]:
    """Other seats, with the lines of the players in such an order that the same names come out of the lot."""
    for forged in other_seats(text):
        players = re.findall(r"^Player .*\n", forged, re.MULTILINE)
        yield forged.replace("".join(players), "".join(players[::-1]))
        yield forged.replace("".join(players), "".join(players[1:] + players[:1]))


def sides_by_another_name(text: str) -> Iterator[str]:
    """Who has White is said to have Black, by names that are nobody's key."""
    names = re.findall(r"^Player (\w+):", text, re.MULTILINE)
    others = dict(zip(names, names[1:] + names[:1], strict=True))
    yield re.sub(r"^Player (\w+):", lambda line: f"Player {others[line[1]]}:", text, flags=re.MULTILINE)


def numbers_spelled_otherwise(text: str) -> Iterator[str]:
    """The match's number is signed as it is written: a host could search for zeros and signs that pay."""
    for number in ("07", "0007", "7\u200b", "\uff17", "7.0", "7|0", "+7", "7_"):
        forged = text.replace("Match: 7\n", f"Match: {number}\n")
        yield forged
        yield from other_lots(forged)


def headers_told_twice(text: str) -> Iterator[str]:
    """What stands first is true, what counts is not; or the other way round."""
    for line in re.findall(
        r"^(?:Match|Game|Terms|Luck|Commitment|Seed|Start|Player \w+|Share): .*\n", text, re.MULTILINE
    ):
        yield text.replace(line, line + line)
    yield text.replace("Match: 7\n", "Match: 12\nMatch: 7\n")


def terms_told_twice(text: str) -> Iterator[str]:
    yield text.replace("Terms: ", "Terms: side=black; ", 1)
    yield re.sub(r"^(Terms: .*)$", r"\1; time=1d", text, flags=re.MULTILINE)


def numbers_left_out(text: str) -> Iterator[str]:
    """The number of a turn is signed: a host could leave some out until a throw pays."""
    for turn in re.finditer(r"^(\d+)(?=\. )", text, re.MULTILINE):
        for number in (int(turn[1]) + 1, int(turn[1]) + 100, int(turn[1]) - 1):
            yield text[: turn.start()] + str(number) + text[turn.end() :]


def turns_that_never_were(text: str) -> Iterator[str]:
    """A turn called or taken back that nobody has made moves the number of the next one on."""
    first = re.search(r"^1\. ", text, re.MULTILINE)
    if first is not None:
        later = re.sub(r"^1\. ", "40. ", text, count=1, flags=re.MULTILINE)
        for line in ("taken back from 40\n", "called 39 by B: turn (flat)\n", "called 40 by B: friendly (flat)\n"):
            yield later[: first.start()] + line + later[first.start() :]


def lots_elsewhere(text: str) -> Iterator[str]:
    """A lot that no answer has led to, or once more."""
    for lot in re.finditer(r"^lots .*\n", text, re.MULTILINE):
        yield text[: lot.end()] + text[lot.start() :]
    for turn in re.finditer(r"^\d+\. .*\n", text, re.MULTILINE):
        yield text[: turn.end()] + "lots 2:0\n" + text[turn.end() :]


def lines_of_no_kind(text: str) -> Iterator[str]:
    for line in ("1 . W pass", "1.W pass", "Reply W pass", "lots: 2:1", "Taken back from 1", "taken back from 1 and 2"):
        yield f"{text}{line}\n"


CHEATS: tuple[Cheat, ...] = (
    hidden_throws,
    throws_in_other_brackets,
    throws_in_other_digits,
    seats_turned_round,
    sides_by_another_name,
    numbers_spelled_otherwise,
    headers_told_twice,
    terms_told_twice,
    numbers_left_out,
    turns_that_never_were,
    lots_elsewhere,
    lines_of_no_kind,
)
TWO = ("ironclad", "veney sticks", "veney d10", "veney equal", "veney in turns", "chirality drawn", "tokonoma lot")


@pytest.mark.parametrize("cheat", CHEATS, ids=lambda cheat: cheat.__name__)
def test_what_is_spelled_otherwise_hidden_or_doubled_is_found(cheat: Cheat, tmp_path: Path) -> None:
    tried = 0
    for key in TWO:
        text, posted = finished(key)
        for forged in list(cheat(text))[:24]:
            if forged != text:
                tried += 1
                assert found(forged, posted, tmp_path) == (True, True), f"{key}: {forged}"
    assert tried >= 7


def ways_to_write(text: str) -> Iterator[str]:
    """What means nothing in the form of a record."""
    yield "\ufeff" + text
    yield text.replace("\n", "\r\n")
    yield text.replace("\n", "  \n")
    yield re.sub(r"\n\n", "\n \n", text, count=1)
    yield f"\n\n{text}\n\n"
    yield text.rstrip()
    yield re.sub(r"^(1\. .*)$", r"\1\n; well\n;  (BBB) 12. W xD6(1)\n", text, flags=re.MULTILINE)


@pytest.mark.parametrize("key", [key for key in MATCHES if key in TWO])
def test_what_means_nothing_in_a_record_is_passed_over(key: str, tmp_path: Path) -> None:
    text, posted = finished(key)
    for told in ways_to_write(text):
        assert found(told, posted, tmp_path) == (False, False), told


def test_a_match_of_another_number_is_another_match() -> None:
    assert list(another_match(finished("ironclad")[0]))


def test_a_record_without_a_turn_is_found_true(tmp_path: Path) -> None:
    text, posted = finished("tokonoma lot")
    head, _, body = text.partition("\n\n")
    for told in (f"{head}\n", f"{head}\n\n"):
        assert body
        assert found(told, posted, tmp_path) == (False, False)


def who_places_first(text: str) -> Iterator[str]:
    """In a setup by turns that says who begins, a lot says who puts the first piece down."""
    start = re.search(r"(?<= / to: )[WB](?= )", text)
    if start is not None:
        yield text[: start.start()] + {"W": "B", "B": "W"}[start[0]] + text[start.end() :]


def test_who_puts_the_first_piece_down_is_checked_whoever_begins(tmp_path: Path) -> None:
    for seed in range(1, 4):
        table = begun("veney in turns", seed, first="white")
        table.done(Resign("anna"))
        text, posted = recorded(table)
        assert found(text, posted, tmp_path) == (False, False)
        for forged in who_places_first(text):
            assert found(forged, posted, tmp_path) == (True, True)
