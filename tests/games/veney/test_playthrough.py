"""Whole games of Veney by movers that choose at random: they end in every way, and nothing raises."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from random import Random

from engine.dice import Dice
from engine.game import NotationError, Outcome, Penalty
from engine.games.veney import GAME
from engine.games.veney.action import Turn
from engine.games.veney.board.squares import NUMBER
from engine.games.veney.position import Position, letter_of

LIMIT = 150


def sorted_out(position: Position, turns: list[Turn]) -> Iterator[list[Turn]]:
    """Any turns; those that attack Selves and armaments; those of the daring and the weary."""
    yield turns
    yield [turn for turn in turns if any(act.verb == "move" and at_risk(position, act.target) for act in turn)]
    yield [turn for turn in turns if any(act.verb in ("throw", "cast", "retreat") for act in turn)]
    yield [turn for turn in turns if any((act.verb, act.piece) == ("withdraw", "D") for act in turn)]
    yield [turn for turn in turns if len(turn) == 1 and turn[0].piece == "S"]


def at_risk(position: Position, site: str) -> bool:
    code = position.cells[NUMBER[site]]
    return code >> 4 == 1 - position.to and letter_of(code) in "S$DGJ"


def journey(seed: int, bold: bool) -> Iterator[Position | Outcome]:
    """A game by a mover who prefers attacks; a bold one also tries untenable turns, and is called out at random."""
    chosen, dice = Random(seed), Dice(seed.to_bytes(32, "big"))
    options = {
        "formality": chosen.choice(("casual", "formal")),
        "retreats": chosen.choice(("0", "1", "unlimited")),
        "whiteset": chosen.choice(("full", "assassin", "aristocrat", "illusionist")),
        "blackset": chosen.choice(("full", "full", "guard", "assassin")),
    }
    position: Position = GAME.setup(options, dice)
    penalty: Penalty = chosen.choice(GAME.penalties)
    for _ in range(LIMIT):
        yield position
        outcome = GAME.outcome(position)
        if outcome is not None:
            yield outcome
            return
        turns = list(GAME.turns(position))
        turn = chosen.choice(chosen.choice([kind for kind in sorted_out(position, turns) if kind]))
        if bold and chosen.random() < 0.5:
            words = GAME.write(turn, position).split()
            words[-1] = words[-1][:-1] + chosen.choice("123456789")
            with suppress(NotationError):
                turn = GAME.read(" ".join(words), position)
        rulings = tuple(GAME.judge(position, turn))
        assert bold or not rulings
        if rulings and chosen.random() < 0.3:
            follows = GAME.penalize(position, turn, rulings, penalty, Dice(bytes(32)))
            if isinstance(follows, Outcome):
                yield follows
                return
            position = follows
            continue
        position = GAME.play(position, GAME.roll(position, turn, dice))


def endings(bold: bool, seeds: Iterable[int]) -> set[str]:
    return {last.rule.ref for seed in seeds for last in journey(seed, bold) if isinstance(last, Outcome)}


def test_games_of_tenable_turns_end_in_every_way_that_needs_no_call() -> None:
    assert endings(False, (0, 1, 2, 3, 4, 6, 9, 11, 24, 26)) == {
        "2.0.21:touch",
        "2.0.21:double",
        "2.0.21:disarm",
        "2.0.21:self-disarm",
        "2.0.21:resignation",
    }


def test_games_with_untenable_turns_and_calls_end_by_penalty_too() -> None:
    assert endings(True, (0, 1, 2, 3, 5, 6, 7, 9, 11, 14)) >= {
        "2.0.21:touch",
        "2.0.21:disarm",
        "2.0.21:resignation",
        "2.0.22:penalty",
    }
