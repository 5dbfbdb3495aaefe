"""Tokonoma's rules: two attackers empty a tile, and a Flat in the other side's house wins."""

from collections.abc import Iterator, Mapping
from typing import ClassVar

from engine.board import Board, Side
from engine.diagram import Colour, Diagram, Figure, Mark
from engine.dice import Dice
from engine.game import Game, Move, Outcome, Rule, Ruling, Turn
from engine.games.tokonoma.board import BITS, BOARD, OPPONENT, TURNED
from engine.games.tokonoma.movement import captor, cleared, hitters, movements, perft, put, struck
from engine.games.tokonoma.notation import PASS, able, read, spoken, write
from engine.games.tokonoma.pieces import GLYPHS, KINDS, NAMES, REACH
from engine.games.tokonoma.position import START, Army, Position, decode, encode, lone_flats, occupied, on_top, sites_of

FLAT = Rule("flat", "Flat", "A Flat goes one tile forward, straight or to either side.")
ARM = Rule("arm", "Arm", "An Arm goes two tiles straight forward, one straight back, or one back to either side.")
BLIND = Rule(
    "blind", "Blind", "A Blind goes two tiles forward to either side, two straight back, or one back to a side."
)
STAR = Rule("star", "Star", "A Star goes to one of the six nearest tiles of its own tone.")
STACKING = Rule("stacking", "Stacking", "The only way to join an own piece is a tall moving onto a lone Flat.")
COVERED = Rule("covered", "Covered Flats", "A Flat under a tall neither moves nor attacks.")
MOVEMENT = Rule("movement", "Movement", "A side must move one of its pieces; there is no passing.")
OCCUPIED = Rule("occupied", "Occupied tiles", "No piece ends its move on an enemy piece.")
ATTACK = Rule("attack", "Attack", "After a move, every enemy tile hit by two or more of the mover's pieces is emptied.")
HOUSE = Rule("house", "House capture", "A side whose Flat stands alone in the other side's house has won.")
STALEMATE = Rule("stalemate", "Stalemate", "A side that cannot move when its turn begins has lost.")
REPETITION = Rule("repetition", "Repetition", "The third occurrence of a position is a draw.")
QUIET = Rule("quiet", "A hundred quiet plies", "A hundred plies without a Flat's move or an emptied tile are a draw.")
OVER = Rule("over", "The end", "Nobody moves once the game is over.")

PATTERNS = (FLAT, ARM, BLIND, STAR)

ON_A_FLAT = (("F",), "on a Flat")


class Tokonoma(Game[Position]):
    """The rules, in the order in which a turn meets them."""

    key = "tokonoma"
    name = "Tokonoma"
    gist = "Talls and Flats on 29 hexagons: two attackers empty a tile, and a Flat in the other house wins."
    credit = "Designed by cancrizans; the specification is free for non-commercial use."
    sides = ("W", "B")
    names: ClassVar[Mapping[Side, str]] = {"W": "White", "B": "Black"}
    colours: ClassVar[Mapping[Side, Colour]] = {"W": "white", "B": "black"}
    rules = (
        *PATTERNS,
        *(STACKING, COVERED, MOVEMENT, OCCUPIED, ATTACK),
        *(HOUSE, STALEMATE, REPETITION, QUIET, OVER),
    )
    example = "c7c5"

    # --- the position -------------------------------------------------------------------------------------
    def setup(self, options: Mapping[str, str], dice: Dice) -> Position:
        return decode(START)

    def encode(self, position: Position) -> str:
        return encode(position)

    def decode(self, text: str) -> Position:
        return decode(text)

    def identity(self, position: Position) -> tuple[Army, Army, Side]:
        return position.white, position.black, position.to_move

    # --- the turn -----------------------------------------------------------------------------------------
    def to_act(self, position: Position) -> Side:
        return position.to_move

    def read(self, text: str, position: Position) -> Turn:
        return read(text, position)

    def write(self, turn: Turn, position: Position) -> str:
        return write(turn, position)

    def short(self, turn: Turn, position: Position) -> str:
        """The short notation of a tenable turn: `Aa3`, `Fb2*`, `Fc1#`.

        Not for a turn that may yet be called out: what it leaves away tells which moves are tenable.
        """
        (move,) = turn
        origin = move.origin if len(able(position, move.piece, move.target)) > 1 else ""
        after = self.play(position, turn)
        emptied = occupied(position.armies()[1]) & ~occupied(after.armies()[0])
        end = self.outcome(after)
        won = end is not None and end.winners == {position.to_move}
        return f"{move.piece}{origin}{move.target}{'*' * emptied.bit_count()}{'#' * won}"

    def candidates(self, position: Position) -> Iterator[Turn]:
        """Exactly the tenable turns."""
        return iter(() if captor(position) or position.quiet >= 100 else movements(position))

    def turns(self, position: Position) -> Iterator[Turn]:
        return self.candidates(position)

    def judge(self, position: Position, turn: Turn) -> Iterator[Ruling]:
        if self.outcome(position) is not None:
            yield Ruling(OVER, turn[0] if turn else PASS, "the game was over before this turn")
            return
        own, enemy = position.armies()
        for move in turn:
            origin, target = BITS[move.origin], BITS[move.target]
            kind, piece = KINDS.index(move.piece), f"the {NAMES[move.piece]} on {move.origin}"
            culprit, there = Mark("culprit", (move.origin,)), Mark("blocker", (move.target,))
            reach = REACH[position.to_move][kind][origin]
            if not reach & target:
                near = sites_of(reach)
                because = f"{piece} reaches {spoken(near)}, not {move.target}"
                yield Ruling(PATTERNS[kind], move, because, (culprit, Mark("reach", near)))
            if target & occupied(own) and not (kind and target & lone_flats(own)):
                because = f"{piece} cannot join the {NAMES[on_top(own, move.target)]} on {move.target}"
                yield Ruling(STACKING, move, because, (culprit, there))
            if kind == 0 and not origin & lone_flats(own):
                because = f"{piece} lies under the {NAMES[on_top(own, move.origin)]}"
                yield Ruling(COVERED, move, because, (culprit,))
            if target & occupied(enemy):
                because = f"the enemy {NAMES[on_top(enemy, move.target)]} stands on {move.target}"
                yield Ruling(OCCUPIED, move, because, (culprit, there))
        if not turn:
            yield Ruling(MOVEMENT, PASS, "no piece has moved")

    def play(self, position: Position, turn: Turn) -> Position:
        own, enemy = position.armies()
        landed, flat_moved = 0, False
        for move in turn:
            own = put(own, move)
            landed, flat_moved = BITS[move.target], move.piece == "F"
        left = cleared(enemy, landed | struck(own, position.to_move))
        quiet = 0 if flat_moved or left != enemy else position.quiet + 1
        white, black = (own, left) if position.to_move == "W" else (left, own)
        return Position(white, black, OPPONENT[position.to_move], quiet)

    def outcome(self, position: Position, seen: int = 1) -> Outcome | None:
        winner = captor(position)
        if winner:
            return Outcome(HOUSE, frozenset({winner}))
        if not movements(position):
            return Outcome(STALEMATE, frozenset({OPPONENT[position.to_move]}))
        if seen >= 3:
            return Outcome(REPETITION, frozenset(self.sides))
        if position.quiet >= 100:
            return Outcome(QUIET, frozenset(self.sides))
        return None

    def perft(self, position: Position, depth: int) -> int:
        """Lines of tenable turns, each carried out to the end; the draw rules are left out of the count."""
        return perft(*position.armies(), position.to_move, depth)

    # --- the end of patience ------------------------------------------------------------------------------
    def pass_turn(self, position: Position) -> Position:
        return position._replace(to_move=OPPONENT[position.to_move])

    def remove_piece(self, position: Position, move: Move) -> Position:
        if move == PASS:
            return position
        own, enemy = position.armies()
        lifted = {move.piece: BITS[move.origin]}
        own = tuple(standing & ~lifted.get(kind, 0) for kind, standing in zip(KINDS, own, strict=True))
        white, black = (own, enemy) if position.to_move == "W" else (enemy, own)
        return position._replace(white=white, black=black)

    # --- the picture --------------------------------------------------------------------------------------
    def board(self, position: Position) -> Board:
        return BOARD

    def draw(self, position: Position, viewer: Side | None) -> Diagram:
        figures = tuple(
            Figure(site, side, kind, NAMES[kind], *(ON_A_FLAT if BITS[site] & army[0] and kind != "F" else ()))
            for side, army in (("W", position.white), ("B", position.black))
            for kind, standing in zip(KINDS, (lone_flats(army), *army[1:]), strict=True)
            for site in sites_of(standing)
        )
        return Diagram(
            title=self.name,
            board=BOARD,
            names=self.names,
            colours=self.colours,
            glyphs=GLYPHS,
            figures=figures,
            to_act=None if self.outcome(position) else position.to_move,
            notes=(f"{position.quiet} quiet plies; 100 are a draw",) if position.quiet >= 50 else (),
            turned=TURNED[viewer],
            labels=frozenset(BITS),
            near=viewer or "",
        )

    def marks(self, turn: Turn, position: Position) -> tuple[Mark, ...]:
        after = self.play(position, turn)
        (_, enemy), (left, own) = position.armies(), after.armies()
        emptied = sites_of(occupied(enemy) & ~occupied(left))
        taken = (
            Mark("taken", (site, *hitters(own, position.to_move, site)), after.to_move, kind, NAMES[kind])
            for site in emptied
            if (kind := on_top(enemy, site))
        )
        return (*super().marks(turn, position), *taken)


GAME = Tokonoma()
