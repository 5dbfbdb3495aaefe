"""Knock-out rounds: whoever has lost once, or twice, is out."""

from collections import Counter
from collections.abc import Mapping, Sequence

from bot.club.pairing.matching import REST, matched
from engine.match.commands import Player


def bracket(seeds: Sequence[Player]) -> tuple[Player, ...]:
    """Returns the entrants as they stand in a bracket, so that the best meet last; "" where the best have a bye."""
    order = [1]
    while len(order) < len(seeds):
        size = 2 * len(order) + 1
        order = [seed for one in order for seed in (one, size - one)]
    return tuple(seeds[seed - 1] if seed <= len(seeds) else REST for seed in order)


def paired(
    seeds: Sequence[Player],
    lost: Mapping[Player, int],
    lives: int,
    met: Counter[frozenset[Player]],
    rested: Counter[Player],
    *,
    begun: bool,
) -> tuple[list[tuple[Player, Player]], list[Player]]:
    """Returns who meets whom in the next round, and who has a bye; nobody once at most one is left.

    The undefeated go by the bracket; those who have lost as often as others meet each other, rather whom they have not
    met. The last undefeated waits for the last of the others, and has to be beaten twice.
    """
    order = bracket(seeds)
    alive = [[player for player in order if player and lost[player] == times] for times in range(lives)]
    left = [player for group in alive for player in group]
    if len(left) <= 1:
        return [], []
    if len(left) == 2 and lives > 1:
        return [(left[0], left[1])], []
    pairs: list[tuple[Player, Player]] = []
    byes: list[Player] = []
    if not begun:
        slots = zip(order[::2], order[1::2], strict=True)
        for one, other in slots:
            pairs += [(one, other)] if one and other else []
            byes += [] if one and other else [one or other]
        return pairs, byes
    unbeaten, *others = alive
    if len(unbeaten) > 1:
        pairs += zip(unbeaten[::2], unbeaten[1::2], strict=False)
        byes += unbeaten[-1:] if len(unbeaten) % 2 else []
    for group in others:
        place = {player: at for at, player in enumerate(sorted(group, key=seeds.index))}

        def cost(one: Player, other: Player, place: Mapping[Player, int] = place) -> int:
            if other == REST:
                return 1000 * rested[one] + place[one]
            return 1000 * met[frozenset((one, other))] + abs(len(place) - 1 - place[one] - place[other])

        if len(group) > 1:
            more, resting = matched(sorted(group, key=seeds.index), cost)
            pairs += more
            byes += resting
    return pairs, byes
