"""Who is told what, and where."""

from dataclasses import replace

from bot.messages.model import FORMER, GALLERY, PARTNER, Person, Place
from bot.messages.narrator import Draft
from bot.messages.serialization import channel_address, read_address
from bot.notices.programs import listeners, mailbox
from bot.repository import Repository
from bot.service.cause import Cause
from engine.match.commands import Player
from engine.match.state import Match
from engine.value import value

SILENT = (PARTNER, f"{FORMER}:")
"""How the keys of those begin to whom nothing is sent: Riposte's own seat, and former players."""


@value(frozen=True, slots=True)
class Route:
    """A draft on its way to one place."""

    draft: Draft
    place: Place
    reader: Person | None = None
    """Who alone sees it; None = everybody there."""


async def route(
    repository: Repository, cause: Cause, drafts: tuple[Draft, ...], match: Match | None, places: tuple[str, ...] = ()
) -> tuple[Route, ...]:
    """Returns where each draft is said: an answer where it was asked for, news wherever the match is played.

    `places`: where news is told that is about no match but a tournament.
    """
    message = cause.message
    homes = [read_address(place) for place in (match.places if match is not None else places)]
    routes: list[Route] = []
    for draft in map(_to_people, drafts):
        if draft.only is not None and draft.only.startswith(SILENT):
            continue
        if draft.gallery:
            routes += await _to_gallery(repository, draft, homes, match)
            continue
        if draft.place and match is None:
            routes.append(Route(draft, read_address(draft.place)))
        elif draft.only is not None and message is not None and draft.only in cause.accounts:
            routes.append(Route(draft, message.replies or message.where, message.who))
        elif match is None and places:
            routes += [Route(draft, home) for home in homes]
            if message is not None and channel_address(message.where) not in places:  # they read it where they asked
                routes.append(Route(replace(draft, rings=()), message.replies or message.where, message.who))
        elif match is None:
            assert message is not None, "without a message, only matches have news"
            routes.append(Route(draft, message.replies or message.where))
        elif draft.only is not None:
            place, reader = await _private(repository, draft.only, homes, match.id)
            routes.append(Route(draft, place, reader))
        else:
            where = [read_address(draft.place)] if draft.place else homes
            routes += [Route(draft, home if draft.channel else _thread(home, match)) for home in where]
    return (*routes, *await _to_programs(repository, cause, drafts, match))


GALLERIES = ("discord", "matrix")
"""The platforms on which spectators have a place of their own."""


async def _to_gallery(repository: Repository, draft: Draft, homes: list[Place], match: Match | None) -> list[Route]:
    """A match's threads for spectators: on each platform where it is played and a spectator has an account."""
    assert match is not None, "spectators look at a match"
    players = {account for player in match.parties for account in await repository.accounts(player)}
    routes: list[Route] = []
    for home in homes:
        if home.platform in GALLERIES:
            others = [player for player in draft.gallery if player not in players]
            reached = [await repository.account_on(home.platform, player) for player in others]
            if any(person.platform == home.platform for person in reached):
                routes.append(Route(draft, replace(home, thread=f"{GALLERY}{match.id}")))
    return routes


async def _to_programs(
    repository: Repository, cause: Cause, drafts: tuple[Draft, ...], match: Match | None
) -> list[Route]:
    """The same news, in words, for the programs of those who take part; answers are where they were asked for."""
    routes: list[Route] = []
    if match is None:
        return []
    for player in match.parties:
        for owner in await listeners(repository, player):
            accounts = await repository.accounts(owner)
            others = set(accounts) - set(cause.accounts)
            told = [_to_people(draft) for draft in drafts if draft.only is None or draft.only in others]
            told = [draft for draft in told if (match.status == "open" or not draft.channel) and not draft.gallery]
            reader = await repository.person(owner)
            routes += [
                Route(replace(draft, picture=None, harmless=draft.only is None), mailbox(owner), reader)
                for draft in told
            ]
    return routes


def _thread(home: Place, match: Match) -> Place:
    return Place(home.platform, home.channel, match.id)


def _to_people(draft: Draft) -> Draft:
    """The draft as it rings people alone."""
    rings = tuple([one for one in draft.rings if not one.startswith(SILENT)])
    return draft if rings == draft.rings else replace(draft, rings=rings)


async def _private(repository: Repository, player: Player, homes: list[Place], match: str) -> tuple[Place, Person]:
    """Where a player is told something: in the match's first thread on a platform of theirs, else directly."""
    for home in homes:
        person = await repository.account_on(home.platform, player)
        if person.platform == home.platform:
            return replace(home, thread=match), person
    person = await repository.person(player)
    return Place(person.platform, "", match), person
