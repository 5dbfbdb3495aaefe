"""The result of a match, as it is kept in the transaction that ends it, and what it says of its players."""

from collections.abc import Mapping

from bot.messages.model import PARTNER
from bot.messages.serialization import read_event
from bot.ratings.results import KEY, OVERDUE, OWNER, RATING, Calls, result_of, write_result
from bot.repository import Repository, Setting
from engine.match.commands import Player
from engine.match.events import Claimed, Ended, Flagged, Played
from engine.match.evolve import Decision
from engine.match.state import Match

REPEATED = 2
"""From so many on, whoever gets a challenge from them is told."""


async def result_settings(repository: Repository, decision: Decision) -> tuple[Setting, ...]:
    """Returns what is kept of a match that has just ended."""
    if not any(isinstance(event, Ended) for event in decision.events):
        return ()
    match = decision.after
    persons = [(await repository.accounts(player))[0] for player in match.seats.values()]
    unrated = [await repository.setting(person, RATING) for person in persons]
    people = PARTNER not in persons and len(set(persons)) == len(persons) and not any(unrated)
    servers = [await repository.setting(place, "server") or place for place in match.places]
    calls = await _calls(repository, decision)
    result = result_of(match, people=people, places=tuple(dict.fromkeys(servers)), calls=calls)
    late = await _overdue(repository, decision)
    if result is None:
        return late
    return (OWNER.format(match=match.id), KEY.format(game=match.game.key), write_result(result)), *late


async def _calls(repository: Repository, decision: Decision) -> dict[Player, Calls]:
    """Each player's calls: upheld, wrong, and others' untenable turns that nobody called."""
    match = decision.after
    if not match.calling:
        return {}
    log = [read_event(record.body) for record in await repository.store.load(match.id)]
    events = [event for event in (*log, *decision.events) if isinstance(event, Played)]
    broken = {(event.at, event.by, event.text) for event in events if event.broken}
    stood = [ply.by for ply in match.plies if (ply.at, ply.by, ply.text) in broken]
    return {
        player: Calls(
            match.right_calls.get(player, 0),
            match.wrong_calls.get(player, 0),
            sum(by != player for by in stood),
        )
        for player in match.seats.values()
    }


async def _overdue(repository: Repository, decision: Decision) -> tuple[Setting, ...]:
    """One more match for whoever has let their time run out; not for those whom no message reached."""
    late = {
        event.side
        for event in decision.events
        if isinstance(event, Flagged) or (isinstance(event, Claimed) and event.why == "time")
    }
    found = []
    players = [decision.after.seats[side] for side in sorted(late)]
    for player in (one for one in players if one not in decision.after.unreached):
        owner = (await repository.accounts(player))[0]
        found.append((owner, OVERDUE, str(int(await repository.setting(owner, OVERDUE) or 0) + 1)))
    return tuple(found)


async def overdue(repository: Repository, match: Match) -> Mapping[Player, int]:
    """Returns in how many matches whoever challenges has let their time run out, if that was more than once."""
    if match.status != "open" or match.challenger == PARTNER:
        return {}
    owner = (await repository.accounts(match.challenger))[0]
    count = int(await repository.setting(owner, OVERDUE) or 0)
    return {match.challenger: count} if count >= REPEATED else {}
