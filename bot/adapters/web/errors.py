"""What can go wrong with the room's history, and what follows: Retry for the bot, a sentence for people."""

import errno
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, TypeAlias

import structlog

from bot.messages.catalogue import beside
from bot.messages.model import Retry
from bot.trouble import reason
from engine.text import Term, Text

log = structlog.get_logger(__name__)

Say: TypeAlias = Callable[[Text | Term, str], str]
"""Puts a sentence in a language, given by its code; "" is the room's own."""

AGAIN: Final = 5.0
"""Seconds until a message is delivered again that could not be written."""

TROUBLE: Final[dict[int, tuple[Text, ...]]] = {
    errno.ENOSPC: (
        Text("The disk is full, so nothing was changed."),
        Text("Free some space and try again."),
    ),
    errno.EBUSY: (
        Text("Another program holds the room's history, so nothing was changed."),
        Text("Close it and try again."),
    ),
    errno.EROFS: (
        Text("The room's history may not be written to, so nothing was changed."),
        Text("Give Riposte write access to its folder."),
    ),
    errno.EIO: (
        Text("The disk reported an error, so nothing was changed."),
        Text("Check the disk, then start Riposte again."),
    ),
    errno.EBADMSG: (
        Text("The room's history is damaged here."),
        Text("Restore it from a backup; every match is kept elsewhere."),
    ),
    errno.ESTALE: (
        Text("The room's history was taken away, so nothing was changed."),
        Text("Whoever runs Riposte finds in the log what to do."),
    ),
    errno.EACCES: (
        Text("The room's history cannot be opened."),
        Text("Check that its folder exists and that Riposte may write there."),
    ),
}
"""The fact and the remedy, by the error's number."""
OTHERWISE: Final = (Text("The room's history cannot be used now, so nothing was changed."), Text("Try again later."))


@contextmanager
def converting() -> Iterator[None]:
    """Trouble with the disk or the file is Retry; whoever runs Riposte finds it in the log."""
    try:
        yield
    except OSError as error:
        log.error("the web room's history cannot be used", error=reason(error))
        raise Retry(AGAIN) from error


def explained(error: OSError, say: Say, language: str) -> str:
    """What people are told of trouble with the history; whoever runs Riposte finds it in the log."""
    log.error("the web room's history cannot be used", error=reason(error))
    return beside(say(sentence, language) for sentence in TROUBLE.get(error.errno or 0, OTHERWISE))
