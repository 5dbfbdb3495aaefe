"""Remarks of spectators: hidden from the players until the match is over, then shown to everybody.

On platforms where that can be they talk in a place of their own, into which the players come at the end.
"""

from dataclasses import dataclass

import msgspec

from bot.commands.context import Added, Effect, MatchContext, not_begun, whisper, whisper_lines
from bot.messages.model import GALLERY, Lines
from bot.messages.narrator import Draft
from bot.notices import followers, match_key
from bot.repository import Repository
from engine.match.commands import Player
from engine.match.events import Ended, one_line
from engine.match.evolve import Decision
from engine.match.state import Match
from engine.text import Text, plural

LOG = GALLERY + "{match}"
"""The log of what is said about a match."""
ONLOOKERS, OPENED = "onlookers", "opened"
"""The settings of a match that hold who talks about it, a line each, and whether its players read that by now.

They go on reading where they talked, so nothing is told there any more should an arbiter have the match played on.
"""
LONGEST, MOST = 300, 200
"""Signs of one remark; remarks about one match."""
MOST_TOLD = 25
"""Remarks in one message."""


@dataclass(frozen=True, slots=True)
class Remark:
    """A spectator's remark."""

    by: Player
    turn: int
    """How many turns had been made by then."""
    text: str


async def kibitz(repository: Repository, context: MatchContext) -> Effect:
    """Keeps a remark, or shows the remarks so far to spectators; once the match is over, to everybody."""
    match, message, text = context.match, context.message, one_line(context.parsed.rest)[:LONGEST]
    if match.position is None:
        return not_begun(context)
    plays = not set(context.accounts).isdisjoint(match.parties)
    if plays and match.status == "running":
        return whisper(
            message,
            Text("You play in match {match}: you read what others say of it when it is over.", match=match.id),
            Text("`note {match}` keeps what you think yourself.", match=match.id),
        )
    remarks = await said(repository, match.id)
    if not text or match.status != "running":
        nothing = Text("Nobody has said anything about match {match}.", match=match.id)
        return (
            whisper_lines(message, await _lines(repository, match.id, remarks))
            if remarks
            else whisper(message, nothing)
        )
    if len(remarks) >= MOST:
        return whisper(message, Text("Enough has been said about match {match}.", match=match.id))
    written = msgspec.json.encode(Remark(message.who.key, match.turns_made, text)).decode()
    told = whisper(message, Text("Kept: the players read it when match {match} is over.", match=match.id))
    added = Added(LOG.format(match=match.id), len(remarks), ((message.at, written),))
    line = await _line(repository, Remark(message.who.key, match.turns_made, text))
    joined = await joins(repository, match, context.accounts[0], (line,))
    return Effect(drafts=(*told.drafts, *joined.drafts), settings=joined.settings, added=added, match=match.id)


async def joins(repository: Repository, match: Match, who: Player, lines: Lines) -> Effect:
    """Returns what a match's spectators are told when somebody joins them, who is let in."""
    owner, known = match_key(match.id), await onlookers(repository, match)
    if match.private or await repository.setting(owner, OPENED):
        return Effect()
    title = Text("Those who look on at match {match} talk here; its players read it when it is over.", match=match.id)
    everybody = tuple(dict.fromkeys((*known, *await followers(repository, match.id), who)))
    draft = Draft(lines if known else ((title,), *lines), gallery=everybody)
    return Effect(drafts=(draft,), settings=((owner, ONLOOKERS, "\n".join(everybody)),))


async def onlookers(repository: Repository, match: Match) -> tuple[Player, ...]:
    """Returns who talks about a match in which others play."""
    players = {account for player in match.parties for account in await repository.accounts(player)}
    known = (await repository.setting(match_key(match.id), ONLOOKERS)).split()
    return tuple([player for player in known if player not in players])


async def said(repository: Repository, match: str) -> list[Remark]:
    """Returns all that was said about a match."""
    log = await repository.store.load(LOG.format(match=match))
    return [msgspec.json.decode(record.body, type=Remark) for record in log]


async def revealed(repository: Repository, decision: Decision) -> Effect:
    """Returns what those said who looked on at a match that has just ended; its players come in where they talked."""
    match = decision.after
    if not any(isinstance(event, Ended) for event in decision.events) or match.status != "over":
        return Effect()
    remarks, owner = await said(repository, match.id), match_key(match.id)
    told = (Draft(await _lines(repository, match.id, remarks)),) if remarks else ()
    known = await onlookers(repository, match)
    if not known or await repository.setting(owner, OPENED):
        return Effect(drafts=told)
    over = Text("Match {match} is over: from now on its players read along here.", match=match.id)
    opened = Draft(((over,),), gallery=(*known, *match.parties))
    return Effect(drafts=(*told, opened), settings=((owner, OPENED, "yes"),))


async def _lines(repository: Repository, match: str, remarks: list[Remark]) -> Lines:
    title = Text("**What onlookers said about match {match}**", match=match)
    return ((title,), *[await _line(repository, one) for one in remarks[-MOST_TOLD:]])


async def _line(repository: Repository, one: Remark) -> tuple[Text, ...]:
    values = {"player": await repository.person(one.by), "text": one.text}
    return (
        plural("After {count} turn, {player}: {text}", "After {count} turns, {player}: {text}", one.turn, **values),
    )
