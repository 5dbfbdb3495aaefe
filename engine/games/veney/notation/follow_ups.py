"""What is read while something is pending in Veney: a throw in the glare, a distraction, chaos, a setup by turns."""

import re

from engine.games.veney.action import Action, Turn
from engine.games.veney.board.squares import NUMBER, SQUARES
from engine.games.veney.notation.naming import square
from engine.games.veney.notation.refusal import refuse, refuse_absent
from engine.games.veney.notation.tokens import SQUARE, STRAY
from engine.games.veney.pieces import BLACK, KIND, NAMES, N
from engine.games.veney.play.working_board import WorkingBoard
from engine.games.veney.position import Position
from engine.games.veney.setup import by_turns
from engine.games.veney.setup.by_turns import allowed, waiting
from engine.text import Listing, Text


def follow_up(tokens: list[str], position: Position) -> Turn:
    """What settles something pending: a throw let happen, Self and blade put elsewhere, a piece set up."""
    pending = position.pending
    assert pending is not None
    if pending.what == "throw":
        found = re.fullmatch(r"(allow|prevent)(?:\(([WB+\-\d]+)\))?", tokens[0] if tokens else "", re.IGNORECASE)
        strays = [STRAY.fullmatch(token) for token in tokens[1:]]
        if found and all(strays) and (not strays or found[1].lower() == "allow"):
            answer = Action(found[1].lower(), "D", luck=(found[2] or "").upper())
            return (answer, *(strayed(stray, WorkingBoard(position)) for stray in strays if stray))
        refuse(Text("First say whether the Dagger may be thrown."), Text("Write `allow` or `prevent`."))
    if pending.what == "setup":
        return (_set_up(tokens, position),)
    if tokens == ["--"]:
        return ()
    spots = spots_of(tokens)
    if len(spots) != len(tokens):
        refuse(
            Text("First say where Self and blade go."),
            Text("Write for example `{example}`, or `--` to leave them.", example="SW3 $X2"),
        )
    for letter, _ in spots:
        must_stand(WorkingBoard(position), letter)
    return (Action("reposition", spots[0][0], target=spots[0][1], spots=spots),)


def follow_up_example(position: Position) -> str:
    """A text that settles what is pending; one that lets everything be as it is, where there is one."""
    pending = position.pending
    assert pending is not None
    if pending.what == "throw":
        return "allow"
    return by_turns.example(position) if pending.what == "setup" else "--"


def strayed(found: re.Match[str], board: WorkingBoard) -> Action:
    """Where a Donkey went: the match writes this, not a player."""
    at = board.cells.find(N + BLACK * board.side)
    if at < 0:
        refuse_absent(NAMES["N"])
    end = "" if found["square"] == "-" else SQUARES[square(found["square"])]
    return Action("stray", "N", SQUARES[at], end, luck=found["luck"] or "")


def _set_up(tokens: list[str], position: Position) -> Action:
    """One piece put down in a setup by turns."""
    found = re.fullmatch(r"([S$CBe])\*?(" + SQUARE + r")(?:\(([WB])\))?", tokens[0]) if len(tokens) == 1 else None
    left = waiting(position, position.to)
    remedy = Text(
        "Left to place: {pieces}; like `{example}`.",
        pieces=Listing(tuple(NAMES[letter] for letter in dict.fromkeys(left)), "unit"),
        example=follow_up_example(position),
    )
    if not found:
        refuse(Text("The pieces are being set up, one a turn."), remedy)
    letter, site = found[1], found[2]
    if letter not in left:
        refuse(Text("Your {piece} stands already.", piece=NAMES[letter]), remedy)
    places = allowed(position, position.to, letter)
    if NUMBER.get(site, -1) not in places:
        refuse(
            Text("The {piece} cannot start on {square}.", piece=NAMES[letter], square=site),
            Text("It may start on {places}.", places=Listing(tuple(SQUARES[at] for at in places), "or")),
        )
    return Action("set", letter, target=site, luck=found[3] or "")


def spots_of(tokens: list[str]) -> tuple[tuple[str, str], ...]:
    """Leading tokens that put Self or blade somewhere."""
    spots = []
    for token in tokens:
        found = re.fullmatch(r"([S$D])(" + SQUARE + ")", token)
        if not found or found[2] not in NUMBER:
            break
        spots.append((found[1], found[2]))
    return tuple(spots)


def must_stand(board: WorkingBoard, letter: str) -> None:
    """Refuse what would put a piece elsewhere that is not there."""
    if board.find(board.side, KIND[letter]) < 0:
        refuse_absent(NAMES[letter])
