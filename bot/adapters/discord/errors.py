"""The library's errors become Retry or Undeliverable: another attempt, or none."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import aiohttp
import discord

from bot.messages.model import Closes, Retry, Undeliverable

UNKNOWN_CHANNEL: Final = 10003
UNKNOWN_MESSAGE: Final = 10008
THREAD_EXISTS: Final = 160004
ARCHIVED: Final = (50083, 160005)
"""An archived thread that is locked, or a locked one: Manage Threads unlocks it."""
DIRECT_MESSAGES_CLOSED: Final = (50007, 50278)
"""This person takes no private messages from us."""

REASONS: Final[dict[int, str]] = {
    10003: "the channel or thread is gone",
    10004: "Riposte is not on that server any more",
    10013: "there is no such account any more",
    50001: "Riposte cannot see the channel: it needs the permission View Channel",
    50007: "this person takes no private messages from Riposte",
    50278: "this person shares no server with Riposte and cannot be written to",
    50013: "Riposte lacks a permission in the channel: Send Messages, Send Messages in Threads, or Attach Files",
    50024: "this kind of channel takes no such messages",
    50008: "this kind of channel takes no text",
    50083: "the thread is archived and locked, and Riposte lacks the permission Manage Threads",
    160005: "the thread is locked, and Riposte lacks the permission Manage Threads",
    200000: "the server's own filter has refused the message",
    240000: "the server's own filter has refused the message",
}
"""Discord's codes for what no other attempt will change, and the reason to tell."""

MISSING_PERMISSIONS: Final = 50013
TOO_LARGE: Final = 413
"""The status of what has a larger file than the server takes."""
CLOSED_PLACES: Final = (10003, 10004, 50001, 50008, 50013, 50024, 50083, 160005)
"""Discord's codes for a place that takes no messages, though no player has chosen so."""

LATER: Final[dict[int, float]] = {
    20016: 10.0,  # slow mode
    20022: 60.0,
    20028: 60.0,
    20029: 60.0,
    40003: 300.0,  # direct messages are being opened too fast
    40006: 300.0,  # switched off for now
    40333: 10.0,  # a proxy in between
    130000: 30.0,  # overloaded
    131000: 30.0,
}
"""Discord's codes for what may work later, and the seconds until then."""

UNREACHABLE: Final = (aiohttp.ClientError, TimeoutError, OSError)


@contextmanager
def converting(client: discord.Client) -> Iterator[None]:
    """Convert what the library raises inside into Retry or Undeliverable."""
    try:
        yield
    except discord.RateLimited as error:
        raise Retry(error.retry_after) from None
    except discord.HTTPException as error:
        raise converted(error) from None
    except UNREACHABLE as error:
        raise Retry(1) from error
    except RuntimeError as error:
        if client.is_closed():  # the adapter makes another
            raise Retry(1) from error
        raise


def converted(error: discord.HTTPException) -> Retry | Undeliverable:
    """Whether to try again, by what Discord has answered."""
    if error.status == 429:
        return Retry(max(retry_after(error), 5.0))
    if error.status >= 500:
        return Retry(2)
    if error.code in LATER:
        return Retry(LATER[error.code])
    if error.status == 401:  # the token; the host is told elsewhere
        return Retry(60)
    unknown = f"Discord refuses it ({error.status}, code {error.code}: {error.text})"
    closes: Closes = (
        "place" if error.code in CLOSED_PLACES else "person" if error.code in DIRECT_MESSAGES_CLOSED else ""
    )
    return Undeliverable(REASONS.get(error.code, unknown), closes=closes)


def is_refusal(error: discord.HTTPException) -> bool:
    """Whether Discord has said no, and another attempt at the same would be told the same."""
    return error.status < 500 and error.status != 429 and error.code not in LATER


def retry_after(error: discord.HTTPException) -> float:
    """The seconds that Discord asks us to wait; 0 if it does not say."""
    try:
        return float(error.response.headers.get("Retry-After", ""))
    except ValueError:
        return 0.0
