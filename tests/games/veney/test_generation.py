"""Veney's generated turns against its judge, on random positions: exactly the tenable ones are listed."""

import os
from collections.abc import Iterator
from dataclasses import replace
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.game import NotationError
from engine.games.veney import GAME
from engine.games.veney.action import ENTERING, Action, Turn
from engine.games.veney.board.squares import BIT, NUMBER, SQUARES, squares
from engine.games.veney.pieces import BLACK, BLADES, FREE, KIND, KINDS, SWORD, B, C, D, E, G, J, L, R, S
from engine.games.veney.play.course import after
from engine.games.veney.play.turn import TRAP, sprung
from engine.games.veney.play.working_board import WorkingBoard
from engine.games.veney.position import ABSENT, IN_PLAY, Position, in_tray, read_intent

EXAMPLES = int(os.environ.get("RIPOSTE_EXAMPLES", "8"))
ARMY = (S, SWORD, C, B, D, G, L, J, R, E, E, E, E)


def scattered(chosen: Random) -> Position:
    """A position such as hardly any game reaches: pieces anywhere, captures, intentions, cast-squares."""
    cells, caught = bytearray(64), 0
    free = chosen.sample(range(64), 64)
    reserve = ["", ""]
    for side in (0, 1):
        for kind in ARMY:
            if kind == S or chosen.random() < 0.7:
                at = next(at for at in free if kind != S or (at < 40 if side == 0 else at >= 24))
                free.remove(at)
                cells[at] = kind + BLACK * side
            elif chosen.random() < 0.6:
                reserve[side] += KINDS[kind]
    point = chosen.choice((ABSENT, IN_PLAY, chosen.randrange(85), chosen.randrange(85)))
    if point == IN_PLAY:
        cells[free[0]] = FREE
    for at in range(64):
        cloak = C + BLACK * (cells[at] < BLACK)
        if cells[at] != FREE and cells[at] & 15 in BLADES and cloak in cells and chosen.random() < 0.15:
            cells[cells.index(cloak)] = 0
            caught |= BIT[at]
    to = chosen.randrange(2)
    aim = next(at for at in chosen.sample(range(64), 64) if cells[at] and cells[at] != FREE and cells[at] >> 4 != to)
    intent = read_intent(f"{chosen.choice('$D')}t{SQUARES[aim]}") if chosen.random() < 0.5 else None
    pawns = [at for at in range(64) if cells[at] == E + BLACK * (1 - to)]
    crossed = {at: at + (4 if to == 0 else -4) for at in pawns}
    passed = [(cross, at) for at, cross in crossed.items() if 0 <= cross < 64 and not cells[cross]]
    return Position(
        bytes(cells),
        to,
        caught,
        point,
        (in_tray(reserve[0]), in_tray(reserve[1])),
        passes=chosen.choice((0, 0, 1, 2)),
        passed=tuple(passed[:2]) if chosen.random() < 0.5 else (),
        lock=squares(caught)[0] if caught and chosen.random() < 0.5 else -1,
        intents=(intent, None) if to == 0 else (None, intent),
        dazzled=chosen.choice((-1, -1, to)),
        returns=chosen.choice((0, 0, 2)),
        stance=chosen.choice((-1, -1, -1, -1, 0, 1)),
        fire=((to, chosen.randrange(64)),) if chosen.random() < 0.4 else (),
        shima=((to, chosen.randrange(64)),) if chosen.random() < 0.2 else (),
    )


SPECIALS = {"$": ("cavazione", "opposition", "strike"), "D": ("opposition", "strike", "throw"), "G": ("deflect",)}


def tried(position: Position) -> Iterator[Action]:
    """Whatever one piece might be told to do."""
    field, side = WorkingBoard(position), position.to
    men = [(at, KINDS[field.cells[at] & 15]) for at in squares(field.men(side))]
    men += [(at, "C") for at in field.capturing(side)]
    men += [(field.free, "a")] if field.free >= 0 else []
    for at, letter in men:
        for to in SQUARES:
            for verb in ("move", *SPECIALS.get(letter, ())):
                yield Action(verb, letter, SQUARES[at], to)
        if letter in "$D":
            yield Action("sever", letter, SQUARES[at])
        if letter == "S":
            yield Action("retreat", letter, SQUARES[at])
        yield Action("withdraw", letter, SQUARES[at])
    for letter in dict.fromkeys(position.reserve[side]):
        yield from (Action("place", letter, "", to) for to in SQUARES)
    yield from (Action("enter", "a", "", to) for to in SQUARES)
    yield Action("reset", "a")
    for one, first in men:
        for two, second in men:
            if (first, second) in (("B", "$"), ("B", "D"), ("C", "S")):
                verb = "shift" if first == "B" else "feign"
                yield Action(verb, first, SQUARES[one], SQUARES[two], other=second)


def combined(position: Position, chosen: Random) -> Iterator[Turn]:
    """Single actions, and a sample of two in a row, of endings and of prefixes."""
    singles = list(tried(position))
    yield from ((act,) for act in singles)
    moves = [act for act in singles if act.verb == "move"]
    specials = [act for act in singles if act.verb in ENTERING]
    steps = [act for act in moves if act.piece == "S"]
    partners = [act for act in singles if act.piece in "$DGL"]
    pairs: list[Turn] = []
    for _ in range(1500):
        first = chosen.choice(moves)
        pairs.append((first, Action("move", first.piece, first.target, chosen.choice(SQUARES))))
        pairs.append((first, chosen.choice(singles)))
        first = chosen.choice(specials)
        pairs.append((first, Action("move", first.piece, first.target, chosen.choice(SQUARES))))
    if steps and partners:
        pairs += [(chosen.choice(steps), chosen.choice(partners)) for _ in range(1500)]
    yield from pairs
    for turn in [*chosen.sample(pairs, 200), *((act,) for act in chosen.sample(singles, 200)), ()]:
        for verb, letter in (("control", "B"), ("glare", "L")):
            board = after(WorkingBoard(position), turn)
            at = board.find(position.to, KIND[letter])
            if at >= 0:
                yield (*turn, Action(verb, letter, SQUARES[at]))
        yield (Action("meta", "a", plan=chosen.choice(("aw", "a+"))), *turn)


def readable(position: Position, turn: Turn) -> bool:
    """Whether the turn can be written down and read, so that the judge may be asked about it."""
    try:
        return GAME.read(GAME.write(turn, position), position) == turn
    except (NotationError, KeyError):
        return False


@settings(max_examples=EXAMPLES, deadline=None, derandomize="RIPOSTE_EXAMPLES" not in os.environ)
@given(st.integers(0, 10**9))
def test_exactly_the_tenable_turns_are_listed(seed: int) -> None:
    chosen = Random(seed)
    position = scattered(chosen)
    assert GAME.decode(GAME.encode(position)) == position
    turns = list(GAME.turns(position))
    listed = set(turns)
    assert len(listed) == len(turns)
    for turn in turns:
        assert GAME.tenable(position, turn), GAME.write(turn, position)
    for turn in chosen.sample(turns, min(len(turns), 400)):
        assert readable(position, turn), GAME.write(turn, position)
    for turn in combined(position, chosen):
        if turn not in listed and GAME.tenable(position, turn):
            assert not readable(position, turn), GAME.write(turn, position)


def entered(chosen: Random) -> Position:
    """A technical piece has just entered a chaos square of the side to move."""
    while True:
        position = replace(scattered(chosen), passes=0)
        entering = [
            (turn, action.target)
            for turn in GAME.turns(position)
            for action in turn
            if action.verb == "move" and action.piece in "CBLJG"
        ]
        if entering:
            turn, site = chosen.choice(entering)
            reached = GAME.play(replace(position, chaos=((1 - position.to, NUMBER[site]),)), turn)
            if reached.sprung is not None and reached.over is None and reached.dying is None:
                return reached


@settings(max_examples=max(2, EXAMPLES // 4), deadline=None, derandomize="RIPOSTE_EXAMPLES" not in os.environ)
@given(st.integers(0, 10**9))
def test_exactly_the_tenable_turns_are_listed_after_a_chaos_trap(seed: int) -> None:
    chosen = Random(seed)
    position = entered(chosen)
    listed = set(GAME.turns(position))
    for turn in listed:
        assert GAME.tenable(position, turn), GAME.write(turn, position)
    board = sprung(position)
    left = replace(
        position,
        cells=bytes(board.cells),
        caught=board.caught,
        point=board.point,
        reserve=board.reserves(),
        discard=board.discards(),
        chaos=board.chaos,
        sprung=None,
    )
    for turn in combined(left, chosen):
        whole = (TRAP, *turn)
        if whole not in listed and GAME.tenable(position, whole):
            assert not readable(position, whole), GAME.write(whole, position)


def test_a_flail_over_a_stone_is_listed_at_the_end_of_hirakamae_too() -> None:
    position = GAME.decode("W: e@X1 S@W8 $@X8 L@X11 / B: S@Z15 / a: - / to: W / flags: hira=W")
    turn = GAME.read("LX1 LX3", position)
    assert GAME.tenable(position, turn)
    assert turn in set(GAME.turns(position))
