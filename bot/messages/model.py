"""What passes between platforms and the bot: messages in and out, and the people and places in them."""

import unicodedata
from collections.abc import Awaitable, Callable, Sequence
from typing import Literal, Protocol, TypeAlias, runtime_checkable

from engine.board import Side, Site
from engine.chart import Chart
from engine.diagram import Mark
from engine.text import Code, Instant, Term, Text
from engine.value import value


@value(frozen=True, slots=True)
class Person:
    """Somebody on one platform: the id is for ever, the name only for showing."""

    platform: str
    id: str
    name: str

    @property
    def key(self) -> str:
        """What the engine knows a player by: `"web:anna"`."""
        return f"{self.platform}:{self.id}"


PARTNER = "riposte:Riposte"
"""The account by which Riposte itself plays; nobody can write from it, and nothing is sent to it."""
PARTNER_NAME = "riposte"
"""The name by which it is challenged."""


FORMER = "former"
"""What stands for the platform of somebody who has been erased; their id is a number, and nothing is sent to them."""
FORMER_PLAYER = Term("former player")
FORMER_NAME = str(FORMER_PLAYER)
"""What they are called, as it is stored; told in the reader's language."""

WORDS_REMOVED = Term("(words removed)")
"""What is told in place of words whose author has been erased; the store keeps nothing but that they were there."""


def is_former(player: str | None) -> bool:
    """Whether a key stands for somebody who has been erased: nothing is sent to them."""
    return player is not None and player.startswith(f"{FORMER}:")


GALLERY = "k"
"""How the name of a spectators' thread begins; the match's number follows."""


@value(frozen=True, slots=True)
class Place:
    """A channel or room; with a thread, the thread of one match in it."""

    platform: str
    channel: str
    """"" is wherever the platform lets one talk to a single person: a whisper's own."""
    thread: str = ""
    """The match's number, "" in the channel itself; an adapter opens the thread at the first letter to it."""

    @property
    def gallery(self) -> bool:
        """Whether it is for a match's spectators: its players are let in when the match is over, and not before."""
        return self.thread.startswith(GALLERY)


@value(frozen=True, slots=True)
class IncomingMessage:
    """A message that somebody wrote, or a button that somebody pressed (its text is the choice's command)."""

    id: str
    """The platform's own id of the message: hearing it twice does nothing twice."""
    who: Person
    where: Place
    text: str
    at: int
    """When we received it, in milliseconds since 1970 UTC."""
    sent: int = 0
    """When it was written, if the platform keeps what it could not tell us at once; 0 = just now."""
    server: str = ""
    """Where a platform houses many communities, the one whose channel this is; it settles things for itself."""
    host: bool = False
    """Whether its author may settle how Riposte behaves there."""
    receipt: str = ""
    """What the platform needs to answer it in private, even if we are started again before that."""
    edits: str = ""
    """The id of the message of theirs that it is a new version of."""
    editable: bool = False
    """Whether a new version of it can come."""
    addressed: bool = False
    """Whether it was said to Riposte, by its name or its sign, and not just where it listens."""
    locale: str = ""
    """The language that its author's app is shown in, `de` or `de-AT`, where the platform tells."""
    server_locale: str = ""
    """That of the server."""
    replies: Place | None = None
    """Where its author is answered, if not where it was written."""
    bare: bool = False
    """Whether a turn without any sign that it is for us is heard there, although the platform shows it to few."""
    form: str = ""
    """The command of the form that it was typed into, which can be opened again; "" = not typed into a form."""
    hearsay: bool = False
    """Whether `sent` comes from a server that is not ours: it counts only while we were away."""


@value(frozen=True, slots=True)
class Strong:
    """Words that matter most in their message."""

    text: str


@value(frozen=True, slots=True)
class Page:
    """A page of ours that can be opened; never an address that people have written."""

    address: str


Span: TypeAlias = str | Person | Place | Code | Strong | Instant | Page
"""A `str` is plain words ("\\n" breaks the line) and is always escaped; a Person is mentioned, a Place linked to."""


Lines: TypeAlias = tuple[tuple[Text, ...], ...]
"""What is said before a language is chosen: lines, each of whole sentences.

Besides the engine's values their sentences hold `Person` and `Place`.
"""


@value(frozen=True, slots=True)
class Choice:
    """Something to press below a message: pressing it is just another message, with the command's text."""

    label: Text
    command: str
    blank: Text | None = None
    """If set, pressing asks for a line that is put after the command, and this says what it is to be."""
    given: str = ""
    """What that line is at first."""
    mover: str = ""
    """The player whose own turn it is about: it is not shown where they alone would see it."""


@value(frozen=True, slots=True)
class Button:
    """A choice in the reader's language."""

    label: str
    command: str
    blank: str = ""
    given: str = ""
    mover: str = ""
    """By their account on the platform, if they have one there."""


Form: TypeAlias = Literal["", "webp", "gif", "sheet"]
"""How a match is replayed: moving, as the platform can show it, or as a sheet of many boards."""


@value(frozen=True, slots=True)
class Frame:
    """A step of a replay, described."""

    position: str
    turn: str = ""
    """The turn just made from that position; "" = the position alone is shown."""
    number: int = 0
    """0 = no turn is told."""
    side: Side = ""
    shown: str = ""
    """The turn, as everybody may read it."""
    marks: tuple[Mark, ...] = ()
    called: bool = False
    """It was called out, rightly."""


@value(frozen=True, slots=True)
class Picture:
    """A picture, described; bytes exist only between the painter and an adapter."""

    game: str
    position: str
    """Position text, secrets included: whoever draws it passes `viewer`."""
    viewer: Side | None
    turn: str = ""
    """The turn just made from that position; the picture shows the position after it."""
    marks: tuple[Mark, ...] = ()
    """What else to point at: why a turn was untenable."""
    tokens: tuple[tuple[Side, str], ...] = ()
    """What each side has staked, in a game played for keeps: drawn on the piece that bears it."""
    theme: str = ""
    """"" = as its reader or its channel prefers."""
    alt: str = ""
    """The position in words, in the reader's language; "" until it goes out."""
    language: str = ""
    """Of the words on it; "" = English."""
    over: bool = False
    """The match has ended: nobody is to move."""
    size: int = 0
    """Longer side in pixels; 0 = the painter's default."""
    course: tuple[int, ...] = ()
    """How the first side stood after each turn; where it is given, that is drawn, and no board."""
    labels: str = "none"
    """Which places show their names: "all", "legal", "none"; "legal c7": where the piece there may go."""
    around: Site = ""
    """Only the places round this one are shown; "" = all."""
    side: Side = ""
    """From whose side it is seen; "" = the viewer's."""
    players: tuple[tuple[Side, str], ...] = ()
    """What the people are called who play."""
    winners: tuple[Side, ...] = ()
    """Who has won; all = a draw."""
    form: Form = ""
    """How its frames are shown; "" = it has none."""
    frames: tuple[Frame, ...] = ()
    """The steps that led to it."""
    chart: Chart | None = None
    """A table or a plot; where it is given, that is drawn, and no board."""
    sheet: tuple["Picture", ...] = ()
    """Several boards side by side; where they are given, those are drawn."""
    chosen: bool = False
    """Whether somebody asked for this theme, so that no other will do."""


@value(frozen=True, slots=True)
class OutgoingMessage:
    """Something to say. Always goes out through the outbox, even a refusal."""

    key: str
    """Unique and the same at each attempt: Discord's nonce, Matrix's transaction id."""
    where: Place
    text: tuple[Span, ...]
    """In the reader's language, frozen when it was committed: a second attempt must not differ under the same key."""
    only: Person | None = None
    """Whispered: visible to this person alone."""
    picture: Picture | None = None
    choices: tuple[Button, ...] = ()
    rings: tuple[Person, ...] = ()
    """Whom it is to notify, those who are to act; everybody else is only named."""
    opening: tuple[Span, ...] = ()
    """Not empty in the first post of a thread: what is said in the channel, for the thread to hang from."""
    answers: str = ""
    """The id of the message that a whisper answers; a platform with private answers shows it as one."""
    receipt: str = ""
    """That message's."""
    harmless: bool = False
    """The answer holds no secret: where private answers need a room of their own, it is given in public.
    """
    lines: Lines = ()
    """What `text` was made from: to tell it again to another reader."""
    language: str = ""
    """What it was told in; "" = English."""
    at: int = 0
    """When it was written, in milliseconds since 1970 UTC: platforms know a key again for a limited time only."""
    about: str = ""
    """The number of the match that it is about, wherever it is told."""
    asker: Person | None = None
    """For a message to a whole channel: who in it caused it."""
    file: str = ""
    """The name under which its block of code is a file, on a platform with files."""
    begins: int = 0
    """`Match.awaits` when it was written, if its delivery starts somebody's clock; 0 = it starts none."""
    instead: str = ""
    """The address of the closed place that it is told in private instead of."""
    tried: tuple[str, ...] = ()
    """The accounts of its reader by which it could not be told."""
    done: bool = False
    """Whether the message that it answers has changed anything."""
    admits: tuple[Person, ...] = ()
    """Who is added to the thread, where it is not open to everybody."""


def clean(text: str) -> str:
    """The text without what cannot be seen: controls (but for line breaks) and signs that turn the direction around."""
    if text.isascii() and text.isprintable():
        return text.strip()
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\t", " ").replace("\u2028", "\n")
    return "".join(sign for sign in text if sign in KEPT or not invisible(sign)).strip()


KEPT = "\n\u200c\u200d"
"""Line breaks, and what is needed to write Persian and to hold compound emoji together: it turns nothing around."""


def invisible(sign: str) -> bool:
    """Whether a character shows nothing by itself: a control, a surrogate, a mark of direction."""
    return unicodedata.category(sign) in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


Receive: TypeAlias = Callable[[IncomingMessage], Awaitable[bool]]
"""Deals with a message, once; returns when that is committed: whether a whisper that answers it is on its way."""


class Delivering(Protocol):
    """Whoever shows posts."""

    async def deliver(self, post: OutgoingMessage, image: bytes | None) -> str:
        """Show a post and return the platform's id of it. Raises Retry or Undeliverable."""


class Adapter(Delivering, Protocol):
    """One chat platform: it translates, nothing else."""

    platform: str

    @property
    def caught_up(self) -> bool:
        """Whether all that was written while we were away has been read."""

    async def run(self, hear: Receive) -> None:
        """Connect, and call `hear` for every message until cancelled."""


@runtime_checkable
class Forgetting(Protocol):
    """An adapter that keeps something of people."""

    async def forget(self, people: Sequence[Person], at: int, said: Sequence[str] = ()) -> None:
        """Forget these, who are erased at an instant. Raises OSError where that cannot be stored."""


@runtime_checkable
class Syncing(Protocol):
    """An adapter that asks its platform again and again what is new."""

    @property
    def synced_at(self) -> int:
        """When that was last answered, in milliseconds since 1970 UTC; 0 = not yet."""


class ClosedPlaces(Protocol):
    """The places that took no message when they were tried last."""

    async def closed(self, platform: str) -> Sequence[Place]:
        """Those of a platform."""

    async def opened(self, place: Place) -> None:
        """One of them takes messages again."""


class Memberships(Protocol):
    """Who was put out of which channel or room, and let in again."""

    async def shut_out(self, channel: Place, who: Person, event: str) -> None:
        """Somebody was removed from a channel or room; `event` is the platform's id of that, and may come twice."""

    async def let_in(self, channel: Place, who: Person, event: str) -> None:
        """Somebody has come into a channel or room."""


class Retry(Exception):  # noqa: N818  (the architecture's name)
    """The platform cannot take it now; try again after so many seconds."""

    def __init__(self, after: float, *, tried: bool = True):
        super().__init__(f"try again in {after:g} s")
        self.after = after
        self.tried = tried
        """False = it was not tried at all: the platform is still connecting."""


def absent(seconds: float) -> Retry:
    """For how many seconds the platform has been absent: the longer, the rarer it is tried."""
    return Retry(min(30.0, max(0.5, seconds)), tried=False)


Closes: TypeAlias = Literal["", "place", "person"]
"""What takes no other message either: a place, by no player's will; or a person, by their own. "" = perhaps only this
message fails."""


class Undeliverable(Exception):  # noqa: N818
    """The platform will never take it: the room is gone, or the person accepts no messages."""

    def __init__(self, why: str, *, closes: Closes = ""):
        super().__init__(why)
        self.closes = closes
