"""Text for programs: plain words, instants as dates that any program reads."""

from collections.abc import Iterable
from datetime import UTC, datetime

from bot.messages.model import Page, Person, Place, Span, Strong
from engine.text import Code, Instant


def words(spans: Iterable[Span]) -> str:
    """Returns a text in plain words."""
    return "".join(map(_plain, spans))


def _plain(span: Span) -> str:
    match span:
        case str():
            return span
        case Person():
            return span.name
        case Place():
            return f"#{span.channel}"
        case Code(text) | Strong(text):
            return text
        case Page(address):
            return address
        case Instant(at):
            return datetime.fromtimestamp(at / 1000, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
