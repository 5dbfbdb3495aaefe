"""A match to try things on: commands go in, events or a refusal come out, and time is what the test says."""

from dataclasses import dataclass, field

from engine.dice import Dice
from engine.match.commands import Challenge, Command, Join, Play
from engine.match.decide import decide
from engine.match.events import Event, Refusal
from engine.match.state import Match

SEED = bytes(range(32))
MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000


@dataclass
class Table:
    """White is `anna`, Black is `ben`, unless the terms say otherwise."""

    match: Match | None = None
    at: int = 1_000
    events: list[Event] = field(default_factory=list)
    seed: bytes = SEED
    """Of the dice of its match."""

    def says(self, command: Command, after: int = MINUTE) -> tuple[Event, ...] | Refusal:
        """Somebody says something some time after the last thing."""
        self.at += after
        dice = self.match.dice if self.match and self.match.seed else Dice(self.seed)
        decision = decide(self.match, command, self.at, dice)
        if not isinstance(decision, Refusal):
            self.match = decision.states[-1] if decision.states else self.match
            self.events += decision.events
            return decision.events
        return decision

    def done(self, command: Command, after: int = MINUTE) -> tuple[str, ...]:
        """The names of the events that follow; a refusal fails the test."""
        decision = self.says(command, after)
        assert not isinstance(decision, Refusal), decision
        return tuple(type(event).__name__ for event in decision)

    def refused(self, command: Command, after: int = MINUTE) -> str:
        """The fact of the refusal that follows; anything else fails the test."""
        decision = self.says(command, after)
        assert isinstance(decision, Refusal), decision
        return str(decision.because)

    def play(self, *turns: str) -> None:
        """Turns in order, each by whoever is to act."""
        for text in turns:
            self.done(Play(self.to_act, text))

    @property
    def now(self) -> Match:
        """The match; there must be one."""
        assert self.match is not None
        return self.match

    @property
    def to_act(self) -> str:
        """Whoever sits where the next turn is due."""
        return self.now.seats[self.now.game.to_act(self.now.position)]

    @property
    def position(self) -> str:
        """The position as text."""
        return self.now.game.encode(self.now.position)


def begun(game: str = "tokonoma", others: tuple[str, ...] = ("ben",), share: str = "", **terms: str) -> Table:
    """A match that has just started; anna takes the first side. Another share of hers is other luck."""
    table = Table()
    table.says(Challenge("1", "anna", game, {"side": "white", **terms}, others, "web/lounge/", share=share))
    for other in others:
        table.says(Join(other))
    return table
