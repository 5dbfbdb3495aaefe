"""What events do to a match: a fold over its log, and the decision that a command leads to."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from engine.board import Side
from engine.dice import BOUND, ToldDice
from engine.game import Turn
from engine.games import GAMES
from engine.match.alarms import counted, deadline, later, patience_left, reminders
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
    Delivered,
    Ended,
    Event,
    Expired,
    Flagged,
    Joined,
    Nudged,
    Offered,
    PlaceLinked,
    Played,
    Replied,
    Reset,
    Resigned,
    SeatFreed,
    Started,
    TakenBack,
    TurnLost,
    digest,
    recalled,
)
from engine.match.events.rulings import Lifted, PlaceMoved, Ruled, SeatHanded
from engine.match.events.time import ClaimMade, Overrun, Paused, PauseEnded, Rested, TermsChanged, TimeGiven
from engine.match.evolve.calls import after_call, after_failed_call
from engine.match.evolve.going_on import PRICE, moved_on, paid, restored, resume
from engine.match.evolve.rulings import ruled
from engine.match.evolve.time import timed
from engine.match.evolve.turns import moved
from engine.match.snapshot.same import same
from engine.match.state import (
    Match,
    StandingOffer,
    rewound,
    without_half,
)
from engine.match.terms import complete
from engine.value import value


@value(frozen=True, slots=True)
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
            terms=complete(GAMES[event.game], event.terms),
            challenger=event.by,
            invited=event.invited,
            joined=(event.by,),
            places=(event.place,),
            tokens={event.by: event.token} if event.token else {},
            clock=read_clock(event.terms["time"]),
            luck=event.luck,
            seed=event.seed,
            shares={event.by: event.share} if event.share else {},
            lasts=event.lasts,
            rematch=event.rematch,
            drawn_as=event.drawn_as,
            private=event.private,
            expires=event.at + event.lasts if event.lasts else 0,
            length=1,
        )
    assert match is not None, "a match begins with its challenge"
    return _after(_in_contact(match, event), event).but(length=match.length + 1)


def advance(match: Match, event: Played | Replied, turn: Turn, after: Any, text: str) -> Match:
    """The match after a turn (or an answer) that has been read and played already; `text` is the position after it."""
    before = without_half(_in_contact(match, event), event)
    return moved(before, event, turn, after, text)


def replay(events: Iterable[Event], *, check: bool = False, match: Match | None = None) -> Match | None:
    """The match that a log tells, or its end behind a `match`; with `check`, every stored digest is held against
    the position reached."""
    for event in events:
        before, match = match, evolve(match, event)
        if check and isinstance(event, Played | Replied | CalledOut):
            text = match.game.encode(match.position)
            agrees = digest(text) == event.digest
            match = match.but(position_text=text) if agrees else _as_it_was(before, event, text)
    return match


def _as_it_was(before: Match | None, event: Played | Replied | CalledOut, text: str) -> Match:
    """The match after a turn that goes elsewhere by today's rules; ValueError if no version has gone where it went."""
    assert before is not None
    if isinstance(event, Played):
        for turn, after in before.game.formerly(before.position, recalled(before.game, event, before.position)):
            reached = before.game.encode(after)
            if digest(reached) == event.digest:
                return advance(before, event, turn, after, reached)
    raise ValueError(f"match {before.id}, event {before.length + 1}: {digest(text)} is not {event.digest}")


MOVES_ON = (Played, Replied, CalledOut, CallFailed, TurnLost, TakenBack, Agreed, Reset, Resigned, Flagged)
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
        case Amended():
            return _amended(match, event)
        case SeatFreed():
            return _seat_freed(match, event)
        case Joined(by=by, token=token, share=share):
            tokens = {**match.tokens, by: token} if token else match.tokens
            shares = {**match.shares, by: share} if share else match.shares
            leads = by == match.challenger and match.luck >= BOUND  # so that a record tells who challenged
            joined = (by, *match.joined) if leads else (*match.joined, by)
            return match.but(joined=joined, tokens=tokens, shares=shares)
        case Started():
            return _started(match, event)
        case Played() | Replied():
            return _played(match, event)
        case CalledOut():
            return after_call(match, event)
        case CallFailed():
            return after_failed_call(match, event)
        case TurnLost(side=side, rolls=rolls, at=at):
            owed = {**match.turns_owed, side: match.turns_owed[side] - 1}
            passed = match.game.pass_turn(match.position, match.dice_of(match.next_number, PRICE))
            match = paid(match, side, "turn", 1)
            return resume(match.but(position=passed, turns_owed=owed, rolls=rolls, offers=()), at)
        case Offered(by=by, what=what, value=value):
            others = tuple(offer for offer in match.offers if offer.what != what)
            asked = {**match.asked, (what, by): match.asked.get((what, by), 0) + 1}
            return match.but(offers=(*others, StandingOffer(what, by, frozenset((by,)), value)), asked=asked)
        case Answered():
            return _answered(match, event)
        case Agreed(at=at):
            return moved_on(match, match.game.agree(match.position), at)
        case Reset(at=at):
            return moved_on(match, match.game.reset(match.position), at)
        case TakenBack(ply=number, at=at, spent=spent):
            cut = rewound(match, match.plies[: number - 1], match.plies[number - 1].before)
            resumed = resume(restored(cut), at)
            return resumed.but(turn_started_at=resumed.turn_started_at - spent)
        case Resigned(side=side, at=at) | Flagged(side=side, at=at) | Claimed(side=side, at=at):
            return _left(match, side, at)
        case _:
            return _noted(match, event)


def _noted(match: Match, event: Event) -> Match:
    """After what leaves the board and the line of play alone."""
    match event:
        case Declined() | Expired():
            return match.but(status="declined")
        case PlaceLinked(place=place):
            return match.but(places=(*match.places, place))
        case Acknowledged(by=by):
            return match.but(acknowledged=match.acknowledged | {by})
        case Nudged(at=at):
            passed = sum(reminder <= at for reminder in reminders(match)) if deadline(match) is not None else 0
            return match.but(reminded=max(match.reminded + 1, passed))
        case Rested() | Paused() | PauseEnded() | TimeGiven() | Overrun() | ClaimMade() | TermsChanged():
            return timed(match, event)
        case Ruled() | Lifted() | PlaceMoved() | SeatHanded():
            return ruled(match, event)
        case ContactLost() | ContactFound() | ClaimOpened():
            return _noticed(match, event)
        case Credited(span=span):
            return later(match, span)
        case Delivered(at=at):
            late = min(at - match.awaited_since, patience_left(match))
            return later(match, late).but(waited=match.waited + late)
        case Ended():
            return match.but(status="over", result=event, offers=())
        case _:
            raise ValueError(f"{event} happens to no match")


def _amended(match: Match, event: Amended) -> Match:
    by = event.by
    guests = tuple(player for player in match.parties if player != match.challenger)  # their places are kept
    return match.but(
        terms=complete(match.game, event.terms),
        version=event.version or match.version,
        invited=guests,
        joined=(by,),
        clock=read_clock(event.terms["time"]),
        terms_version=match.terms_version + 1,
        expires=event.at + match.lasts if match.lasts else 0,
        shares={**match.shares, by: event.share} if event.share else match.shares,
    )


def _seat_freed(match: Match, event: SeatFreed) -> Match:
    """The challenge as it was before somebody accepted it; other shares in the dice draw other lots next time."""
    return match.but(
        status="open",
        joined=tuple(player for player in match.joined if player != event.by),
        left=match.left | {event.by},
        terms_version=match.terms_version + 1,
        expires=event.at + match.lasts if match.lasts else 0,
        tokens={player: token for player, token in match.tokens.items() if player != event.by},
        shares={player: share for player, share in match.shares.items() if player != event.by},
        seats={},
        rolls=0,
        start=None,
        position=None,
        counts={},
        offers=(),
        time_left={},
        turn_started_at=0,
        runs_since=0,
        rests={},
        pauses=(),
        paused={},
        reminded=0,
        unreached={},
    )


def _started(match: Match, event: Started) -> Match:
    position = match.game.decode(event.position)
    return match.but(
        status="running",
        seats=event.seats,
        seed=event.seed or match.seed,
        rolls=event.rolls,
        start=position,
        position=position,
        counts={same(match.game, position): 1},
        time_left=match.clock.start(tuple(event.seats)),
        turn_started_at=event.at,
        runs_since=event.at,
        awaited_since=event.at,
        awaits=match.length + 1,
    )


def _played(match: Match, event: Played | Replied) -> Match:
    match = without_half(match, event)
    game, before = match.game, match.position
    if isinstance(event, Played):
        turn = recalled(game, event, before)
        return moved(match, event, turn, game.play(before, turn))
    ask = next(ask for ask in game.asks(before) if ask.side == event.side)
    dice = match.dice if event.drawn is None else ToldDice(event.drawn)
    return moved(match, event, (), game.answer(before, ask, event.text, dice))


def _answered(match: Match, event: Answered) -> Match:
    offers = []
    for offer in match.offers:
        if offer.what != event.what:
            offers.append(offer)
        elif event.yes:
            offers.append(replace(offer, agreed=offer.agreed | {event.by}))
        elif event.what == "nocontest" and event.by != offer.by and (side := match.side_of(event.by)) is not None:
            match = match.but(contest=(side, match.next_number - 1))
    return match.but(offers=tuple(offers))


def _noticed(match: Match, event: ContactLost | ContactFound | ClaimOpened) -> Match:
    match event:
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
    return resume(gone.but(call_window_start=len(match.plies), departed=()), at) if acted else gone
