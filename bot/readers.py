"""In which language somebody reads: the one of their choice, else their app's, the room's, the server's, English."""

from bot.messages.catalogue import ENGLISH, Language, language, spoken
from bot.messages.model import IncomingMessage
from bot.repository import Repository, Setting
from engine.match.commands import Player

CHOSEN = "language"
"""The setting that holds what a person, a server or a room has chosen."""
TOLD = "locale"
"""The setting that holds what a platform says of a person or a server: a language that Riposte speaks."""
FORMERLY = {"english": ENGLISH}
"""What the first version stored."""


async def person_language(
    repository: Repository, player: Player, owner: str, told: str = "", server: str = ""
) -> Language:
    """The language of somebody in a room; `told` and `server` are what their app and its server say at this moment."""
    accounts = await repository.accounts(player)
    chosen = await repository.setting(accounts[0], CHOSEN)
    known = [await repository.setting(account, TOLD) for account in (player, *accounts)]
    return language(_first(chosen, told, *known) or (await room_language(repository, owner, server)).code)


async def room_language(repository: Repository, owner: str, told: str = "") -> Language:
    """The language of a server, or of a room that belongs to none, by the address that owns its settings."""
    return language(_first(await repository.setting(owner, CHOSEN), told, await repository.setting(owner, TOLD)))


def told_languages(message: IncomingMessage, owner: str) -> tuple[Setting, ...]:
    """What a message tells of the languages of its author and its server."""
    person, server = spoken(message.locale), spoken(message.server_locale)
    settings = [(message.who.key, TOLD, person)] if person else []
    if server:
        settings.append((owner, TOLD, "" if server == ENGLISH else server))  # it is English anyway
    return tuple(settings)


def _first(*codes: str) -> str:
    """The first of these that Riposte speaks."""
    return next((code for one in codes if one and (code := spoken(FORMERLY.get(one, one)))), "")
