"""Chirality as a search walks through it: its positions, but turns as numbers, and what stands remembered by tiles."""

from collections.abc import Sequence
from functools import cache
from typing import TypeAlias

from engine.appraisal import Appraising, Packing
from engine.board import Side
from engine.game import Move, Outcome, Turn
from engine.games.chirality.actions import listed
from engine.games.chirality.board.captures import Men, resolved
from engine.games.chirality.board.rosette import Rosette, Steps, bits
from engine.games.chirality.play import decided, followed, is_quiet
from engine.games.chirality.position import SIDES, Position

Step: TypeAlias = int
"""The tiles that a piece leaves and enters, nine bits each; of a Muster the tile that is entered, inverted."""
TILE = (1 << 9) - 1


class Packed(Packing[Position, Move]):
    """The positions themselves: sets of tiles are packed already."""

    luck = False

    def __init__(self, game: Appraising[Position, Move], side: Side) -> None:
        super().__init__(game, side)
        self._own = SIDES.index(side)

    def pack(self, position: Position) -> Position:
        self._board = board = position.board
        self._steps = numbered(board)
        self._musters = tuple(~tile for tile in range(len(board.names)))
        return position

    def turn(self, step: Step) -> Turn:
        board = self._board
        if step < 0:
            return board.musters[~step][0]
        return board.steps[step >> 9][1 << (step & TILE)][0][0]

    def key(self, node: Position) -> tuple[Men, tuple[int, ...], int, int, tuple[int, ...]]:
        _, men, reserves, to, out, _, gates = node
        return men, reserves, to, out, gates

    def acts(self, node: Position) -> bool:
        return node[3] == self._own

    def ended(self, node: Position) -> Outcome | None:
        """As `outcome`, but for who cannot act: a turn passes such by."""
        end = decided(node)
        if end is not None or not is_quiet(node):
            return end
        return self.game.outcome(node)

    def steps(self, node: Position) -> tuple[list[tuple[int, Step]], Sequence[Step]]:
        return [], listed(node, self._steps, self._musters)

    def make(self, node: Position, step: Step) -> Position:
        board, men, _, to, _, _, _ = node
        changed = 1 << ~step if step < 0 else 1 << (step >> 9) | 1 << (step & TILE)
        moved = (*men[:to], men[to] ^ changed, *men[to + 1 :])
        return followed(node, resolved(board, moved, to), mustered=step < 0)


@cache
def numbered(board: Rosette) -> tuple[Steps[Step], ...]:
    """Of each tile: the steps from it, by the set of those tiles within its reach that are empty."""
    return tuple(Steps({end: tile << 9 | end for end in bits(reach)}) for tile, reach in enumerate(board.reach))
