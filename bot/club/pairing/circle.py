"""All play all: the circle method of Berger's tables."""

from collections.abc import Sequence

from engine.match.commands import Player

Pairs = tuple[tuple[Player, Player], ...]


def rounds(players: Sequence[Player]) -> tuple[Pairs, ...]:
    """Returns each round's pairs, the first of each with the first side; of an odd number one rests in each round.

    Everybody meets everybody once, and has the first side as often as the second, or once more or less.
    """
    ring: list[Player | None] = [*players]
    if len(ring) % 2:
        ring.append(None)
    fixed, turning = ring[-1], ring[:-1]
    size = len(turning)
    found: list[Pairs] = []
    for number in range(size):
        pairs: list[tuple[Player | None, Player | None]] = []
        # The fixed player changes sides each round; of the others, who meets whom decides it.
        head = turning[(number * (size + 1) // 2) % size]
        pairs.append((head, fixed) if number % 2 == 0 else (fixed, head))
        start = turning.index(head)
        pairs += [
            (turning[(start + step) % size], turning[(start - step) % size]) for step in range(1, (size + 1) // 2)
        ]
        found.append(tuple((one, other) for one, other in pairs if one is not None and other is not None))
    return tuple(found)
