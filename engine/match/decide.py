"""What a command does to a match: the events that follow from it, or why it cannot be."""

from collections.abc import Callable
from dataclasses import replace
from typing import assert_never, cast

from engine.board import Side
from engine.dice import Dice
from engine.game import ABORTED, RESIGNED, TIMEOUT, AnyGame, NotationError, Outcome, Penalty, Rule, Ruling
from engine.match.alarms import alarms, deadline
from engine.match.challenge import challenge, house, not_understood, while_open
from engine.match.events import (
    Abort,
    Acknowledge,
    Acknowledged,
    Agreed,
    AlarmFired,
    Amend,
    Answer,
    Answered,
    Call,
    CalledOut,
    CallFailed,
    Challenge,
    Challenged,
    Command,
    Credit,
    Credited,
    Decision,
    Decline,
    Ended,
    Event,
    Flagged,
    Join,
    LinkPlace,
    Nudged,
    Offer,
    Offered,
    Play,
    Played,
    Player,
    Refusal,
    Replied,
    Reply,
    Reset,
    Resign,
    Resigned,
    TakenBack,
)
from engine.match.state import (
    Match,
    Ply,
    Status,
    called_out,
    digest,
    eligible_callers,
    evolve,
    open_to_call,
    read_ply,
    sides_to_act,
    takeback_ply,
)

LONGEST_TEXT = 500
"""Characters of a turn or an answer; no game needs a tenth of it."""

ABORT_BEFORE = 2
"""A match can be called off until so many turns have been made."""


def decide(match: Match | None, command: Command, at: int, dice: Dice) -> Decision:
    """What follows from a command at an instant (milliseconds since 1970), with this luck at hand.

    `dice` is the match's own (`match.dice`) once it has started, else a fresh one whose seed it will keep.
    """
    if isinstance(command, Challenge):
        return challenge(command, at)
    if match is None:
        return Refusal("there is no such match", "`matches` lists yours.")
    decision = PHASES[match.status](match, command, at, dice)
    # A position can be over the moment it stands (a penalty may leave no turn); where nothing can be called, it ends.
    return decision if isinstance(decision, Refusal) else _closed(match, decision, at)


# --- while it is played -----------------------------------------------------------------------------------
def _while_running(match: Match, command: Command, at: int, dice: Dice) -> Decision:
    match command:
        case Challenge():
            raise ValueError("a running match cannot be challenged")
        case AlarmFired(kind=kind):
            return _chime(match, kind, at)
        case Credit(span=span):
            return (Credited(at, span),) if deadline(match) is not None else ()
        case LinkPlace(by=by, place=place):
            return house(match, by, place, at)
        case Join() | Decline() | Amend():
            return Refusal("this match has begun", "Its terms stand until it ends.")
        case _:
            side = match.side_of(command.by)
            if side is None:
                return Refusal(
                    "you have no seat in this match",
                    f"`board {match.id}` shows it; `challenge {match.game.key}` begins your own.",
                )
            about_the_last_turn = isinstance(command, Call | Acknowledge)
            if side not in (eligible_callers(match) if about_the_last_turn else match.game.playing(match.position)):
                return Refusal("you are out of this match", f"`board {match.id}` shows how it goes on without you.")
            return _run_out(match, at) or _of_a_player(match, command, side, at, dice)


def _of_a_player(
    match: Match,
    command: Play | Reply | Call | Offer | Answer | Acknowledge | Resign | Abort,
    side: Side,
    at: int,
    dice: Dice,
) -> Decision:
    match command:
        case Play():
            return _play(match, command, side, at, dice)
        case Reply():
            return _reply(match, command, side, at, dice)
        case Call():
            return _call(match, command, at)
        case Offer():
            return _offer(match, command, at)
        case Answer():
            return _answer(match, command, at)
        case Acknowledge(by=by):
            accepted = match.game.acceptance(match.position)
            if accepted and match.game.to_act(match.position) == side:
                return _play(match, Play(by, accepted), side, at, dice)
            return _acknowledge(match, by, at)
        case Resign(by=by):
            return (Resigned(at, side, by), *_gone(match, side, RESIGNED, at))
        case Abort(by=by):
            if match.turns_made >= ABORT_BEFORE:
                return Refusal(
                    "the match is under way: it cannot be called off any more", "Offer a `draw`, or `resign`."
                )
            return (replace(_ended(Outcome(ABORTED, frozenset()), match.game, at), by=by),)
        case _:
            assert_never(command)


def _play(match: Match, command: Play, side: Side, at: int, dice: Dice) -> Decision:
    game = match.game
    early = _not_now(match, command, side)
    if early is not None:
        return early
    if len(command.text) > LONGEST_TEXT:
        return Refusal("that is far too long for a turn", f"A turn looks like this: `{game.example(match.position)}`.")
    text, sure = _sure(command.text)
    try:
        turn = game.read(text, match.position)
    except NotationError as error:
        return not_understood(error)
    if not sure and (warning := game.caution(match.position, turn)):
        return Refusal(warning, f"If you mean it, write `{text} sure`.")
    if game.rolls(turn):
        return Refusal("the throw is made by the match, not written by a player", "Write the turn without its result.")
    rulings = tuple(game.judge(match.position, turn))  # always, so that no answer takes longer than another
    if rulings and not match.calling:
        return Refusal(str(rulings[0].because), f"({rulings[0].rule.title}: {rulings[0].rule.gist})", rulings)
    rolled = game.roll(match.position, turn, dice)
    if rolled is not turn:  # a call is about what became of it
        rulings = tuple(game.judge(match.position, rolled))
    turn, after = rolled, game.play(match.position, rolled)
    played = Played(
        at,
        side,
        command.by,
        game.write(turn, match.position),
        digest(game, after),
        dice.counter,
        tuple(ruling.rule.ref for ruling in rulings),
    )
    return (played,)


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
            return Refusal("the others have yet to answer in private", "You will hear when it is time.")
        return Refusal(f"first, in private: {mine.prompt}", f"Write `secret {mine.example}`.")
    if match.ending is not None:
        return Refusal(
            "the game is at its end", "`call` the last turn out if it was untenable, or let it stand with `ok`."
        )
    due = game.to_act(match.position)
    if due != side:
        return Refusal(f"it is {game.names[due]}'s turn", "You will be told when it is yours.")
    if command.ply is not None and command.ply != match.next_number:
        return Refusal(
            f"that was meant for turn {command.ply}, and the match is at turn {match.next_number}",
            f"`board {match.id}` shows where it stands.",
        )
    return None


def _reply(match: Match, command: Reply, side: Side, at: int, dice: Dice) -> Decision:
    game = match.game
    ask = next((ask for ask in game.asks(match.position) if ask.side == side), None)
    if ask is None and game.asks(match.position):
        return Refusal("you have answered in private already", "You will hear when the others have, too.")
    if ask is None:
        return Refusal(
            "nothing is asked of you in private", f"Make turns in the open: `{game.example(match.position)}`."
        )
    if len(command.text) > LONGEST_TEXT:
        return Refusal("that is far too long for an answer", f"It looks like this: `secret {ask.example}`.")
    try:
        after = game.answer(match.position, ask, command.text, dice)
    except NotationError as error:
        return replace(not_understood(error), remedy=str(error.remedy or "") or f"Write `secret {ask.example}`.")
    return (Replied(at, side, command.by, command.text, digest(game, after), dice.counter),)


def _call(match: Match, command: Call, at: int) -> Decision:
    game = match.game
    if not match.calling:
        return Refusal(
            "untenable turns are refused at once in this match, so none can stand",
            f"Agree on another `umpire` next time: `challenge @name {game.key} umpire={game.penalties[0]}`.",
        )
    standing = open_to_call(match)
    if not standing:
        return Refusal(
            "no turn is open to a call now", "A turn can be called out until the next player has answered it."
        )
    last = standing[-1].number
    if command.ply is not None and not standing[0].number <= command.ply <= last:
        return Refusal(
            f"turn {command.ply} can no longer be called out", f"The one that stands is turn {last}: `call`."
        )
    if last in match.called and match.terms["falsecall"] != "none":
        return Refusal(f"turn {last} has been called out already, and it held", "Play on.")
    for ply in standing:
        rulings = tuple(game.judge(ply.before, read_ply(match, ply)))
        if rulings:
            return _called_out(match, command.by, ply, rulings, at)
    return (CallFailed(at, command.by, last),)


def _called_out(match: Match, by: Player, ply: Ply, rulings: tuple[Ruling, ...], at: int) -> Decision:
    game = match.game
    penalty = cast(Penalty, match.terms["umpire"])
    price = called_out(match, ply, rulings, penalty, match.dice)
    after = ply.before if isinstance(price, Outcome) else price
    refs = tuple(dict.fromkeys(ruling.rule.ref for ruling in rulings))
    called = CalledOut(at, by, ply.number, refs, penalty, digest(game, after))
    outcome = price if isinstance(price, Outcome) else evolve(match, called).ending
    return (called,) if outcome is None else (called, _ended(outcome, game, at))


def _offer(match: Match, command: Offer, at: int) -> Decision:
    if command.what == "takeback":
        allowed = match.terms["takeback"]
        if allowed == "usual":
            allowed = "consent" if match.terms["umpire"] == "friendly" else "none"
        if allowed == "none":
            return Refusal("the terms of this match allow no takebacks", "Play on, or offer a `draw`.")
        if allowed != "consent" and allowed not in _sides_of(match, command.by):
            return Refusal(
                f"the terms of this match allow takebacks to {allowed.capitalize()} only", "Play on, or offer a `draw`."
            )
        if takeback_ply(match, command.by) is None:
            return Refusal("you have no turn that could be taken back", "Your next one will be the first.")
    if command.what == "reset" and match.game.reset(match.position) is None:
        return Refusal(
            "there is no reset of the board as this match stands", "Offer a `draw`, or ask for a `takeback`."
        )
    standing = next((bid for bid in match.offers if bid.what == command.what), None)
    if standing is None:
        return (Offered(at, command.by, command.what),)
    if command.by in standing.agreed:
        return Refusal("that offer is on the table already", "It stands until it is answered or overtaken by a turn.")
    if command.what != "takeback":  # offering what is offered is agreeing
        return _answer(match, Answer(command.by, True, command.what), at)
    return Refusal("somebody else asks to take a turn back", "Answer that first: `accept` or `decline`.")


def _answer(match: Match, command: Answer, at: int) -> Decision:
    offers = [bid for bid in match.offers if command.what in (None, bid.what)]
    if not offers:
        return Refusal("nothing is on offer", "Offer a `draw`, or ask for a `takeback`.")
    offers = [
        bid for bid in offers if command.by not in bid.agreed
    ] or offers  # rather what others offer than one's own
    if len(offers) > 1:
        word = "accept" if command.yes else "decline"
        return Refusal("several things are on offer", f"Say which: `{word} {offers[0].what}`.")
    bid = offers[0]
    if command.yes and command.by in bid.agreed:
        return Refusal("you have agreed to that already", "The others have yet to answer.")
    answered = Answered(at, command.by, bid.what, command.yes)
    playing = {match.seats[side] for side in match.game.playing(match.position)}
    if not command.yes or playing - bid.agreed - {command.by}:
        return (answered,)
    if bid.what == "takeback":
        number = takeback_ply(match, bid.by)
        assert number is not None, "an offer to take back falls when there is nothing left to take back"
        return (answered, TakenBack(at, number))
    if bid.what == "reset":
        return (answered, Reset(at))
    agreed = match.game.agree(match.position)
    if isinstance(agreed, Outcome):
        return (answered, _ended(agreed, match.game, at))
    return (answered, Agreed(at))


def _sides_of(match: Match, by: Player) -> set[str]:
    """The names of somebody's sides, as terms write them."""
    return {match.game.names[side].lower() for side, player in match.seats.items() if player == by}


def _acknowledge(match: Match, by: Player, at: int) -> Decision:
    outcome = match.ending
    if outcome is None:
        return Refusal("the game is not at its end", "`resign` gives it up.")
    waiting = {match.seats[side] for side in sides_to_act(match)}
    if by not in waiting:
        return Refusal("the last word is the others'", "The end stands as soon as they let it.")
    acknowledged = Acknowledged(at, by)
    return (acknowledged,) if waiting != {by} else (acknowledged, _ended(outcome, match.game, at))


# --- time -------------------------------------------------------------------------------------------------
def _chime(match: Match, kind: str, at: int) -> Decision:
    if not any(alarm.kind == kind and alarm.at <= at for alarm in alarms(match)):
        return ()  # overtaken: somebody acted in the meantime
    if kind == "nudge":
        return (Nudged(at),)
    return _run_out(match, at + 1)


def _run_out(match: Match, at: int) -> tuple[Event, ...]:
    """What follows if the awaited sides' time is over before this instant: ties go to the player."""
    due = deadline(match)
    if due is None or at <= due:
        return ()
    outcome = match.ending
    if outcome is not None and not match.game.asks(match.position):
        return (_ended(outcome, match.game, at),)
    late = sides_to_act(match)
    if set(late) == set(match.game.playing(match.position)):  # nobody did what everybody owed
        return (*(Flagged(due, side) for side in late), _ended(Outcome(ABORTED, frozenset()), match.game, due))
    events: list[Event] = []
    standing = match
    for side in late:
        events += [Flagged(due, side), *_gone(standing, side, TIMEOUT, due)]
        if isinstance(events[-1], Ended):
            break
        standing = evolve(standing, Flagged(due, side))
    return tuple(events)


# --- ends -------------------------------------------------------------------------------------------------
def _when_over(match: Match, command: Command, at: int, dice: Dice) -> Decision:
    match command:
        case AlarmFired() | Credit():
            return ()
        case LinkPlace(by=by, place=place) if match.status == "over":
            return house(match, by, place, at)
        case _:
            gone = "this match is over" if match.status == "over" else "this challenge was declined"
            return Refusal(gone, f"`challenge {match.game.key}` begins another.")


def _gone(match: Match, side: Side, rule: Rule, at: int) -> tuple[Event, ...]:
    """What follows when a side gives up or is out of time: the others play on, or it is over."""
    if match.game.leave(match.position, side) is not None:
        return ()
    return (_ended(match.game.forfeit(match.position, side, rule), match.game, at),)


def _closed(match: Match, events: tuple[Event, ...], at: int) -> tuple[Event, ...]:
    """The events, and the end if the position they lead to is one that nobody can call out."""
    if not events or isinstance(events[-1], Ended | Challenged):
        return events
    reached = match
    for event in events:
        reached = evolve(reached, event)
    outcome = reached.ending
    if outcome is None or reached.game.asks(reached.position):
        return events
    if open_to_call(reached) and set(sides_to_act(reached)) != outcome.winners:
        return events  # those who have not won have the last word
    return (*events, _ended(outcome, reached.game, at))


def _ended(outcome: Outcome, game: AnyGame, at: int) -> Ended:
    return Ended(at, outcome.rule.ref, outcome.rule.title, tuple(s for s in game.sides if s in outcome.winners))


PHASES: dict[Status, Callable[[Match, Command, int, Dice], Decision]] = {
    "open": while_open,
    "running": _while_running,
    "over": _when_over,
    "declined": _when_over,
}
"""Who deals with a command, by how far the match has come."""
