"""The web room as its tabs and the bot meet it: who sees what, what is kept, and who is not let in."""

import asyncio
import io
import socket
import sqlite3
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from PIL import Image

from bot.adapters.web import WebRoom
from bot.adapters.web.seats import LONGEST_TEXT, sit
from bot.chat import Choice, Code, Heard, Person, Picture, Place, Post, Retry, Strong, Undeliverable, When, clean
from storage.store import Summary

LOUNGE = Place("web", "lounge")
MATCH = Place("web", "lounge", "12")
ANNA = Person("web", "anna", "Anna")
BEN = Person("web", "ben", "Ben")
NOON = 1_770_000_000_000


class Tab:
    """One browser tab, as the page behaves."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse):
        self.socket = socket
        self.messages: list[dict[str, Any]] = []

    async def tell(self, do: str, **fields: Any) -> None:
        await self.socket.send_json({"do": do, **fields})

    async def hear(self, kind: str) -> dict[str, Any]:
        """The next news of a kind; messages that come before it are kept."""
        while True:
            news: dict[str, Any] = await self.socket.receive_json(timeout=5)
            if news["is"] == "message":
                self.messages.append(news)
            if news["is"] == kind:
                return news

    async def say(self, text: str, where: Place = LOUNGE, id: str = "", **more: Any) -> str:  # noqa: A002
        id = id or str(uuid.uuid4())  # noqa: A001
        await self.tell("say", id=id, channel=where.channel, thread=where.thread, text=text, **more)
        return id

    async def page(self, where: Place = LOUNGE, before: int = 0) -> list[dict[str, Any]]:
        await self.tell("open", channel=where.channel, thread=where.thread, before=before)
        found: list[dict[str, Any]] = (await self.hear("page"))["messages"]
        return found

    async def settled(self) -> list[dict[str, Any]]:
        """All messages told so far: the answer to a question comes after them only if they were told before."""
        await self.tell("complete", turn=1, channel="lounge", thread="", text="x")
        await self.hear("completions")
        return self.messages


class House:
    """A room that is open, what it heard, and a door for tabs."""

    def __init__(self, room: WebRoom, address: str, session: aiohttp.ClientSession, heard: "asyncio.Queue[Heard]"):
        self.room = room
        self.address = address
        self.session = session
        self.heard = heard
        self._sockets: list[aiohttp.ClientWebSocketResponse] = []

    async def connect(self) -> aiohttp.ClientWebSocketResponse:
        socket = await self.session.ws_connect(f"{self.address}socket", origin=self.address.rstrip("/"))
        self._sockets.append(socket)
        return socket

    async def leave(self) -> None:
        for tab in self._sockets:
            await tab.close()

    async def enter(self, name: str, after: int = 0) -> tuple[Tab, dict[str, Any]]:
        tab = Tab(await self.connect())
        await tab.tell("sit", name=name, after=after)
        return tab, await tab.hear("seated")


@asynccontextmanager
async def open_room(
    path: Path, hear: Callable[[Heard], Awaitable[None]] | None = None, **more: Any
) -> AsyncIterator[House]:
    opened: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    heard: asyncio.Queue[Heard] = asyncio.Queue()
    room = WebRoom(path / "room.db", **{"clock": lambda: NOON, "port": 0, "opened": opened.set_result, **more})
    running = asyncio.create_task(room.run(hear or heard.put))
    await asyncio.wait([running, opened], return_when=asyncio.FIRST_COMPLETED)
    try:
        if running.done():
            await running
        async with aiohttp.ClientSession() as session:
            house = House(room, opened.result(), session, heard)
            yield house
            await house.leave()
    finally:
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running


def post(key: str, *text: Any, where: Place = LOUNGE, **more: Any) -> Post:
    return Post(key, where, text, **more)


def png(size: tuple[int, int] = (30, 20)) -> bytes:
    made = io.BytesIO()
    Image.new("RGB", size, "white").save(made, "PNG")
    return made.getvalue()


def words(messages: Sequence[dict[str, Any]]) -> list[Any]:
    return [message["body"]["text"] for message in messages]


async def test_what_one_seat_types_the_bot_hears_and_every_tab_shows(tmp_path: Path) -> None:
    async with open_room(tmp_path) as house:
        anna, _ = await house.enter("Anna")
        ben, _ = await house.enter("Ben")
        id = await anna.say("hello @ben and\nall")  # noqa: A001
        heard = await house.heard.get()
        assert heard == Heard(f"web:anna:{id}", ANNA, LOUNGE, "hello @ben and\nall", NOON, server="room", host=True)
        theirs, own = await ben.hear("message"), await anna.hear("message")
        assert theirs["body"]["text"] == ["hello ", {"person": "web:ben", "name": "Ben"}, " and\nall"]
        assert (theirs["author"], theirs["name"], theirs["whisper"]) == ("web:anna", "Anna", False)
        assert own["id"] == id
        assert "id" not in theirs


async def test_a_post_arrives_with_every_kind_of_span_its_picture_and_its_buttons(tmp_path: Path) -> None:
    async with open_room(tmp_path) as house:
        anna, _ = await house.enter("Anna")
        sent = post(
            "k1",
            *("<b>no markup</b>", ANNA, Code("c7c5"), Strong("Untenable."), When(NOON)),
            picture=Picture("tokonoma", "secret", "W", alt="White: an arm on b3."),
            choices=(Choice("Accept", "accept 12"),),
        )
        number = await house.room.deliver(sent, png((30, 20)))
        shown = await anna.hear("message")
        assert str(shown["number"]) == number
        assert shown["author"] == ""
        assert shown["body"]["text"] == [
            "<b>no markup</b>",
            {"person": "web:anna", "name": "Anna"},
            {"code": "c7c5"},
            {"strong": "Untenable."},
            {"when": NOON},
        ]
        assert shown["body"]["choices"] == [{"label": "Accept", "command": "accept 12", "blank": ""}]
        picture = shown["body"]["picture"]
        assert (picture["alt"], picture["width"], picture["height"]) == ("White: an arm on b3.", 30, 20)
        assert "secret" not in str(shown)
        async with house.session.get(house.address + picture["source"]) as answer:
            assert (answer.content_type, await answer.read()) == ("image/png", png((30, 20)))
        async with house.session.get(house.address + "picture/guessed") as answer:
            assert answer.status == 404


async def test_a_whisper_reaches_its_addressee_alone_live_and_in_the_history(tmp_path: Path) -> None:
    async with open_room(tmp_path) as house:
        anna, _ = await house.enter("Anna")
        ben, _ = await house.enter("Ben")
        await house.room.deliver(post("k1", "for Anna", only=ANNA), None)
        await house.room.deliver(post("k2", "for all"), None)
        assert (await anna.hear("message"))["whisper"] is True
        await anna.hear("message")
        await ben.hear("message")
        assert words(ben.messages) == [["for all"]]
        assert words(await ben.page()) == [["for all"]]
        assert words(await anna.page()) == [["for Anna"], ["for all"]]
        again, _ = await house.enter("Ben", after=1)
        assert words(await again.page()) == [["for all"]]
        _, hello = await house.enter("Clara")
        assert not any(place["unread"] for place in hello["places"])


@pytest.mark.parametrize("how", [{"quiet": True}, {"pressed": "Accept"}, {"text": "secret 12 X4"}])
async def test_what_is_meant_for_the_bot_alone_no_other_seat_sees(tmp_path: Path, how: dict[str, Any]) -> None:
    async with open_room(tmp_path, private=lambda text: text.startswith("secret")) as house:
        anna, _ = await house.enter("Anna")
        ben, _ = await house.enter("Ben")
        await anna.say(**{"text": "accept 12", **how})
        assert (await house.heard.get()).text == how.get("text", "accept 12")
        assert (await anna.hear("message"))["whisper"] is True
        await ben.say("nothing?")
        await ben.hear("message")
        assert words(ben.messages) == [["nothing?"]]
        assert words(await ben.page()) == [["nothing?"]]


async def test_a_letter_delivered_twice_shows_once(tmp_path: Path) -> None:
    async with open_room(tmp_path) as house:
        first = await house.room.deliver(post("k1", "once"), None)
        assert await house.room.deliver(post("k1", "once"), None) == first
    async with open_room(tmp_path) as house:
        assert await house.room.deliver(post("k1", "once"), None) == first
        anna, _ = await house.enter("Anna")
        assert words(await anna.page()) == [["once"]]


async def test_a_message_sent_again_after_a_lost_answer_is_heard_once(tmp_path: Path) -> None:
    async with open_room(tmp_path) as house:
        anna, _ = await house.enter("Anna")
        id = await anna.say("c7c5")  # noqa: A001
        await anna.hear("message")
        await anna.socket.close()
        anna, _ = await house.enter("Anna")
        await anna.say("c7c5", id=id)
        await anna.say("and then")
        assert [(await house.heard.get()).text, (await house.heard.get()).text] == ["c7c5", "and then"]
        assert words(await anna.page()) == [["c7c5"], ["and then"]]


async def test_another_seat_cannot_take_a_message_id_away(tmp_path: Path) -> None:
    async with open_room(tmp_path) as house:
        anna, _ = await house.enter("Anna")
        ben, _ = await house.enter("Ben")
        id = await ben.say("mine")  # noqa: A001
        await anna.say("mine too", id=id)
        assert len({(await house.heard.get()).id, (await house.heard.get()).id}) == 2


async def test_a_tab_that_comes_back_gets_what_it_missed_and_nothing_twice(tmp_path: Path) -> None:
    async with open_room(tmp_path) as house:
        anna, _ = await house.enter("Anna")
        await house.room.deliver(post("k0", "seen"), None)
        seen = (await anna.hear("message"))["number"]
        await anna.socket.close()
        for n in range(250):
            await house.room.deliver(post(f"k{n + 1}", str(n), where=MATCH if n % 2 else LOUNGE), None)
        anna, hello = await house.enter("Anna", after=seen)
        assert hello["fresh"] is False
        while len(anna.messages) < 250:
            await anna.hear("message")
        assert words(anna.messages) == [[str(n)] for n in range(250)]
        assert words(await anna.settled()) == [[str(n)] for n in range(250)]


async def test_a_tab_from_before_the_history_was_lost_starts_afresh(tmp_path: Path) -> None:
    async with open_room(tmp_path) as house:
        await house.room.deliver(post("k1", "the only one"), None)
        _, hello = await house.enter("Anna", after=9999)
        assert (hello["fresh"], hello["last"]) == (True, 1)


async def test_the_talk_outlives_the_process_and_unfolds_page_by_page(tmp_path: Path) -> None:
    async with open_room(tmp_path) as house:
        for n in range(90):
            await house.room.deliver(post(f"k{n}", str(n)), None)
    async with open_room(tmp_path) as house:
        anna, _ = await house.enter("Anna")
        latest = await anna.page()
        assert words(latest) == [[str(n)] for n in range(50, 90)]
        assert words(await anna.page(before=latest[0]["number"])) == [[str(n)] for n in range(10, 50)]


async def test_what_was_kept_but_not_heard_when_the_process_died_is_heard_at_the_next_start(tmp_path: Path) -> None:
    begun = asyncio.Event()
    heard: list[Heard] = []

    async def dies(message: Heard) -> None:
        heard.append(message)
        begun.set()
        await asyncio.Event().wait()

    async with open_room(tmp_path, dies) as house:
        anna, _ = await house.enter("Anna")
        await anna.say("c7c5")
        await anna.say("c6")
        await begun.wait()
        await anna.hear("message")
        await anna.hear("message")
    async with open_room(tmp_path, clock=lambda: NOON + 5000) as house:
        again = [await house.heard.get(), await house.heard.get()]
        assert again[0] == heard[0]
        assert [message.text for message in again] == ["c7c5", "c6"]
        assert again[1].at == NOON
        await (await house.enter("Anna"))[0].settled()
    async with open_room(tmp_path) as house:
        anna, _ = await house.enter("Anna")
        await anna.say("d5")
        assert (await house.heard.get()).text == "d5"


async def test_a_message_that_cannot_be_heard_holds_up_nobody_and_is_tried_again(tmp_path: Path) -> None:
    heard: asyncio.Queue[Heard] = asyncio.Queue()

    async def stumbles(message: Heard) -> None:
        if message.text == "stone":
            raise OSError("trouble")
        await heard.put(message)

    async with open_room(tmp_path, stumbles) as house:
        anna, _ = await house.enter("Anna")
        for text in ("stone", "c7c5"):
            await anna.say(text)
        assert (await heard.get()).text == "c7c5"
    async with open_room(tmp_path) as house:
        assert (await house.heard.get()).text == "stone"


async def test_a_thread_opens_with_its_first_letter_and_says_whose_turn_it_is(tmp_path: Path) -> None:
    stands = Summary("12", "tokonoma", "running", ("web:anna", "discord:77"), ("web:anna",), (), 0, 0)

    async def summary(match: str) -> Summary | None:
        return stands if match == "12" else None

    async with open_room(tmp_path, summary=summary) as house:
        anna, hello = await house.enter("Anna")
        assert [place["thread"] for place in hello["places"]] == [""]
        await house.room.deliver(post("k1", "begins", where=MATCH), None)
        place = await anna.hear("place")
        assert (place["channel"], place["thread"], place["game"], place["over"]) == ("lounge", "12", "tokonoma", False)
        assert place["players"] == [
            {"key": "web:anna", "name": "Anna"},
            {"key": "discord:77", "name": "a player on Discord"},
        ]
        assert place["to_act"] == ["web:anna"]
        stands = Summary("12", "tokonoma", "over", ("web:anna", "discord:77"), (), (), 0, 0)
        await house.room.deliver(post("k2", "is over", where=MATCH), None)
        while not place["over"]:
            place = await anna.hear("place")
        assert place["to_act"] == []


async def test_a_place_is_unread_until_its_seat_has_read_it(tmp_path: Path) -> None:
    async with open_room(tmp_path) as house:
        await house.enter("Anna")
        await house.room.deliver(post("k1", "new", where=MATCH), None)
        anna, hello = await house.enter("Anna")
        assert [place["unread"] for place in hello["places"]] == [False, True]
        [message] = await anna.page(MATCH)
        await anna.tell("read", channel="lounge", thread="12", number=message["number"])
        await anna.settled()
        _, hello = await house.enter("Anna")
        assert [place["unread"] for place in hello["places"]] == [False, False]
        await anna.say("my own words", MATCH)
        await anna.hear("message")
        _, hello = await house.enter("Anna")
        assert [place["unread"] for place in hello["places"]] == [False, False]


async def test_a_channel_can_be_made_and_is_there_after_a_restart(tmp_path: Path) -> None:
    async with open_room(tmp_path) as house:
        anna, _ = await house.enter("Anna")
        await anna.tell("found", channel="Tuesday Club")
        assert (await anna.hear("founded"))["channel"] == "tuesday-club"
        await anna.tell("found", channel="<script>")
        assert "Try: tuesday-club." in (await anna.hear("refused"))["because"]
    async with open_room(tmp_path) as house:
        _, hello = await house.enter("Anna")
        assert [place["channel"] for place in hello["places"]] == ["lounge", "tuesday-club"]


async def test_the_room_offers_how_a_command_may_go_on(tmp_path: Path) -> None:
    async def complete(who: Person, where: Place, text: str) -> Sequence[str]:
        return [f"{text}llenge @{who.name} in {where.thread}"]

    async with open_room(tmp_path, complete=complete) as house:
        anna, _ = await house.enter("Anna")
        await anna.tell("complete", turn=7, channel="lounge", thread="12", text="cha")
        offered = await anna.hear("completions")
        assert (offered["turn"], offered["texts"]) == (7, ["challenge @Anna in 12"])


async def test_the_room_offers_the_names_of_the_other_seats(tmp_path: Path) -> None:
    async with open_room(tmp_path) as house:
        anna, _ = await house.enter("Anna")
        for name in ("Ben", "Bea", "Clara"):
            await house.enter(name)
        for typed, offered in {
            "challenge @": ["challenge @Bea", "challenge @Ben", "challenge @Clara"],
            "challenge @B": ["challenge @Bea", "challenge @Ben"],
            "challenge @bene": [],
            "mail b@": [],
        }.items():
            await anna.tell("complete", turn=1, channel="lounge", thread="", text=typed)
            assert (await anna.hear("completions"))["texts"] == offered


async def test_every_tab_knows_which_seats_are_taken(tmp_path: Path) -> None:
    async with open_room(tmp_path) as house:
        anna, _ = await house.enter("Anna")
        ben, _ = await house.enter("Ben")
        seats: list[dict[str, Any]] = []
        while [seat["here"] for seat in seats] != [True, True]:
            seats = (await anna.hear("seats"))["seats"]
        await ben.socket.close()
        while [seat["here"] for seat in seats] != [True, False]:
            seats = (await anna.hear("seats"))["seats"]


async def test_a_seat_keeps_the_spelling_of_its_first_sitter(tmp_path: Path) -> None:
    async with open_room(tmp_path) as house:
        _, first = await house.enter("Anna")
        _, second = await house.enter(" ANNA ")
        assert first["seat"] == second["seat"] == {"key": "web:anna", "name": "Anna"}


@pytest.mark.parametrize(
    ("name", "fact"),
    [
        ("", "needs a name"),
        ("A" * 25, "has 25 characters"),
        ("An\u202ena", "cannot be seen"),
        ("An\u200bna", "cannot be seen"),
        ("An\x07na", "cannot be seen"),
        ("Anna Maria", "is one word"),
        ("<b>", "is one word"),
        ("_anna", "is one word"),
        ("Riposte", "referee's own name"),
        ("ｒｉｐｏｓｔｅ", "referee's own name"),
    ],
)
async def test_a_name_that_could_mislead_is_refused_with_a_reason_and_an_example(
    tmp_path: Path, name: str, fact: str
) -> None:
    async with open_room(tmp_path) as house:
        tab = Tab(await house.connect())
        await tab.tell("sit", name=name)
        because = (await tab.hear("unseated"))["because"]
        assert fact in because
        assert "Try: Anna" in because
        await tab.tell("sit", name="Zoë-2")
        assert (await tab.hear("seated"))["seat"] == {"key": "web:zoë-2", "name": "Zoë-2"}


def test_two_spellings_of_one_name_are_one_seat() -> None:
    people = [sit(name) for name in ("Zoë", "ZOE\u0308", "zoë")]
    assert {person.id for person in people if isinstance(person, Person)} == {"zoë"}


def test_a_typed_text_loses_what_cannot_be_seen_and_keeps_its_lines() -> None:
    assert clean(" a\u202eb\x00c\u200b\r\nd\te ") == "abc\nd e"
    assert clean("👩\u200d👩\u200d👧") == "👩\u200d👩\u200d👧"


@pytest.mark.parametrize(
    ("text", "where", "fact"),
    [
        ("x" * (LONGEST_TEXT + 1), LOUNGE, "has 8,001 characters; the room takes 8,000"),
        (" \u202e ", LOUNGE, "is empty"),
        ("hello", Place("web", "nowhere"), "no such place"),
    ],
)
async def test_a_text_that_cannot_be_kept_is_refused_and_comes_back(
    tmp_path: Path, text: str, where: Place, fact: str
) -> None:
    async with open_room(tmp_path) as house:
        anna, _ = await house.enter("Anna")
        id = await anna.say(text, where)  # noqa: A001
        refused = await anna.hear("refused")
        assert refused["id"] == id
        assert fact in refused["because"]
        await anna.say("x" * LONGEST_TEXT)
        assert len((await house.heard.get()).text) == LONGEST_TEXT


@pytest.mark.parametrize("frame", ["", "{", "[]", '{"do":"dance"}', '{"do":"say","id":"1"}', '{"do":"sit","name":"B"}'])
async def test_a_page_that_talks_nonsense_is_told_so_and_stays_connected(tmp_path: Path, frame: str) -> None:
    async with open_room(tmp_path) as house:
        anna, _ = await house.enter("Anna")
        await anna.socket.send_str(frame)
        assert (await anna.hear("refused"))["because"]
        await anna.settled()


async def test_nobody_is_told_anything_before_sitting_down(tmp_path: Path) -> None:
    async with open_room(tmp_path) as house:
        for frame in ('{"do":"open","channel":"lounge","thread":""}', "nonsense"):
            tab = await house.connect()
            await tab.send_str(frame)
            assert (await tab.receive(timeout=5)).type is aiohttp.WSMsgType.CLOSE


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8080", "127.0.0.1.evil.example", "10.0.0.1"])
async def test_a_foreign_name_for_this_machine_opens_nothing(tmp_path: Path, host: str) -> None:
    async with open_room(tmp_path) as house:
        for path in ("", "room.js", "picture/x", "socket"):
            async with house.session.get(house.address + path, headers={"Host": host}) as answer:
                assert answer.status == 403
                assert "localhost" in await answer.text()


@pytest.mark.parametrize("origin", [None, "null", "http://evil.example", "https://127.0.0.1", "http://127.0.0.1:1"])
async def test_a_foreign_page_cannot_talk_to_the_room(tmp_path: Path, origin: str | None) -> None:
    async with open_room(tmp_path) as house:
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            await house.session.ws_connect(f"{house.address}socket", origin=origin)
        assert refused.value.status == 403


async def test_the_page_runs_no_script_but_its_own(tmp_path: Path) -> None:
    async with open_room(tmp_path) as house:
        kinds = {"": "text/html", "room.css": "text/css", "icon.svg": "image/svg+xml"}
        scripts = ("room.js", "line.js", "nodes.js", "messages.js", "composer.js", "places.js")
        for path, kind in (kinds | dict.fromkeys(scripts, "text/javascript")).items():
            async with house.session.get(house.address + path) as answer:
                assert (answer.status, answer.content_type) == (200, kind)
                policy = answer.headers["Content-Security-Policy"]
                assert "default-src 'none'" in policy
                assert "unsafe" not in policy
                assert answer.headers["X-Content-Type-Options"] == "nosniff"
                text = await answer.text()
                assert "innerHTML" not in text
                assert "https://" not in text
        for path in ("history.py", "..%2froom.py", "page/room.js", "index.html"):
            async with house.session.get(house.address + path) as answer:
                assert answer.status == 404


async def test_a_port_in_use_makes_way_for_the_next_one(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        async with open_room(tmp_path, port=port) as house:
            opened = int(house.address.rstrip("/").rpartition(":")[2])
            assert port < opened < port + 100
            assert house.address.startswith("http://127.0.0.1:")


async def test_two_processes_on_one_history_show_one_room(tmp_path: Path) -> None:
    async with open_room(tmp_path) as here, open_room(tmp_path) as there:
        anna, _ = await here.enter("Anna")
        await there.room.deliver(post("k1", "from next door", where=MATCH), None)
        assert words([await anna.hear("message")]) == [["from next door"]]


async def test_letters_for_elsewhere_are_undeliverable_and_before_the_opening_they_wait(tmp_path: Path) -> None:
    closed = WebRoom(tmp_path / "closed.db", clock=lambda: NOON)
    with pytest.raises(Retry):
        await closed.deliver(post("k1", "too early"), None)
    async with open_room(tmp_path) as house:
        with pytest.raises(Undeliverable, match="no place on discord"):
            await house.room.deliver(post("k1", "x", where=Place("discord", "1")), None)
        with pytest.raises(Undeliverable, match="nobody from matrix"):
            await house.room.deliver(post("k1", "x", only=Person("matrix", "@a:b", "A")), None)


async def test_a_full_disk_costs_a_retry_and_a_sentence_but_no_message(tmp_path: Path) -> None:
    async with open_room(tmp_path) as house:
        anna, _ = await house.enter("Anna")
        await house.room._history._run(lambda db: db.execute("PRAGMA max_page_count = 1").fetchone())
        with pytest.raises(Retry):
            await house.room.deliver(post("k1", "x" * 200_000), None)
        for n in range(20):
            await anna.say(f"{n}" * 4000)
        assert "disk is full" in (await anna.hear("refused"))["because"]
        with suppress(OSError):
            for n in range(500):
                await house.room._history.sit(Person("web", str(n) * 8, str(n) * 8))
        tab = Tab(await house.connect())
        await tab.tell("sit", name="Ben")
        assert "disk is full" in (await tab.hear("unseated"))["because"]
        await house.room._history._run(lambda db: db.execute("PRAGMA max_page_count = 100000").fetchone())
        await house.room.deliver(post("k1", "there you are"), None)
        await anna.say("again")
        while ["again"] not in words(anna.messages):
            await anna.hear("message")
        assert ["there you are"] in words(anna.messages)


async def test_a_history_that_another_program_holds_costs_patience_and_a_sentence(tmp_path: Path) -> None:
    async with open_room(tmp_path) as house:
        anna, _ = await house.enter("Anna")
        await anna.hear("seats")  # the tab has been told all there is: nobody reads when the other program comes
        await house.room._history._run(lambda db: db.execute("PRAGMA busy_timeout = 0").fetchone())
        with sqlite3.connect(tmp_path / "room.db", isolation_level=None) as other:
            other.execute("BEGIN IMMEDIATE")
            await anna.say("c7c5")
            assert "Another program" in (await anna.hear("refused"))["because"]
            with pytest.raises(Retry):
                await house.room.deliver(post("k1", "later"), None)
            async with house.session.get(house.address + "picture/x") as answer:
                assert (answer.status, "Another program" in await answer.text()) == (503, True)
            other.execute("ROLLBACK")
        other.close()
        await anna.say("c7c5")
        assert (await house.heard.get()).text == "c7c5"
        await house.room.deliver(post("k1", "later"), None)
        while len(anna.messages) < 2:
            await anna.hear("message")
        assert words(anna.messages) == [["c7c5"], ["later"]]


async def test_a_history_of_a_newer_version_or_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    async with open_room(tmp_path / "a"):
        pass
    with sqlite3.connect(tmp_path / "a" / "room.db") as db:
        db.execute("PRAGMA user_version = 99")
    db.close()
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "room.db").write_text("this is no database, it only looks like a file of one" * 40)
    (tmp_path / "c" / "room.db").mkdir(parents=True)
    for folder, fact in (("a", "newer Riposte"), ("b", "cannot read its history"), ("c", "cannot write its history")):
        with pytest.raises(OSError, match=fact):
            async with open_room(tmp_path / folder):
                pass
    assert (tmp_path / "b" / "room.db").read_text().startswith("this is no database")
