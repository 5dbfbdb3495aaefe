"""What the page and the server send each other: JSON over one websocket, a request or a piece of news each."""

import re
from typing import Annotated, Any, Final, TypeAlias

import msgspec
from msgspec import Meta, Struct

from bot.adapters.images import image_of
from bot.adapters.web.users import CHANNEL, ELSEWHERE
from bot.messages.model import OutgoingMessage, Page, Person, Place, Span, Strong
from engine.text import Code, Instant

TAG: Final = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,4}")

Channel: TypeAlias = Annotated[str, Meta(pattern=rf"^{CHANNEL}$")]
Where: TypeAlias = Annotated[str, Meta(pattern=rf"^({CHANNEL}|{ELSEWHERE})$")]
Thread: TypeAlias = Annotated[str, Meta(max_length=40)]
MessageId: TypeAlias = Annotated[str, Meta(pattern=r"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")]
"""A UUID that the page makes once for a message, however often it must send it."""


Number: TypeAlias = Annotated[int, Meta(ge=0, le=2**53)]
"""A message's, or how often the page has asked: what a page's own numbers can be."""


class _Request(Struct, tag_field="do", forbid_unknown_fields=True):
    pass


class Enter(_Request, tag="enter"):
    """The first request of every connection."""

    name: Annotated[str, Meta(max_length=200)]
    after: Number = 0
    """The newest message the page has; everything later follows. 0 for a page just loaded."""
    language: Annotated[str, Meta(max_length=35)] = ""
    """What the page is shown in."""


class Say(_Request, tag="say"):
    """A message, or the press of a button."""

    id: MessageId
    channel: Where
    thread: Thread
    text: str
    quiet: bool = False
    """For the referee alone: nobody else sees the message."""
    pressed: Annotated[str, Meta(max_length=200)] = ""
    """The label of the button; its text is the button's command."""


class Open(_Request, tag="open"):
    """Asks for a page of a place's history."""

    channel: Where
    thread: Thread
    before: Number = 0
    """0 asks for the newest."""


class Read(_Request, tag="read"):
    """This user has seen the place up to that message."""

    channel: Where
    thread: Thread
    number: Number


class Complete(_Request, tag="complete"):
    """Asks how the typed text may go on."""

    turn: Number
    """Comes back with the answer, so that the page can drop a late one."""
    channel: Where
    thread: Thread
    text: Annotated[str, Meta(max_length=400)]


class Offers(_Request, tag="offers"):
    """Asks which of a channel's challenges the reader can still answer, by what their buttons say."""

    turn: Number
    """Comes back with the answer, so that the page can drop a late one."""
    channel: Where
    thread: Thread
    commands: Annotated[list[Annotated[str, Meta(max_length=100)]], Meta(max_length=100)]


class Create(_Request, tag="create"):
    """Makes a new channel."""

    channel: str


class Look(_Request, tag="look"):
    """Asks for the board of a match, as it stands or stood, and for what may be picked next."""

    turn: Number
    """Comes back with the answer, so that the page can drop a late one."""
    channel: Where
    thread: Thread
    picks: Annotated[list[Annotated[str, Meta(max_length=40)]], Meta(max_length=16)] = []
    shown: int | None = None
    """After how many steps; None = as it stands."""
    called: int | None = None
    """Instead: what was shown when this turn of the course was called out."""
    known: Annotated[str, Meta(max_length=200)] = ""
    """The geometry that the page has."""
    heard: Number = 0
    """How many events its list of turns knows."""
    side: Annotated[str, Meta(max_length=20)] = ""
    """From whose side; "" = one's own."""
    line: Annotated[list[Annotated[str, Meta(max_length=400)]], Meta(max_length=20)] | None = None
    """The turns of a line that is prepared; then the picks are those of its next one."""
    site: Annotated[str, Meta(max_length=40)] = ""
    """A place on that board: asks for what `look` tells of it, and for nothing else."""


class Link(_Request, tag="link"):
    """Asks for a link that opens this seat on another device."""


class Tell(_Request, tag="tell"):
    """Asks to tell this browser when a match waits, or no longer."""

    endpoint: Annotated[str, Meta(max_length=600)]
    p256dh: Annotated[str, Meta(max_length=100)] = ""
    """Its key; "" = no longer."""
    auth: Annotated[str, Meta(max_length=30)] = ""


Request: TypeAlias = Enter | Say | Open | Read | Complete | Offers | Create | Look | Link | Tell

read_request = msgspec.json.Decoder(Request).decode


def news(kind: str, **fields: Any) -> str:
    """One piece of news, ready to send."""
    return msgspec.json.encode({"is": kind, **fields}).decode()


def typed(text: tuple[Span, ...], pressed: str = "") -> str:
    """The body of a person's message, as it is stored and sent."""
    return msgspec.json.encode({"text": [spell(span) for span in text], "pressed": pressed}).decode()


def posted(message: OutgoingMessage, image: bytes | None, token: str) -> str:
    """The body of the bot's message, as it is stored and sent."""
    body: dict[str, Any] = {"text": [spell(span) for span in message.text]}
    if message.file:
        body["file"] = message.file
    if message.picture:
        width, height = image_of(image)[2:] if image else (0, 0)
        source = f"picture/{token}" if image else ""
        body["picture"] = {"source": source, "alt": message.picture.alt, "width": width, "height": height}
    choices = [choice for choice in message.choices if not choice.command.startswith("move ")]  # here one just types it
    if choices:
        body["choices"] = [{"label": each.label, "command": each.command, "blank": each.blank} for each in choices]
    return msgspec.json.encode(body).decode()


def spell(span: Span) -> str | dict[str, Any]:
    """A span as the page reads it; the page makes nodes of it, never markup."""
    match span:
        case str():
            return span
        case Person():
            return {"person": span.key, "name": span.name}
        case Place():
            return {"strong": f"#{span.channel}"}
        case Code(text):
            return {"code": text}
        case Strong(text):
            return {"strong": text}
        case Instant(at):
            return {"when": at}
        case Page(address):
            return {"link": address}


def language_tag(text: str) -> str:
    """A language's tag, like `de` or `pt-BR`; "" for what is none."""
    return text if TAG.fullmatch(text) else ""


def heard_at(where: Place) -> Place:
    """A place as the bot knows it: where somebody is alone it has no channel."""
    return Place(where.platform, "", where.thread) if where.channel == ELSEWHERE else where


def place(of: Open | Say | Read | Complete | Offers | Look, platform: str) -> Place:
    """The place that a request names."""
    return Place(platform, of.channel, of.thread)
