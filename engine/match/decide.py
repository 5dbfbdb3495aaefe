"""What a command does to a match: the events that follow from it and the match after them, or why it cannot be."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, assert_never

from engine.board import Side
from engine.dice import COUNTED, Dice
from engine.game import Examined, NotationError
from engine.match import calls, ends, offers
from engine.match.alarms import alarms, deadline, told_late
from engine.match.arbiter.acts import rule
from engine.match.challenge import challenge, link_place, not_understood, while_open
from engine.match.commands import (
    Abort,
    Acknowledge,
    Add,
    AlarmFired,
    Amend,
    Answer,
    Call,
    CallLate,
    Challenge,
    Claim,
    Command,
    Credit,
    Decline,
    Deliver,
    FindContact,
    Give,
    Join,
    LinkPlace,
    LoseContact,
    Offer,
    Play,
    Reply,
    Resign,
    Rest,
    Rule,
)
from engine.match.events import (
    ClaimOpened,
    ContactFound,
    ContactLost,
    Credited,
    Delivered,
    Nudged,
    Played,
    Refusal,
    Replied,
    digest,
)
from engine.match.events.time import Overrun, Rested
from engine.match.evolve import Decision, advance, follow
from engine.match.rests import merged
from engine.match.state import Match, Status, eligible_callers, rewound
from engine.reading.limits import LONGEST_TURN
from engine.reading.typed import understood
from engine.text import Text

NO_MATCH = Refusal(Text("There is no such match."), Text("`matches` lists yours."))
BEGUN = Refusal(Text("This match has begun."), Text("Its terms stand until it ends."))
OTHERS_OWE = Refusal(Text("The others have yet to answer privately."), Text("You will hear when it is time."))
ANSWERED = Refusal(Text("You have answered already."), Text("You will hear when the others have, too."))
AT_ITS_END = Refusal(
    Text("The game is at its end."),
    Text("`call` the last turn out if it was untenable, or let it stand with `ok`."),
)
NO_RESULTS = Refusal(
    Text("Throws are made by the match, not written by a player."), Text("Write the turn without its result.")
)


def decide(
    match: Match | None, command: Command, at: int, dice: Dice, *, written: int | None = None
) -> Decision | Refusal:
    """What follows from a command at an instant (milliseconds since 1970), with this luck at hand.

    `written` is when it was given, if that was before: whoever was in time then is in time.
    `dice` is the match's own (`match.dice`) where it has a seed, else a fresh one whose seed it will keep.
    """
    if isinstance(command, Challenge):
        return challenge(command, at, dice)
    if match is None:
        return NO_MATCH
    if isinstance(command, Rule):
        return rule(match, command, at)
    decision = PHASES[match.status](match, command, at, dice, at if written is None else min(at, written))
    # A position can be over the moment it stands (a penalty may leave no turn); where nothing can be called, it ends.
    return decision if isinstance(decision, Refusal) else calls.turns_lost(ends.closed(match, decision, at), at)


# --- while it is played -----------------------------------------------------------------------------------
def _while_running(match: Match, command: Command, at: int, dice: Dice, written: int) -> Decision | Refusal:
    match command:
        case Challenge() | Rule():
            raise ValueError("that is decided elsewhere")
        case AlarmFired(kind=kind):
            return _alarm_fired(match, kind, at)
        case Credit(span=span):
            return follow(match, Credited(at, span)) if deadline(match) is not None else Decision()
        case LoseContact(player=player, since=since):
            awaits = player in match.seats.values() and player not in match.unreached
            return follow(match, ContactLost(at, player, since)) if awaits else Decision()
        case FindContact(player=player):
            return follow(match, ContactFound(at, player)) if player in match.unreached else Decision()
        case Deliver(awaits=awaits):
            return follow(match, Delivered(at)) if awaits == match.awaits and told_late(match, at) else Decision()
        case Rest(player=player, weekends=weekends, vacation=vacation):
            rests = merged((*weekends, *vacation)) != match.rests.get(player, ())
            return follow(match, Rested(at, player, weekends, vacation)) if rests else Decision()
        case LinkPlace(by=by, place=place):
            return link_place(match, by, place, at)
        case Join() | Decline() | Amend():
            return BEGUN
        case _:
            side = match.side_of(command.by)
            if side is None:
                return Refusal(
                    Text("You have no seat in this match."),
                    Text(
                        "`board {match}` shows it; `challenge {game}` begins your own.",
                        match=match.id,
                        game=match.game.key,
                    ),
                )
            about_the_last_turn = isinstance(command, Call | Acknowledge)
            if side not in (eligible_callers(match) if about_the_last_turn else match.game.playing(match.position)):
                return Refusal(
                    Text("You are out of this match."),
                    Text("`board {match}` shows how it goes on without you.", match=match.id),
                )
            late = ends.run_out(match, written)
            return late if late.events else _of_a_player(match, command, side, at, dice)


def _of_a_player(
    match: Match,
    command: Play | Reply | Call | CallLate | Add | Offer | Answer | Acknowledge | Resign | Abort | Claim | Give,
    side: Side,
    at: int,
    dice: Dice,
) -> Decision | Refusal:
    match command:
        case Play():
            return _play(match, command, side, at, dice)
        case Reply():
            return _reply(match, command, side, at, dice)
        case Call():
            return calls.call(match, command, at)
        case CallLate():
            return calls.call_late(match, command, at)
        case Add():
            return _add(match, command, side, at)
        case Offer():
            return offers.offer(match, command, at)
        case Answer():
            return offers.answer(match, command, at)
        case Acknowledge(by=by):
            accepted = match.game.acceptance(match.position)
            if accepted and match.game.to_act(match.position) == side:
                return _play(match, Play(by, accepted), side, at, dice)
            return ends.acknowledge(match, by, at)
        case Resign(by=by):
            return ends.resign(match, side, by, at)
        case Abort(by=by):
            return ends.abort(match, by, at)
        case Claim(by=by):
            return ends.claim(match, by, at)
        case Give(by=by, span=span):
            return offers.give(match, by, span, at)
        case _:
            assert_never(command)


def _play(match: Match, command: Play, side: Side, at: int, dice: Dice) -> Decision | Refusal:
    game, before = match.game, match.position
    early = _not_now(match, command, side)
    if early is not None:
        return early
    if len(command.text) > LONGEST_TURN:
        return Refusal(
            Text("That is far too long for a turn."),
            Text("A turn looks like this: `{example}`.", example=game.example(before)),
        )
    text, sure = _sure(command.text)
    try:
        turn = understood(game, text, before, refusing=not match.calling)
    except NotationError as error:
        return not_understood(error)
    if game.rolls(turn):
        return NO_RESULTS
    rolled = game.roll(before, turn, dice)
    if rolled is not turn and not match.calling:
        if rulings := tuple(game.judge(before, turn)):
            return _refused(rulings)  # what is refused throws nothing; what holds holds however the dice fall
        examined = Examined(rolled, (), game.play(before, rolled), game.write(rolled, before))
    else:
        examined = game.examine(before, rolled)  # always, so that no answer takes longer than another
    if not sure and (warning := game.caution(before, turn, examined.after if rolled is turn else None)):
        return Refusal(warning, Text("If you mean it, write `{turn} sure`.", turn=text))
    if examined.rulings and not match.calling and rolled is turn:
        return _refused(examined.rulings)
    reached = game.encode(examined.after)
    refs = tuple(ruling.rule.ref for ruling in examined.rulings)
    played = Played(at, side, command.by, examined.text, digest(reached), dice.counter, refs)
    return Decision((played,), (advance(match, played, rolled, examined.after, reached),))


def _add(match: Match, command: Add, side: Side, at: int) -> Decision | Refusal:
    """The turn just made with another half added to it; the whole is read and judged as one turn."""
    game, half = match.game, match.plies[-1] if match.plies else None
    if match.terms.get("secondhalf") != "on":
        return Refusal(Text("In this match a turn is made whole, and nothing is added to it."), WHOLE)
    if half is None or half.by != command.by or half.kind != "turn" or match.position != half.after:
        return Refusal(Text("You have made no turn to which a half could be added now."), WHILE_LAST)
    if game.rolls(half.turn) or game.asks(match.position) or game.continues("", match.position):
        return Refusal(Text("A turn with a throw in it is made whole."), WHILE_LAST)
    text, sure = _sure(command.text)
    whole = f"{half.text} {text}".strip()
    if len(whole) > LONGEST_TURN:
        return Refusal(Text("That is far too long for a turn."), WHOLE)
    try:
        turn = game.read(whole, half.before)
    except NotationError as error:
        return not_understood(error)
    if game.rolls(turn):
        return NO_RESULTS
    if turn == half.turn:
        return Refusal(Text("That adds nothing to your turn."), Text("Write the other half: `add $X6`."))
    dice = rewound(match, match.plies[:-1], half.before).dice  # the whole throws what it would have thrown at once
    rolled = game.roll(half.before, turn, dice)
    examined = game.examine(half.before, rolled)
    if not sure and (warning := game.caution(half.before, turn, examined.after if rolled is turn else None)):
        return Refusal(warning, Text("If you mean it, write `add {turn} sure`.", turn=text))
    if examined.rulings and not match.calling:
        return _refused(examined.rulings)
    reached = game.encode(examined.after)
    refs = tuple(ruling.rule.ref for ruling in examined.rulings)
    fingerprint = digest(reached)
    played = Played(at, side, command.by, examined.text, fingerprint, dice.counter, refs, extends=half.number)
    return Decision((played,), (advance(match, played, rolled, examined.after, reached),))


WHOLE = Text("Write the whole turn at once, or agree on `secondhalf=on` next time where the game knows it.")
WHILE_LAST = Text("A half can be added to your own last turn until somebody else has acted.")


def _refused(rulings: tuple[Any, ...]) -> Refusal:
    """Why an untenable turn is refused: the fact, and the rule it breaks."""
    return Refusal(rulings[0].because, rulings[0].rule.gist, rulings)


def _sure(text: str) -> tuple[str, bool]:
    """The turn, and whether its player has confirmed it."""
    turn, blank, last = text.rstrip().rpartition(" ")
    return (turn, True) if blank and last.lower() == "sure" else (text, False)


def _not_now(match: Match, command: Play, side: Side) -> Refusal | None:
    """Why a player cannot make a turn at the moment, whatever it is."""
    game = match.game
    asks = game.asks(match.position)
    if asks:
        mine = next((ask for ask in asks if ask.side == side), None)
        if mine is None:
            return OTHERS_OWE
        return Refusal(mine.prompt, Text("Answer privately: `secret {example}`.", example=mine.example))
    if match.ending is not None:
        return AT_ITS_END
    due = game.to_act(match.position)
    if due != side:
        return Refusal(Text("It is {side}'s turn.", side=game.names[due]), Text("You will be told when it is yours."))
    if command.ply is not None and command.ply != match.next_number:
        return Refusal(
            Text(
                "That was meant for turn {meant}; the match is at turn {ply}.", meant=command.ply, ply=match.next_number
            ),
            Text("`board {match}` shows where it stands.", match=match.id),
        )
    return None


def _reply(match: Match, command: Reply, side: Side, at: int, dice: Dice) -> Decision | Refusal:
    game = match.game
    ask = next((ask for ask in game.asks(match.position) if ask.side == side), None)
    if ask is None and game.asks(match.position):
        return ANSWERED
    if ask is None:
        return Refusal(
            Text("Nothing is asked of you privately."),
            Text("Make turns in the open: `{example}`.", example=game.example(match.position)),
        )
    if len(command.text) > LONGEST_TURN:
        return Refusal(
            Text("That is far too long for an answer."),
            Text("It looks like this: `secret {example}`.", example=ask.example),
        )
    try:
        after = game.answer(match.position, ask, command.text, dice)
    except NotationError as error:
        remedy = error.remedy or Text("Write `secret {example}`.", example=ask.example)
        return replace(not_understood(error), remedy=remedy)
    reached = game.encode(after)
    drawn = tuple(dice.drawn) if match.luck != COUNTED else None
    replied = Replied(at, side, command.by, command.text, digest(reached), dice.counter, drawn)
    return Decision((replied,), (advance(match, replied, (), after, reached),))


def _alarm_fired(match: Match, kind: str, at: int) -> Decision:
    if not any(alarm.kind == kind and alarm.at <= at for alarm in alarms(match)):
        return Decision()  # overtaken: somebody acted in the meantime
    if kind == "nudge":
        return follow(match, Nudged(at))
    if kind == "claim":
        return follow(match, ClaimOpened(at))
    if kind == "overrun":
        return follow(match, Overrun(at))
    return ends.run_out(match, at + 1)


# --- before and after -------------------------------------------------------------------------------------
def _when_over(match: Match, command: Command, at: int, dice: Dice, written: int) -> Decision | Refusal:
    match command:
        case AlarmFired() | Credit() | LoseContact() | FindContact() | Deliver() | Rest():
            return Decision()
        case LinkPlace(by=by, place=place) if match.status == "over":
            return link_place(match, by, place, at)
        case _:
            gone = Text("This match is over.") if match.status == "over" else Text("This challenge is off.")
            return Refusal(gone, Text("`challenge {game}` begins another.", game=match.game.key))


PHASES: dict[Status, Callable[[Match, Command, int, Dice, int], Decision | Refusal]] = {
    "open": while_open,
    "running": _while_running,
    "over": _when_over,
    "declined": _when_over,
}
