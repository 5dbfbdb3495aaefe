"""The rules beside python-chess: listing turns, counting lines, judging a stored turn, replaying a long game."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

import chess

from benchmarks.table import Row, Timing, alternate, per, seconds
from engine.dice import Dice
from engine.game import AnyGame, Game, Turn
from engine.games import GAMES

PLIES = 200
SLOWER = {"veney": 10e-3, "tirachen": 150e-6}
"""Games that may take longer than 60 µs to list a position's turns."""
JUDGED = {"veney": 300e-6}
"""Games that may take longer than 100 µs to judge a turn."""
REPLAYED = {"veney": (60, 50e-3)}
"""Games with a goal of their own for how long a match of so many turns takes to replay."""
COUNTED = {"chirality": 200_000}
"""Games whose goal is a number of nodes a second, because one turn of theirs does more than a move of chess."""
GOALS_MADE = {"tokonoma": 4.5, "tirachen": 4.5, "ironclad": 4.5, "chirality": 3.0}
"""How many times as fast as the peer lines are to be counted where every leaf is made."""
ENOUGH, TOO_MANY = 5_000, 300_000
"""Lines to count: deep enough to mean something, not so deep that it takes for ever."""


@dataclass(frozen=True, slots=True)
class Stored:
    """One turn of a random game, as a store would keep it."""

    before: Any
    turn: Turn
    position: str
    text: str


@dataclass(frozen=True, slots=True)
class ChessStored:
    """The same of chess."""

    before: chess.Board
    san: str
    uci: str


def rows() -> Iterator[Row]:
    theirs = _chess()
    for key in GAMES:
        game = GAMES[key]
        ours = _stored(game)
        yield _listing(game, ours, theirs)
        yield _making(game)
        yield _counting(game)
        yield _judging(game, ours, theirs)
        yield from _replaying(game, ours, theirs)


def _stored(game: AnyGame) -> list[Stored]:
    """200 turns of random games, one after another."""
    chosen, dice, stored = Random(1), Dice(bytes(32)), list[Stored]()
    position = game.setup({}, dice)
    while len(stored) < PLIES:
        if game.outcome(position) is not None:
            position = game.setup({}, dice)
        turn = game.roll(position, chosen.choice(list(game.turns(position))), dice)
        stored.append(Stored(position, turn, game.encode(position), game.write(turn, position)))
        position = game.play(position, turn)
    return stored


def _chess() -> list[ChessStored]:
    chosen, stored, board = Random(1), list[ChessStored](), chess.Board()
    while len(stored) < PLIES:
        if board.is_game_over():
            board = chess.Board()
        move = chosen.choice(list(board.legal_moves))
        stored.append(ChessStored(board.copy(stack=False), board.san(move), move.uci()))
        board.push(move)
    return stored


def _listing(game: AnyGame, ours: list[Stored], theirs: list[ChessStored]) -> Row:
    listed = sum(len(list(game.turns(stored.before))) for stored in ours)
    moves = sum(stored.before.legal_moves.count() for stored in theirs)

    def us() -> None:
        for stored in ours:
            list(game.turns(stored.before))

    def them() -> None:
        for stored in theirs:
            list(stored.before.legal_moves)

    mine, peer = alternate(us, them)
    mine, peer = per(mine, PLIES), per(peer, PLIES)
    ratio = (peer.typical / moves) / (mine.typical / listed)
    limit = SLOWER.get(game.key, 60e-6)
    return Row(
        f"{game.key}: list all turns ({listed / PLIES:.0f} a position)",
        str(mine),
        f"{peer} ({moves / PLIES:.0f})",
        f"{ratio:.2f}x",
        f"<= {seconds(limit)}" + ("" if game.key in SLOWER else ", 3.5x"),
        mine.typical <= limit and (game.key in SLOWER or ratio >= 3.5),
    )


def _making(game: AnyGame) -> Row:
    """Lines counted by making every turn, the last ones too, on both sides."""
    start, board = game.setup({}, Dice(bytes(32))), chess.Board()
    depth = 1
    while (lines := _lines(game, start, depth)) < ENOUGH:
        depth += 1
    mine, peer = alternate(lambda: _lines(game, start, depth), lambda: _chess_lines(board, 3))
    mine, peer = per(mine, lines), per(peer, 8_902)
    ratio = peer.typical / mine.typical
    goal = GOALS_MADE.get(game.key)
    return Row(
        f"{game.key}: lines of {depth}, every leaf made, nodes/s",
        _rate(mine),
        _rate(peer),
        f"{ratio:.2f}x",
        f"{goal}x" if goal else "",
        ratio >= goal if goal else None,
    )


def _lines(game: AnyGame, position: Any, depth: int) -> int:
    """The same for any game, as for chess: `play` is called for every turn, `outcome` for every position between."""
    if depth == 0:
        return 1
    if game.outcome(position) is not None:
        return 0
    return sum([_lines(game, game.play(position, turn), depth - 1) for turn in game.turns(position)])


def _counting(game: AnyGame) -> Row:
    """Lines counted as the game counts them: most add up the last ply without making it, which the peer never does."""
    start, board = game.setup({}, Dice(bytes(32))), chess.Board()
    depth, lines = 1, game.perft(start, 1)
    wide = lines
    while lines < ENOUGH and lines * wide < TOO_MANY:
        depth += 1
        lines = game.perft(start, depth)
    mine, peer = alternate(lambda: game.perft(start, depth), lambda: _chess_lines(board, 3))
    mine, peer = per(mine, lines), per(peer, 8_902)
    ratio = peer.typical / mine.typical
    if game.key in COUNTED:
        goal, met = f">= {COUNTED[game.key] / 1e6} M/s", 1 / mine.typical >= COUNTED[game.key]
    else:
        goal, met = "4.5x", ratio >= 4.5
    counts = type(game).perft is not Game.perft
    return Row(
        f"{game.key}: perft {depth} = {lines}, counted, nodes/s",
        _rate(mine),
        _rate(peer),
        f"{ratio:.2f}x",
        goal if counts else "(no count of its own)",
        met if counts else None,
    )


def _chess_lines(board: chess.Board, depth: int) -> int:
    if depth == 0:
        return 1
    lines = 0
    for move in board.legal_moves:
        board.push(move)
        lines += _chess_lines(board, depth - 1)
        board.pop()
    return lines


def _judging(game: AnyGame, ours: list[Stored], theirs: list[ChessStored]) -> Row:
    def us() -> None:
        for stored in ours:
            position = game.decode(stored.position)
            turn = game.read(stored.text, position)
            after = game.examine(position, turn, written=False).after
            game.outcome(after)
            game.encode(after)

    def them() -> None:
        for stored in theirs:
            board = stored.before.copy(stack=False)
            board.push(board.parse_san(stored.san))
            board.is_game_over()
            board.fen()

    mine, peer = alternate(us, them)
    mine, peer = per(mine, PLIES), per(peer, PLIES)
    limit = JUDGED.get(game.key, 100e-6)
    return Row(
        f"{game.key}: judge a stored turn, text to text",
        str(mine),
        str(peer),
        f"{peer.typical / mine.typical:.2f}x",
        f"<= {seconds(limit)}",
        mine.typical <= limit,
    )


def _replaying(game: AnyGame, ours: list[Stored], theirs: list[ChessStored]) -> Iterator[Row]:
    def trusted() -> None:
        for stored in ours:
            game.play(stored.before, game.read(stored.text, stored.before))

    def judged() -> None:
        for stored in ours:
            turn = game.read(stored.text, stored.before)
            game.examine(stored.before, turn, written=False)

    boards = [stored.before.copy(stack=False) for stored in theirs]

    def pushed() -> None:
        for board, stored in zip(boards, theirs, strict=True):
            board.push(chess.Move.from_uci(stored.uci))
            board.pop()

    def checked() -> None:
        for board, stored in zip(boards, theirs, strict=True):
            board.push_uci(stored.uci)
            board.pop()

    what = f"{game.key}: replay {PLIES} turns"
    mine, peer = alternate(trusted, pushed)
    ratio = peer.typical / mine.typical
    yield Row(f"{what}, trusted (peer: from_uci, push)", str(mine), str(peer), f"{ratio:.2f}x")
    again, peer = alternate(judged, checked)
    ratio = peer.typical / again.typical
    yield Row(f"{what}, judged (peer: push_uci)", str(again), str(peer), f"{ratio:.2f}x", "0.33x", ratio >= 1 / 3)
    if game.key in REPLAYED:
        yield _rereading(game, ours, *REPLAYED[game.key])


def _rereading(game: AnyGame, ours: list[Stored], turns: int, limit: float) -> Row:
    """A match as it is loaded from its log: every turn read, played, and held against its stored digest."""

    def us() -> None:
        for stored in ours[:turns]:
            game.encode(game.play(stored.before, game.read(stored.text, stored.before)))

    mine, _ = alternate(us)
    return Row(
        f"{game.key}: load a match of {turns} turns", str(mine), goal=f"<= {seconds(limit)}", met=mine.typical <= limit
    )


def _rate(timing: Timing) -> str:
    return f"{1 / timing.typical / 1e6:.3f} M/s"
