"""What follows in a tournament by itself: matches that begin or are forfeited, the next round, the end."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from bot.club.events import Begun, Decided, Form, Happening, Opened, Over, Paired, Seating
from bot.club.pairing import circle, knockout, swiss, tables
from bot.club.standings import LIVES, beaten, level, met, standings, total
from bot.club.state import Table, Tournament, evolve
from engine.match.commands import Player

FEWEST = 2
"""Entrants without whom nothing is played."""
DECIDERS = 2
"""Further matches, one after the other, where a knock-out's pairing is level; then the better seed is through."""

Meeting = tuple[list[tuple[Player, ...]], list[Player]]
"""Who sits together, and who has a bye."""


def begun(of: Tournament, seeds: Sequence[Player], at: int) -> tuple[Happening, ...]:
    """Returns what the beginning of a tournament leads to."""
    return followed(of, Begun(at, tuple(seeds)))


def followed(of: Tournament, *events: Happening) -> tuple[Happening, ...]:
    """Returns events and all that follows from them at once."""
    found: list[Happening] = []
    for event in events:
        of = evolve(of, event)
        found.append(event)
    at = found[-1].at
    while further := _next(of, at):
        for event in further:
            of = evolve(of, event)
        found += further
    return tuple(found)


def _next(of: Tournament, at: int) -> Sequence[Happening]:
    """What is due; carried out before more is asked for."""
    if of.status != "running":
        return ()
    if lost := [one for table in of.tables for one in _forfeited(of, table, at)]:
        return lost
    if boards := _to_open(of):
        return (Opened(at, boards),)
    if of.form == "ladder" or any(not table.done for table in of.tables):
        return ()
    if of.form in LIVES and (drawn := [table for table in of.tables if level(of, table) and _may_decide(of, table)]):
        return (Opened(at, tuple((table.number, table.opened + 1) for table in drawn)),)
    return _rounds(of, at)


def _forfeited(of: Tournament, table: Table, at: int) -> list[Decided]:
    """Matches that were never begun because somebody has withdrawn: the others of the table win."""
    left = [player for player in table.players if player not in of.gone]
    if table.opened or len(table.players) > 2 or len(left) == len(table.players):
        return []
    games = [game for game in range(1, of.sheet.games + 1) if game not in table.decided]
    return [Decided(at, table.number, game, "", dict.fromkeys(left, 1.0), "forfeit") for game in games]


def _to_open(of: Tournament) -> tuple[tuple[int, int], ...]:
    """The matches that can begin: all of a round; where all play all, as many at once as was settled."""
    busy: Counter[Player] = Counter()
    for table in of.tables:
        if table.opened and not table.done:
            busy.update(table.players)
    found = []
    for table in of.tables:
        if table.opened or table.done:
            continue
        if of.form == "round-robin" and any(busy[player] >= of.sheet.atonce for player in table.players):
            continue
        busy.update(table.players)
        found += [(table.number, game) for game in range(1, of.sheet.games + 1)]
    return tuple(found)


def _may_decide(of: Tournament, table: Table) -> bool:
    return table.round == of.round and table.opened < of.sheet.games + DECIDERS


def _rounds(of: Tournament, at: int) -> Sequence[Happening]:
    """The next round, or all of them where that is known from the start; the end when there is none."""
    if of.form in MEETINGS:
        return [Over(at)] if of.round else _numbered(of, MEETINGS[of.form](of), at)
    if (of.form == "swiss" and of.round >= of.sheet.rounds) or len(of.active) < FEWEST:
        return [Over(at)]
    meeting = NEXT_ROUNDS[of.form](of)
    return _numbered(of, [meeting], at) if meeting[0] else [Over(at)]


def _numbered(of: Tournament, meetings: Sequence[Meeting], at: int) -> list[Happening]:
    """Rounds with the numbers of their tables."""
    found: list[Happening] = []
    table = len(of.tables)
    for further, (pairs, byes) in enumerate(meetings, 1):
        seatings = tuple(Seating(table + place, tuple(pair)) for place, pair in enumerate(pairs, 1))
        table += len(pairs)
        found.append(Paired(at, of.round + further, seatings, tuple(byes)))
    return found


def _all_rounds(of: Tournament) -> list[Meeting]:
    found: list[Meeting] = []
    for pairs in circle.rounds(of.seeds):
        playing = {player for pair in pairs for player in pair}
        found.append(([*pairs], [player for player in of.seeds if player not in playing]))
    return found


def _boards(of: Tournament) -> list[Meeting]:
    """Board by board, sides alternating."""
    one, other = ([player for player in of.seeds if of.teams[player] == team] for team in [*of.places][:2])
    pairs = [(a, b) if at % 2 == 0 else (b, a) for at, (a, b) in enumerate(zip(one, other, strict=False))]
    return [([*pairs], [])]


def _swiss(of: Tournament) -> Meeting:
    order = [row.player for row in standings(of) if not row.gone]
    if of.round == 0:
        order = [player for player in of.seeds if player not in of.gone]
    seats = int(of.terms.get("players", "2"))
    if seats > 2:
        return [*tables.seated(order, seats, met(of))], []
    points = {player: total(of, player) for player in order}
    rested = Counter(player for _, player in of.byes)
    pairs, byes = swiss.paired(order, points, met(of), rested, _first(of))
    return [*pairs], byes


def _first(of: Tournament) -> Mapping[Player, int]:
    """How much more often each had the first side than the other."""
    found: Counter[Player] = Counter(dict.fromkeys(of.entrants, 0))
    for table in of.tables:
        if of.sheet.games % 2 and len(table.players) == 2:
            found[table.players[0]] += 1
            found[table.players[1]] -= 1
    return found


def _knocked_out(of: Tournament) -> Meeting:
    lives = LIVES[of.form]
    lost = beaten(of)
    lost.update(dict.fromkeys(of.gone, lives))
    rested = Counter(player for _, player in of.byes)
    pairs, byes = knockout.paired(of.seeds, lost, lives, met(of), rested, begun=of.round > 0)
    return [*pairs], byes


MEETINGS: Mapping[Form, Callable[[Tournament], list[Meeting]]] = {"round-robin": _all_rounds, "teams": _boards}
"""All rounds of a tournament in which they are known from the start."""
NEXT_ROUNDS: Mapping[Form, Callable[[Tournament], Meeting]] = {
    "swiss": _swiss,
    "knockout": _knocked_out,
    "double": _knocked_out,
}
"""The next round of one in which it hangs on the results."""
