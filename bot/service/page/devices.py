"""Which devices of a person are told that a match waits, and the key by which push services know this Riposte."""

import hashlib
from collections.abc import Callable, Sequence
from functools import partial
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct

from bot.commands.context import Effect
from bot.repository import Repository
from bot.service.cause import Cause
from bot.service.transaction import Transactions
from engine.match.commands import Player

KEY: Final = ("page", "vapid")
"""The setting that holds the private key; it is sealed like all that is stored."""
PUSH: Final = "push"
"""The setting that holds somebody's devices."""
MOST: Final = 5
"""Devices of one person; a sixth takes the place of the oldest."""


class Device(Struct, frozen=True):
    """Where a browser takes what is pushed to it, and how it is sealed for that browser alone."""

    endpoint: Annotated[str, Meta(max_length=600)]
    p256dh: Annotated[str, Meta(max_length=100)]
    auth: Annotated[str, Meta(max_length=30)]
    language: Annotated[str, Meta(max_length=35)] = ""


_read = msgspec.json.Decoder(list[Device]).decode


class Devices:
    """They stand with the person's other settings, so that they go with them."""

    def __init__(self, repository: Repository, transactions: Transactions):
        self._repository = repository
        self._transactions = transactions

    async def key(self, make: Callable[[], str], at: int) -> str:
        """The private key, made by `make` when it is first asked for."""

        async def made() -> Effect:
            known = await self._repository.setting(*KEY)
            return Effect() if known else Effect(settings=((*KEY, make()),))

        if not await self._repository.setting(*KEY):
            await self._transactions.run(Cause("the key for pushing", at), made)
        return await self._repository.setting(*KEY)

    async def of(self, player: Player) -> Sequence[Device]:
        """The devices of whoever is behind an account, oldest first."""
        return await self._of((await self._repository.accounts(player))[0])

    async def add(self, player: Player, device: Device, at: int) -> None:
        """Tell a device from now on."""
        await self._change(player, device.endpoint, device, at)

    async def drop(self, player: Player, endpoint: str, at: int) -> None:
        """Tell a device no longer."""
        await self._change(player, endpoint, None, at)

    async def _of(self, owner: Player) -> list[Device]:
        stored = await self._repository.setting(owner, PUSH)
        return _read(stored) if stored else []

    async def _change(self, player: Player, endpoint: str, device: Device | None, at: int) -> None:
        async def change() -> Effect:
            owner = (await self._repository.accounts(player))[0]
            known = await self._of(owner)
            kept = [one for one in known if one.endpoint != endpoint] + ([device] if device else [])
            if kept == known:
                return Effect()
            return Effect(settings=((owner, PUSH, msgspec.json.encode(kept[-MOST:]).decode() if kept else ""),))

        digest = hashlib.sha256(endpoint.encode()).hexdigest()
        await self._transactions.run(Cause(f"device:{player}:{digest}:{device is None}:{at}", at), partial(change))
