"""A position is worth to one side what it is worth to the other when the board is turned round and colours change, and
mirrored as much as before: whatever a term counts, it counts for both alike."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from engine.appraisal import Appraising
from engine.games import GAMES
from tests.test_evaluation import positions, strings, worth


def renamed(text: str, sides: str, site: Callable[[str], str], sites: str) -> str:
    """A position's text, field by field, with every site and every side exchanged."""
    change = str.maketrans(sides, sides[::-1])
    fields = {}
    for field in text.split(" / "):
        name, _, value = field.partition(": ")
        exchanged = name in ("to", "owner", "mob") or value in sides
        value = (
            "".join(sorted(value.translate(change), key=sides.find))
            if exchanged
            else re.sub(sites, lambda found: site(found[0]), value)
        )
        fields[name] = value
    swapped = {name.translate(change): value for name, value in fields.items()}
    both = [
        one for name in fields for one in sorted({name, name.translate(change)}, key=lambda one: one.endswith(sides[1]))
    ]
    return " / ".join(f"{name}: {swapped[name]}" for name in dict.fromkeys(both) if name in swapped)


def tokonoma_turned(text: str) -> str:
    rows, side, *rest = text.split()
    turned = ["".join(reversed(re.findall(r".\+?", row))).swapcase() for row in rows.split("/")]
    return " ".join(("/".join(turned), {"w": "b", "b": "w"}[side], *rest))


def tirachen_turned(text: str) -> str:
    def turned(site: str) -> str:
        return f"{'ihgfedcba'['abcdefghi'.index(site[0])]}{10 - int(site[1])}"

    controlled = re.sub(r"(?<= T: \S\S )[RW]", lambda found: {"R": "W", "W": "R"}[found[0]], text)
    return renamed(controlled, "RW", turned, "[a-i][1-9]")


def ironclad_turned(text: str) -> str:
    def turned(site: str) -> str:
        lines = "ABCDEF" if site[0].isupper() else "abcdefg"
        return f"{lines[-1 - lines.index(site[0])]}{(9 if site[0].isupper() else 10) - int(site[1])}"

    return renamed(text, "WB", turned, "[A-Fa-g][1-9]")


def ironclad_mirrored(text: str) -> str:
    def mirrored(found: re.Match[str]) -> str:
        lines = "ABCDEF" if found[0].isupper() else "abcdefg"
        return lines[-1 - lines.index(found[0])]

    return re.sub(r"\b[A-Fa-g](?=[1-9])", mirrored, text)


def veney_turned(text: str) -> str:
    kept = re.sub(r"(?<= a: )\S+", "-", text)
    touched = re.sub(r"=([WB])@", lambda found: f"={'BW'['WB'.index(found[1])]}@", kept)
    return renamed(
        touched, "WB", lambda site: f"{'ZYXW'['WXYZ'.index(site[0])]}{17 - int(site[1:])}", r"(?<=@)[W-Z]\d+"
    )


TURNED: Mapping[str, Callable[[str], str]] = {
    "tokonoma": tokonoma_turned,
    "tirachen": tirachen_turned,
    "ironclad": ironclad_turned,
    "veney": veney_turned,
}


def appraised(key: str) -> Iterator[tuple[Appraising[Any, Any], Any, str]]:
    game = GAMES[key]
    assert isinstance(game, Appraising)
    for position in positions(key):
        yield game, position, game.encode(position)


def ends(position: Any, side: int) -> int:
    """What Ironclad's strings are worth: where they can end is counted on one side of the grid alone."""
    own, enemy = (max(worth("ironclad", strings(position, one, way)) for way in (0, 1)) for one in (side, 1 - side))
    return own - enemy


def lacking(position: Any, side: int) -> list[float]:
    """How many stones each of a side's strings lacks, the shorter one first."""
    return sorted(next(iter(strings(position, side, way).values()), 99) for way in (0, 1))


@pytest.mark.parametrize("key", TURNED)
def test_turned_round_with_colours_changed_each_side_stands_as_the_other_did(key: str) -> None:
    moved = 0
    for game, position, text in appraised(key):
        turned = game.decode(TURNED[key](text))
        moved += turned != position
        for number, side in enumerate(game.sides):
            there, here = game.evaluate(turned, game.sides[1 - number]), game.evaluate(position, side)
            if key == "ironclad":
                there, here = there - ends(turned, 1 - number), here - ends(position, number)
                assert lacking(turned, 1 - number) == lacking(position, number), text
            assert there == here, text
    assert moved > 20


def test_mirrored_ironclad_is_worth_the_same() -> None:
    for game, position, text in appraised("ironclad"):
        mirrored = game.decode(ironclad_mirrored(text))
        there, here = (game.evaluate(one, "W") - ends(one, 0) for one in (mirrored, position))
        assert there == here, text
        assert lacking(mirrored, 0) == lacking(position, 0), text


def test_players_of_chirality_who_change_names_change_their_worth() -> None:
    for game, position, text in appraised("chirality"):
        players = game.playing(position)
        fields = dict(field.split(": ") for field in text.split(" / "))
        first, second = players[:2]
        fields[first], fields[second] = fields[second], fields[first]
        for name in ("res", "gates"):
            if name in fields:
                each = fields[name].split()
                one, two = game.sides.index(first), game.sides.index(second)
                each[one], each[two] = each[two], each[one]
                fields[name] = " ".join(each)
        changed = game.decode(" / ".join(f"{name}: {value}" for name, value in fields.items()))
        assert game.evaluate(changed, second) == game.evaluate(position, first), text


@pytest.mark.parametrize("key", TURNED)
def test_what_one_side_is_ahead_the_other_is_behind(key: str) -> None:
    for game, position, text in appraised(key):
        assert game.evaluate(position, game.sides[0]) == -game.evaluate(position, game.sides[1]), text
