"""A match as its events leave it: who sits where, what stands on the board, whose time runs, what may be called."""

import hashlib
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, Literal, TypeAlias

from engine.board import Side
from engine.dice import COUNTED, KEYED, Dice
from engine.game import AnyGame, Outcome, Ruling, Turn
from engine.match.clock import Clock
from engine.match.commands import Offering, Player
from engine.match.events import Ended, Played, Replied, one_line
from engine.match.events.rulings import ArbiterAct
from engine.match.rests import Span
from engine.match.snapshot.line import Line
from engine.match.snapshot.same import same
from engine.value import value

Status: TypeAlias = Literal["open", "running", "over", "declined"]

NO_CLOCK = Clock("none")


@value(frozen=True, slots=True)
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
    turn: Turn = ()
    """What the text says, as its game has read it; empty for all but turns."""
    spent: int = 0
    """Milliseconds of its player's time that it took; and what the clock has given for it."""
    gained: int = 0


@value(frozen=True, slots=True)
class StandingOffer:
    """An offer on the table, and who has agreed to it."""

    what: Offering
    by: Player
    agreed: frozenset[Player]
    value: str = ""


@value(frozen=True, slots=True)
class Payment:
    """What a side has paid for a wrong call: turns, or milliseconds; `after` which ply."""

    after: int
    side: Side
    of: Literal["turn", "time"]
    amount: int


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
    """Who has agreed to the terms as they stand, in the order in which their shares in the dice count."""
    places: tuple[str, ...]
    terms_version: int = 1
    """How often terms were proposed, or a seat has become free again."""
    lasts: int = 0
    """Milliseconds for which terms wait for an answer; 0 = for ever."""
    expires: int = 0
    """When the challenge is off unless it is answered; 0 = never."""
    rematch: str = ""
    drawn_as: str = ""
    """The number that its luck was drawn for, where it was loaded from a record at its end; "" = its own."""
    private: bool = False
    """Whether it is read and listed only where it is played."""
    left: frozenset[Player] = frozenset()
    """Who had accepted and has gone again before the first turn."""
    tokens: Mapping[Player, str] = field(default_factory=dict)
    """What each player stakes, in a game played for keeps."""
    status: Status = "open"
    seats: Mapping[Side, Player] = field(default_factory=dict)
    luck: int = COUNTED
    """The scheme of its dice."""
    seed: str = ""
    rolls: int = 0
    """What the last ply said of its dice; only those that are counted through the match go on from there."""
    shares: Mapping[Player, str] = field(default_factory=dict)
    """What each player has added to the dice."""
    start: Any = None
    position: Any = None
    position_text: str = field(default="", compare=False)
    """The position as its game writes it; "" = nobody has asked yet (see `encoded`)."""
    plies: Sequence[Ply] = ()
    counts: Mapping[Hashable, int] = field(default_factory=dict)
    """How often each position has stood in the line of play."""
    call_window_start: int = 0
    """Index into `plies`: the turns from here on may still be called out."""
    takeback_floor: int = 0
    """Index into `plies`: what stands before it (a paid penalty, a player gone) cannot be taken back."""
    departed: tuple[Side, ...] = ()
    """The sides that have gone while those turns stood open to a call."""
    failed_calls: frozenset[tuple[int, Player]] = frozenset()
    """Turns that were called out in vain, by their number, and who did."""
    late_calls: frozenset[int] = frozenset()
    """Numbers of turns that were called out late."""
    wrong_calls: Mapping[Player, int] = field(default_factory=dict)
    """How many wrong calls each player has made; a late one counts twice."""
    right_calls: Mapping[Player, int] = field(default_factory=dict)
    """How many calls of each player were upheld."""
    turns_owed: Mapping[Side, int] = field(default_factory=dict)
    """Turns that a side loses when its next ones are due, for wrong calls."""
    time_owed: Mapping[Side, int] = field(default_factory=dict)
    """Milliseconds by which a side's next turn is shorter; less than nothing = longer."""
    paid: tuple[Payment, ...] = ()
    """What was paid of either; taken back with the turns before it, it is owed once more."""
    offers: tuple[StandingOffer, ...] = ()
    asked: Mapping[tuple[Offering, Player], int] = field(default_factory=dict)
    """How often each player has offered each kind of thing since the last turn."""
    contest: tuple[Side, int] | None = None
    """Who contests a claim that there is no contest, and after which ply: they have `CONTEST` turns for it."""
    acknowledged: frozenset[Player] = frozenset()
    clock: Clock = NO_CLOCK
    time_left: Mapping[Side, int] = field(default_factory=dict)
    """Milliseconds that each side had when the running turn began."""
    turn_started_at: int = 0
    """When the time of those whom it waits for began to run; later by what was given to them, earlier by fines."""
    runs_since: int = 0
    """When it began in truth."""
    rests: Mapping[Player, tuple[Span, ...]] = field(default_factory=dict)
    """When the time of a player rests while they are awaited this time."""
    pauses: tuple[Span, ...] = ()
    """When everybody's did, or will."""
    paused: Mapping[str, int] = field(default_factory=dict)
    """How often the match was paused, by what for."""
    given: int = 0
    """Milliseconds that its players have given each other."""
    overrun: bool = False
    """Whether the others have been told that those who are awaited have run out of time, and may claim the match."""
    claimed_by: Player = ""
    """Without a clock: who has claimed the match unless those who are awaited act."""
    next_terms: Mapping[str, str] = field(default_factory=dict)
    """Terms that hold from the next turn on, if others do."""
    awaits: int = 0
    """The number of the event since which the match waits for whom it waits for now."""
    awaited_since: int = 0
    """When that was, or when the last of those who were told late had been."""
    reminded: int = 0
    """How many reminders are behind them."""
    unreached: Mapping[Player, int] = field(default_factory=dict)
    """Players who cannot be reached, though they have not chosen so, and since when."""
    waited: int = 0
    """Milliseconds for which time has stood still because of that, in pauses that are over."""
    claimable: bool = False
    """Whether the others have been told that they may claim the match."""
    rulings: tuple[ArbiterAct, ...] = ()
    """What arbiters have done in it that was not undone."""
    handed: frozenset[Player] = frozenset()
    """Who has had a seat that was handed on."""
    result: Ended | None = None
    length: int = 0
    """How many events there are."""

    @property
    def calling(self) -> bool:
        """Whether untenable turns stand until they are called out."""
        return self.terms["umpire"] != "refuse"

    @property
    def stamp(self) -> int:
        """What a button is made for: the last ply or, before the start, the version of the terms."""
        if self.status == "open":
            return self.terms_version
        return self.plies[-1].number if self.plies else 0

    @property
    def dice(self) -> Dice:
        """The match's luck for what comes next: lots and setup (ply 0), or the next ply."""
        return self.dice_of(self.next_number if self.status != "open" else 0)

    def dice_of(self, ply: int, what: str = "") -> Dice:
        """The luck of one ply, given the turns that stand before it; `what` tells a price's from the turn's own.

        Offers, calls and turns that were taken back count for nothing: the same turn throws the same again.
        """
        seed, bound = bytes.fromhex(self.seed), partial(_binding, self, ply, what)
        return Dice(seed, self.rolls) if self.luck == COUNTED else Dice(seed, binding=bound)

    @cached_property
    def parties(self) -> tuple[Player, ...]:
        """Everybody who has a say in it: the challenger, the invited, whoever else has joined or plays."""
        return tuple(dict.fromkeys((self.challenger, *self.invited, *self.joined, *self.seats.values())))

    @cached_property
    def seen(self) -> int:
        """How often the position on the board has stood there."""
        return self.counts.get(same(self.game, self.position), 1)

    @cached_property
    def ending(self) -> Outcome | None:
        """How the position on the board ends the game, if it does (it may still be open to a call)."""
        if self.status != "running":
            return None
        outcome: Outcome | None = self.game.outcome(self.position, self.seen)
        return uncontested(self) if outcome is None and self.contest is not None else outcome

    @cached_property
    def sides_to_act(self) -> tuple[Side, ...]:
        """The sides that somebody waits for: to answer in private, to have the last word on an end, or to play."""
        if self.status != "running":
            return ()
        asked = self.game.asks(self.position)
        if asked:
            return tuple(dict.fromkeys(ask.side for ask in asked))
        if self.ending is not None:
            last = last_action(self)
            heard = {last.by if last is not None else "", *self.acknowledged}
            callers = eligible_callers(self)
            return tuple(side for side in self.seats if side in callers and self.seats[side] not in heard)
        return (self.game.to_act(self.position),)

    def but(self, **changes: Any) -> "Match":
        """The same with some fields changed; `dataclasses.replace` takes five times as long over so many fields."""
        fields = vars(self)
        assert changes.keys() <= fields.keys(), "every field is set from the beginning"
        if "position" in changes:
            changes.setdefault("position_text", "")
        after = object.__new__(Match)
        changed = vars(after)
        changed.update(fields, **changes)
        for derived in DERIVED:  # they follow from the others
            changed.pop(derived, None)
        return after

    def side_of(self, player: Player) -> Side | None:
        """The side that somebody plays."""
        return next((side for side, sitter in self.seats.items() if sitter == player), None)

    @property
    def turns_made(self) -> int:
        """How many turns stand."""
        known, lately = (self.plies.old.turns, self.plies.lately) if isinstance(self.plies, Line) else (0, self.plies)
        return known + [ply.kind for ply in lately].count("turn")

    @property
    def next_number(self) -> int:
        """The number of the ply that comes next."""
        return self.plies[-1].number + 1 if self.plies else 1

    def ply(self, number: int) -> Ply | None:
        """The ply that has a number: they are numbered from 1 on, without a gap."""
        return self.plies[number - 1] if 0 < number <= len(self.plies) else None


DERIVED = ("parties", "seen", "ending", "sides_to_act", "limits", "limit")
"""What is kept with a match once it is known; the last two by `alarms`."""


def turn_of(match: Match, ply: Ply) -> Ply:
    """The turn that a ply is part of: itself, or the one in whose course it answered something in the open."""
    for one in reversed(match.plies[: ply.number]):
        if one.kind == "turn" and not match.game.continues(one.text, one.before):
            return one
    return ply


CONTEST = 3
"""Turns in which whoever contests a claim of no contest has to take, fend or place."""


def contest_left(match: Match) -> int | None:
    """How many turns are left to whoever contests a claim; None = nobody has to, or it has been done."""
    if match.contest is None:
        return None
    side, since = match.contest
    made = [ply for ply in match.plies if ply.number > since and ply.side == side and ply.kind != "reply"]
    turns = (ply for ply in made if ply.kind == "turn")
    if any(match.game.contests(ply.before, ply.turn, ply.after) for ply in turns):
        return None
    return max(0, CONTEST - len(made))


def uncontested(match: Match) -> Outcome | None:
    """The end for want of a contest, once nothing came of one."""
    if match.contest is None or contest_left(match) != 0:
        return None
    claimed = [ply.after for ply in match.plies if ply.number <= match.contest[1]] or [match.start]
    outcome: Outcome | None = match.game.stalled(match.position) or match.game.stalled(claimed[-1])
    return outcome


def at_fault(match: Match, turn: Ply) -> tuple[Ply, tuple[Ruling[Any], ...]]:
    """The first part of a turn that breaks a rule, and the rules; what was answered in its course belongs to it."""
    game = match.game
    for ply in match.plies[turn.number - 1 :]:
        if ply.kind == "turn" and ply is not turn and not game.continues(ply.text, ply.before):
            break
        rulings = tuple(game.judge(ply.before, ply.turn)) if ply.kind == "turn" else ()
        if rulings:
            return ply, rulings
    return turn, ()


def without_half(match: Match, event: Played | Replied) -> Match:
    """The match before a turn: where that adds a half to one that was made, the match before that one."""
    if isinstance(event, Replied) or not event.extends:
        return match
    half = match.plies[-1]
    spent = half.spent if match.clock.kind == "turn" else 0  # any other clock was paid for the first half
    return rewound(match, match.plies[:-1], half.before).but(turn_started_at=event.at - spent, runs_since=event.at)


def _binding(match: Match, ply: int, what: str) -> tuple[str, str]:
    """What a throw is bound to: shares, match and ply in front of the number within the ply, and the turns behind."""
    shares = (f"{player}=" * (match.luck == KEYED) + match.shares.get(player, "") for player in match.joined)
    stand = (one for one in match.plies if one.number < ply and one.kind != "penalty")
    turns = "\n".join(f"{one.number}. {one.side} {one_line(one.text)}" for one in stand)
    return (
        f"{','.join(shares)}|{match.drawn_as or match.id}|{ply}{what}|",
        f"|{hashlib.sha256(turns.encode()).hexdigest()}",
    )


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


def has_turn(match: Match, side: Side | None) -> bool:
    """Whether it is a side's turn; who merely has to answer, or to let an end stand, has none."""
    if match.ending is not None or match.game.asks(match.position) or match.game.continues("", match.position):
        return False
    return match.sides_to_act == (side,)


def rewound(match: Match, plies: Sequence[Ply], position: Any) -> Match:
    """The match with its line of play cut short."""
    counts, left, last = dict(match.counts), dict(match.time_left), len(plies)
    for ply in match.plies[last:]:
        key = same(match.game, ply.after)
        counts[key] -= 1
        if not counts[key]:
            del counts[key]
        if ply.gained:  # what the clock gave for a turn goes with it
            left[ply.side] = max(0, left[ply.side] - ply.gained)
    return match.but(
        plies=plies,
        time_left=left,
        position=position,
        counts=counts,
        call_window_start=min(match.call_window_start, last),  # what else its player has made may still be called out
        departed=match.departed if match.call_window_start < last else (),
        failed_calls=frozenset((number, by) for number, by in match.failed_calls if number <= last),
        offers=(),
        contest=match.contest if match.contest and plies and last >= match.contest[1] else None,
    )


def takeback_ply(match: Match, by: Player, count: int = 1) -> int | None:
    """The number of somebody's last turn, or last but one, if it can be taken back, and with it all that came after."""
    mine = [ply.number for ply in match.plies[match.takeback_floor :] if ply.by == by and ply.kind == "turn"]
    return mine[-count] if len(mine) >= count else None


def last_action(match: Match) -> Ply | None:
    """The last turn made or lost; an answer is none, in private or in the open, and closes no window."""
    continues = match.game.continues
    return next(
        (ply for ply in reversed(match.plies) if ply.kind != "reply" and not continues(ply.text, ply.before)), None
    )


def encoded(match: Match) -> str:
    """The position's text, written only where nobody has asked before; like `ending`, it is kept once it is known."""
    if not match.position_text:
        vars(match)["position_text"] = match.game.encode(match.position)
    return match.position_text
