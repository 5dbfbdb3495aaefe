"""What turns and answers do to a match; of many turns in a row the match is made once, when somebody asks for it."""

from collections.abc import Hashable, Mapping
from typing import Any, Literal

from engine.board import Side
from engine.game import Outcome, Turn
from engine.match.alarms import used
from engine.match.commands import Player
from engine.match.events import Played, Replied
from engine.match.evolve.going_on import resume
from engine.match.evolve.time import on_new_terms
from engine.match.snapshot.line import then
from engine.match.snapshot.same import same
from engine.match.state import Match, Ply, StandingOffer, last_action


def moved(match: Match, event: Played | Replied, turn: Turn, after: Any, text: str = "") -> Match:
    """The match after a turn or an answer that has led to a position; `text` is the position, if it is written."""
    run = Run(match)
    run.make(event, turn, after, text)
    return run.match


class Run:
    """Turns made on a match one after another. Whoever reads a record asks for no match between two of them."""

    __slots__ = (
        "_counts",
        "_departed",
        "_event",
        "_last",
        "_left",
        "_made",
        "_match",
        "_plain",
        "_plies",
        "_seen",
        "_text",
        "_window",
        "game",
        "number",
        "position",
        "rolls",
        "seats",
    )
    _plies: list[Ply]
    """Those that the match does not hold yet; what follows is of the last of them."""
    _plain: bool
    """Whether a turn changes nothing of the match that the next one asks for."""
    _event: Played | Replied
    _text: str
    _counts: dict[Hashable, int]
    _seen: int
    _left: Mapping[Side, int]
    _made: dict[Side, int]
    """How many turns each side has made, for a clock that counts them."""
    _last: Player | None
    """Who has made the last turn."""
    _window: int
    _departed: tuple[Side, ...]

    def __init__(self, match: Match):
        self._match, self._plies = match, []
        self.game, self.seats, self.rolls = match.game, match.seats, match.rolls
        self.position, self.number = match.position, match.next_number

    @property
    def ending(self) -> Outcome | None:
        """How the position on the board ends the game, if it does."""
        if not (self._plies and self._plain):
            return self.match.ending
        outcome: Outcome | None = self.game.outcome(self.position, self._seen)
        return outcome

    @property
    def match(self) -> Match:
        """The match after all of them."""
        if self._plies:
            self._match, self._plies = self._after(), []
        return self._match

    def make(self, event: Played | Replied, turn: Turn, after: Any, text: str = "") -> None:
        """One more turn, or an answer; it stands in for no other."""
        if not (self._plies and self._plain and isinstance(event, Played)):
            self._begin(self.match)
        game, before = self.game, self.position
        kind: Literal["turn", "reply"] = "turn" if isinstance(event, Played) else "reply"
        spent = event.at - self._event.at if self._plies else used(self._match, event.side, event.at)
        gained = self._spend(event.side, spent) if kind == "turn" else 0
        if not (kind == "reply" or game.continues(event.text, before)) and self._last != event.by:
            self._window = len(self._match.plies) + len(self._plies)
            self._departed, self._last = (), event.by
        self._plies.append(
            Ply(self.number, kind, event.side, event.by, event.text, before, after, event.at, turn, spent, gained)
        )
        key = same(game, after)
        self._seen = self._counts[key] = self._counts.get(key, 0) + 1
        self._event, self._text, self.position, self.rolls = event, text, after, event.rolls
        self.number += 1

    def _begin(self, match: Match) -> None:
        self._plain = not (match.offers or match.contest or match.next_terms or match.time_owed or match.pauses)
        last = last_action(match)
        self._last = None if last is None else last.by
        self._window, self._departed = match.call_window_start, match.departed
        self._counts, self._left = dict(match.counts), match.time_left
        self._made = {}
        if match.clock.kind == "canadian":
            turns = [ply.side for ply in match.plies if ply.kind == "turn"]
            self._made = {side: turns.count(side) for side in match.seats}

    def _spend(self, side: Side, spent: int) -> int:
        """Takes the time that a turn took; returns what the clock has given for it."""
        clock, before = self._match.clock, self._left
        if self._made:
            self._made[side] += 1
        self._left = clock.spend(dict(before), side, spent, self._made.get(side, 1))
        given = clock.kind in ("bank", "canadian")
        return self._left[side] - max(0, before[side] - max(0, spent)) if given else 0

    def _after(self) -> Match:
        match, event, after, count = self._match, self._event, self.position, len(self._plies)
        changes: dict[str, Any] = {
            "position": after,
            "position_text": self._text,
            "plies": then(match.plies, *self._plies),
            "counts": self._counts,
            "call_window_start": self._window,
            "departed": self._departed,
            "offers": tuple(one for one in match.offers if one.by == event.by and _still_stands(match, one, after)),
            "contest": _contested(match, event),
            "asked": {},
            "rolls": self.rolls,
            "time_left": self._left,
            "length": match.length + count,
        }
        turn = isinstance(event, Played)
        if not turn and self.game.asks(after):  # answers are given side by side: the clock waits for the last one
            return match.but(**changes)
        if turn and match.next_terms:
            changed = on_new_terms(match.but(**changes | {"length": match.length}))
            return resume(changed, event.at, length=match.length + count, position_text=self._text)
        moved = resume(match, event.at, count, **changes)
        vars(moved)["seen"] = self._seen
        return moved


def _still_stands(match: Match, offer: StandingOffer, after: Any) -> bool:
    """Whether an offer outlasts a turn of whoever made it."""
    return offer.what in ("draw", "terms") or (offer.what == "nocontest" and match.game.stalled(after) is not None)


def _contested(match: Match, event: Played | Replied) -> tuple[Side, int] | None:
    """Who contests a claim of no contest: who plays on while one stands does."""
    claimed = any(offer.what == "nocontest" and offer.by != event.by for offer in match.offers)
    return (event.side, match.next_number - 1) if claimed and isinstance(event, Played) else match.contest
