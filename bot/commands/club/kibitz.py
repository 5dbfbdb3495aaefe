"""What those say who look on: kept from its players until the match is over, then told to everybody."""

from dataclasses import dataclass

import msgspec

from bot.commands.context import Added, Effect, MatchContext, not_begun, whisper, whisper_lines
from bot.messages.model import Lines
from bot.messages.narrator import Draft
from bot.repository import Repository
from engine.match.commands import Player
from engine.match.events import Ended, one_line
from engine.match.evolve import Decision
from engine.text import Text, plural

LOG = "k{match}"
"""The log of what is said about a match."""
LONGEST, MOST = 300, 200
"""Signs of one remark; remarks about one match."""
MOST_TOLD = 25
"""Remarks in one message."""


@dataclass(frozen=True, slots=True)
class Remark:
    """Something that somebody said who looked on."""

    by: Player
    turn: int
    """Turns that had been made."""
    text: str


async def kibitz(repository: Repository, context: MatchContext) -> Effect:
    """Keeps a remark, or shows those so far to whoever does not play; once the match is over, to everybody."""
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
    return Effect(drafts=told.drafts, added=added)


async def said(repository: Repository, match: str) -> list[Remark]:
    """Returns all that was said about a match."""
    log = await repository.store.load(LOG.format(match=match))
    return [msgspec.json.decode(record.body, type=Remark) for record in log]


async def revealed(repository: Repository, decision: Decision) -> tuple[Draft, ...]:
    """Returns what those said who looked on at a match that has just ended."""
    if not any(isinstance(event, Ended) for event in decision.events) or decision.after.status != "over":
        return ()
    remarks = await said(repository, decision.after.id)
    return (Draft(await _lines(repository, decision.after.id, remarks)),) if remarks else ()


async def _lines(repository: Repository, match: str, remarks: list[Remark]) -> Lines:
    title = Text("**Said by those who looked on at match {match}**", match=match)
    lines: list[tuple[Text, ...]] = [(title,)]
    for one in remarks[-MOST_TOLD:]:
        values = {"player": await repository.person(one.by), "text": one.text}
        lines.append(
            (
                plural(
                    "After {count} turn, {player}: {text}", "After {count} turns, {player}: {text}", one.turn, **values
                ),
            )
        )
    return tuple(lines)
