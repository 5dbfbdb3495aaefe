"""What a word of Veney's notation names on a board: a square, the one piece of a kind, what is placed or withdrawn."""

import re

from engine.games.veney.action import Action
from engine.games.veney.board.squares import FORWARD, LINE, NUMBER, SQUARES, STEP
from engine.games.veney.notation.refusal import refuse, refuse_absent
from engine.games.veney.notation.tokens import plain
from engine.games.veney.pieces import FREE, KINDS, NAMES, PIECE, E
from engine.games.veney.play.working_board import WorkingBoard
from engine.text import Listing, Text


def square(site: str) -> int:
    """The number of a square. Raises NotationError."""
    if site not in NUMBER:
        refuse(
            Text("There is no square {square}.", square=site),
            Text("The squares are {first} to {last}.", first=SQUARES[0], last=SQUARES[-1]),
        )
    return NUMBER[site]


def unique(board: WorkingBoard, letter: str, piece: str) -> int:
    """The square of the one opposing piece of a kind."""
    places = board.places(1 - board.side, PIECE[letter])
    if len(places) > 1:
        readings = tuple(f"{piece}f{letter}{SQUARES[at]}" for at in places)
        because = Text("The opponent has more than one {piece} on the board.", piece=NAMES[letter])
        refuse(because, Text("Add the square: `{example}`.", example=readings[0]), readings)
    if not places:
        refuse(Text("The opponent has no {piece} on the board.", piece=NAMES[letter]))
    return places[0]


def likely(board: WorkingBoard, kind: int, places: tuple[int, ...], target: int, fends: bool) -> tuple[int, ...]:
    """Which of several like pieces can be meant: by where they stand, never by what they may do.

    What is asked back, and how a turn is spelled, would otherwise tell whether it is tenable. An engagement goes ahead
    on its line and fends one square aslant; to a stone of its own side, or where it may pass, it can do both. Of other
    pieces that a side has several of, any can be meant.
    """
    others = tuple(at for at in places if at != target) or places
    if kind != E:
        return others
    way = FORWARD[board.side]
    on_line = tuple(at for at in others if LINE[at] == LINE[target])
    ahead = _nearest(tuple(at for at in on_line if (STEP[target] - STEP[at]) * way > 0), target)
    aslant = tuple(at for at in others if abs(LINE[target] - LINE[at]) == 1 and STEP[target] - STEP[at] == way)
    if fends:
        return aslant or _nearest(on_line or others, target)
    both = board.stone(board.side, target) or any(crossed == target for crossed, _ in board.passed)
    return (*ahead, *(aslant if both else ())) or _nearest(on_line or others, target)


def _nearest(places: tuple[int, ...], target: int) -> tuple[int, ...]:
    far = {at: abs(STEP[at] - STEP[target]) + abs(LINE[at] - LINE[target]) for at in places}
    return tuple(at for at in places if far[at] == min(far.values()))


def fended(board: WorkingBoard, target: int) -> bool:
    """Whether something stands on a square that a piece of the side to move would fend or take."""
    code = board.cells[target]
    return bool(code) and (not board.stone(board.side, target) if code == FREE else code >> 4 != board.side)


def plan(board: WorkingBoard, tokens: list[str]) -> str:
    """An announced attack as it is remembered."""
    parts = []
    for token in tokens:
        found = plain(token)
        if not found or not (found.square or found.kind):
            refuse(
                Text("I can't read `{words}` as an announced attack.", words=token.lower()),
                Text("Write for example `{example}`.", example="!$tX10"),
            )
        site = SQUARES[square(found.square) if found.square else unique(board, found.kind, found.piece or "e")]
        effect = "t" if found.effect == "x" else found.effect
        parts.append(f"{found.piece or 'e'}{effect}{site}")
    return "_".join(parts)


def placed(board: WorkingBoard, found: re.Match[str]) -> Action:
    """What is set down from the reserve."""
    letter, at = found["piece"] or "e", square(found["square"])
    if board.cells[at]:
        refuse(Text("{square} is not empty.", square=SQUARES[at]), Text("Pieces are placed on empty squares."))
    reclaim = letter == "D" and "D" not in board.reserve[board.side] and bool(board.shima)
    if reclaim and "D" in board.discard[board.side]:
        return Action("reclaim", "D", target=SQUARES[at])
    if letter not in board.reserve[board.side]:
        refuse(Text("You have no {piece} in reserve.", piece=NAMES[letter]), _remedy(board))
    return Action("place", letter, target=SQUARES[at])


def withdrawn(board: WorkingBoard, found: re.Match[str]) -> Action:
    """What is taken off the board into the reserve."""
    letter, site = found["piece"], found["square"]
    if site is not None:
        at = square(site)
        if letter is None:
            code = board.cells[at]
            letter = "a" if code == FREE else KINDS[code & 15] if code and code >> 4 == board.side else "e"
        if at not in board.places(board.side, PIECE[letter]):
            refuse(Text("You have no {piece} on {square}.", piece=NAMES[letter], square=site))
        return Action("withdraw", letter, site)
    if letter is None:
        refuse(Text("The piece to withdraw is missing."), Text("Write for example `*G`."))
    places = board.places(board.side, PIECE[letter])
    if not places:
        refuse_absent(NAMES[letter])
    if len(places) > 1:
        readings = tuple(f"*{letter}{SQUARES[at]}" for at in places)
        because = Text("You have more than one {piece} on the board.", piece=NAMES[letter])
        refuse(because, Text("Add the square: `{example}`.", example=readings[0]), readings)
    return Action("withdraw", letter, SQUARES[places[0]])


def _remedy(board: WorkingBoard) -> Text:
    reserve = "".join(dict.fromkeys(board.reserve[board.side]))
    if not reserve:
        return Text("Your reserve is empty.")
    return Text("In reserve: {pieces}.", pieces=Listing(tuple(NAMES[letter] for letter in reserve), "unit"))
