"""What a player may do in Chirality: every Move and Muster, and whether there is any."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

from engine.games.chirality.board.captures import Men
from engine.games.chirality.board.rosette import Action, Rosette, bits
from engine.games.chirality.position import Position

T = TypeVar("T")


def actions(position: Position) -> list[Action]:
    """Every turn that the rules allow while the game goes on."""
    return listed(position, position.board.steps, position.board.musters)


def listed(position: Position, steps: Sequence[Mapping[int, list[T]]], musters: Sequence[T]) -> list[T]:
    """The same in a form of the caller's: of each tile the Moves to any set of tiles, and the Muster there."""
    board, men, reserves, to, _, _, gates = position
    empty = board.all ^ sum(men)
    if gates and gates[to]:
        return [musters[tile] for tile in bits(board.gates[gates[to] - 1].tiles & empty)]
    found: list[T] = []
    reach, mine = board.reach, men[to]
    while mine:  # as `bits`, without its cost
        low = mine & -mine
        mine ^= low
        tile = low.bit_length() - 1
        found += steps[tile][reach[tile] & empty]
    if reserves[to]:
        found += [musters[tile] for tile in bits(muster_tiles(board, men, to) & empty)]
    return found


def muster_tiles(board: Rosette, men: Men, to: int) -> int:
    """The tiles where the player may Muster if they are empty, at a Gate or from afar."""
    mine, everyone = men[to], sum(men)
    open_tiles = 0
    for gate in board.gates:
        if mine & gate.tiles:
            open_tiles |= gate.tiles
    if mine & board.inner:
        for star, gates in board.remote.items():
            if mine & star.tiles == star.tiles:
                for gate in gates:
                    if not (everyone ^ mine) & gate.tiles:
                        open_tiles |= gate.thick
    return open_tiles


def can_act(board: Rosette, men: Men, empty: int, to: int, reserve: int, *, gate: int) -> bool:
    """Whether the player has a Move or a Muster; `gate` = where the first piece is still to be placed, else 0."""
    if gate:
        return board.gates[gate - 1].tiles & empty != 0
    if board.sources[men[to]].once & empty:  # a piece moves where it attacks
        return True
    return reserve > 0 and muster_tiles(board, men, to) & empty != 0
