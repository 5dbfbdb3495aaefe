"""What can go wrong between a homeserver and us, and what follows: Retry, Undeliverable, or a sentence for the host."""

import errno
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NoReturn

import structlog
from aiohttp import ClientError
from nio import ErrorResponse, LocalProtocolError
from nio.exceptions import EncryptionError

from bot.adapters.matrix.files import KEYS, SESSION
from bot.messages.model import Closes, Retry, Undeliverable
from bot.trouble import reason

log = structlog.get_logger(__name__)

LOGGED_OUT: Final = ("M_UNKNOWN_TOKEN", "M_MISSING_TOKEN")
MENDED: Final = ("M_CONSENT_NOT_GIVEN", "M_RESOURCE_LIMIT_EXCEEDED", "M_USER_SUSPENDED", "M_USER_LOCKED")
"""Refusals of everything, until the host or the homeserver's owner has seen to it."""
AGAIN: Final = 10.0
"""Seconds until a homeserver is asked again that does not answer, or not sensibly."""
SOON: Final = 5.0
"""Seconds until something is tried again that is about to become possible."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a homeserver answers to a plain request."""

    status: int
    body: Mapping[str, Any]

    @property
    def fine(self) -> bool:
        return self.status < 300

    @property
    def code(self) -> str:
        """The error's name, like M_FORBIDDEN."""
        return str(self.body.get("errcode", ""))

    @property
    def reason(self) -> str:
        """The homeserver's own sentence about the error."""
        return f"{self.body.get('error', 'no reason given')} ({self.code or self.status})"

    @property
    def again(self) -> float | None:
        """In how many seconds it is worth asking again; None = there is an answer, and it will not change."""
        if self.status == 429:
            wait = self.body.get("retry_after_ms")
            return wait / 1000 if isinstance(wait, int) else AGAIN
        if self.code in MENDED:
            return AGAIN
        return None if self.fine or 400 <= self.status < 500 else AGAIN

    @property
    def refused(self) -> bool:
        """Whether the homeserver says no to this request, for good; a login that has ended is no such answer."""
        return not self.fine and self.again is None and self.code not in LOGGED_OUT


@contextmanager
def reaching() -> Iterator[None]:
    """A homeserver that cannot be reached is Retry."""
    try:
        yield
    except (ClientError, TimeoutError) as error:
        raise Retry(AGAIN) from error


@contextmanager
def converting(room: str) -> Iterator[None]:
    """What nio raises while it sends to a room is Retry."""
    try:
        yield
    except KeyError as error:  # we were thrown out a moment ago
        raise Retry(SOON) from error
    except (LocalProtocolError, EncryptionError) as error:
        log.warning("a message cannot be encrypted", room=room, error=reason(error))
        raise Retry(SOON) from error


def check(answer: ErrorResponse, folder: Path) -> None:
    """Raise what an error from nio means for everybody: Retry, or OSError after a logout."""
    page = getattr(answer.transport_response, "content_type", "") != "application/json"  # a proxy's
    status = 502 if page else getattr(answer.transport_response, "status", 502)
    plain = Answer(status, {"errcode": answer.status_code, "retry_after_ms": answer.retry_after_ms})
    if plain.again is not None:
        raise Retry(plain.again)
    if plain.code in LOGGED_OUT:
        raise logged_out(folder)


def granted(answer: Answer, folder: Path, asked: str) -> Mapping[str, Any]:
    """What was asked for; else Retry, or an OSError that tells a person what to do."""
    if answer.fine:
        return answer.body
    if answer.again is not None:
        raise Retry(answer.again)
    if answer.code in LOGGED_OUT:
        raise logged_out(folder)
    raise OSError(errno.EACCES, f"The homeserver refuses {asked}: {answer.reason}. Mend that and start again.")


def allowed(answer: Answer, folder: Path, asked: str, refusal: str, closes: Closes = "") -> Mapping[str, Any]:
    """The same where a refusal concerns one message only, or what it `closes`: then Undeliverable."""
    if answer.refused:
        raise Undeliverable(f"{refusal}: {answer.reason}", closes=closes)
    return granted(answer, folder, asked)


def refuse(fact: str, remedy: str) -> NoReturn:
    """Stop until a person has seen to it."""
    raise OSError(errno.EACCES, f"{fact}. {remedy}")


def logged_out(folder: Path) -> OSError:
    """The error for a login that has ended, with the remedy."""
    fact = "The homeserver does not know the bot's login any more: somebody has logged it out."
    return OSError(errno.EACCES, f"{fact} {new_device(folder)}")


def new_device(folder: Path) -> str:
    """The remedy for a login that is lost for good; the bot's identity stays where it is."""
    return (
        f"To log in as a new device, move {SESSION} and {KEYS} out of {folder}, set RIPOSTE_MATRIX_PASSWORD "
        "and start again."
    )
