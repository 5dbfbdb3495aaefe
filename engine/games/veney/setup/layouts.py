"""Each side's own layout, sent in private."""

from dataclasses import replace
from typing import Final

from engine.dice import Dice
from engine.game import Ask, NotationError
from engine.games.veney.board.squares import SQUARES
from engine.games.veney.pieces import KIND, KINDS, NAMES, E
from engine.games.veney.play.reset import BASELINE, home
from engine.games.veney.position import SIDES, Position, owed
from engine.games.veney.setup.array import arrayed, settled, undecided
from engine.text import Listing, Text

_PROMPT: Final = Text(
    "Send your layout: your baseline from the left, then a step of your second measure for each engagement."
)
_REMEDY: Final = Text("Write your baseline and four steps from your left, like `{example}`.", example="C$SB 5678")


def asks(position: Position) -> tuple[Ask, ...]:
    """The layouts that are still to be sent in private."""
    if owed(position, "style") != "concealed":
        return ()
    return tuple(
        Ask(
            SIDES[side],
            "layout",
            _PROMPT,
            _example(owed(position, "set" + SIDES[side]), "5555" if side == 0 else "5678"),
        )
        for side in (0, 1)
        if not owed(position, "layout" + SIDES[side])
    )


def _example(starting: str, steps: str) -> str:
    """A layout of this set: on its baseline the Self, and as many others as there is room for."""
    others = [letter for letter in "C$BDGLJR" for _ in range(starting.count(letter))][:3]
    line = "".join((*others[:2], "S", *others[2:])).ljust(4, "-")
    return f"{line} {steps[: starting.count('e')].ljust(4, '-')}"


def answer(position: Position, side: int, text: str, dice: Dice) -> Position:
    """The position once one side has sent its layout; with both, the pieces stand."""
    layout = ",".join(
        f"{KINDS[kind]}@{SQUARES[at]}" for kind, at in read_layout(text, side, owed(position, "set" + SIDES[side]))
    )
    position = replace(position, owed=(*position.owed, ("layout" + SIDES[side], layout)))
    texts = [owed(position, "layout" + letter) for letter in SIDES]
    if not all(texts):
        return position
    homes = [home(text, side) for side, text in enumerate(texts)]
    position = arrayed(position, homes)
    return settled(position, dice.roll(2) if undecided(position) else 0)


def read_layout(text: str, side: int, starting: str) -> tuple[tuple[int, int], ...]:
    """A layout such as `C$SB 5678`: the baseline from the owner's left, a step of the second measure for each line.

    Steps count from the owner, 5 to 8 for both sides; a dash leaves a place empty.
    """
    words = text.split()
    if len(words) != 2 or len(words[0]) != 4 or len(words[1]) != 4:
        raise NotationError(Text("That is no layout."), _REMEDY)
    line = "".join("e" if letter in "eE" else letter.upper() for letter in words[0])
    pieces = sorted(letter for letter in line if letter != "-")
    known = [letter for letter in starting if letter != "e"]
    surplus = any(pieces.count(letter) > known.count(letter) for letter in pieces)
    if surplus or len(pieces) != min(len(known), 4) or "S" not in pieces:
        wanted = Listing(tuple(NAMES[letter] for letter in known))
        if len(known) > 4:
            raise NotationError(Text("The baseline holds four of these: {pieces}, the Self among them.", pieces=wanted))
        raise NotationError(Text("The baseline holds exactly {pieces}.", pieces=wanted), _REMEDY)
    steps = words[1]
    if not set(steps) <= set("5678-") or len(steps.replace("-", "")) != starting.count("e"):
        because = Text("Each engagement stands on a step of your second measure, 5 to 8.")
        raise NotationError(because, _REMEDY)
    placed = [(KIND[letter], BASELINE[side][at]) for at, letter in enumerate(line) if letter != "-"]
    for at, step in enumerate(steps):
        if step != "-":
            number = (int(step) - 1) * 4 + at
            placed.append((E, number if side == 0 else 63 - number))
    return tuple(placed)
