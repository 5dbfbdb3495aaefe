"""Tables of several players: those with as many points together, and rather with whom they have not sat."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, islice

from engine.match.commands import Player


def sizes(players: int, seats: int) -> tuple[int, ...]:
    """Returns how many sit at each table: as few tables as it takes, as even as can be."""
    count = -(-players // seats)
    return tuple(players // count + (at < players % count) for at in range(count))


def seated(order: Sequence[Player], seats: int, met: Counter[frozenset[Player]]) -> list[tuple[Player, ...]]:
    """Returns who sits together; `order`: best first, `met`: how often two have sat together."""
    rest = iter(order)
    tables = [[*islice(rest, size)] for size in sizes(len(order), seats)]
    # Two at different tables change places as long as that spares more meetings again than it costs in order.
    place = {player: at for at, player in enumerate(order)}

    def cost(table: Sequence[Player]) -> int:
        again = sum(met[frozenset(pair)] for pair in combinations(table, 2))
        spread = max(place[player] for player in table) - min(place[player] for player in table)
        return 1000 * again + spread

    better = True
    while better:
        better = False
        for one, other in combinations(tables, 2):
            now = cost(one) + cost(other)
            for mine in range(len(one)):
                for theirs in range(len(other)):
                    one[mine], other[theirs] = other[theirs], one[mine]
                    if cost(one) + cost(other) < now:
                        better, now = True, cost(one) + cost(other)
                    else:
                        one[mine], other[theirs] = other[theirs], one[mine]
    return [tuple(sorted(table, key=place.__getitem__)) for table in tables]
