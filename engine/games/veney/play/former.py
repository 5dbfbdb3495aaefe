"""The board on which versions 0.1 and 0.2 carried turns out, so that what was played then stands as it was played."""

from engine.games.veney.pieces import KINDS, S
from engine.games.veney.play.working_board import WorkingBoard


class FormerBoard(WorkingBoard):
    """A Self could be fended and withdrawn, an untenable cast did nothing, a stance that never fitted was dropped."""

    __slots__ = ()
    former = True

    def shelve(self, side: int, kind: int) -> None:
        """Into reserve, a Self like any other piece."""
        if kind != S:
            super().shelve(side, kind)
            return
        white, black = self.reserve
        self.reserve = (white, black + KINDS[S]) if side else (white + KINDS[S], black)
