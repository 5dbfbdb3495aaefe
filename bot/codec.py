"""Events and posts as JSON and back: what the store keeps is text that a person can read in ten years."""

import base64
import hashlib
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, get_args
from urllib.parse import quote, unquote

import msgspec

from bot.chat import Code, Heard, Person, Place, Post, Span, Strong, When
from engine.events import Event

EVENTS: dict[str, type] = {kind.__name__: kind for kind in get_args(Event)}
SPELLED = ("text", "opening")
"""The fields of a post that are made of spans."""
SPANS: dict[str, type] = {"person": Person, "place": Place, "code": Code, "strong": Strong, "when": When}
TAGS = {kind: tag for tag, kind in SPANS.items()}


def write_event(event: Event) -> str:
    """One event as a JSON object whose `event` names its kind."""
    return msgspec.json.encode({"event": type(event).__name__, **_fields(event)}).decode()


def read_event(text: str) -> Event:
    """The event that `write_event` wrote."""
    fields = msgspec.json.decode(text)
    kind = EVENTS[fields.pop("event")]
    event: Event = msgspec.convert(fields, kind)
    return event


def write_post(post: Post) -> str:
    """A post as JSON, with each span of its text tagged by its kind."""
    fields = _fields(post)
    for name in SPELLED:
        fields[name] = [span if isinstance(span, str) else {TAGS[type(span)]: span} for span in fields[name]]
    return msgspec.json.encode(fields).decode()


def read_post(text: str) -> Post:
    """The post that `write_post` wrote."""
    fields = _fields(_read_written(text))
    for name in SPELLED:
        fields[name] = tuple([_read_span(span) for span in fields[name]])
    return Post(**fields)


def write_heard(heard: Heard) -> str:
    """A message as JSON."""
    return msgspec.json.encode(heard).decode()


read_heard = msgspec.json.Decoder(Heard).decode
"""The message that `write_heard` wrote."""


@lru_cache(maxsize=4096)
def lane(place: Place) -> str:
    """The address of a place as one word: letters to one lane keep their order."""
    return "/".join(quote(part, safe=PLAIN) for part in (place.platform, place.channel, place.thread))


@lru_cache(maxsize=4096)
def home_lane(place: Place) -> str:
    """The lane of the channel that a place is in: where a match lives."""
    return lane(replace(place, thread=""))


@lru_cache(maxsize=4096)
def read_lane(text: str) -> Place:
    """The place that `lane` wrote."""
    platform, channel, thread = (unquote(part) for part in text.split("/"))
    return Place(platform, channel, thread)


PLAIN = "!#$&*+,:;=?@[]()~ "
"""What may stand in an address as it is: all but the slash and the percent sign."""


def letter_key(cause: str, number: int) -> str:
    """A key for the n-th letter that one cause brings about: the same after a crash, never another's; 24 signs."""
    raw = hashlib.blake2b(f"{cause}\n{number}".encode(), digest_size=15).digest()
    return base64.b32encode(raw).decode().lower()


def _fields(value: Any) -> dict[str, Any]:
    return {name: getattr(value, name) for name in type(value).__dataclass_fields__}


@dataclass(frozen=True, slots=True)
class _Written(Post):
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
