"""Every tenable turn of Chirality, listed and counted."""

from engine.game import Turn
from engine.games.chirality.actions import actions
from engine.games.chirality.board.captures import resolver
from engine.games.chirality.play import decided, followed, is_quiet, outcome
from engine.games.chirality.position import Position


def turns(position: Position) -> list[Turn]:
    """Every tenable turn; none once the game is over."""
    if decided(position) or is_quiet(position):
        return []
    return [turn for turn, _, _ in actions(position)]


def perft(position: Position, depth: int) -> int:
    """How many lines of turns of this length there are; every position on the way is made, the last ones too."""
    if depth == 0:
        return 1
    if outcome(position, 1) is not None:
        return 0
    after = resolver(position.board, position.men, position.to)
    if depth == 1:
        return len([after(gone, came) for _, gone, came in actions(position)])
    return sum(
        perft(followed(position, after(gone, came), mustered=gone < 0), depth - 1)
        for _, gone, came in actions(position)
    )
