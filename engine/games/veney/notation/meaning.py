"""What a token means on the board as it stands: which action, and of which piece."""

import re
from typing import NoReturn

from engine.games.veney.action import Action, move
from engine.games.veney.board.reach import adjacent
from engine.games.veney.board.squares import BIT, HALF, NUMBER, SQUARES
from engine.games.veney.judge.fault import name
from engine.games.veney.notation.naming import square
from engine.games.veney.notation.refusal import refuse, refuse_absent
from engine.games.veney.notation.tokens import CAST, EXACT, Plain, plain
from engine.games.veney.pieces import ARMAMENTS, BLACK, BLADES, FREE, KIND, KINDS, NAMES, NO, D, E
from engine.games.veney.play.attack import effect
from engine.games.veney.play.devices import landing
from engine.games.veney.play.working_board import WorkingBoard
from engine.games.veney.position import SIDES
from engine.text import Listing, Text


def move_in(token: str) -> Plain:
    """A move of a piece, with a square or with what it attacks."""
    found = plain(token)
    talk = token.isalpha() and token.islower()
    if not found or not (found.square or (found.kind and found.effect and not talk)):
        refuse(
            Text("I can't read `{words}` as a turn.", words=token.lower()),
            Text("A move is a piece and a square, such as `{one}` or `{other}`.", one="$X6", other="aX8"),
        )
    return found


def standing(board: WorkingBoard, site: str) -> str:
    """The piece that is meant where no letter is written: an engagement, unless the square names another."""
    code = board.cells[square(site)] if site else 0
    return KINDS[code & 15] if code and code != FREE and code >> 4 == board.side else "e"


def partner_in(rest: list[str]) -> int | None:
    """The kind of the piece that moves in concert next, if the next token is one."""
    if not rest:
        return None
    token = rest[0]
    if token[0] == "~" and (found := CAST.fullmatch(token)):
        return KIND[found["piece"]] if found["piece"] in "LD" else None
    if token in EXACT or "*" in token or token[0] not in "$DGL":
        return None
    return KIND[token[0]]


def throws(board: WorkingBoard, found: Plain, at: int) -> bool:
    """Whether a Dagger's sign means a throw: at the Self, with sticks, or at a square without an opposing piece."""
    code = board.cells[at]
    enemy = code not in (0, FREE) and code >> 4 != board.side
    meant = found.effect == "t" and not enemy
    return bool(at == board.selves[1 - board.side] or found.luck or found.asked or meant)


def withdraws(board: WorkingBoard, found: re.Match[str]) -> bool:
    """Whether a star in front of a square, without a piece, takes the own piece off it."""
    code = board.cells[NUMBER[found["square"]]] if found["square"] in NUMBER else 0
    return found["piece"] is None and code not in (0, FREE) and code >> 4 == board.side


def severs(board: WorkingBoard, found: Plain, kind: int) -> bool:
    """Whether a blade attacks the Cloak that holds it."""
    if not found.square:
        return True
    at = square(found.square)
    return board.cells[at] == kind + BLACK * board.side


def severing(board: WorkingBoard, kind: int) -> Action:
    """A blade frees itself from a Cloak."""
    places = board.places(board.side, kind)
    if not places:
        refuse_absent(name(kind))
    at = next((place for place in places if board.pinned(place)), places[0])
    return Action("sever", KINDS[kind], SQUARES[at])


def casting(board: WorkingBoard, found: re.Match[str], spots: tuple[tuple[str, str], ...] = ()) -> Action:
    """A piece is cast, from the reserve if it is there."""
    letter = found["piece"]
    at = board.find(board.side, KIND[letter])
    held = letter in board.reserve[board.side]
    if at < 0 and not held:
        refuse(Text("You have no {piece} on the board or in reserve.", piece=NAMES[letter]))
    fell = (found["square"] or "").removeprefix("-")
    site = found["aim"] or fell
    if site:
        square(site)
    origin, luck = "" if held else SQUARES[at], found["luck"] or ""
    cast = Action("cast", letter, origin, site, luck=luck, spots=spots, plan=SIDES[board.side] if luck else "")
    if found["aim"] and landing(cast, board.position.terms.uniform) != fell:
        refuse(Text("Aimed at {square}, the sticks {sticks} fall elsewhere.", square=site, sticks=luck))
    return cast


def resolved(  # noqa: PLR0917
    board: WorkingBoard, found: Plain, kind: int, origin: int, at: int, partner: bool
) -> Action:
    """The action that a plain token means on this board."""
    side = board.side
    letter = "a" if kind == FREE else KINDS[kind]
    code = board.cells[at]
    tilde = bool(found.tilde or found.tilde0)
    if not code and not tilde and not found.strike and at != origin:
        return move(letter, SQUARES[origin], SQUARES[at])
    enemy = code not in (0, FREE) and code >> 4 != side
    if found.strike:
        return Action("strike", letter, SQUARES[origin], SQUARES[at], effect=_written(board, found, kind, at))
    if tilde and kind == D and throws(board, found, at):
        verb = "announce" if found.asked else "throw"
        return Action(verb, "D", SQUARES[origin], SQUARES[at], luck=found.luck)
    if at == origin and not partner:
        refuse(Text("The {piece} already stands on {square}.", piece=name(kind), square=SQUARES[at]))
    blade = enemy and code & 15 in BLADES
    if tilde and kind in BLADES and at != board.selves[1 - side] and (blade or not found.effect):
        if blade and adjacent(origin, at) and HALF[1 - side] & BIT[origin]:
            return move(letter, SQUARES[origin], SQUARES[at], "cavazione")
        if not enemy and code:
            own_piece(board, at)
        return move(letter, SQUARES[origin], SQUARES[at], "opposition")
    armament = enemy and code & 15 in ARMAMENTS
    if kind == KIND["G"] and (tilde or (armament and not found.effect)) and (not code or enemy):
        return move(letter, SQUARES[origin], SQUARES[at], "deflect")
    if (
        code
        and not enemy
        and not board.stone(side, at)
        and code != FREE
        and code & 15 != E
        and at != origin
        and not board.pinned(at)
    ):
        own_piece(board, at)
    take = _written(board, found, kind, at)
    return (
        Action("move", letter, SQUARES[origin], SQUARES[at], effect=take)
        if take
        else move(letter, SQUARES[origin], SQUARES[at])
    )


def _written(board: WorkingBoard, found: Plain, kind: int, at: int) -> str:
    """The letter t is kept only where the chart has no answer; anywhere else the chart decides."""
    code = board.cells[at]
    if found.effect != "t" or not code or code == FREE or code >> 4 == board.side:
        return ""
    return "t" if effect(board, board.side, kind, at) == NO else ""


def own_piece(board: WorkingBoard, at: int) -> NoReturn:
    """Refuse to put a piece on one of its own side."""
    refuse(
        Text("Your own {piece} stands on {square}.", piece=name(board.cells[at]), square=SQUARES[at]),
        Text("Choose another square."),
    )


def standing_remedy(board: WorkingBoard) -> Text:
    """What a side has on the board."""
    letters = dict.fromkeys(
        KINDS[code & 15] for code in board.cells if code and code != FREE and code >> 4 == board.side
    )
    return Text("On the board you have: {pieces}.", pieces=Listing(tuple(NAMES[letter] for letter in letters), "unit"))
