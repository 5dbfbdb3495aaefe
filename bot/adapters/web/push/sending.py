"""Pushes "a match waits for you" to the devices of whoever is rung, by the browsers' own push services."""

import asyncio
import re
import ssl
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

import msgspec
import structlog
from aiohttp import ClientError, ClientSession, ClientTimeout

from bot.adapters.web.errors import Say
from bot.messages.model import OutgoingMessage
from bot.service.page.devices import Device, Devices
from bot.trouble import reason
from engine.games import GAMES
from engine.text import Text
from storage.store import Change, Outgoing

if TYPE_CHECKING:
    from py_vapid import Vapid02

log = structlog.get_logger(__name__)

SERVICES: Final = (
    "fcm.googleapis.com",
    "updates.push.services.mozilla.com",
    ".push.apple.com",
    ".notify.windows.com",
)
"""Where what is pushed may go, those of Chrome, Firefox, Safari and Edge; a leading dot stands for any name before."""
PLAIN: Final = re.compile(r"[a-z0-9][a-z0-9.-]*(:[0-9]+)?")
"""A machine's name, without anything that one program reads in another way than the next."""
WAITS: Final = Text("Match {match} waits for you.")
WAITS_IN: Final = Text("{game}, match {match}, waits for you.")
MOST_WAITING: Final = 1_000
LONGEST: Final = 24 * 3600
"""Seconds after which a notice is not worth showing; a push service drops what waits longer."""
GONE: Final = (404, 410)
"""The answers of a push service for a device that is there no longer."""


def fits(device: Device, services: Sequence[str] = SERVICES) -> bool:
    """Whether a device is one that can be pushed to: a known service, over https, and true keys."""
    try:
        address = urlsplit(device.endpoint)
        keys = len(_bytes(device.p256dh)), len(_bytes(device.auth))
        known = any(_is(address.netloc, service) for service in services)
        return address.scheme == "https" and known and keys == (65, 16)
    except ValueError:
        return False


def _is(name: str, service: str) -> bool:
    return PLAIN.fullmatch(name) is not None and (name.endswith(service) if service[0] == "." else name == service)


def _bytes(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Pusher:
    """Holds what waits in memory: whoever misses a notice finds the match in every list all the same."""

    def __init__(
        self,
        devices: Devices,
        clock: Callable[[], int],
        say: Say,
        *,
        sender: str,
        services: Sequence[str] = SERVICES,
        trusted: ssl.SSLContext | None = None,
    ):
        """`sender` is the public address, by which push services reach whoever runs this."""
        self._devices = devices
        self._clock = clock
        self._say = say
        self._sender = sender
        self._services = services
        self._trusted = trusted
        self._waiting: asyncio.Queue[tuple[str, str, str, int]] = asyncio.Queue(MOST_WAITING)

    async def public_key(self) -> str:
        """What a browser needs to let this Riposte push."""
        return _public(await self._key())

    async def add(self, player: str, device: Device) -> bool:
        """Tell a device from now on; False for one that cannot be pushed to."""
        if not fits(device, self._services):
            return False
        await self._devices.add(player, device, self._clock())
        return True

    async def drop(self, player: str, endpoint: str) -> None:
        """Tell a device no longer."""
        await self._devices.drop(player, endpoint, self._clock())

    def committed(self, change: Change, waiting: Sequence[Outgoing]) -> None:
        """Note whom the posts ring, each once; what they say stays where they say it."""
        match = change.summary
        posts = [one.message.content for one in waiting if isinstance(one.message.content, OutgoingMessage)]
        rung = {person.key: post.about for post in posts for person in post.rings}
        for player, number in rung.items():
            known = match is not None and match.match == number
            game = match.game if match is not None and known else ""
            due = match.due if match is not None and known else 0
            if number and not self._waiting.full():
                self._waiting.put_nowait((player, number, game, due))

    async def run(self) -> None:
        """Push what waits, until cancelled."""
        async with ClientSession(timeout=ClientTimeout(total=20)) as session:
            while True:
                player, match, game, due = await self._waiting.get()
                try:
                    for device in await self._devices.of(player):
                        await self._push(session, player, device, self._notice(match, game, device.language), due)
                except OSError as error:
                    log.warning("a device could not be told", error=reason(error))
                except Exception:  # nobody's broken device keeps others from being told
                    log.exception("a device could not be told")

    def _notice(self, match: str, game: str, language: str) -> bytes:
        named = Text(WAITS_IN.template, game=GAMES[game].name, match=match) if game in GAMES else None
        told = self._say(named or Text(WAITS.template, match=match), language)
        return msgspec.json.encode({"match": match, "told": told})

    async def _push(self, session: ClientSession, player: str, device: Device, notice: bytes, due: int) -> None:
        from pywebpush import WebPusher  # who pushes nothing does not wait for it

        if not fits(device, self._services):  # the list may have been longer once
            return
        now = self._clock()
        keys = {"p256dh": device.p256dh, "auth": device.auth}
        sealed = WebPusher({"endpoint": device.endpoint, "keys": keys}).encode(notice, content_encoding="aes128gcm")
        address = urlsplit(device.endpoint)
        claims = {"sub": self._sender, "aud": f"https://{address.netloc}", "exp": now // 1000 + 12 * 3600}
        left = max(60, (due - now) // 1000) if due else LONGEST
        headers = {"TTL": str(min(left, LONGEST)), "Urgency": "high", "Content-Encoding": "aes128gcm"}
        headers |= (await self._key()).sign(claims)
        trusted = self._trusted or True
        try:
            sent = session.post(
                device.endpoint, data=sealed["body"], headers=headers, ssl=trusted, allow_redirects=False
            )
            async with sent as answer:
                status = answer.status
        except (ClientError, TimeoutError) as error:
            log.warning("a push service cannot be reached", service=address.netloc, error=reason(error))
            return
        if status in GONE:
            await self._devices.drop(player, device.endpoint, now)
        elif status >= 300:
            log.warning("a push service refuses", service=address.netloc, status=status)

    async def _key(self) -> "Vapid02":
        from py_vapid import Vapid02

        key: Vapid02 = Vapid02.from_pem((await self._devices.key(_made, self._clock())).encode())
        return key


def _made() -> str:
    from py_vapid import Vapid02

    key = Vapid02()
    key.generate_keys()
    return str(key.private_pem().decode())


def _public(key: "Vapid02") -> str:
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    raw = key.public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return urlsafe_b64encode(raw).decode().rstrip("=")
