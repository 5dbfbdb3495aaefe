"""A match as its events leave it: who sits where, what stands on the board, whose time runs, what may be called."""

import hashlib
from collections import deque
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any, Literal, TypeAlias, assert_never

from engine.board import Side
from engine.dice import Dice
from engine.game import ABORTED, RESIGNED, AnyGame, Outcome, Penalty, Ruling, Turn
from engine.games import GAMES
from engine.match.clock import Clock, read_clock
from engine.match.events import (
    Acknowledged,
    Agreed,
    Amended,
    Answered,
    CalledOut,
    CallFailed,
    Challenged,
    Credited,
    Declined,
    Ended,
    Event,
    Flagged,
    Joined,
    Nudged,
    Offered,
    Offering,
    PlaceLinked,
    Played,
    Player,
    Replied,
    Reset,
    Resigned,
    Started,
    TakenBack,
)

Status: TypeAlias = Literal["open", "running", "over", "declined"]

NO_CLOCK = Clock("none")


@dataclass(frozen=True, slots=True)
class Ply:
    """One step of the line of play that stands: a turn, a private answer, or a turn lost to a penalty."""

    number: int
    kind: Literal["turn", "reply", "penalty"]
    side: Side
    by: Player
    text: str
    before: Any
    after: Any
    at: int


@dataclass(frozen=True, slots=True)
class StandingOffer:
    """An offer on the table, and who has agreed to it."""

    what: Offering
    by: Player
    agreed: frozenset[Player]


@dataclass(frozen=True)
class Match:
    """Everything the events have said so far; a value, never changed in place."""

    id: str
    game: AnyGame
    version: int
    terms: Mapping[str, str]
    challenger: Player
    invited: tuple[Player, ...]
    joined: tuple[Player, ...]
    """Who has agreed to the terms as they stand, the challenger among them."""
    places: tuple[str, ...]
    terms_version: int = 1
    """How often terms were proposed."""
    tokens: Mapping[Player, str] = field(default_factory=dict)
    """What each player stakes, in a game played for keeps."""
    status: Status = "open"
    seats: Mapping[Side, Player] = field(default_factory=dict)
    seed: str = ""
    rolls: int = 0
    start: Any = None
    position: Any = None
    plies: tuple[Ply, ...] = ()
    counts: Mapping[Hashable, int] = field(default_factory=dict)
    """How often each position has stood in the line of play."""
    call_window_start: int = 0
    """Index into `plies`: the turns from here on may still be called out."""
    takeback_floor: int = 0
    """Index into `plies`: what stands before it (a paid penalty, a player gone) cannot be taken back."""
    departed: tuple[Side, ...] = ()
    """The sides that have gone while those turns stood open to a call."""
    called: frozenset[int] = frozenset()
    """Numbers of turns that were called out in vain: once per turn is enough."""
    offers: tuple[StandingOffer, ...] = ()
    acknowledged: frozenset[Player] = frozenset()
    clock: Clock = NO_CLOCK
    left: Mapping[Side, int] = field(default_factory=dict)
    """Milliseconds that each side had when the running turn began."""
    began: int = 0
    nudged: bool = False
    result: Ended | None = None
    length: int = 0
    """How many events there are."""

    @property
    def calling(self) -> bool:
        """Whether untenable turns stand until they are called out."""
        return self.terms["umpire"] != "refuse"

    @property
    def stamp(self) -> int:
        """What a button is made for: the last ply or, before the start, the draft of the terms."""
        if self.status == "open":
            return self.terms_version
        return self.plies[-1].number if self.plies else 0

    @property
    def dice(self) -> Dice:
        """The match's luck, from where it stopped."""
        return Dice(bytes.fromhex(self.seed), self.rolls)

    @property
    def parties(self) -> tuple[Player, ...]:
        """Everybody who has a say in it: the challenger, the invited, and whoever else has joined."""
        return tuple(dict.fromkeys((self.challenger, *self.invited, *self.joined)))

    @cached_property
    def ending(self) -> Outcome | None:
        """How the position on the board ends the game, if it does (it may still be open to a call)."""
        if self.status != "running":
            return None
        seen = self.counts.get(self.game.identity(self.position), 1)
        outcome: Outcome | None = self.game.outcome(self.position, seen)
        return outcome

    def but(self, **changes: Any) -> "Match":
        """The same with some fields changed; `dataclasses.replace` takes five times as long over so many fields."""
        assert changes.keys() <= vars(self).keys(), "every field is set from the beginning"
        after = object.__new__(Match)
        vars(after).update(vars(self), **changes)
        vars(after).pop("ending", None)  # it follows from the others
        return after

    def side_of(self, player: Player) -> Side | None:
        """The side that somebody plays."""
        return next((side for side, sitter in self.seats.items() if sitter == player), None)

    @property
    def turns_made(self) -> int:
        """How many turns stand."""
        return sum(1 for ply in self.plies if ply.kind == "turn")

    @property
    def next_number(self) -> int:
        """The number of the ply that comes next."""
        return self.plies[-1].number + 1 if self.plies else 1


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
    for before, happened, after in _LATELY:
        if before is match and happened is event:
            return after
    after = _after(match, event).but(length=match.length + 1)
    _LATELY.append((match, event, after))
    return after


_LATELY: deque[tuple[Match, Event, Match]] = deque(maxlen=8)
"""What just followed from what: whoever decides, tells and commits an event asks for the same match after it."""


def replay(events: Iterable[Event], *, check: bool = False) -> Match | None:
    """The match that a log tells; with `check`, every stored digest is held against the position reached."""
    match: Match | None = None
    for event in events:
        match = evolve(match, event)
        if check and isinstance(event, Played | Replied | CalledOut):
            reached = digest(match.game, match.position)
            if reached != event.digest:
                raise ValueError(f"match {match.id}, event {match.length}: {reached} is not {event.digest}")
    return match


def digest(game: AnyGame, position: Any) -> str:
    """A short fingerprint of a position: the log notices when rules have changed under it."""
    return hashlib.sha256(encoded(game, position).encode()).hexdigest()[:16]


@lru_cache(maxsize=512)
def encoded(game: AnyGame, position: Any) -> str:
    """The position's text; remembered, since the picture of the next turn begins where this one has led."""
    return game.encode(position)


def read_ply(match: Match, ply: Ply) -> Turn:
    """The turn of a ply, as its game reads it."""
    return match.game.read(ply.text, ply.before)


def open_to_call(match: Match) -> tuple[Ply, ...]:
    """The turns that may still be called out: the last actor's, until somebody else has acted."""
    if match.status != "running" or not match.calling:
        return ()
    return tuple(ply for ply in match.plies[match.call_window_start :] if ply.kind == "turn")


def eligible_callers(match: Match) -> tuple[Side, ...]:
    """The sides with a word in the match: those that play, and those put out by a turn that may still be called out."""
    standing = open_to_call(match)
    before = match.game.playing(standing[0].before) if standing else ()
    sides = dict.fromkeys((*match.game.playing(match.position), *before))
    return tuple(side for side in sides if side not in match.departed)


def called_out(match: Match, struck: Ply, rulings: tuple[Ruling, ...], penalty: Penalty, dice: Dice) -> Any:
    """The position, or the Outcome, that a callout leads to; whoever has gone since the turn stays gone."""
    game = match.game
    reached = game.penalize(struck.before, read_ply(match, struck), rulings, penalty, dice)
    for side in match.departed:
        if isinstance(reached, Outcome):
            return replace(reached, winners=reached.winners - set(match.departed))
        left = game.leave(reached, side)
        reached = game.forfeit(reached, side, RESIGNED) if left is None else left
    return reached


def sides_to_act(match: Match) -> tuple[Side, ...]:
    """The sides that somebody waits for: to answer in private, to have the last word on an end, or to play."""
    if match.status != "running":
        return ()
    asked = match.game.asks(match.position)
    if asked:
        return tuple(dict.fromkeys(ask.side for ask in asked))
    if match.ending is not None:
        last = _last_deed(match)
        heard = {last.by if last is not None else "", *match.acknowledged}
        return tuple(side for side in match.seats if side in eligible_callers(match) and match.seats[side] not in heard)
    return (match.game.to_act(match.position),)


def takeback_ply(match: Match, by: Player) -> int | None:
    """The number of somebody's last turn, if it can still be taken back, and with it all that came after."""
    mine = [ply.number for ply in match.plies[match.takeback_floor :] if ply.by == by and ply.kind == "turn"]
    return mine[-1] if mine else None


def spoils(match: Match) -> tuple[tuple[Player, Player, str], ...]:
    """Whose token has changed hands by the end of a match: (from, to, token)."""
    if match.result is None or match.result.rule == ABORTED.ref or not match.tokens:
        return ()
    changed = match.game.token_transfers(match.position, frozenset(match.result.winners))
    seats, tokens = match.seats, match.tokens
    return tuple((seats[old], seats[new], tokens[seats[old]]) for old, new in changed if seats[old] in tokens)


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
            others = tuple(bid for bid in match.offers if bid.what != what)
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
        case Resigned(side=side, at=at) | Flagged(side=side, at=at):
            return _left(match, side, at)
        case Nudged():
            return match.but(nudged=True)
        case Credited(span=span):
            return match.but(began=match.began + span)
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
        left=match.clock.start(tuple(event.seats)),
        began=event.at,
    )


def _played(match: Match, event: Played | Replied) -> Match:
    game, before = match.game, match.position
    if isinstance(event, Played):
        after = game.play(before, game.read(event.text, before))
    else:
        ask = next(ask for ask in game.asks(before) if ask.side == event.side)
        after = game.answer(before, ask, event.text, match.dice)
    last = _last_deed(match)
    kind: Literal["turn", "reply"] = "turn" if isinstance(event, Played) else "reply"
    ply = Ply(match.next_number, kind, event.side, event.by, event.text, before, after, event.at)
    same = game.identity(after)
    answering = isinstance(event, Replied) or game.continues(event.text, before)
    others_turn = not answering and (last is None or last.by != event.by)
    moved = match.but(
        position=after,
        plies=(*match.plies, ply),
        counts={**match.counts, same: match.counts.get(same, 0) + 1},
        call_window_start=len(match.plies) if others_turn else match.call_window_start,
        departed=() if others_turn else match.departed,
        offers=tuple(bid for bid in match.offers if bid.by == event.by and bid.what == "draw"),
        rolls=event.rolls,
    )
    if isinstance(event, Replied):  # answers are given side by side: the clock waits for the last one
        return moved if game.asks(after) else _resume(moved, event.at)
    left = match.clock.spend(dict(match.left), event.side, event.at - match.began)
    return _resume(moved.but(left=left), event.at)


def _called_out(match: Match, event: CalledOut) -> Match:
    game = match.game
    index = next(i for i, ply in enumerate(match.plies) if ply.number == event.ply)
    struck = match.plies[index]
    rulings = tuple(game.judge(struck.before, read_ply(match, struck)))
    price = called_out(match, struck, rulings, event.penalty, match.dice)
    after = struck.before if isinstance(price, Outcome) else price
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
    resumed = _resume(rewound, event.at).but(call_window_start=closed, departed=(), takeback_floor=closed)
    if event.penalty == "time":  # as if a tenth of the time had already been used
        resumed = resumed.but(began=event.at - match.clock.base // 10)
    return resumed


def _last_deed(match: Match) -> Ply | None:
    """The last turn made or lost; an answer is none, in private or in the open, and closes no window."""
    continues = match.game.continues
    return next(
        (ply for ply in reversed(match.plies) if ply.kind != "reply" and not continues(ply.text, ply.before)), None
    )


def _answered(match: Match, event: Answered) -> Match:
    offers = []
    for bid in match.offers:
        if bid.what != event.what:
            offers.append(bid)
        elif event.yes:
            offers.append(replace(bid, agreed=bid.agreed | {event.by}))
    return match.but(offers=tuple(offers))


def _moved_on(match: Match, position: Any, at: int) -> Match:
    """The match in a position that no turn led to; nothing before it can be taken back or called out."""
    assert position is not None
    assert not isinstance(position, Outcome), "a draw that ends the match is Ended"
    closed = len(match.plies)
    return _resume(
        match.but(position=position, call_window_start=closed, departed=(), takeback_floor=closed, offers=()), at
    )


def fine(match: Match, failed: CallFailed) -> Literal["time", "turn", ""]:
    """What a wrong call costs, by the term `falsecall`: nothing unless the caller is to act.

    Who merely has to answer has no turn to lose, and must not undo the other's by it.
    """
    if match.ending is not None or sides_to_act(match) != (match.side_of(failed.by),):
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
    failed = match.but(called=match.called | {event.ply})
    match fine(match, event):
        case "time":
            return failed.but(began=failed.began - match.clock.base // 10)
        case "turn":
            return _moved_on(failed, match.game.pass_turn(match.position, match.dice), event.at)
        case _:
            return failed


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
    left = dict(match.left)
    for ply in match.plies[len(plies) :]:
        if ply.kind == "turn":  # what a turn added to the bank goes with it
            left[ply.side] = max(0, left[ply.side] - match.clock.extra)
    return match.but(
        plies=plies,
        left=left,
        position=position,
        counts=counts,
        call_window_start=min(
            match.call_window_start, len(plies)
        ),  # what else its player has made may still be called out
        departed=match.departed if match.call_window_start < len(plies) else (),
        called=match.called & kept,
        offers=(),
    )


def _resume(match: Match, at: int) -> Match:
    """The clock runs for whoever is awaited now."""
    return match.but(began=at, nudged=False, acknowledged=frozenset())
