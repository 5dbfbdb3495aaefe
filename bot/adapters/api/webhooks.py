"""Sends news to the addresses that people have named: signed, to public addresses alone, and never for long."""

import asyncio
import hashlib
import hmac
import ipaddress
import socket
from collections.abc import Callable
from typing import Any, Final

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.resolver import ThreadedResolver
from yarl import URL

from bot.messages.model import Retry, Undeliverable

TIMEOUT: Final = 10.0
"""Seconds in which an address must have answered."""
AT_ONCE: Final = 8
"""Deliveries under way: an address that never answers takes no more room than this from all others."""
EACH: Final = 1.0
"""Seconds until it is tried again where all room is taken."""
FOR: Final = 24 * 3_600_000
"""Milliseconds after which an event is given up."""
LONGEST_PAUSE: Final = 3600.0
SIGNATURE: Final = "Riposte-Signature"


class ForbiddenError(OSError):
    """An address that is not public."""


def signature(secret: str, at: int, body: bytes) -> str:
    """Returns the header's value for a body sent at an instant, in seconds since 1970 UTC."""
    signed = hmac.new(secret.encode(), b"%d." % at + body, hashlib.sha256).hexdigest()
    return f"t={at},v1={signed}"


def is_public(address: str) -> bool:
    """Returns whether an IP address belongs to the internet, and not to this machine or its neighbours."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    inner = getattr(ip, "ipv4_mapped", None) or getattr(ip, "sixtofour", None)
    if isinstance(ip, ipaddress.IPv6Address) and (ip in NAT64 or ip.teredo):
        return False
    return ip.is_global and not ip.is_multicast and (inner is None or is_public(str(inner)))


NAT64: Final = ipaddress.ip_network("64:ff9b::/96")
"""Addresses that stand for any of the old ones, private ones among them."""


class PublicResolver(AbstractResolver):
    """What it finds is what is connected to: a name cannot mean something else a moment later."""

    def __init__(self, resolver: AbstractResolver | None = None):
        self._resolver = resolver or ThreadedResolver()

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """Returns the addresses of a host. Raises ForbiddenError if one of them is not public."""
        found = await self._resolver.resolve(host, port, family)
        if not all(is_public(each["host"]) for each in found):
            raise ForbiddenError(f"{host} is not a public address")
        return found

    async def close(self) -> None:
        """Let go of what it holds."""
        await self._resolver.close()


class Webhooks:
    """Open from `start` to `close`."""

    def __init__(
        self,
        now: Callable[[], int],
        *,
        private: bool = False,
        resolver: AbstractResolver | None = None,
        **connector: Any,
    ):
        """`private`: the host of this Riposte allows http, and addresses that are not public."""
        self._now = now
        self._private = private
        self._resolver = resolver
        self._connector = connector
        self._room = asyncio.Semaphore(AT_ONCE)
        self._session: aiohttp.ClientSession | None = None

    async def send(self, address: str, secret: str, body: bytes, since: int) -> None:
        """Send an event that happened at `since`, once. Raises Retry or Undeliverable."""
        if self._now() - since > FOR:
            raise Undeliverable("nobody has taken it for a day")
        if self._room.locked():
            raise Retry(EACH, tried=False)
        async with self._room:
            why = await self._sent(address, secret, body)
        if why:
            # Ever more rarely: after a second, then whenever it has grown older by half.
            raise Retry(min(LONGEST_PAUSE, max(1.0, (self._now() - since) / 2000)))

    def refusal(self, address: str) -> str:
        """Returns why nothing is ever sent to an address; "" = something may be."""
        try:
            url = URL(address)  # read by what connects to it, or two readings could differ
            host = url.raw_host or ""
            if not host or (self._private and url.scheme in ("http", "https")):
                return "" if host else "no address"
            if url.scheme != "https" or url.user is not None:
                return "not https"
            # Such a host is connected to as it is; all others are looked up, and then checked.
            literal = ":" in host or host.replace(".", "").isdigit()
            return "not public" if literal and not is_public(host) else ""
        except ValueError:
            return "no address"

    async def _sent(self, address: str, secret: str, body: bytes) -> str:
        """Returns why it was not taken."""
        if why := self.refusal(address):
            return why
        headers = {
            SIGNATURE: signature(secret, self._now() // 1000, body),
            "Content-Type": "application/json",
            "User-Agent": "Riposte",
        }
        try:
            async with self._open().post(address, data=body, headers=headers, allow_redirects=False) as answer:
                return "" if 200 <= answer.status < 300 else str(answer.status)
        except (aiohttp.ClientError, TimeoutError, OSError, ValueError) as error:
            return repr(error)

    def _open(self) -> aiohttp.ClientSession:
        if self._session is None:
            resolver = self._resolver if self._private else PublicResolver(self._resolver)
            connector = aiohttp.TCPConnector(
                resolver=resolver, use_dns_cache=False, force_close=True, limit=AT_ONCE, **self._connector
            )
            self._session = aiohttp.ClientSession(
                connector=connector,
                timeout=aiohttp.ClientTimeout(total=TIMEOUT),
                cookie_jar=aiohttp.DummyCookieJar(),
                max_line_size=4096,
                max_field_size=4096,
            )
        return self._session

    async def close(self) -> None:
        """Let go of every connection."""
        if self._session is not None:
            await self._session.close()
            self._session = None
