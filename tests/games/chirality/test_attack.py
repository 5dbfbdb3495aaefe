"""What pieces of Chirality attack, counted from what was counted before, is what it is when counted one by one."""

from dataclasses import astuple

from engine.games.chirality.board.attack import MOST, Attacks
from engine.games.chirality.board.boards import PLANS, board_named
from engine.games.chirality.board.rosette import Rosette, bits
from tests.games.chirality.random_games import EXAMPLES, samples


def afresh(board: Rosette) -> Attacks:
    """The attacks on a board on which nothing was counted yet."""
    stars = [(star.tiles, star.moat) for star in board.stars]
    return Attacks(board.reach, board.thin | board.throne, stars)


def test_three_binary_digits_hold_how_many_pieces_attack_a_tile() -> None:
    for board in map(board_named, PLANS):
        for tile in bits(board.all):
            assert sum(near >> tile & 1 for near in board.reach) <= 7


def test_the_count_is_the_same_whatever_was_counted_before() -> None:
    for position, chosen in samples(EXAMPLES):
        board, attacks = position.board, afresh(position.board)
        for mine in position.men:
            for tile in chosen.sample(range(len(board.names)), 3):
                assert attacks[mine ^ 1 << tile].mine != mine
            found = attacks[mine]
            assert astuple(found) == astuple(board.sources[mine]) == astuple(afresh(board)[mine])
            for tile in bits(board.all):
                count = sum(board.reach[piece] >> tile & 1 for piece in bits(mine))
                told = [tiles >> tile & 1 for tiles in (found.once, found.twice, found.thrice())]
                assert told == [count >= 1, count >= 2, count >= 3]


def test_a_board_remembers_no_more_than_it_has_room_for() -> None:
    board = board_named("r2-255")
    attacks = afresh(board)
    for pieces in range(1, MOST + 2):
        assert attacks[pieces].mine == pieces
    assert len(attacks) <= MOST
    assert astuple(attacks[1]) == astuple(afresh(board)[1])
