"""Tirachen against a second, slow telling of its rules, on positions that no game may ever reach."""

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import TypeAlias

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.dice import Dice
from engine.games import GAMES
from engine.games.tirachen.position import Position

TIRACHEN = GAMES["tirachen"]
EXAMPLES = int(os.environ.get("RIPOSTE_EXAMPLES", "40"))
"""RIPOSTE_EXAMPLES=20000 makes it as thorough as one likes."""

examined = settings(max_examples=EXAMPLES, deadline=None, derandomize="RIPOSTE_EXAMPLES" not in os.environ)

Board: TypeAlias = dict[str, tuple[str, str]]
"""Square -> side and kind; the side of a neutral traitor is `-`."""
Pool: TypeAlias = dict[str, int]

FILES, RANKS = "abcdefghi", "123456789"
SITES = [file + rank for rank in RANKS for file in FILES]
OTHER = {"R": "W", "W": "R"}
AREA = {"R": "123", "W": "789"}
HOME = {"R": ("d1", "e1", "f1"), "W": ("d9", "e9", "f9")}
ORTHOGONAL = ((1, 0), (-1, 0), (0, 1), (0, -1))
AROUND = (*ORTHOGONAL, (1, 1), (1, -1), (-1, 1), (-1, -1))
LEAPS = [(x, y) for x in (-2, -1, 1, 2) for y in (-2, -1, 1, 2) if abs(x) != abs(y)]
LINES_OF = {"G": 1, "C": 8, "W": 3}
WALKS = {"S": (ORTHOGONAL, 3), "A": (AROUND, 2)}


@dataclass(frozen=True)
class State:
    """A position as a reader of its text has it."""

    board: Board
    pools: dict[str, Pool]
    mobilized: frozenset[str]
    side: str
    quiet: int = 0


def moved(site: str, x: int, y: int) -> str:
    file, rank = FILES.find(site[0]) + x, RANKS.find(site[1]) + y
    return FILES[file] + RANKS[rank] if 0 <= file < 9 and 0 <= rank < 9 else ""


def reached(board: Board, site: str) -> set[str]:
    """Where the rulebook's diagrams lead a piece, if there were no own pieces, no forts and no phases."""
    side, kind = board[site]
    found: set[str] = set()
    if kind in LINES_OF:
        for x, y in AROUND:
            for n in range(1, LINES_OF[kind] + 1):
                end = moved(site, n * x, n * y)
                found.add(end)
                if not end or end in board:
                    break
    elif kind in WALKS:
        steps, limit = WALKS[kind]
        edge = {site}
        for _ in range(limit):
            edge = {moved(at, x, y) for at in edge for x, y in steps if at == site or (at and at not in board)}
            found |= edge
    elif kind == "P":
        found = {end for x, y in ORTHOGONAL if (end := moved(site, x, y)) not in board}
        found |= {end for x in (-1, 1) if (end := moved(site, x, 1 if side == "R" else -1)) in board}
    elif kind == "T":
        found = {moved(site, 3 * x, 3 * y) for x, y in AROUND} | {moved(site, x, y) for x, y in LEAPS}
    return found - {"", site}


def ends(state: State, board: Board, site: str) -> Iterator[str]:
    """Where a piece of the side to move may end its move on this board."""
    for end in reached(board, site):
        beside = {board.get(moved(end, x, y)) for x, y in AROUND}
        within = state.side in state.mobilized or {site[1], end[1]} <= set(AREA[state.side])
        if board.get(end, ("",))[0] != state.side and (OTHER[state.side], "F") not in beside and within:
            yield end


def carried(board: Board, site: str, end: str) -> Board:
    """The board after a move: whoever takes a fort is gone with it."""
    after = {at: piece for at, piece in board.items() if at not in (site, end)}
    return after if board.get(end, ("", ""))[1] == "F" else {**after, end: board[site]}


def allowed(state: State) -> dict[str, State]:
    """Every turn by its notation, and what it leads to."""
    board, side = state.board, state.side
    passed = replace(state, side=OTHER[side])
    quiet = replace(passed, quiet=state.quiet + 1)
    loud = replace(passed, quiet=0)
    found: dict[str, State] = {}
    if side not in state.mobilized:
        found["mobilize"] = replace(quiet, mobilized=state.mobilized | {side})
    for kind, slot in zip("FCPSAW", "FCPMMM", strict=True):
        everywhere = kind == "F" or side not in state.mobilized
        for site in SITES if state.pools[side].get(slot) else ():
            if site not in board and (site[1] in AREA[side] if everywhere else site in HOME[side]):
                pool = {**state.pools[side], slot: state.pools[side][slot] - 1}
                mobilized = state.mobilized if any(pool.values()) else state.mobilized | {side}
                pools = {**state.pools, side: pool}
                placed = {**board, site: (side, kind)}
                found[f"{kind}@{site}"] = replace(loud, board=placed, pools=pools, mobilized=mobilized)
    for site in [site for site, (owner, _) in board.items() if owner == side]:
        kind = board[site][1]
        for end in ends(state, board, site):
            then = loud if end in board else quiet
            move = f"{kind}{site}{'x' if end in board else '-'}{end}"
            found[move] = replace(then, board=carried(board, site, end))
            if board.get(end, ("", ""))[1] == "T":
                turned = {at: piece for at, piece in board.items() if at != site} | {end: (side, "T")}
                found[f"{move}=T"] = replace(then, board=turned)
                for leap in ends(state, turned, end) if kind != "G" else ():
                    extra = f"{end}{'x' if leap in turned else '-'}{leap}"
                    found[f"{move}=T {extra}"] = replace(then, board=carried(turned, end, leap))
    return found


def won(state: State) -> str:
    """Who has won, once a turn has led here: `RW` = a draw, nobody = it goes on."""
    last, pieces = OTHER[state.side], state.board.values()
    if (last, "G") not in pieces:
        return state.side
    held = all(state.board.get(site, ("",))[0] == last for site in HOME[state.side])
    if (state.side, "G") not in pieces or held or not allowed(state):
        return last
    return "RW" if state.quiet >= 100 else ""


def written(state: State) -> str:
    """The position text."""
    parts: dict[str, list[str]] = {"R": [], "W": [], "T": []}
    for site in sorted(state.board, key=SITES.index):
        side, kind = state.board[site]
        parts["T" if kind == "T" else side].append(f"{site} {side}" if kind == "T" else f"{kind}@{site}")
    told = [f"{name}: {' '.join(part) or '-x'[name == 'T']}" for name, part in parts.items()]
    for side, pool in state.pools.items():
        words = [slot + str(pool[slot]) * (slot in "PM") for slot in "FCPM" if pool.get(slot)]
        told.append(f"p{side}: {' '.join(words) or '-'}")
    told += [f"mob: {''.join(sorted(state.mobilized)) or '-'}", f"to: {state.side}"]
    return " / ".join(told + [f"quiet: {state.quiet}"] * (state.quiet > 0))


def told(position: Position) -> State:
    """A position read off its text."""
    parts = dict(part.split(": ") for part in TIRACHEN.encode(position).split(" / "))
    board = {word[2:]: (side, word[0]) for side in "RW" for word in parts[side].split() if word != "-"}
    if parts["T"] != "x":
        board[parts["T"][:2]] = (parts["T"][3], "T")
    pools = {side: {word[0]: int(word[1:] or 1) for word in parts[f"p{side}"].split() if word != "-"} for side in "RW"}
    return State(board, pools, frozenset(parts["mob"]) & {"R", "W"}, parts["to"], int(parts.get("quiet", 0)))


def anywhere(chosen: Random) -> State:
    """A position with pieces wherever chance puts them."""
    sites = chosen.sample(SITES, 81)
    board: Board = {sites.pop(): (side, "G") for side in "RW"}
    pools: dict[str, Pool] = {}
    for side in "RW":
        pools[side] = {"F": chosen.randint(0, 1), "C": chosen.randint(0, 1)}
        pools[side] |= {slot: chosen.choice((0, 0, 1, 9)) for slot in "PM"}
        if not pools[side]["F"] and chosen.random() < 0.8:
            board[sites.pop()] = (side, "F")
        board |= {sites.pop(): (side, chosen.choice("CSAWPP")) for _ in range(chosen.choice((0, 3, 9, 18)))}
    general = next(site for site, piece in board.items() if piece[1] == "G")
    near = [at for x, y in AROUND if (at := moved(general, x, y)) in sites]
    if chosen.random() < 0.8:
        board[chosen.choice(near) if near and chosen.random() < 0.3 else sites[0]] = (chosen.choice("-RW"), "T")
    mobilized = frozenset(side for side in "RW" if chosen.random() < 0.5)
    return State(board, pools, mobilized, chosen.choice("RW"), chosen.choice((0, 0, 7, 98, 99)))


def agree(state: State, chosen: Random) -> None:
    """Both tell the same of a position: its text, its end, its turns, and what these lead to."""
    text = written(state)
    position = TIRACHEN.decode(text)
    assert TIRACHEN.encode(position) == text
    assert TIRACHEN.read(TIRACHEN.example(position), position), "an example can be read, tenable or not"
    over = won(state)
    ours = {TIRACHEN.write(turn, position): turn for turn in TIRACHEN.turns(position)}
    theirs = {} if over else allowed(state)
    assert set(ours) == set(theirs), text
    for notation in chosen.sample(sorted(theirs), min(len(theirs), 12)):
        after = TIRACHEN.play(position, ours[notation])
        assert TIRACHEN.encode(after) == written(theirs[notation]), (text, notation)
        ending = TIRACHEN.outcome(after)
        assert "".join(sorted(ending.winners if ending else ())) == won(theirs[notation]), (text, notation)


@examined
@given(seed=st.integers(0, 2**32))
def test_any_position_has_the_turns_that_the_slow_telling_finds(seed: int) -> None:
    chosen = Random(seed)
    agree(anywhere(chosen), chosen)


@examined
@given(seed=st.integers(0, 2**32), plies=st.integers(0, 150))
def test_so_has_every_position_of_a_game(seed: int, plies: int) -> None:
    chosen = Random(seed)
    position = TIRACHEN.setup({}, Dice(bytes(32)))
    for _ in range(plies):
        turns = list(TIRACHEN.turns(position))
        captures = [turn for turn in turns if "x" in TIRACHEN.write(turn, position)] or turns
        if not turns:
            break
        position = TIRACHEN.play(position, chosen.choice(captures if chosen.random() < 0.3 else turns))
    agree(told(position), chosen)


@examined
@given(seed=st.integers(0, 2**32))
def test_any_move_from_square_to_square_is_judged_as_it_is_listed(seed: int) -> None:
    chosen = Random(seed)
    state = anywhere(chosen)
    position = TIRACHEN.decode(written(state))
    listed = set() if won(state) else set(allowed(state))
    for site in [site for site, (owner, _) in state.board.items() if owner == state.side]:
        for end in chosen.sample([end for end in SITES if end != site], 10):
            turn = TIRACHEN.read(f"{site} {end}", position)
            assert TIRACHEN.tenable(position, turn) is (TIRACHEN.write(turn, position) in listed)
