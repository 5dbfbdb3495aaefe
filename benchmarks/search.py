"""How fast Riposte thinks: nodes a second of its search, positions made and evaluated or expanded, beside chess; what
people's turns cost while it does."""

import asyncio
import os
import signal
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import median, quantiles
from time import perf_counter, process_time
from types import MappingProxyType
from typing import Any

import chess

from benchmarks.pipeline import Line, Program, now, opened, scripted
from benchmarks.table import Row, alternate, seconds
from bot.messages.model import PARTNER
from bot.partner.desk import Desk
from bot.partner.seat import Seat
from engine.appraisal import Appraising, Packing
from engine.board import Side
from engine.dice import Dice
from engine.game import Outcome, Rule
from engine.games import GAMES
from engine.search.partner import level_of, think
from engine.search.tree import Tree
from engine.search.values import Task
from engine.text import Term, Text

PLAYED: Sequence[tuple[str, Mapping[str, str]]] = (*((key, {}) for key in GAMES), ("ironclad", {"mode": "discourse"}))
"""What Riposte plays: each game as it begins, and Ironclad's second one, which takes longest."""
LEVELS = {3: 1, 6: 5}
"""Seconds that a turn of a level may take."""
MEASURED, CHUNK, PAUSE, PARTNERS = 400, 25, 0.03, 4
"""Turns of people that are measured of each kind, how many one after the other, seconds between two, and matches in
which Riposte thinks meanwhile."""
NODES = 2_000
GOALS = {"tokonoma": 60_000, "chirality": 50_000, "tirachen": 50_000, "ironclad": 50_000}
"""Nodes a second."""
BESIDE = 1.2
"""How many times as fast as python-chess under the same search."""
OPENINGS = tuple(range(4, 40, 2))
"""Random plies before it thinks: each position is searched once, so that nothing is remembered of it."""
OPENING = 12
"""The same where a turn is held against all replies."""
PIECES = (100, 320, 330, 500, 900, 0)
"""A pawn, a knight, a bishop, a rook, a queen, a king."""


def rows() -> Iterator[Row]:
    for key, game in GAMES.items():
        if not isinstance(game, Appraising):
            continue
        if game.search == "replies":
            yield _replying(game)
            continue
        rate, theirs = _rates(game)
        goal, ratio = GOALS.get(key), rate / theirs
        yield Row(
            f"{key}: search of {NODES:,} nodes, nodes/s",
            f"{rate:,.0f}",
            f"{theirs:,.0f}",
            f"{ratio:.2f}x",
            f">= {goal // 1000} k/s, {BESIDE}x" if goal else "",
            rate >= goal and ratio >= BESIDE if goal else None,
        )
    for number, most in LEVELS.items():
        slowest, name = max(
            (_thinks(key, options, number), " ".join((key, *options.values()))) for key, options in PLAYED
        )
        yield Row(
            f"level {number}: the slowest turn", f"{seconds(slowest)} ({name})", "", "", f"<= {most} s", slowest <= most
        )
    yield asyncio.run(_beside_partners())


def _thinks(key: str, options: Mapping[str, str], level: int) -> float:
    """Seconds of processor time that the slowest of a few turns takes at a level."""
    taken, game = [], GAMES[key]
    assert isinstance(game, Appraising)
    for plies in OPENINGS[::4]:
        position = position_after(game, plies, options)
        if game.outcome(position) is None:
            begun = process_time()
            think(Task(game, game.to_act(position)), position, level_of(game, level), bytes(32))
            taken.append(process_time() - begun)
    return max(taken)


async def _beside_partners() -> Row:
    """Turns of two people, heard to committed, while Riposte thinks in four matches at its highest level, and while
    its worker is stopped: in chunks by turns, so that other work on the machine counts in both alike."""
    script = await scripted("tokonoma", MEASURED)
    alone, meanwhile = list[float](), list[float]()
    kinds = (alone, "alone", signal.SIGSTOP), (meanwhile, "meanwhile", signal.SIGCONT)
    with tempfile.TemporaryDirectory() as folder:
        async with opened(Path(folder)) as program:
            program.service.repository.opponents = PARTNERS
            seat = Seat(program.service.repository, program.service.transactions)
            desk = Desk(seat, now, cores=1)
            program.listeners.append(desk.committed)
            busy = [asyncio.create_task(desk.run())]
            for number in range(PARTNERS):
                await program.say(("carol", "challenge @riposte tirachen level=6", False), f"partner{number}")
            busy.append(asyncio.create_task(_answering(program)))
            while not (workers := [*desk._pool._processes] if desk._pool else []):
                await asyncio.sleep(PAUSE)
            for number, chunk in enumerate(script[at : at + CHUNK] for at in range(0, len(script), CHUNK)):
                for taken, room, sent in kinds[:: -1 if number % 2 else 1]:
                    for worker in workers:
                        os.kill(worker, sent)
                    taken.extend(await _taken(program, chunk, room))
            for worker in workers:  # one that is stopped would never end
                os.kill(worker, signal.SIGCONT)
            for task in busy:
                task.cancel()
            await asyncio.gather(*busy, return_exceptions=True)
    one, other = (quantiles(samples, n=100)[98] for samples in (alone, meanwhile))
    ours = f"p99 {seconds(other)}, median {seconds(median(meanwhile))}"
    theirs = f"alone {seconds(one)}, {seconds(median(alone))}"
    return Row("people's turns, four partners thinking", ours, theirs, "", "<= 5 ms more", other - one <= 5e-3)


async def _taken(program: Program, script: Sequence[Line], room: str) -> list[float]:
    """Seconds that each turn took, as many a second as somebody reads."""
    taken = []
    for line in script:
        begun = perf_counter()
        await program.say(line, room)
        taken.append(perf_counter() - begun)
        await asyncio.sleep(PAUSE)
    return taken


async def _answering(program: Program) -> None:
    """Answers Riposte in its matches at random, so that it always thinks about one of them."""
    repository, chosen = program.service.repository, Random(1)
    while True:
        for summary in await repository.store.matches(player=PARTNER, status="running", limit=PARTNERS):
            match = await repository.match(summary.match)
            if match is not None and (side := match.game.to_act(match.position)) != match.side_of(PARTNER):
                turn = match.game.write(chosen.choice(list(match.game.turns(match.position))), match.position)
                room = match.seats[side].partition("-")[2]
                await program.say(("carol", turn, True), room)
        await asyncio.sleep(PAUSE)


def _rates(game: Appraising[Any, Any]) -> tuple[float, float]:
    """Nodes a second of the game's search and of chess, by turns; medians over the openings."""
    ours, theirs = list[float](), list[float]()
    for plies in OPENINGS:
        position = position_after(game, plies)
        if game.outcome(position) is None:
            ours.append(_rate(Tree(Task(game, game.to_act(position)), NODES), position))
        board = _chess_after(plies)
        theirs.append(_rate(Tree(Task(CHESS, "W" if board.turn else "B"), NODES), board))
    return median(ours), median(theirs)


def _rate(tree: Tree[Any, Any], position: object) -> float:
    begun = process_time()
    tree.best(position)
    return tree.nodes / (process_time() - begun)


def position_after(game: Appraising[Any, Any], plies: int, options: Mapping[str, str] = MappingProxyType({})) -> Any:
    """A position after random play."""
    chosen, dice = Random(plies), Dice(bytes([plies]) * 32)
    position = game.setup(options, dice)
    for _ in range(plies):
        turns = list(game.turns(position))
        if not turns:
            break
        position = game.play(position, game.roll(position, chosen.choice(turns), dice))
    return position


def _replying(game: Appraising[Any, Any]) -> Row:
    position = position_after(game, OPENING)
    task = Task(game, game.to_act(position))
    timing, _ = alternate(lambda: think(task, position, game.levels[3], bytes(32)))
    return Row(f"{game.key}: a turn against all replies", str(timing), goal="<= 100 ms", met=timing.typical <= 0.1)


# --- chess, by python-chess -------------------------------------------------------------------------------


def _chess_after(plies: int) -> chess.Board:
    chosen, board = Random(plies), chess.Board()
    for _ in range(plies):
        moves = list(board.legal_moves)
        if not moves:
            return _chess_after(plies + 100)
        board.push(chosen.choice(moves))
    return board


class ChessPacking(Packing[Any, Any]):
    """A walk through chess: boards that are copied and pushed, material and legal captures."""

    luck = False

    def __init__(self, side: Side) -> None:
        self.side = side

    def identity(self, node: chess.Board) -> object:
        return self.key(node)

    def key(self, node: chess.Board) -> Any:
        return node._transposition_key()

    def acts(self, node: chess.Board) -> bool:
        return node.turn == (self.side == "W")

    def ended(self, node: chess.Board) -> Outcome | None:
        if any(node.generate_legal_moves()):
            return None
        mated = node.is_check()
        return Outcome(MATE, frozenset("B" if node.turn else "W") if mated else frozenset("WB"))

    def value(self, node: chess.Board) -> int:
        white, black = node.occupied_co[chess.WHITE], node.occupied_co[chess.BLACK]
        points = sum(
            [
                worth * ((pieces & white).bit_count() - (pieces & black).bit_count())
                for worth, pieces in zip(PIECES, _bitboards(node), strict=True)
            ]
        )
        return points if self.side == "W" else -points

    def takes(self, node: chess.Board) -> list[tuple[int, chess.Move]]:
        return [(_gain(node, move), move) for move in node.generate_legal_captures()]

    def steps(self, node: chess.Board) -> tuple[list[tuple[int, chess.Move]], Sequence[chess.Move]]:
        taking, quiet = list[tuple[int, chess.Move]](), list[chess.Move]()
        theirs = node.occupied_co[not node.turn]
        for move in node.generate_legal_moves():
            if 1 << move.to_square & theirs or node.is_en_passant(move):
                taking.append((_gain(node, move), move))
            else:
                quiet.append(move)
        return taking, quiet

    def make(self, node: chess.Board, step: chess.Move) -> chess.Board:
        after = node.copy(stack=False)
        after.push(step)
        return after


@dataclass(frozen=True, slots=True)
class Chess:
    """As much of a game as a search asks for."""

    captures: bool = True
    margin: int = Appraising.margin
    late: int = Appraising.late

    def packing(self, side: Side) -> ChessPacking:
        return ChessPacking(side)


def _bitboards(board: chess.Board) -> tuple[int, ...]:
    return board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings


def _gain(board: chess.Board, move: chess.Move) -> int:
    """The dearest first, by the cheapest."""
    taken = board.piece_type_at(move.to_square) or chess.PAWN
    return 10 * PIECES[taken - 1] - PIECES[(board.piece_type_at(move.from_square) or chess.KING) - 1] // 10


MATE = Rule("mate", Term("Checkmate"), Text("A king that cannot escape."))
CHESS: Any = Chess()
