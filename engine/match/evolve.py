"""What events do to a match: a fold over its log, and the decision that a command leads to."""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal, assert_never

from engine.board import Side
from engine.dice import Dice
from engine.game import RESIGNED, Outcome, Penalty, Ruling, Turn
from engine.games import GAMES
from engine.match.clock import read_clock
from engine.match.events import (
    Acknowledged,
    Agreed,
    Amended,
    Answered,
    CalledOut,
    CallFailed,
    Challenged,
    Claimed,
    ClaimOpened,
    ContactFound,
    ContactLost,
    Credited,
    Declined,
    Ended,
    Event,
    Flagged,
    Joined,
    Nudged,
    Offered,
    PlaceLinked,
    Played,
    Replied,
    Reset,
    Resigned,
    Started,
    TakenBack,
)
from engine.match.state import Match, Ply, StandingOffer, counted, digest, last_action


@dataclass(frozen=True, slots=True)
class Decision:
    """What follows from a command: events in order, and the match after each of them; none = nothing changes."""

    events: tuple[Event, ...] = ()
    states: tuple[Match, ...] = ()

    @property
    def after(self) -> Match:
        """The match after all of them."""
        return self.states[-1]

    def __add__(self, later: "Decision") -> "Decision":
        return Decision(self.events + later.events, self.states + later.states)


def follow(match: Match | None, *events: Event) -> Decision:
    """A decision for these events."""
    states: list[Match] = []
    for event in events:
        match = evolve(match, event)
        states.append(match)
    return Decision(events, tuple(states))


def evolve(match: Match | None, event: Event) -> Match:
    """The match after one more event. The first must be `Challenged`."""
    if isinstance(event, Challenged):
        return Match(
            id=event.match,
            game=GAMES[event.game],
            version=event.version,
            terms=event.terms,
            challenger=event.by,
            invited=event.invited,
            joined=(event.by,),
            places=(event.place,),
            tokens={event.by: event.token} if event.token else {},
            clock=read_clock(event.terms["time"]),
            length=1,
        )
    assert match is not None, "a match begins with its challenge"
    return _after(_in_contact(match, event), event).but(length=match.length + 1)


def advance(match: Match, event: Played | Replied, turn: Turn, after: Any, text: str) -> Match:
    """The match after a turn (or an answer) that has been read and played already; `text` is the position after it."""
    return _moved(_in_contact(match, event), event, turn, after).but(length=match.length + 1, position_text=text)


def replay(events: Iterable[Event], *, check: bool = False) -> Match | None:
    """The match that a log tells; with `check`, every stored digest is held against the position reached."""
    match: Match | None = None
    for event in events:
        match = evolve(match, event)
        if check and isinstance(event, Played | Replied | CalledOut):
            text = match.game.encode(match.position)
            if digest(text) != event.digest:
                raise ValueError(f"match {match.id}, event {match.length}: {digest(text)} is not {event.digest}")
            match = match.but(position_text=text)
    return match


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


MOVES_ON = (Played, Replied, CalledOut, CallFailed, TakenBack, Agreed, Reset, Resigned, Flagged)
"""What may change who is awaited, or their time."""


def _in_contact(match: Match, event: Event) -> Match:
    """The match before an event: whoever acts is in contact, and time that stood still is counted."""
    if not match.unreached:
        return match
    player = event.player if isinstance(event, ContactFound) else getattr(event, "by", "")
    found = player in match.unreached
    if not (found or isinstance(event, MOVES_ON)):
        return match
    after = counted(match, event.at)
    return after.but(unreached={one: at for one, at in after.unreached.items() if one != player}) if found else after


def _after(match: Match, event: Event) -> Match:
    match event:
        case Challenged():
            raise ValueError(f"match {match.id} was challenged twice")
        case Amended(by=by, terms=terms):
            guests = tuple(player for player in match.parties if player != match.challenger)  # their places are kept
            clock, terms_version = read_clock(terms["time"]), match.terms_version + 1
            return match.but(terms=terms, invited=guests, joined=(by,), clock=clock, terms_version=terms_version)
        case Joined(by=by, token=token):
            tokens = {**match.tokens, by: token} if token else match.tokens
            return match.but(joined=(*match.joined, by), tokens=tokens)
        case Declined():
            return match.but(status="declined")
        case PlaceLinked(place=place):
            return match.but(places=(*match.places, place))
        case Started():
            return _started(match, event)
        case Played() | Replied():
            return _played(match, event)
        case CalledOut():
            return _called_out(match, event)
        case CallFailed():
            return _call_failed(match, event)
        case Offered(by=by, what=what):
            others = tuple(offer for offer in match.offers if offer.what != what)
            return match.but(offers=(*others, StandingOffer(what, by, frozenset((by,)))))
        case Answered():
            return _answered(match, event)
        case Agreed(at=at):
            return _moved_on(match, match.game.agree(match.position), at)
        case Reset(at=at):
            return _moved_on(match, match.game.reset(match.position), at)
        case Acknowledged(by=by):
            return match.but(acknowledged=match.acknowledged | {by})
        case TakenBack(ply=number, at=at):
            kept = tuple(ply for ply in match.plies if ply.number < number)
            first = next(ply for ply in match.plies if ply.number == number)
            return _resume(_rewound(match, kept, first.before), at)
        case Resigned(side=side, at=at) | Flagged(side=side, at=at) | Claimed(side=side, at=at):
            return _left(match, side, at)
        case Nudged() | ContactLost() | ContactFound() | ClaimOpened():
            return _noticed(match, event)
        case Credited(span=span):
            return match.but(turn_started_at=match.turn_started_at + span)
        case Ended():
            return match.but(status="over", result=event, offers=())
        case _:
            assert_never(event)


def _started(match: Match, event: Started) -> Match:
    position = match.game.decode(event.position)
    return match.but(
        status="running",
        seats=event.seats,
        seed=event.seed,
        rolls=event.rolls,
        start=position,
        position=position,
        counts={match.game.identity(position): 1},
        time_left=match.clock.start(tuple(event.seats)),
        turn_started_at=event.at,
    )


def _played(match: Match, event: Played | Replied) -> Match:
    game, before = match.game, match.position
    if isinstance(event, Played):
        turn = game.read(event.text, before)
        return _moved(match, event, turn, game.play(before, turn))
    ask = next(ask for ask in game.asks(before) if ask.side == event.side)
    return _moved(match, event, (), game.answer(before, ask, event.text, match.dice))


def _moved(match: Match, event: Played | Replied, turn: Turn, after: Any) -> Match:
    """The match after a turn or an answer that has led to a position."""
    game, before = match.game, match.position
    last = last_action(match)
    kind: Literal["turn", "reply"] = "turn" if isinstance(event, Played) else "reply"
    ply = Ply(match.next_number, kind, event.side, event.by, event.text, before, after, event.at, turn)
    same = game.identity(after)
    answering = isinstance(event, Replied) or game.continues(event.text, before)
    others_turn = not answering and (last is None or last.by != event.by)
    moved = match.but(
        position=after,
        plies=(*match.plies, ply),
        counts={**match.counts, same: match.counts.get(same, 0) + 1},
        call_window_start=len(match.plies) if others_turn else match.call_window_start,
        departed=() if others_turn else match.departed,
        offers=tuple(offer for offer in match.offers if offer.by == event.by and offer.what == "draw"),
        rolls=event.rolls,
    )
    if isinstance(event, Replied):  # answers are given side by side: the clock waits for the last one
        return moved if game.asks(after) else _resume(moved, event.at)
    left = match.clock.spend(dict(match.time_left), event.side, event.at - match.turn_started_at)
    return _resume(moved.but(time_left=left), event.at)


def _called_out(match: Match, event: CalledOut) -> Match:
    game = match.game
    index = next(i for i, ply in enumerate(match.plies) if ply.number == event.ply)
    struck = match.plies[index]
    rulings = tuple(game.judge(struck.before, struck.turn))
    dice = match.dice
    reached = called_out(match, struck, rulings, event.penalty, dice)
    after = struck.before if isinstance(reached, Outcome) else reached
    rewound = _rewound(match, match.plies[:index], struck.before)
    if after != struck.before:
        # The lost turn stands in the line of play, so that no takeback can undo the penalty.
        lost = Ply(struck.number, "penalty", struck.side, struck.by, "", struck.before, after, event.at)
        same = game.identity(after)
        rewound = rewound.but(
            position=after,
            plies=(*rewound.plies, lost),
            counts={**rewound.counts, same: rewound.counts.get(same, 0) + 1},
        )
    closed = len(rewound.plies)
    resumed = _resume(rewound, event.at).but(
        call_window_start=closed, departed=(), takeback_floor=closed, rolls=dice.counter
    )
    if event.penalty == "time":  # as if a tenth of the time had already been used
        resumed = resumed.but(turn_started_at=event.at - match.clock.base // 10)
    return resumed


def _answered(match: Match, event: Answered) -> Match:
    offers = []
    for offer in match.offers:
        if offer.what != event.what:
            offers.append(offer)
        elif event.yes:
            offers.append(replace(offer, agreed=offer.agreed | {event.by}))
    return match.but(offers=tuple(offers))


def _moved_on(match: Match, position: Any, at: int) -> Match:
    """The match in a position that no turn led to; nothing before it can be taken back or called out."""
    assert position is not None
    assert not isinstance(position, Outcome), "a draw that ends the match is Ended"
    closed = len(match.plies)
    return _resume(
        match.but(position=position, call_window_start=closed, departed=(), takeback_floor=closed, offers=()), at
    )


def wrong_call_cost(match: Match, failed: CallFailed) -> Literal["time", "turn", ""]:
    """What a wrong call costs, by the term `falsecall`: nothing unless the caller is to act.

    Who merely has to answer has no turn to lose, and must not undo the other's by it.
    """
    if match.ending is not None or match.sides_to_act != (match.side_of(failed.by),):
        return ""
    if match.game.asks(match.position) or match.game.continues("", match.position):
        return ""
    match match.terms.get("falsecall"):
        case "time" if match.clock.kind != "none":
            return "time"
        case "turn":
            return "turn"
        case _:
            return ""


def _call_failed(match: Match, event: CallFailed) -> Match:
    failed = match.but(failed_calls=match.failed_calls | {event.ply})
    match wrong_call_cost(match, event):
        case "time":
            return failed.but(turn_started_at=failed.turn_started_at - match.clock.base // 10)
        case "turn":
            dice = match.dice
            passed = match.game.pass_turn(match.position, dice)
            return _moved_on(failed, passed, event.at).but(rolls=dice.counter)
        case _:
            return failed


def _noticed(match: Match, event: Nudged | ContactLost | ContactFound | ClaimOpened) -> Match:
    match event:
        case Nudged():
            return match.but(reminded=True)
        case ContactLost(player=player, since=since):
            return match.but(unreached={**match.unreached, player: since})
        case ContactFound():
            return match  # `_in_contact` has done it
        case ClaimOpened():
            return match.but(claimable=True)


def _left(match: Match, side: Side, at: int) -> Match:
    after = match.game.leave(match.position, side)
    if after is None:
        return match
    gone = match.but(position=after, departed=(*match.departed, side), takeback_floor=len(match.plies), offers=())
    acted = match.game.to_act(after) != match.game.to_act(match.position)
    return _resume(gone.but(call_window_start=len(match.plies), departed=()), at) if acted else gone


def _rewound(match: Match, plies: tuple[Ply, ...], position: Any) -> Match:
    """The match with its line of play cut short."""
    counts: dict[Hashable, int] = {}
    for stood in (match.start, *(ply.after for ply in plies)):
        same = match.game.identity(stood)
        counts[same] = counts.get(same, 0) + 1
    kept = frozenset(ply.number for ply in plies)
    left = dict(match.time_left)
    for ply in match.plies[len(plies) :]:
        if ply.kind == "turn":  # what a turn added to the bank goes with it
            left[ply.side] = max(0, left[ply.side] - match.clock.extra)
    return match.but(
        plies=plies,
        time_left=left,
        position=position,
        counts=counts,
        call_window_start=min(
            match.call_window_start, len(plies)
        ),  # what else its player has made may still be called out
        departed=match.departed if match.call_window_start < len(plies) else (),
        failed_calls=match.failed_calls & kept,
        offers=(),
    )


def _resume(match: Match, at: int) -> Match:
    """The clock runs for whoever is awaited now."""
    return match.but(turn_started_at=at, reminded=False, acknowledged=frozenset())
