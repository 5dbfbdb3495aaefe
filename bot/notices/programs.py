"""Who hears of their matches by a program of their own: whose key it is, and where its news wait."""

import re
from base64 import urlsafe_b64encode
from hashlib import sha256
from typing import Final

from bot.messages.model import Person, Place
from bot.repository import Repository, Setting
from engine.match.commands import Player

PLATFORM: Final = "api"
"""The platform of programs: nobody has an account there; each acts as the person whose key it has."""
KEY: Final = "apikey"
"""The setting that holds the digest of somebody's key: the key itself is kept nowhere."""
HOLDER: Final = "apikey holder"
"""The setting of a digest: whose key it is."""
WEBHOOK: Final = "webhook"
"""The setting that holds where somebody's news is sent, a blank, and the secret they are signed with."""
SHAPE: Final = re.compile(r"rip_[A-Za-z0-9_-]{43}")


def new_key(secret: bytes) -> str:
    """Returns a key made of 32 secret bytes."""
    return "rip_" + urlsafe_b64encode(secret).decode().rstrip("=")


def digest(key: str) -> str:
    """Returns what is kept of a key: it has 256 bits of luck in it, so one round of SHA-256 is enough."""
    return sha256(key.encode(errors="replace")).hexdigest()  # a header may hold bytes that are no text


def mailbox(player: Player) -> Place:
    """Returns the place in which somebody's program hears its news, and the answers to what it asks for."""
    return Place(PLATFORM, player)


async def holder(repository: Repository, key: str) -> Person | None:
    """Returns whose key it is; None for one that is nobody's any more, or never was."""
    if SHAPE.fullmatch(key) is None:
        return None
    kept = digest(key)
    player = await repository.store.setting(kept, HOLDER)  # past what is remembered: anybody may send anything
    return await repository.person(player) if player and await repository.setting(player, KEY) == kept else None


async def listeners(repository: Repository, player: Player) -> tuple[Player, ...]:
    """Returns the accounts of a person that have a key."""
    return tuple([one for one in await repository.accounts(player) if await repository.setting(one, KEY)])


async def forgotten(repository: Repository, accounts: tuple[Player, ...]) -> tuple[Setting, ...]:
    """Returns what is to be stored so that no key of these accounts opens anything, and no webhook is told."""
    kept = [(one, await repository.setting(one, KEY)) for one in accounts]
    return (
        *((known, HOLDER, "") for _, known in kept if known),
        *((one, KEY, "") for one, known in kept if known),
        *[(one, WEBHOOK, "") for one in accounts if await repository.setting(one, WEBHOOK)],
    )
