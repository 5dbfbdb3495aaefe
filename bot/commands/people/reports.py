"""Tells the arbiters of a place of something in a match: `report`."""

from dataclasses import replace

from bot.commands.context import Effect, MatchContext, not_begun, whisper
from bot.commands.people.roles import arbiters_of
from bot.messages.model import Lines, Person
from bot.messages.narrator import Draft
from bot.messages.serialization import read_event
from bot.repository import Repository
from engine.match.record.write import record_of
from engine.match.state import Match
from engine.text import Text

REPORTED = "reported"
"""The setting that holds which matches somebody has reported, and on which day of the epoch: `12@20000`."""
DAY = 86_400_000
LONGEST = 500
"""Signs of what somebody says that are passed on."""


async def report(repository: Repository, context: MatchContext) -> Effect:
    """Tells the arbiters, in private, what the author has to say about a match, with its record."""
    match, message, said = context.match, context.message, context.parsed.rest[:LONGEST]
    owner = context.accounts[0]
    if not said:
        told = Text("Say what is wrong: `report {match} she asks others for turns`.", match=match.id)
        return whisper(message, told, Text("Only the arbiters read it."))
    if match.position is None:
        return not_begun(context)
    arbiters = [one for one in await arbiters_of(repository, match) if one not in context.accounts]
    if not arbiters:
        return whisper(
            message,
            Text("Nobody is an arbiter where match {match} is played, so nobody was told.", match=match.id),
            Text("Its hosts can name one: `role @ben arbiter`."),
        )
    known, today = (await repository.setting(owner, REPORTED)).split(), f"{match.id}@{message.at // DAY}"
    if today in known:
        return whisper(message, Text("You have reported that match today."), Text("The arbiters have it before them."))
    person = await repository.person(context.who)
    title = Text("{player} reports match {match}: {said}", player=person, match=match.id, said=said)
    rule = Text("`help arbiter` tells what you can do about it.")
    drafts = await told_arbiters(repository, match, tuple(arbiters), ((title,), (rule,)), message.who)
    thanks = Text("The arbiters have been told, with the match's record; nobody else was.")
    mine = Draft(((thanks,),), only=message.who.key)
    settings = ((owner, REPORTED, " ".join((*known[-20:], today))),)
    return replace(Effect(drafts=(mine, *drafts), match=match.id), settings=settings)


async def told_arbiters(
    repository: Repository, match: Match, arbiters: tuple[str, ...], lines: Lines, who: Person | None
) -> tuple[Draft, ...]:
    """Returns what each arbiter is told in private: these lines, and the match's record as everybody may see it."""
    events = [read_event(stored.body) for stored in await repository.store.load(match.id)]
    people = await repository.names(match, who)
    record = record_of(events, {player: person.name for player, person in people.items()}, None)
    block = (Text("`{record}`", record=record.write()),)
    return tuple(
        draft
        for arbiter in arbiters
        for draft in (
            Draft(lines, only=arbiter),
            Draft((block,), only=arbiter, file=f"match-{match.id}.txt"),
        )
    )
