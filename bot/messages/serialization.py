"""Events and posts as JSON and back: what the store keeps is text that a person can read in ten years."""

import base64
import hashlib
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, get_args
from urllib.parse import quote, unquote

import msgspec

from bot.messages.model import IncomingMessage, OutgoingMessage, Person, Place, Span, Strong
from engine.match.events import Event, PlaceLinked
from engine.text import Code

STORED_AS = {PlaceLinked: "Housed"}
"""Events that are stored under the name which they had first: logs are never rewritten."""
EVENTS: dict[str, type] = {STORED_AS.get(kind, kind.__name__): kind for kind in get_args(Event)}
EVENT_NAMES = {kind: name for name, kind in EVENTS.items()}
SPELLED = ("text", "opening")
"""The fields of a post that are made of spans."""
SPANS: dict[str, type] = {"person": Person, "place": Place, "code": Code, "strong": Strong, "when": Instant}
TAGS = {kind: tag for tag, kind in SPANS.items()}


def write_event(event: Event) -> str:
    """One event as a JSON object whose `event` names its kind."""
    return msgspec.json.encode({"event": EVENT_NAMES[type(event)], **_fields(event)}).decode()


def read_event(text: str) -> Event:
    """The event that `write_event` wrote."""
    fields = msgspec.json.decode(text)
    kind = EVENTS[fields.pop("event")]
    event: Event = msgspec.convert(fields, kind)
    return event


def write_message(post: OutgoingMessage) -> str:
    """A post as JSON, with each span of its text tagged by its kind."""
    fields = _fields(post)
    for name in SPELLED:
        fields[name] = [span if isinstance(span, str) else {TAGS[type(span)]: span} for span in fields[name]]
    return msgspec.json.encode(fields).decode()


def read_message(text: str) -> OutgoingMessage:
    """The post that `write_post` wrote."""
    fields = _fields(_read_written(text))
    for name in SPELLED:
        fields[name] = tuple([_read_span(span) for span in fields[name]])
    return OutgoingMessage(**fields)


def write_incoming(heard: IncomingMessage) -> str:
    """A message as JSON."""
    return msgspec.json.encode(heard).decode()


read_incoming = msgspec.json.Decoder(IncomingMessage).decode
"""The message that `write_heard` wrote."""


@lru_cache(maxsize=4096)
def lane(place: Place) -> str:
    """The address of a place as one word: letters to one lane keep their order."""
    return "/".join(quote(part, safe=PLAIN) for part in (place.platform, place.channel, place.thread))


@lru_cache(maxsize=4096)
def channel_address(place: Place) -> str:
    """The lane of the channel that a place is in: where a match lives."""
    return lane(replace(place, thread=""))


@lru_cache(maxsize=4096)
def read_address(text: str) -> Place:
    """The place that `lane` wrote."""
    platform, channel, thread = (unquote(part) for part in text.split("/"))
    return Place(platform, channel, thread)


PLAIN = "!#$&*+,:;=?@[]()~ "
"""What may stand in an address as it is: all but the slash and the percent sign."""


def message_key(cause: str, number: int) -> str:
    """A key for the n-th letter that one cause brings about: the same after a crash, never another's; 24 signs."""
    raw = hashlib.blake2b(f"{cause}\n{number}".encode(), digest_size=15).digest()
    return base64.b32encode(raw).decode().lower()


def _fields(value: Any) -> dict[str, Any]:
    return {name: getattr(value, name) for name in type(value).__dataclass_fields__}


@dataclass(frozen=True, slots=True)
class _Written(OutgoingMessage):
    """A post whose spans are JSON still: their union is ours to tell apart, not the library's."""

    text: tuple[Any, ...]
    opening: tuple[Any, ...] = ()


_read_written = msgspec.json.Decoder(_Written).decode


def _read_span(span: Any) -> Span:
    if isinstance(span, str):
        return span
    ((tag, fields),) = span.items()
    read: Span = msgspec.convert(fields, SPANS[tag])
    return read
