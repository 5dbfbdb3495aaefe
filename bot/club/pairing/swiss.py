"""Swiss rounds: whoever has as many points, and has not been met, is met next."""

from collections import Counter
from collections.abc import Mapping, Sequence

from bot.club.pairing.matching import REST, matched
from engine.match.commands import Player

AGAIN = 10**9
"""What it costs to meet again, or to rest again: more than all else together can."""
APART = 10**5
"""What it costs, times the square of the half points between them, to meet somebody who has more or fewer."""
SIDES = 10**3
"""What it costs, times the square of how uneven that leaves somebody's sides."""


def paired(
    order: Sequence[Player],
    points: Mapping[Player, float],
    met: Counter[frozenset[Player]],
    rested: Counter[Player],
    first: Mapping[Player, int],
) -> tuple[list[tuple[Player, Player]], list[Player]]:
    """Returns who meets whom, whoever is to have the first side in front, and who has a bye.

    `order`: best first. `met`: how often two have met; `rested`: who had a bye how often; `first`: how much more often
    each had the first side than the other.
    """
    place = {player: at for at, player in enumerate(order)}
    groups = Counter(points[player] for player in order)

    def cost(one: Player, other: Player) -> int:
        if other == REST:
            worse = sum(points[player] < points[one] for player in order)
            return AGAIN * rested[one] + APART * worse**2 + len(order) - place[one]
        apart = round(2 * (points[one] - points[other]))
        half = groups[points[one]] // 2
        ideal = abs(place[other] - place[one] - half) if not apart else 0
        sides = abs(first[one] + first[other])
        # Two who had the first side more often cannot both have the second now.
        uneven = sides**2 if first[one] * first[other] > 0 else 0
        return AGAIN * met[frozenset((one, other))] + APART * apart**2 + SIDES * uneven + ideal

    pairs, byes = matched(order, cost)
    pairs.sort(key=lambda pair: place[pair[0]])
    # Who had the first side less often has it; at the first table of equals the better one, then by turns.
    seated = [
        (one, other) if (first[one], at % 2) <= (first[other], 1 - at % 2) else (other, one)
        for at, (one, other) in enumerate(pairs)
    ]
    return seated, byes
