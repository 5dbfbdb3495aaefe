"""What a player may do in Chirality: every Move and Muster, and whether there is any."""

from engine.games.chirality.board.rosette import Action, Rosette, bits
from engine.games.chirality.position import Men, Position


def actions(position: Position) -> list[Action]:
    """Every turn that the rules allow while the game goes on."""
    board, empty = position.board, position.empty()
    if position.gate():
        return [board.musters[tile] for tile in bits(board.gates[position.gate() - 1].tiles & empty)]
    found: list[Action] = []
    reach, steps = board.reach, board.steps
    for tile in bits(position.mine()):
        found += steps[tile][reach[tile] & empty]
    if position.reserves[position.to]:
        found += [board.musters[tile] for tile in bits(muster_tiles(board, position.men, position.to) & empty)]
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
