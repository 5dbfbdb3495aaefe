"""The standings of one game, by two or by several: what each player's results say, and their rating after them."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from bot.ratings import glicko, several
from bot.ratings.glicko import BEGINNER, Rating, Score, rest
from bot.ratings.results import Result
from engine.match.commands import Player

PERIOD: Final = 7 * 24 * 3_600_000
"""Milliseconds in which an idle player's rating becomes as unsure as by one period of the paper."""
PROVISIONAL: Final = 110.0
"""From this deviation on a rating is provisional."""


@dataclass(slots=True)
class Record:
    """What somebody has done in one game, by two or by several."""

    won: int = 0
    drawn: int = 0
    lost: int = 0
    rated: int = 0
    rating: Rating = BEGINNER
    at: int = 0
    """When the last rated match ended."""
    places: set[str] = field(default_factory=set)
    """Where they have played."""
    course: list[tuple[int, float]] = field(default_factory=list)
    """When their rating has changed, and what it was from then on."""
    upheld: int = 0
    wrong: int = 0
    missed: int = 0
    """Their calls, and others' untenable turns that nobody called."""

    @property
    def played(self) -> int:
        """How many matches."""
        return self.won + self.drawn + self.lost

    def now(self, at: int) -> Rating:
        """Their rating at an instant: the longer they have not played, the less sure."""
        return rest(self.rating, (at - self.at) / PERIOD) if self.rated else self.rating


class Standings:
    """Follows from the results alone, in the order in which the matches ended; nothing of it is stored."""

    def __init__(self, results: Iterable[Result], same: Callable[[Player], Player], *, by_several: bool = False):
        """`same`: one account for all that belong to one person; `by_several`: which of the results are taken."""
        self._same = same
        self._update = several.update if by_several else glicko.update
        self.records: defaultdict[Player, Record] = defaultdict(Record)
        self._results: list[Result] = []
        for result in sorted(results, key=lambda one: (one.at, one.match)):
            if result.several is by_several:
                self.add(result)

    def add(self, result: Result) -> None:
        """Take one more result into account."""
        players = tuple(map(self._same, result.players))
        winners = tuple(map(self._same, result.winners))
        if len(set(players)) < len(players):
            return  # accounts that were linked later: nobody plays themselves
        self._results.append(replace(result, players=players, winners=winners))
        for player in players:
            record = self.records[player]
            record.places.update(result.places)
            record.won += player in winners and len(winners) < len(players)
            record.drawn += len(winners) == len(players)
            record.lost += player not in winners
        for player, calls in result.calls.items():
            record = self.records[self._same(player)]
            record.upheld += calls.upheld
            record.wrong += calls.wrong
            record.missed += calls.missed
        if result.rated:
            self._rate(players, winners, result.at)

    def between(self, one: Player, other: Player) -> Record:
        """Returns what the first has done in matches with the second."""
        found = Record()
        for result in self._results:
            if one in result.players and other in result.players:
                drawn = len(result.winners) == len(result.players)
                found.drawn += drawn
                found.won += one in result.winners and not drawn
                found.lost += one not in result.winners
        return found

    def met(self, player: Player) -> Counter[Player]:
        """Returns how many matches somebody has played with each other player."""
        found = [result.players for result in self._results if player in result.players]
        return Counter(other for players in found for other in players if other != player)

    def best(self, at: int, place: str = "") -> list[tuple[Player, Record, Rating]]:
        """Returns the rated players, best first, those whose ratings are provisional behind all others."""
        found = [
            (player, record, record.now(at))
            for player, record in self.records.items()
            if record.rated and (not place or place in record.places)
        ]
        return sorted(found, key=lambda one: (one[2].deviation >= PROVISIONAL, -one[2].points, one[0]))

    def _rate(self, players: Sequence[Player], winners: Sequence[Player], at: int) -> None:
        """Rate a match: whoever plays has met each of the others, all at the same time."""
        before = {player: self.records[player].now(at) for player in players}
        for player in players:
            against = [other for other in players if other != player]
            scores = [
                Score(before[other], points)
                for other in against
                if (points := _points(player in winners, other in winners, bool(winners))) is not None
            ]
            record = self.records[player]
            record.rating, record.at, record.rated = self._update(before[player], scores), at, record.rated + 1
            record.course.append((at, record.rating.points))


def _points(won: bool, other: bool, somebody: bool) -> float | None:
    """Returns what one has scored against another; None = nothing was decided between them."""
    if won or other:
        return 0.5 if won and other else float(won)
    return None if somebody else 0.0
