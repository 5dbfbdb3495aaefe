"""A match as its events leave it: who sits where, what stands on the board, whose time runs, what may be called."""

import hashlib
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, Literal, TypeAlias

from engine.board import Side
from engine.dice import BOUND, COUNTED, Dice
from engine.game import ABORTED, AnyGame, Outcome, Turn
from engine.match.clock import DAY, Clock
from engine.match.commands import Offering, Player
from engine.match.events import CallFailed, Ended

Status: TypeAlias = Literal["open", "running", "over", "declined"]

NO_CLOCK = Clock("none")
LAST_WORD = DAY
"""How long an end that could still be called out waits for the call."""
PATIENCE = 7 * DAY
"""How long, in all, time stands still in a match for players who cannot be reached; then the others may claim it."""


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
    turn: Turn = ()
    """What the text says, as its game has read it; empty for all but turns."""
    spent: int = 0
    """Milliseconds of its player's time that it took."""


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
    plies: tuple[Ply, ...] = ()
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
    wrong_calls: Mapping[Player, int] = field(default_factory=dict)
    """How many wrong calls each player has made; a late one counts twice."""
    turns_owed: Mapping[Side, int] = field(default_factory=dict)
    """Turns that a side loses when its next ones are due, for wrong calls."""
    time_owed: Mapping[Side, int] = field(default_factory=dict)
    """Milliseconds by which a side's next turn is shorter; less than nothing = longer."""
    offers: tuple[StandingOffer, ...] = ()
    acknowledged: frozenset[Player] = frozenset()
    clock: Clock = NO_CLOCK
    time_left: Mapping[Side, int] = field(default_factory=dict)
    """Milliseconds that each side had when the running turn began."""
    turn_started_at: int = 0
    """When the time of those whom it waits for began to run."""
    reminded: bool = False
    unreached: Mapping[Player, int] = field(default_factory=dict)
    """Whom no way reaches, not by their own will, and since when."""
    waited: int = 0
    """Milliseconds for which time has stood still because of that, in pauses that are over."""
    claimable: bool = False
    """Whether the others have been told that they may claim the match."""
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
        seed = bytes.fromhex(self.seed)
        return Dice(seed, self.rolls) if self.luck < BOUND else Dice(seed, binding=partial(_binding, self, ply, what))

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
        assert changes.keys() <= vars(self).keys(), "every field is set from the beginning"
        if "position" in changes:
            changes.setdefault("position_text", "")
        after = object.__new__(Match)
        vars(after).update(vars(self), **changes)
        for derived in ("ending", "sides_to_act"):  # they follow from the others
            vars(after).pop(derived, None)
        return after

    def side_of(self, player: Player) -> Side | None:
        """The side that somebody plays."""
        return next((side for side, sitter in self.seats.items() if sitter == player), None)

    @property
    def turns_made(self) -> int:
        """How many turns stand."""
        return [ply.kind for ply in self.plies].count("turn")

    @property
    def next_number(self) -> int:
        """The number of the ply that comes next."""
        return self.plies[-1].number + 1 if self.plies else 1


def _binding(match: Match, ply: int, what: str) -> tuple[str, str]:
    """What a throw is bound to: shares, match and ply in front of the number within the ply, and the turns behind."""
    shares = ",".join(f"{player}={match.shares.get(player, '')}" for player in match.joined)
    stand = (one for one in match.plies if one.number < ply and one.kind != "penalty")
    turns = "\n".join(f"{one.number}. {one.side} {one_line(one.text)}" for one in stand)
    return f"{shares}|{match.id}|{ply}{what}|", f"|{hashlib.sha256(turns.encode()).hexdigest()}"


def one_line(text: str) -> str:
    """A turn or an answer as it stands in a record."""
    return " ".join(text.split())


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


FREE_CALLS = 3
"""Wrong calls of a match that cost a player nothing under `falsecall=three`."""


@dataclass(frozen=True, slots=True)
class Fine:
    """What a wrong call costs: so many turns, or tenths of the time, at once and when the next ones are due."""

    of: Literal["time", "turn"] = "turn"
    now: int = 0
    later: int = 0


NO_FINE = Fine()


def has_turn(match: Match, side: Side | None) -> bool:
    """Whether it is a side's turn; who merely has to answer, or to let an end stand, has none."""
    if match.ending is not None or match.game.asks(match.position) or match.game.continues("", match.position):
        return False
    return match.sides_to_act == (side,)


def call_costs(match: Match, by: Player, ply: Ply, weight: int = 1) -> int:
    """How many turns, or tenths of the time, a wrong call costs; a late one weighs as much as two.

    Calling one's own turn costs nothing. Who merely has to answer has no turn to lose either, and must not undo
    the other's by it.
    """
    side = match.side_of(by)
    answering = side in match.sides_to_act and not has_turn(match, side)
    if by == ply.by or answering:
        return 0
    match match.terms["falsecall"]:
        case "three":
            made = match.wrong_calls.get(by, 0)
            return max(0, made + weight - FREE_CALLS) - max(0, made - FREE_CALLS)
        case "time" | "turn":
            return weight
        case _:
            return 0


def fine(match: Match, failed: CallFailed) -> Fine:
    """What a wrong call costs by the term `falsecall`; of several turns, one at once if it is the caller's turn."""
    terms, side = match.terms, match.side_of(failed.by)
    timed = "time" in (terms["falsecall"], terms["umpire"] if terms["falsecall"] == "three" else "")
    if timed and match.clock.kind == "none":
        return NO_FINE
    acts = has_turn(match, side)
    earlier = int(acts and terms["falsecall"] in ("time", "turn"))
    costs = earlier if failed.costs is None else failed.costs
    now = 0 if not acts else costs if timed else min(costs, 1)
    return Fine("time" if timed else "turn", now, costs - now)


def time_limit(match: Match) -> int | None:
    """When the time of the awaited sides runs out if it does not stand still; None without a clock."""
    sides = match.sides_to_act
    if not sides:
        return None
    if match.ending is not None and not match.game.asks(match.position):
        return match.turn_started_at + LAST_WORD
    limit = match.game.time_limit(match.position)
    if limit is not None:
        return match.turn_started_at + limit * 1000
    if match.clock.kind == "none":
        return None
    return match.turn_started_at + min(match.time_left[side] for side in sides)


def standing_since(match: Match) -> int | None:
    """Since when nobody's time runs because somebody awaited cannot be reached; None = it runs, or there is none."""
    if not match.unreached or match.waited >= PATIENCE:
        return None
    awaited = (match.seats[side] for side in match.sides_to_act)
    since = [match.unreached[player] for player in awaited if player in match.unreached]
    if not since or time_limit(match) is None:
        return None
    return max(min(since), match.turn_started_at)


def counted(match: Match, at: int) -> Match:
    """The match with the time until an instant, in which its clock stood still, taken from nobody."""
    since = standing_since(match)
    if since is None:
        return match
    stood = max(0, at - since)
    later = {player: max(at, lost) for player, lost in match.unreached.items()}
    start = match.turn_started_at + stood
    return match.but(turn_started_at=start, waited=match.waited + stood, unreached=later, claimable=False)


def takeback_ply(match: Match, by: Player) -> int | None:
    """The number of somebody's last turn, if it can still be taken back, and with it all that came after."""
    mine = [ply.number for ply in match.plies[match.takeback_floor :] if ply.by == by and ply.kind == "turn"]
    return mine[-1] if mine else None


def token_transfers(match: Match) -> tuple[tuple[Player, Player, str], ...]:
    """Whose token has changed hands by the end of a match: (from, to, token)."""
    if match.result is None or match.result.rule == ABORTED.ref or not match.tokens:
        return ()
    changed = match.game.token_transfers(match.position, frozenset(match.result.winners))
    seats, tokens = match.seats, match.tokens
    return tuple((seats[old], seats[new], tokens[seats[old]]) for old, new in changed if seats[old] in tokens)


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


def digest(text: str) -> str:
    """A short fingerprint of a position by its text: the log notices when rules have changed under it."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]
