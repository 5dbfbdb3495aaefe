"""Who is an arbiter or an organiser in a server or room: `role`, and the questions that other commands ask."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from bot.commands.context import Context, Effect, community_address, hosts_only, reply_lines, whisper
from bot.commands.parser import NAME, player_named
from bot.messages.model import IncomingMessage, Lines, Person
from bot.repository import Repository, Setting
from engine.match.commands import Player
from engine.match.state import Match
from engine.text import Listing, Term, Text

ROLES: Mapping[str, str] = {"arbiter": "arbiters", "organiser": "organisers"}
"""The roles, and the setting of a server or room that lists who has each, a line for an account."""
ROLE_NAMES: Mapping[str, Text] = {"arbiter": Text("Arbiters: {people}."), "organiser": Text("Organisers: {people}.")}
MOST_NAMED = 30
"""People who can have a role in one place."""


# --- what others ask --------------------------------------------------------------------------------------
async def holders(repository: Repository, role: str, community: str) -> Sequence[Player]:
    """Returns who has a role in a server or room, by the account that was named."""
    return (await repository.setting(community, ROLES[role])).splitlines()


async def has_role(repository: Repository, role: str, communities: Iterable[str], accounts: Sequence[Player]) -> bool:
    """Returns whether somebody has a role, by any of their accounts, in one of these servers and rooms."""
    for community in communities:
        for player in await holders(repository, role, community):
            if not set(await repository.accounts(player)).isdisjoint(accounts):
                return True
    return False


async def may_organise(repository: Repository, context: Context) -> bool:
    """Returns whether the author may hold tournaments where they write: as an organiser there, or as a host."""
    community = community_address(context.message)
    return context.message.host or await has_role(repository, "organiser", (community,), context.accounts)


async def communities_of(repository: Repository, match: Match) -> tuple[str, ...]:
    """Returns the servers, and the rooms that belong to none, in which a match lives."""
    homes = [await repository.setting(place, "server") or place for place in match.places]
    return tuple(dict.fromkeys(homes))


async def arbiters_of(repository: Repository, match: Match) -> tuple[Player, ...]:
    """Returns the arbiters of the places where a match lives, but for those who play in it."""
    playing = {account for player in match.parties for account in await repository.accounts(player)}
    found = [
        player
        for community in await communities_of(repository, match)
        for player in await holders(repository, "arbiter", community)
        if playing.isdisjoint(await repository.accounts(player))
    ]
    return tuple(dict.fromkeys(found))


# --- the command ------------------------------------------------------------------------------------------
async def role(repository: Repository, context: Context) -> Effect:
    """Lists who has which role here; gives one, or takes all of somebody's."""
    message, words = context.message, context.parsed.words
    if not words:
        return await _listed(repository, message)
    name, wanted = words[0].removeprefix("@"), words[1].lower() if len(words) > 1 else ""
    wanted = wanted.replace("organizer", "organiser")
    if not words[0].startswith("@") or not NAME.fullmatch(name) or wanted not in (*ROLES, NONE):
        return whisper(
            message,
            Text("Say who is to be what: `role @ben arbiter` or `role @ben organiser`."),
            Text("`role @ben none` takes all roles away."),
        )
    player = player_named(name, message.who.platform)
    own = wanted == NONE and player in context.accounts
    if not (message.host or own):
        return hosts_only(message)
    community = community_address(message)
    person = await repository.person(player)
    if wanted == NONE:
        gone = await without(repository, community, await repository.accounts(player))
        if not gone:
            return whisper(message, Text("{player} has no role here.", player=person))
        return replace(
            reply_lines(message, ((Text("{player} has no role here any more.", player=person),),)), settings=gone
        )
    known = await holders(repository, wanted, community)
    if len(known) >= MOST_NAMED:
        return whisper(message, Text("There are as many as can be."), Text("`role @ben none` makes room."))
    listed = "\n".join(dict.fromkeys((*known, player)))
    told = Text(GIVEN[wanted].template, player=person)
    lines = ((told, MEANS[wanted]), *await _unheard(repository, person))
    return replace(reply_lines(message, lines), settings=((community, ROLES[wanted], listed),))


async def _unheard(repository: Repository, person: Person) -> Lines:
    """A warning where a name may still be anybody's: in the web room it belongs to whoever takes it first."""
    if person.platform != "web" or await repository.setting(person.key, "name"):
        return ()
    return ((Text("{player} has never written here: the role is for whoever sits down by that name.", player=person),),)


NONE = "none"
GIVEN: Mapping[str, Text] = {
    "arbiter": Text("{player} is an arbiter here."),
    "organiser": Text("{player} is an organiser here."),
}
MEANS: Mapping[str, Text] = {
    "arbiter": Text("Arbiters hear of reports and rule in matches that are not their own: `help arbiter`."),
    "organiser": Text("Organisers hold tournaments here."),
}
NOBODY = Term("nobody")


async def without(repository: Repository, community: str, accounts: Sequence[Player]) -> tuple[Setting, ...]:
    """Returns the settings by which somebody has no role in a place any more."""
    changed = []
    for key in ROLES.values():
        known = (await repository.setting(community, key)).splitlines()
        kept = [player for player in known if player not in accounts]
        if kept != known:
            changed.append((community, key, "\n".join(kept)))
    return tuple(changed)


async def _listed(repository: Repository, message: IncomingMessage) -> Effect:
    lines: list[tuple[Text, ...]] = []
    for name, told in ROLE_NAMES.items():
        people = [
            await repository.person(player) for player in await holders(repository, name, community_address(message))
        ]
        lines.append((Text(told.template, people=Listing(tuple(people)) if people else NOBODY),))
    lines.append((Text("Where nobody is an arbiter, hosts do what an arbiter does."), BY_HOSTS))
    return reply_lines(message, tuple(lines))


BY_HOSTS = Text("Hosts give roles: `role @ben arbiter`.")
