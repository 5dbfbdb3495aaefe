"""What was said and shown in the web room, sealed in a small SQLite file of its own; no match depends on it."""

import asyncio
import errno
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Concatenate, NamedTuple, ParamSpec, TypeVar

import structlog

from bot.adapters.web.history import forgetting, sessions
from bot.adapters.web.history.checksums import whole
from bot.adapters.web.history.file import HistoryFile, opened_words, sealed_words
from bot.adapters.web.users import ELSEWHERE
from bot.messages.model import Person, Place
from storage.seal import Sealer, key_beside
from storage.sqlite.errors import DATABASE_ERRORS, explain

PICTURES = 5_000
"""Pictures that are kept, some 200 MB: more would fill a small disk; their words stay."""
log = structlog.get_logger(__name__)

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Message:
    """One line of a place's history."""

    number: int
    """Counts up over the whole room: whoever has seen a number has seen all before it."""
    id: str
    """The outgoing message's key, or the id that the page made: a second one with the same id is the same message."""
    where: Place
    author: str
    """The user's id; "" is the bot."""
    name: str
    only: str
    """The one user who sees it; "" is everybody."""
    text: str
    """What was typed, for the bot to read; "" for its own."""
    body: str
    """JSON for the page."""
    at: int


class Image(NamedTuple):
    """A picture of a message."""

    token: str
    """Its name: a secret of those who may see the message."""
    png: bytes
    described: str = ""
    """What it shows, from which it can be painted in another theme; "" where it cannot."""


@dataclass(frozen=True, slots=True)
class Room:
    """A place as the list beside the messages shows it."""

    where: Place
    game: str
    players: tuple[str, ...]
    to_act: tuple[str, ...]
    over: bool
    first: int
    """The message with which it opened."""
    due: int = 0
    """When those who are to act will have run out of time; 0 = never."""


class History:
    """Every method runs to its end on one thread in one transaction, so that a cancelled caller tears nothing.

    Trouble with the disk or the file is an OSError whose `strerror` can be shown; then nothing was changed.
    """

    def __init__(self, path: Path, pictures: int = PICTURES, *, key: Path | None = None):
        """`key` is the file with the database's key; None = beside the history, under its name."""
        self._thread = ThreadPoolExecutor(1, "web-history")
        self._path = path
        self._key = key or key_beside(path)
        self._pictures = pictures
        self._users: dict[str, Person] = {}

    async def open(self) -> None:
        """Make or open the file. Raises OSError with a sentence for the host where that cannot be done."""
        try:
            loop = asyncio.get_running_loop()
            self._file = await loop.run_in_executor(self._thread, HistoryFile.open, self._path, self._key)
            self._users = await self._run(_users)
        except BaseException:
            self._thread.shutdown()
            raise

    async def close(self) -> None:
        """Finish what is under way and let go of the file."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._file.close)
        self._thread.shutdown()

    @property
    def users(self) -> Mapping[str, Person]:
        """Everybody who was ever here, by id, whoever came last at the end; the file is ours alone."""
        return self._users

    async def room_id(self) -> str:
        """Tells this room from others."""
        return await self._run(sessions.room_id)

    async def take(self, seat: str, token: str, fresh: str, *, local: bool, now: int) -> str:
        """The token with which a browser that holds `token` may enter a seat: the same, `fresh`, or "" for nobody's."""
        return await self._run(sessions.take, seat, token, fresh, local=local, now=now)

    async def enter(self, who: Person, token: str, now: int) -> Person | None:
        """Add a user, if new, whose browser holds `token`; None where the seat is another's."""
        entered = await self._run(_enter, who, token, now)
        if entered is not None:
            self._users.setdefault(entered.id, entered)
        return entered

    async def make_link(self, seat: str, token: str, now: int) -> None:
        """Let whoever opens the link with `token` into a seat, once."""
        await self._run(sessions.make_link, seat, token, now)

    async def spend_link(self, token: str, fresh: str, *, local: bool, now: int) -> Person | None:
        """The seat to which a link leads, which `fresh` then opens; None where it leads nowhere any more."""
        return await self._run(sessions.spend_link, token, fresh, local=local, now=now)

    async def let_in(self, who: Person, fresh: str, *, new: bool, local: bool, now: int) -> bool:
        """Let `fresh` open a seat, a `new` one only if nobody sits there. Returns whether it does."""
        if not await self._run(_let_in, who, fresh, new=new, local=local, now=now):
            return False
        self._users.setdefault(who.id, who)
        return True

    async def shut_out(self, token: str) -> None:
        """Let what a browser keeps open nothing any more."""
        await self._run(_write, "DELETE FROM session WHERE token = ?", sessions.hashed(token))

    async def forget(self, people: Sequence[Person], at: int, said: Sequence[str] = ()) -> None:
        """Forget everything of these people, erased at this instant, and what they `said`, in the log too."""
        await self._run(forgetting.forget_people, self._file.sealer, people, at, said)
        for person in people:
            if person.platform == forgetting.PLATFORM:
                self._users.pop(person.id, None)
        await asyncio.get_running_loop().run_in_executor(self._thread, self._file.fold)

    async def brought_back(self, listed: Mapping[str, int]) -> Sequence[tuple[Person, int]]:
        """Returns who of the list of erasures is here all the same, as after a restore, and when they were erased."""
        return await self._run(forgetting.brought_back, self._file.sealer, listed)

    async def is_local(self, seat: str) -> bool:
        """Whether a seat was taken at this machine itself."""
        return await self._run(sessions.is_local, seat)

    async def places(self, player: str = "", most: int = 1 << 30) -> Sequence[Room]:
        """Channels first, then threads, oldest first: a player's own running matches and so many other threads."""
        return await self._run(_places, player, most)

    async def place(self, where: Place) -> Room | None:
        """One place; None where there is none."""
        return await self._run(_place, where)

    async def create(self, where: Place) -> None:
        """Make a place, if it is not there yet."""
        await self._run(_create, where)

    async def describe(self, room: Room) -> None:
        """Set what the list shows of a place."""
        await self._run(_describe, room)

    async def add(self, message: Message, image: Image | None = None) -> int:
        """Store a message, once for each id, and return its number.

        Its picture is kept by name until there are too many later ones.
        """
        return await self._run(_add, message, image, self._pictures, self._file.sealer)

    async def last(self) -> int:
        """The newest message's number."""
        return await self._run(_last)

    async def after(self, user: str, number: int, limit: int = 100) -> Sequence[Message]:
        """The messages after a number that a user may see."""
        sql = "SELECT * FROM message WHERE number > ? AND only_for IN ('', ?) ORDER BY number LIMIT ?"
        return await self._run(_select, self._file.sealer, sql, number, user, limit)

    async def since(self, number: int, limit: int) -> Sequence[Message]:
        """The messages after a number, whoever may see them."""
        sql = "SELECT * FROM message WHERE number > ? ORDER BY number LIMIT ?"
        return await self._run(_select, self._file.sealer, sql, number, limit)

    async def page(self, user: str, where: Place, before: int, limit: int = 40) -> Sequence[Message]:
        """The last messages of a place before a number that a user may see, oldest first."""
        found = await self._run(
            _select,
            self._file.sealer,
            "SELECT * FROM message WHERE channel = ? AND thread = ? AND number < ? AND only_for IN ('', ?)"
            " ORDER BY number DESC LIMIT ?",
            *(where.channel, where.thread, before or 1 << 62, user, limit),
        )
        return found[::-1]

    async def unhandled(self, number: int) -> Sequence[Message]:
        """People's messages after a number that the bot may not have dealt with, oldest first."""
        sql = "SELECT * FROM message WHERE NOT heard AND number > ? ORDER BY number LIMIT 20"
        return await self._run(_select, self._file.sealer, sql, number)

    async def handled(self, number: int) -> None:
        """The bot has dealt with a message."""
        await self._run(_write, "UPDATE message SET heard = 1 WHERE number = ?", number)

    async def mark_read(self, user: str, where: Place, number: int) -> None:
        """A user has seen a place up to a message."""
        await self._run(
            _write,
            "INSERT INTO seen (seat, channel, thread, number) VALUES (?, ?, ?, ?)"
            " ON CONFLICT DO UPDATE SET number = max(number, excluded.number)",
            *(user, where.channel, where.thread, number),
        )

    async def unread(self, user: str, places: Sequence[Room]) -> frozenset[Place]:
        """Those of these places that hold something new for a user."""
        return await self._run(_unread, user, [room.where for room in places])

    async def picture(self, token: str) -> bytes | None:
        """A picture by its name."""
        return await self._run(_picture, token, self._file.sealer)

    async def described(self, token: str) -> str:
        """What a picture shows; "" where that is not known, or there is no such picture."""
        return await self._run(_described, token, self._file.sealer)

    async def _run(self, work: Callable[Concatenate[sqlite3.Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        def transaction() -> T:
            try:
                return self._file.transaction(lambda db: work(db, *args, **kwargs))
            except DATABASE_ERRORS as error:
                raise explain(error) from error

        return await asyncio.get_running_loop().run_in_executor(self._thread, transaction)


def _write(db: sqlite3.Connection, sql: str, *values: str | int) -> None:
    db.execute(sql, values)


def _users(db: sqlite3.Connection) -> dict[str, Person]:
    return {user: Person("web", user, name) for user, name in db.execute("SELECT id, name FROM seat ORDER BY name")}


def _add_user(db: sqlite3.Connection, who: Person) -> Person:
    db.execute(
        "INSERT INTO seat (id, name, since) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", (who.id, who.name, _last(db))
    )
    return Person(who.platform, who.id, db.execute("SELECT name FROM seat WHERE id = ?", (who.id,)).fetchone()[0])


def _enter(db: sqlite3.Connection, who: Person, token: str, now: int) -> Person | None:
    return _add_user(db, who) if sessions.enter(db, who.id, token, now) else None


def _let_in(db: sqlite3.Connection, who: Person, fresh: str, *, new: bool, local: bool, now: int) -> bool:
    if new and (sessions.taken(db, who.id) or db.execute("SELECT 1 FROM seat WHERE id = ?", (who.id,)).fetchone()):
        return False
    _add_user(db, who)
    sessions.let_in(db, who.id, fresh, local=local, now=now)
    return True


PLACES = (
    "SELECT * FROM place WHERE thread = ''"
    " OR (NOT over AND ?1 != '' AND instr(' ' || players || ' ', ' ' || ?1 || ' '))"
    " OR (channel, thread) IN (SELECT channel, thread FROM place WHERE thread != '' ORDER BY first DESC LIMIT ?2)"
    " ORDER BY thread != '', first, channel"
)


def _places(db: sqlite3.Connection, player: str, most: int) -> list[Room]:
    return [_room(row) for row in db.execute(PLACES, (player, most))]


def _place(db: sqlite3.Connection, where: Place) -> Room | None:
    sql = "SELECT * FROM place WHERE channel = ? AND thread = ?"
    row = db.execute(sql, (where.channel, where.thread)).fetchone()
    return _room(row) if row else None


def _room(row: Sequence[Any]) -> Room:
    channel, thread, game, players, to_act, over, first, due, _sum = row
    where, seated, awaited = Place("web", channel, thread), tuple(players.split()), tuple(to_act.split())
    return Room(where, game, seated, awaited, bool(over), first, due)


def _create(db: sqlite3.Connection, where: Place) -> None:
    sql = "INSERT INTO place (channel, thread, first) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
    db.execute(sql, (where.channel, where.thread, _last(db)))


def _describe(db: sqlite3.Connection, room: Room) -> None:
    db.execute(
        "UPDATE place SET game = ?, players = ?, to_act = ?, over = ?, due = ? WHERE channel = ? AND thread = ?",
        (
            *(room.game, " ".join(room.players), " ".join(room.to_act), int(room.over), room.due),
            *(room.where.channel, room.where.thread),
        ),
    )


def _add(db: sqlite3.Connection, message: Message, image: Image | None, pictures: int, sealer: Sealer) -> int:
    known = db.execute(
        "SELECT number FROM message WHERE author = ? AND id = ?", (message.author, message.id)
    ).fetchone()
    if known:
        return int(known[0])
    where = message.where
    if where.channel != ELSEWHERE:  # which everybody would see in their lists
        _create(db, Place(where.platform, where.channel))
        _create(db, where)
    if image:
        token, png, described = image
        told = sealer.seal(described, "described", token) if described else ""
        sql = "INSERT INTO picture (token, png, described) VALUES (?, ?, ?)"
        db.execute(sql, (token, sealer.seal_bytes(png, "picture", token), told))
        db.execute("DELETE FROM picture WHERE rowid <= (SELECT max(rowid) FROM picture) - ?", (pictures,))
    return int(
        db.execute(
            "INSERT INTO message (id, channel, thread, author, name, only_for, said, body, at, heard)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING number",
            (
                *(message.id, where.channel, where.thread, message.author, message.name),
                message.only,
                *sealed_words(sealer, message.author, message.id, message.text, message.body),
                *(message.at, int(message.author == "")),
            ),
        ).fetchone()[0]
    )


def _last(db: sqlite3.Connection) -> int:
    return int(db.execute("SELECT coalesce(max(number), 0) FROM message").fetchone()[0])


def _select(db: sqlite3.Connection, sealer: Sealer, sql: str, *values: str | int) -> list[Message]:
    found = []
    for number, key, channel, thread, author, name, only, said, body, at, heard, total in db.execute(sql, values):
        row = number, key, channel, thread, author, name, only, at, heard
        try:
            if not whole("message", row, total):
                raise OSError(errno.EBADMSG, "a row that is not as it was written")
            words = opened_words(sealer, author, key, said, body)
        except OSError:  # the others can be read
            log.error("a message of the web room is damaged; a backup may have it as it was", number=number)
        else:
            found.append(Message(number, key, Place("web", channel, thread), author, name, only, *words, at))
    return found


def _unread(db: sqlite3.Connection, user: str, places: Sequence[Place]) -> frozenset[Place]:
    sql = (
        "SELECT EXISTS (SELECT 1 FROM message WHERE channel = ?2 AND thread = ?3"
        " AND author != ?1 AND only_for IN ('', ?1) AND number > coalesce("
        "  (SELECT number FROM seen WHERE seat = ?1 AND channel = ?2 AND thread = ?3),"
        "  (SELECT since FROM seat WHERE id = ?1), 0))"
    )
    return frozenset(where for where in places if db.execute(sql, (user, where.channel, where.thread)).fetchone()[0])


def _picture(db: sqlite3.Connection, token: str, sealer: Sealer) -> bytes | None:
    found = db.execute("SELECT png FROM picture WHERE token = ?", (token,)).fetchone()
    return sealer.open_bytes(found[0], "picture", token) if found else None


def _described(db: sqlite3.Connection, token: str, sealer: Sealer) -> str:
    found = db.execute("SELECT described FROM picture WHERE token = ?", (token,)).fetchone()
    return sealer.open(found[0], "described", token) if found and found[0] else ""
