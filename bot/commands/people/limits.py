"""What the hosts of a server or room allow there: who challenges, how many matches at once, which games, and quiet."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace

from bot.commands.context import Context, Effect, community_address, reply
from bot.commands.parser import NAME, player_named
from bot.commands.people.roles import ROLES, has_role
from bot.commands.spec.parts import DEFAULT
from bot.messages.model import IncomingMessage, Place
from bot.messages.serialization import channel_address
from bot.repository import Repository
from engine.games import GAMES
from engine.text import Code, Listing, Text, plural

CHALLENGERS, MOST, GAMES_ALLOWED, QUIET = "challengers", "most", "allowed", "quiet"
"""The settings of a server or room; the last one of a single channel."""
EVERYBODY, HOSTS = "everybody", "hosts"
LARGEST = 200
"""The most matches that can be asked for."""
Shown = Callable[[Repository, IncomingMessage], Awaitable[Text]]


# --- what follows for challenges --------------------------------------------------------------------------
async def not_allowed(repository: Repository, context: Context, game: str, *, accepts: str = "") -> Effect | None:
    """Returns why somebody can begin no match of a game where they write; None if they can.

    Whoever `accepts` a challenge, by its number, need not be one of those who may make one.
    """
    message, community = context.message, community_address(context.message)
    games = (await repository.setting(community, GAMES_ALLOWED)).split()
    if games and game not in games:
        named = Listing(tuple(Code(one) for one in games), "or")
        return reply(message, Text("Here only these games are played: {games}.", games=named), ASK)
    if not accepts and not await _may_challenge(repository, context, community):
        return reply(
            message, Text("Not everybody may make challenges here."), Text("`settings challengers` tells who.")
        )
    most = await repository.setting(community, MOST)
    if most and await _at_once(repository, context, community, accepts) >= int(most):
        return reply(
            message,
            plural(
                "Here nobody has more than {count} match at once.",
                "Here nobody has more than {count} matches at once.",
                int(most),
            ),
            Text("`matches` lists yours; finish one first."),
        )
    return None


ASK = Text("The hosts have decided that; elsewhere others may be played.")


async def _may_challenge(repository: Repository, context: Context, community: str) -> bool:
    stored = await repository.setting(community, CHALLENGERS)
    if not stored or context.message.host:
        return True
    named = [
        account for player in stored.split("\n") if player != HOSTS for account in await repository.accounts(player)
    ]
    if not set(named).isdisjoint(context.accounts):
        return True
    for role in ROLES:
        if await has_role(repository, role, (community,), context.accounts):
            return True
    return False


async def _at_once(repository: Repository, context: Context, community: str, but: str) -> int:
    """How many matches somebody has here that run, or wait for an answer, but for one."""
    count = 0
    for status in ("running", "open"):
        for match in await repository.matches_of(context.accounts, status):
            homes = [await repository.setting(place, "server") or place for place in match.places]
            count += community in homes and match.match != but
    return count


async def is_quiet(repository: Repository, place: Place) -> bool:
    """Returns whether a channel or room wants to hear as little as can be."""
    return await repository.setting(channel_address(place), QUIET) == "on"


# --- one setting each -------------------------------------------------------------------------------------
async def set_challengers(_repository: Repository, message: IncomingMessage, value: str) -> Effect:
    """Settles who may make challenges."""
    words = value.split()
    owner = community_address(message)
    if value.lower() in (EVERYBODY, DEFAULT):
        told = reply(message, Text("Everybody may make challenges here."))
        return replace(told, settings=((owner, CHALLENGERS, ""),))
    if value.lower() == HOSTS:
        told = reply(message, Text("Only hosts, arbiters and organisers may make challenges here."), ANYBODY_ACCEPTS)
        return replace(told, settings=((owner, CHALLENGERS, HOSTS),))
    if not all(word.startswith("@") and NAME.fullmatch(word[1:]) for word in words):
        return reply(message, Text("Say `everybody`, `hosts`, or names: `{example}`.", example=EXAMPLES[CHALLENGERS]))
    named = tuple(dict.fromkeys(player_named(word[1:], message.who.platform) for word in words))
    told = reply(
        message, Text("Only hosts, those with a role, and those named may make challenges here."), ANYBODY_ACCEPTS
    )
    return replace(told, settings=((owner, CHALLENGERS, "\n".join(named)),))


ANYBODY_ACCEPTS = Text("Anybody may accept one.")


async def set_most(_repository: Repository, message: IncomingMessage, value: str) -> Effect:
    """Settles how many matches one person has here at once."""
    owner = community_address(message)
    if value.lower() == DEFAULT:
        return replace(reply(message, Text("Nobody's matches are counted here.")), settings=((owner, MOST, ""),))
    if not (value.isascii() and value.isdigit() and 1 <= int(value[:4]) <= LARGEST):
        number = Text("Say a number from 1 to {most}: `{example}`.", most=LARGEST, example=EXAMPLES[MOST])
        return reply(message, number, Text("`settings most usual` counts nobody's."))
    told = plural(
        "One person can have {count} match here at once, running or waiting for an answer.",
        "One person can have {count} matches here at once, running or waiting for an answer.",
        int(value),
    )
    return replace(reply(message, told, Text("Those under way go on.")), settings=((owner, MOST, str(int(value))),))


async def set_games(_repository: Repository, message: IncomingMessage, value: str) -> Effect:
    """Settles which games are played."""
    owner, words = community_address(message), value.lower().replace(",", " ").split()
    if words in ([DEFAULT], ["all"]):
        return replace(reply(message, Text("All games are played here.")), settings=((owner, GAMES_ALLOWED, ""),))
    strange = [word for word in words if word not in GAMES]
    if strange:
        return reply(
            message,
            Text("There is no game called {word}.", word=strange[0][:40]),
            Text("There are {games}.", games=Listing(tuple(GAMES), "and")),
        )
    games = tuple(game for game in GAMES if game in words)
    told = Text("Here only these games are played: {games}.", games=Listing(tuple(Code(game) for game in games), "or"))
    return replace(
        reply(message, told, Text("Matches under way go on.")), settings=((owner, GAMES_ALLOWED, " ".join(games)),)
    )


async def set_quiet(_repository: Repository, message: IncomingMessage, value: str) -> Effect:
    """Settles whether a channel or room is disturbed as little as can be."""
    owner = channel_address(message.where)
    if value.lower() not in ("on", "off", DEFAULT):
        return reply(message, Text("Say `settings quiet on` or `settings quiet off`."))
    on = value.lower() == "on"
    told = (
        (Text("Riposte is quiet here: it pings nobody, and says how matches end only in their threads."), STILL)
        if on
        else (Text("Riposte pings those who are to act here, and says how matches end."),)
    )
    return replace(reply(message, *told), settings=((owner, QUIET, "on" if on else ""),))


STILL = Text("Whoever wants to be told sets a `digest`.")

SETTERS: Mapping[str, Callable[[Repository, IncomingMessage, str], Awaitable[Effect]]] = {
    CHALLENGERS: set_challengers,
    MOST: set_most,
    "games": set_games,
    QUIET: set_quiet,
}
EXAMPLES: Mapping[str, str] = {
    CHALLENGERS: "settings challengers @anna @ben",
    MOST: "settings most 5",
    "games": "settings games tokonoma veney",
    QUIET: "settings quiet on",
}
VALUES: Mapping[str, tuple[str, ...]] = {
    CHALLENGERS: (EVERYBODY, HOSTS),
    MOST: (DEFAULT, "3", "5", "10"),
    "games": (DEFAULT, *GAMES),
    QUIET: ("on", "off"),
}


# --- showing them -----------------------------------------------------------------------------------------
async def shown(repository: Repository, message: IncomingMessage) -> dict[str, Text]:
    """Returns what is allowed here, a sentence for each setting."""
    owner = community_address(message)
    stored = await repository.setting(owner, CHALLENGERS)
    people = tuple([await repository.person(player) for player in stored.split("\n") if player not in ("", HOSTS)])
    games = (await repository.setting(owner, GAMES_ALLOWED)).split()
    return {
        CHALLENGERS: Text("`challengers` {people}", people=Listing(people, "unit"))
        if people
        else Text("`challengers` hosts, arbiters and organisers")
        if stored
        else Text("`challengers` everybody"),
        MOST: Text("`most` {count}", count=most) if (most := await repository.setting(owner, MOST)) else NO_MOST,
        "games": Text("`games` {games}", games=Listing(tuple(games), "unit")) if games else Text("`games` all"),
        QUIET: Text("`quiet` on") if await is_quiet(repository, message.where) else Text("`quiet` off"),
    }


NO_MOST = Text("`most` as many matches as one likes")
