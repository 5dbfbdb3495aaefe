"""All that people in a room can notice: what is said, stored, drawn, offered, completed, listed and set to ring."""

import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from random import Random
from typing import TypeAlias

from bot.adapters.discord.composer.composer import Composer
from bot.adapters.discord.composer.state import Draft
from bot.adapters.discord.interactions.buttons import Signer
from bot.adapters.web.board.shown import shown
from bot.commands.spec import COMMANDS
from bot.commands.suggestions.forms import fill
from bot.commands.suggestions.lines import complete
from bot.messages.model import OutgoingMessage, Person, Picture, Place
from bot.messages.serialization import write_message
from bot.messages.showing.pictures import diagram
from bot.messages.showing.replays import diagrams
from bot.monitoring.figures import Figures
from bot.notices.digests import Digests
from bot.service.composing import Board, Glance, glanced
from engine.match.alarms import alarms
from render.painter import Painter
from render.view import View
from tests.chat_room import ChatRoom, transcribe
from tests.differ.page import TURNS, sent
from tests.differ.platforms import PLATFORMS

Noticed: TypeAlias = tuple[str, object]
"""What kind of output it is, and itself: one of a pair."""

PEOPLE = ("anna", "ben", "carol", "dora")
SLOTS = tuple(dict.fromkeys(slot for command in COMMANDS for slot in command.slots))
SEALED = ("events", "letters", "words")
"""Tables whose bodies are sealed, each in the transaction of the change that it belongs to."""
PAINTERS = Painter(), Painter()
"""Each match's pictures are painted by another, or the second would only be found in the first's cache."""
HASHES = re.compile(r"\b[0-9a-f]{16,64}\b")
"""Commitments: they follow from secrets, and tell nothing of them."""


OURS = re.compile(r"^riposte_(?!\S*(?:_created|_seconds_(?:bucket|sum))).*$", re.MULTILINE)
"""Figures but for what the clock of this process says: times are compared by `timing`."""


class Watch:
    """Somebody who writes everything down that happens in one room."""

    def __init__(self, room: ChatRoom, people: Sequence[str] = PEOPLE, *, twin: bool, hashes: bool = True):
        self.room, self.people, self._hashes = room, people, hashes
        self._painter = PAINTERS[twin]
        self._figures = Figures(room.store, (), lambda: room.now)
        room.listeners.append(self._figures.committed)

    async def says(self, who: str, text: str, thread: str = "1") -> list[Noticed]:
        """Somebody writes; what follows."""
        return self.posts(await self.room.say(who, text, thread))

    async def daily(self, *names: str) -> list[Noticed]:
        """The daily lists of these, sent now."""
        told: list[Noticed] = []
        for name in names:
            told += await self.says(name, "digest 0", "")
        service = self.room.service
        await Digests(service.repository, service.transactions, lambda: self.room.now).tell()
        return [*told, *self.posts(await self.room.deliver())]

    async def is_over(self) -> bool:
        """Whether the match has come to its end."""
        match = await self.room.service.repository.match("1")
        return match is not None and match.status == "over"

    def posts(self, posts: list[OutgoingMessage]) -> list[Noticed]:
        """What these people notice of posts."""
        heard = [post for post in posts if post.only is None or post.only.name.lower() in self.people]
        told: list[Noticed] = [("number of posts", len(heard))]
        for post in heard:
            told += self._post(post)
        return told

    def _post(self, post: OutgoingMessage) -> Iterator[Noticed]:
        shown = post.picture and _without_positions(post.picture)  # whoever draws it passes the viewer
        yield "text", self._masked("\n".join(transcribe(replace(post, picture=None), self.room.now)))
        yield "stored lines", self._masked(write_message(replace(post, picture=shown)))
        for platform, made in PLATFORMS.items():
            yield f"post on {platform}", self._masked(str(made(replace(post, picture=shown))))
        yield "buttons", post.choices
        yield "order and rings", (post.where, post.only, post.rings, post.about, post.harmless, post.opening != ())
        if post.picture is not None and (post.picture.chart is not None or post.picture.sheet):
            yield "table, plot or sheet", (post.picture.chart, post.picture.alt)
        elif post.picture is not None:
            drawn = diagram(post.picture)
            yield "picture", (shown, drawn)
            yield "replay", diagrams(post.picture) if post.picture.frames else ()
            yield "alt text", post.picture.alt
            yield "PNG", self._painter.paint(drawn, View(post.picture.theme or "light", post.picture.size))

    def _masked(self, text: str) -> str:
        return text if self._hashes else HASHES.sub("…", text)

    async def offered(self, chance: Random, text: str) -> list[Noticed]:
        """What is offered to whoever begins to type, to pick, or to press."""
        desk, told = self.room.service.repository, list[Noticed]()
        place = Place("web", "lounge", "1")
        typed = ("", "m", "move ", text[:1], text, f"move {text[:2]}", "call ", "board ", "look ")
        for name in self.people:
            who = Person("web", name, name)
            told += [("completion", await complete(desk, who, place, start)) for start in typed]
            for slot in SLOTS:
                for start in ("", text[:2]):
                    filled = {"match": "1", slot.name: start} if slot.name != "match" else {"match": start}
                    told.append((f"filled slot {slot.name}", await fill(desk, who, place, slot, filled)))
            told += await self._composed(chance, who, place)
        told += await sent(self.room, self.people, chance)
        match = await desk.match("1")
        if match is not None:
            told.append(("alarms", alarms(match)))
        told += [("list of matches", await self.room.store.summary("1")), ("due", await self.room.store.due(1 << 60))]
        told.append(("figures for hosts", OURS.findall((await self._figures.written()).decode())))
        return [*told, ("lengths of what is stored", self._at_rest())]

    def _at_rest(self) -> list[tuple[str, int]]:
        """What a copy of the database tells to somebody without the key: how long is what was sealed.

        Of the tables that are written with each change; what may be written a second later is left out.
        """
        with closing(sqlite3.connect(f"file:{self.room.folder}/riposte.db?mode=ro", uri=True)) as copy:
            bodies = [(name, body) for name in SEALED for (body,) in copy.execute(f"SELECT body FROM {name}")]
        return [(name, len(body)) for name, body in bodies]

    async def _composed(self, chance: Random, who: Person, place: Place) -> list[Noticed]:
        """The board that stays, while somebody composes a turn on it, pick by pick."""
        desk, told, picks = self.room.service.repository, list[Noticed](), list[str]()
        for _ in range(4):
            board = await glanced(desk, who, place, Glance(picks))
            if board is None:
                break
            told += _board(board)
            menu = board.menu
            ways = [*menu.sites, *(choice.key for choice in menu.choices)] if menu else []
            if not ways:
                break
            picks = [*board.picks, chance.choice(ways)]
        line = list[str]()
        for _ in range(2):
            board = await glanced(desk, who, place, Glance(line=line))
            if board is None or board.line is None:
                break
            told += _board(board)
            line = [*board.line, board.match.game.example(board.match.position)]
        told += await self._on_discord(who, place, tuple(picks))
        past = await glanced(desk, who, place, Glance(shown=chance.randrange(8), called=chance.choice((None, 0, 1))))
        return [*told, *(_board(past) if past else ())]

    async def _on_discord(self, who: Person, place: Place, picks: tuple[str, ...]) -> list[Noticed]:
        """The composer's screens of a turn as it was picked, and of a call."""
        composer = Composer(self.room.service, Signer(bytes(32)))
        asked, match = await composer.reader(who.key, place, "", 1), await self.room.service.repository.match("1")
        if match is None or match.status != "running":
            return []
        number = match.next_number
        screens = [await composer.opened(asked, "1"), await composer.screen(asked, Draft("1", number, picks))]
        screens.append(await composer.reasons(asked, Draft("1", number - 1)))
        return [("composer", (one.text, one.rows, one.image, one.alt)) for one in screens]


def _board(board: Board) -> Iterator[Noticed]:
    yield "board that stays", (board.diagram, board.viewer, board.players, board.shown, len(board.plies))
    yield "menu", (board.picks, board.menu, board.leads)
    yield "buttons", (board.due, board.further)
    page = shown(board, str, "")
    yield "turns", [page.pop(part) for part in TURNS]
    yield "page", page


@dataclass(frozen=True, slots=True)
class Found:
    """What the comparison of two evenings has shown."""

    pairs: int
    turns: int
    """Turns of the kind that nobody may tell."""
    unlike: tuple[str, ...]
    """What was not the same in both."""


def found(after: Sequence[object], one: list[list[Noticed]], other: list[list[Noticed]], turns: int) -> Found:
    """Compare what was noticed after each thing that was said."""
    unlike = [f"after {said}: {what}" for said, a, b in zip(after, one, other, strict=True) for what in _unlike(a, b)]
    return Found(sum(map(len, one)), turns, tuple(unlike))


def _unlike(one: list[Noticed], other: list[Noticed]) -> list[str]:
    told = [_described(a, b) for a, b in zip(one, other, strict=False) if a != b]
    return told if len(one) == len(other) else [*told, f"{len(one)} and {len(other)} outputs"]


def _described(one: Noticed, other: Noticed) -> str:
    """What differs, told where words can tell it; diagrams and pictures are too long to be read."""
    brief = isinstance(one[1], str | int)
    return f"{one[0]}:\n  {one[1]}\n  {other[1]}" if brief else one[0]


def _without_positions(picture: Picture) -> Picture:
    return replace(picture, position="", frames=tuple(replace(frame, position="") for frame in picture.frames))
