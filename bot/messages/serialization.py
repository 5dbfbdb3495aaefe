"""Events and messages as JSON and back: what the store keeps is text that a person can read in ten years."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import fields as fields_of
from dataclasses import replace
from functools import lru_cache
from operator import attrgetter
from typing import Any, get_args
from urllib.parse import quote, unquote

import msgspec

from bot.messages.model import IncomingMessage, Lines, OutgoingMessage, Page, Person, Picture, Place, Span, Strong
from engine.match.events import Event, PlaceLinked
from engine.text import Code, Duration, Instant, Listing, Phrase, Term, Text, Value
from engine.value import value

STORED_AS = {PlaceLinked: "Housed"}
"""Events that are stored under the name which they had first: logs are never rewritten."""
EVENTS: dict[str, type] = {STORED_AS.get(kind, kind.__name__): kind for kind in get_args(Event)}
EVENT_NAMES = {kind: name for name, kind in EVENTS.items()}
SPANNED = ("text", "opening")
"""The fields of a message that are made of spans."""
SPANS: dict[str, type] = {
    "person": Person,
    "place": Place,
    "code": Code,
    "strong": Strong,
    "when": Instant,
    "page": Page,
}
TAGS = {kind: tag for tag, kind in SPANS.items()}


def write_event(event: Event) -> str:
    """One event as a JSON object whose `event` names its kind."""
    return f'{{"event":"{EVENT_NAMES[type(event)]}",{msgspec.json.encode(event).decode()[1:]}'


def read_event(text: str) -> Event:
    """The event that `write_event` wrote."""
    fields = msgspec.json.decode(text)
    kind = EVENTS[fields.pop("event")]
    event: Event = msgspec.convert(fields, kind)
    return event


def write_message(message: OutgoingMessage) -> str:
    """A message as JSON, with each span of its text and each value of its sentences tagged by its kind.

    What is as it would be anyway is left out: most of a message is.
    """
    fields = _said(message)
    for name in SPANNED:
        if name in fields:
            fields[name] = [span if type(span) is str else {TAGS[type(span)]: span} for span in fields[name]]
    if message.lines:
        fields["lines"] = [[_write_text(text) for text in line] for line in message.lines]
    if message.picture is not None:
        fields["picture"] = _said(message.picture)
    return _encode(fields).decode()


def read_message(text: str) -> OutgoingMessage:
    """The message that `write_message` wrote."""
    fields = _fields(_read_written(text))
    for name in SPANNED:
        fields[name] = tuple([_read_span(span) for span in fields[name]])
    fields["lines"] = tuple([tuple([_read_text(text) for text in line]) for line in fields["lines"]])
    return OutgoingMessage(**fields)


def shortened(text: str) -> str:
    """A written message without its words and picture: what replies to it and its buttons need."""
    return write_message(replace(read_message(text), text=(), lines=(), opening=(), picture=None, rings=(), receipt=""))


def write_picture(picture: Picture) -> str:
    """A picture as JSON: what it shows, not how it looks."""
    return _encode(picture).decode()


read_picture = msgspec.json.Decoder(Picture, dec_hook=lambda kind, value: kind(value)).decode
"""The picture that `write_picture` wrote."""


def write_lines(lines: Lines) -> str:
    """Lines of sentences as JSON: each with its template and its values."""
    return msgspec.json.encode([[_write_text(text) for text in line] for line in lines]).decode()


def read_lines(text: str) -> Lines:
    """The lines that `write_lines` wrote."""
    return tuple([tuple([_read_text(text) for text in line]) for line in msgspec.json.decode(text)])


def write_incoming(message: IncomingMessage) -> str:
    """A message that was heard as JSON."""
    return msgspec.json.encode(message).decode()


read_incoming = msgspec.json.Decoder(IncomingMessage).decode
"""The message that `write_incoming` wrote."""


# --- addresses --------------------------------------------------------------------------------------------
@lru_cache(maxsize=4096)
def address(place: Place) -> str:
    """A place as one word: messages to one address keep their order."""
    return "/".join(quote(part, safe=PLAIN) for part in (place.platform, place.channel, place.thread))


@lru_cache(maxsize=4096)
def channel_address(place: Place) -> str:
    """The address of the channel that a place is in: where a match lives."""
    return address(replace(place, thread=""))


@lru_cache(maxsize=4096)
def read_address(text: str) -> Place:
    """The place that `address` wrote."""
    platform, channel, thread = (unquote(part) for part in text.split("/"))
    return Place(platform, channel, thread)


PLAIN = "!#$&*+,:;=?@[]()~ "
"""What may stand in an address as it is: all but the slash and the percent sign."""


BASE32 = "abcdefghijklmnopqrstuvwxyz234567"


def message_key(cause: str, number: int) -> str:
    """A key for the n-th message that one cause brings about: the same after a crash, never another's; 24 signs."""
    raw = int.from_bytes(hashlib.blake2b(f"{cause}\n{number}".encode(), digest_size=15).digest())
    return "".join([PAIRS[raw >> shift & 1023] for shift in SHIFTS])


PAIRS = [one + two for one in BASE32 for two in BASE32]
SHIFTS = range(110, -10, -10)
"""Base 32 two signs at a time: the library's way takes ten times as long, once for every message."""


# --- messages ---------------------------------------------------------------------------------------------
def _fields(value: Any) -> dict[str, Any]:
    return {name: getattr(value, name) for name in type(value).__dataclass_fields__}


def _said(value: OutgoingMessage | Picture) -> dict[str, Any]:
    """The fields that are not as they would be anyway."""
    usual, values = USUAL[type(value)]
    pairs = zip(usual, values(value), strict=True)
    return {name: one for (name, other), one in pairs if one is not other and one != other}


USUAL = {
    kind: (tuple((one.name, one.default) for one in fields_of(kind)), attrgetter(*kind.__dataclass_fields__))
    for kind in (OutgoingMessage, Picture)
}
"""What their fields are where nothing else is said, and what reads them all at once."""


@value(frozen=True, slots=True)
class _Written(OutgoingMessage):
    """A message whose spans and sentences are JSON still: their union is ours to tell apart, not the library's."""

    text: tuple[Any, ...]
    opening: tuple[Any, ...] = ()
    lines: tuple[Any, ...] = ()


_read_written = msgspec.json.Decoder(_Written, dec_hook=lambda kind, value: kind(value)).decode
_encode = msgspec.json.Encoder(enc_hook=str).encode
"""In the marks of a picture a `Term` is written as its words; the reader's hook makes one of them again."""


def _read_span(span: Any) -> Span:
    if isinstance(span, str):
        return span
    ((tag, fields),) = span.items()
    read: Span = msgspec.convert(fields, SPANS[tag])
    return read


# --- sentences --------------------------------------------------------------------------------------------
def _write_text(text: Text) -> dict[str, Any]:
    """`{"text": "{count} seat is free.", "many": "{count} seats are free.", "values": {"count": 2}}`."""
    written: dict[str, Any] = {"text": text.template}
    if text.many:
        written["many"] = text.many
    if text.values:
        written["values"] = {name: _write_value(value) for name, value in text.values.items()}
    return written


def _read_text(written: Mapping[str, Any], kind: type[Text] = Text) -> Text:
    text = kind(written["text"], **{name: _read_value(value) for name, value in written.get("values", {}).items()})
    text.many = written.get("many", "")
    return text


def _write_value(value: Value) -> Any:
    kind = type(value)
    if kind is str or kind is int:
        return value
    tag, write = VALUES[kind]
    return {tag: write(value)}


def _read_value(written: Any) -> Value:
    if not isinstance(written, dict):
        return written
    ((tag, fields),) = written.items()
    return READERS[tag](fields)


VALUES: Mapping[type, tuple[str, Callable[[Any], Any]]] = {
    Term: ("term", str),
    Code: ("code", lambda code: code.text),
    Duration: ("duration", lambda duration: duration.span),
    Instant: ("instant", lambda instant: instant.at),
    Listing: ("listing", lambda listing: {"items": [*map(_write_value, listing.items)], "style": listing.style}),
    Phrase: ("phrase", _write_text),
    Person: ("person", lambda person: person),
    Place: ("place", lambda place: place),
    Page: ("page", lambda page: page.address),
}
"""The tag of each kind of value, and what is written of it; plain words and numbers stand for themselves."""

READERS: Mapping[str, Callable[[Any], Value]] = {
    "term": Term,
    "code": Code,
    "duration": Duration,
    "instant": Instant,
    "listing": lambda fields: Listing(tuple([_read_value(item) for item in fields["items"]]), fields["style"]),
    "phrase": lambda fields: _read_text(fields, Phrase),
    "person": lambda fields: msgspec.convert(fields, Person),
    "place": lambda fields: msgspec.convert(fields, Place),
    "page": Page,
}
