"""What follows from a command: the events, and the match after each of them."""

from dataclasses import dataclass
from typing import TypeAlias

from engine.match.events import Event, Refusal
from engine.match.state import Match


@dataclass(frozen=True, slots=True)
class Decision:
    """Events in order, and the match after each of them; no events = nothing changes."""

    events: tuple[Event, ...] = ()
    states: tuple[Match, ...] = ()

    @property
    def after(self) -> Match:
        """The match after all of them."""
        return self.states[-1]

    def __add__(self, later: "Decision") -> "Decision":
        return Decision(self.events + later.events, self.states + later.states)


Decided: TypeAlias = Decision | Refusal
