"""What a call does to a match, right or wrong."""

from dataclasses import replace
from typing import Any

from engine.dice import Dice
from engine.game import RESIGNED, Outcome, Penalty, Ruling
from engine.match.events import CalledOut, CallFailed
from engine.match.evolve.going_on import PRICE, moved_on, paid, restored, resume, shortened
from engine.match.fines import LATE, fine
from engine.match.snapshot.same import same
from engine.match.state import Match, Ply, at_fault, rewound


def after_call(match: Match, event: CalledOut) -> Match:
    game = match.game
    match = match.but(right_calls={**match.right_calls, event.by: match.right_calls.get(event.by, 0) + 1})
    if event.late:
        again = match.but(late_calls=match.late_calls | {event.ply})
        return moved_on(again, game.reset(match.position, match.plies[event.ply - 1].side), event.at)
    struck = match.plies[event.ply - 1]
    _, rulings = at_fault(match, struck)
    dice = match.dice_of(struck.number, PRICE)
    reached = called_out(match, struck, rulings, event.penalty, dice)
    after = struck.before if isinstance(reached, Outcome) else reached
    cut = restored(rewound(match, match.plies[: event.ply - 1], struck.before))
    if after != struck.before:
        # The lost turn stands in the line of play, so that no takeback can undo the penalty.
        lost = Ply(struck.number, "penalty", struck.side, struck.by, "", struck.before, after, event.at)
        key = same(game, after)
        cut = cut.but(
            position=after,
            plies=(*cut.plies, lost),
            counts={**cut.counts, key: cut.counts.get(key, 0) + 1},
        )
    closed = len(cut.plies)
    resumed = resume(cut, event.at).but(
        call_window_start=closed, departed=(), takeback_floor=closed, rolls=dice.counter
    )
    tenth = match.clock.base // 10
    if event.penalty == "time" and match.terms.get("timepenalty") == "plus":
        for side in match.game.playing(resumed.position):
            resumed = resumed if side == struck.side else shortened(resumed, side, -tenth)
    elif event.penalty == "time":  # as if a tenth of the time had already been used
        resumed = resumed.but(turn_started_at=resumed.turn_started_at - tenth)
    return resumed


def after_failed_call(match: Match, event: CallFailed) -> Match:
    price, side = fine(match, event), match.side_of(event.by)
    assert side is not None, "only who has a seat may call"
    weight = LATE if event.late else 1
    failed = match.but(
        failed_calls=match.failed_calls if event.late else match.failed_calls | {(event.ply, event.by)},
        late_calls=match.late_calls | {event.ply} if event.late else match.late_calls,
        wrong_calls={**match.wrong_calls, event.by: match.wrong_calls.get(event.by, 0) + weight},
    )
    if price.of == "time":
        tenth = match.clock.base // 10
        started = failed.turn_started_at - price.now * tenth
        failed = paid(failed.but(turn_started_at=started), side, "time", price.now * tenth)
        return shortened(failed, side, price.later * tenth)
    failed = failed.but(turns_owed={**failed.turns_owed, side: failed.turns_owed.get(side, 0) + price.later})
    if not price.now:
        return failed
    dice = match.dice_of(match.next_number, PRICE)
    passed = match.game.pass_turn(match.position, dice)
    after = moved_on(paid(failed, side, "turn", price.now), passed, event.at).but(rolls=dice.counter)
    if match.terms["callfor"] == "anything":
        return after
    # Only what was named has been looked at, so the turn can still be called out.
    return after.but(call_window_start=match.call_window_start, departed=match.departed)


def called_out(match: Match, struck: Ply, rulings: tuple[Ruling[Any], ...], penalty: Penalty, dice: Dice) -> Any:
    """The position, or the Outcome, that a callout leads to; whoever has gone since the turn stays gone."""
    game = match.game
    reached = game.penalize(struck.before, struck.turn, rulings, penalty, dice)
    for side in match.departed:
        if isinstance(reached, Outcome):
            return replace(reached, winners=reached.winners - set(match.departed))
        left = game.leave(reached, side)
        reached = game.forfeit(reached, side, RESIGNED) if left is None else left
    return reached
