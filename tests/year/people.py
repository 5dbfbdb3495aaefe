"""Two hundred people: where they live, when they are awake, how fast they answer, and what they play."""

from dataclasses import dataclass
from itertools import islice
from random import Random
from zoneinfo import ZoneInfo

from bot.rests.calendars import local, zone_names
from engine.match.state import Match
from tests.chat_room import DAY, HOUR, MINUTE

LIVED_IN = (
    *("Europe/Berlin", "Europe/London", "America/New_York", "America/Los_Angeles", "Asia/Tokyo", "Australia/Sydney"),
    *(
        "Pacific/Auckland",
        "America/Sao_Paulo",
        "Asia/Kathmandu",
        "Africa/Casablanca",
        "Asia/Kolkata",
        "Pacific/Chatham",
    ),
)
QUIET = ("quiet 22-8", "quiet 0-6", "quiet 23-7", "quiet 20-10", "")
PACES = ((HOUR // 2, 3), (4 * HOUR, 5), (12 * HOUR, 6), (DAY, 4), (2 * DAY, 2))
"""After how long somebody usually answers, and how many of twenty do so."""


@dataclass(frozen=True)
class Habit:
    """How somebody plays."""

    zone: ZoneInfo
    wakes: int
    """The hour at which they get up; sixteen hours later they go to bed."""
    pace: int
    leaves: float
    """How likely they are, at each turn, to answer nothing any more."""
    weekends: bool
    """Whether they play on Saturdays and Sundays alone."""
    says: tuple[str, ...]
    """What they settle first."""

    def next_act(self, now: int, chance: Random) -> int:
        """When they act next: some time after now, while they are awake."""
        at = now + MINUTE + int(self.pace * chance.lognormvariate(0, 0.8))
        for _ in range(24 * 8):
            here = local(self.zone, at)
            if (here.hour - self.wakes) % 24 < 16 and (not self.weekends or here.weekday() >= 5):
                break
            at += HOUR
        return at


def people(count: int, chance: Random) -> dict[str, Habit]:
    """So many people, by name: half of them in a dozen large zones, the others anywhere."""
    zones = sorted(zone_names().values())
    paces = [pace for pace, share in PACES for _ in range(share)]
    found = {}
    for number in range(1, count + 1):
        zone = chance.choice(LIVED_IN if number % 2 else zones)
        says = [f"zone {zone}", chance.choice(QUIET)]
        says += ["vacation auto on"] if chance.random() < 0.4 else []
        says += [f"vacation {chance.randrange(3, 20)}d"] if chance.random() < 0.2 else []
        leaves = chance.choice((0.0, 0.0, 0.0, 0.0, 0.01, 0.04))
        found[f"p{number:03}"] = Habit(
            ZoneInfo(zone),
            chance.randrange(5, 11),
            chance.choice(paces),
            leaves,
            chance.random() < 0.06,
            tuple(text for text in says if text),
        )
    return found


def line(match: Match, side: str, chance: Random) -> str:
    """A turn, or an answer that is owed, in a match."""
    asks = [ask for ask in match.game.asks(match.position) if ask.side == side]
    if asks:
        return f"secret {match.id} {asks[0].example}"
    if match.ending is not None:
        return f"ok {match.id}"
    if chance.random() < max(0.0, (match.turns_made - 8) / 120):
        return f"resign {match.id} yes"
    turns = list(islice(match.game.turns(match.position), 8))
    if not turns:
        return f"resign {match.id} yes"
    return f"move {match.id} {match.game.write(chance.choice(turns), match.position)} sure"
