"""Where pieces go that find no place on the baseline of a board that was set up anew: a step behind, or to reserve."""

from dataclasses import replace

from engine.game import Ask, NotationError
from engine.games.veney.pieces import BLACK, KIND, NAMES
from engine.games.veney.play.reset import BEHIND
from engine.games.veney.position import SIDES, Position, in_tray, owed
from engine.text import Listing, Text

NONE = "-"


def asks(position: Position) -> tuple[Ask, ...]:
    """Who has yet to say where surplus pieces go."""
    if not position.owed:  # as in nearly every position
        return ()
    return tuple(_ask(side, left) for side in SIDES if (left := owed(position, "surplus" + side)))


def _ask(side: str, left: str) -> Ask:
    pieces = Listing(tuple(NAMES[letter] for letter in left), "unit")
    return Ask(
        side,
        "surplus",
        Text(
            "There is no room on your baseline for these: {pieces}. Name those that go one step behind it, from your"
            " left, or `-` for none; the others go to reserve.",
            pieces=pieces,
        ),
        left[0],
        NONE,
    )


def answer(position: Position, side: int, text: str) -> Position:
    """The position once a side has said which of its surplus pieces stand one step behind, from its left.

    They stand there once both have said so: nobody chooses by what the other has chosen.
    """
    left = owed(position, "surplus" + SIDES[side])
    said = "".join(text.split()).replace(",", "").upper()
    named = "" if said == NONE else said
    if (not named and said != NONE) or any(named.count(letter) > left.count(letter) for letter in named):
        because = Text("These are left: {pieces}.", pieces=Listing(tuple(NAMES[letter] for letter in left), "unit"))
        raise NotationError(because, Text("Name some of them, like `{example}`, or none: `-`.", example=left[0]))
    places = [at for at in BEHIND[side] if not position.cells[at]]
    if len(named) > len(places):
        raise NotationError(Text("There is room for four."), Text("Leave the others to the reserve."))
    rest = left
    for letter in named:
        rest = rest.replace(letter, "", 1)
    others = tuple(entry for entry in position.owed if entry[0] != "surplus" + SIDES[side])
    position = replace(position, owed=(*others, ("behind" + SIDES[side], named + NONE + rest)))
    return position if asks(position) else _settled(position)


def _settled(position: Position) -> Position:
    cells, reserve = bytearray(position.cells), list(position.reserve)
    for side, name in enumerate(SIDES):
        named, _, rest = owed(position, "behind" + name).partition(NONE)
        places = (at for at in BEHIND[side] if not position.cells[at])
        for letter, at in zip(named, places, strict=False):
            cells[at] = KIND[letter] + BLACK * side
        reserve[side] = in_tray(reserve[side] + rest)
    others = tuple(entry for entry in position.owed if not entry[0].startswith("behind"))
    return replace(position, cells=bytes(cells), reserve=(reserve[0], reserve[1]), owed=others)
