"""Pairs with the least cost in all, by maximum weight matching (networkx)."""

from collections.abc import Callable, Sequence

from engine.match.commands import Player

REST = ""
"""Meets whoever has a bye."""


def matched(
    players: Sequence[Player], cost: Callable[[Player, Player], int | None]
) -> tuple[list[tuple[Player, Player]], list[Player]]:
    """Returns the pairs, and who has a bye; as many meet as possible, at the least cost in all.

    `cost` is asked about two players, the first of whom comes first in `players`, or about one and `REST`; None = they
    may not meet.
    """
    import networkx  # takes a second to import, and only tournaments need it

    seats = [*players, *([REST] if len(players) % 2 else [])]
    graph = networkx.Graph()
    graph.add_nodes_from(range(len(seats)))
    for at, one in enumerate(seats):
        for further, other in enumerate(seats[at + 1 :], at + 1):
            price = cost(one, other)
            if price is not None:
                graph.add_edge(at, further, weight=-price)
    found = networkx.max_weight_matching(graph, maxcardinality=True)
    pairs = sorted(tuple(sorted(pair)) for pair in found)
    resting = [seats[at] for pair in pairs for at in pair if REST in (seats[pair[0]], seats[pair[1]])]
    met = {at for pair in pairs for at in pair}
    byes = [one for one in resting if one != REST] + [
        one for at, one in enumerate(seats) if at not in met and one != REST
    ]
    return [(seats[one], seats[other]) for one, other in pairs if seats[other] != REST], byes
