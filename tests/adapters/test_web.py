"""The web room as its tabs and the bot meet it: who sees what, and what is kept."""

import asyncio
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from bot.adapters.web.history.history import History, Image, Message
from bot.messages.model import Button, IncomingMessage, Person, Picture, Place, Strong
from engine.text import Code, Instant
from storage.sqlite.checksums import known_to
from storage.store import Summary
from tests.adapters.web_room import ANNA, LOUNGE, MATCH, NOON, open_room, outgoing, png, words


async def test_what_one_seat_types_the_bot_hears_and_every_tab_shows(tmp_path: Path) -> None:
    async with open_room(tmp_path) as opened:
        anna, _ = await opened.enter("Anna")
        ben, _ = await opened.enter("Ben")
        id = await anna.say("hello @ben and\nall")  # noqa: A001
        heard = await opened.heard.get()
        assert heard == IncomingMessage(
            f"web:anna:{id}", ANNA, LOUNGE, "hello @ben and\nall", NOON, server="room", host=True
        )
        theirs, own = await ben.hear("message"), await anna.hear("message")
        assert theirs["body"]["text"] == ["hello ", {"person": "web:ben", "name": "Ben"}, " and\nall"]
        assert (theirs["author"], theirs["name"], theirs["whisper"]) == ("web:anna", "Anna", False)
        assert own["id"] == id
        assert "id" not in theirs


async def test_a_post_arrives_with_every_kind_of_span_its_picture_and_its_buttons(tmp_path: Path) -> None:
    async with open_room(tmp_path) as opened:
        anna, _ = await opened.enter("Anna")
        sent = outgoing(
            "k1",
            *("<b>no markup</b>", ANNA, Code("c7c5"), Strong("Untenable."), Instant(NOON)),
            picture=Picture("tokonoma", "secret", "W", alt="White: an arm on b3."),
            choices=(Button("Accept", "accept 12"),),
        )
        number = await opened.room.deliver(sent, png((30, 20)))
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
        async with opened.session.get(opened.address + picture["source"]) as answer:
            assert (answer.content_type, await answer.read()) == ("image/png", png((30, 20)))
        async with opened.session.get(opened.address + "picture/guessed") as answer:
            assert answer.status == 404


async def test_old_pictures_make_room_for_new_ones_and_their_messages_stay(tmp_path: Path) -> None:
    history = History(tmp_path / "room.db", pictures=2)
    await history.open()
    for number in range(4):
        message = Message(0, f"k{number}", MATCH, "", "Riposte", "", "", "{}", NOON)
        await history.add(message, Image(f"token{number}", png()))
    assert [await history.picture(f"token{number}") is None for number in range(4)] == [True, True, False, False]
    assert [message.id for message in await history.page("anna", MATCH, 0)] == ["k0", "k1", "k2", "k3"]
    await history.close()


async def test_who_sits_alone_and_says_hello_says_it_to_riposte(tmp_path: Path) -> None:
    async with open_room(tmp_path) as opened:
        anna, _ = await opened.enter("Anna")
        for greeting in ("hi", "How do I play?", "nice day"):
            await anna.say(greeting)
        assert [(await opened.heard.get()).text for _ in range(3)] == ["!hello", "!hello", "nice day"]
        ben, _ = await opened.enter("Ben")
        await ben.say("hi")
        assert (await opened.heard.get()).text == "hi", "that is for Anna"


async def test_a_whisper_reaches_its_addressee_alone_live_and_in_the_history(tmp_path: Path) -> None:
    async with open_room(tmp_path) as opened:
        anna, _ = await opened.enter("Anna")
        ben, _ = await opened.enter("Ben")
        await opened.room.deliver(outgoing("k1", "for Anna", only=ANNA), None)
        await opened.room.deliver(outgoing("k2", "for all"), None)
        assert (await anna.hear("message"))["whisper"] is True
        await anna.hear("message")
        await ben.hear("message")
        assert words(ben.messages) == [["for all"]]
        assert words(await ben.page()) == [["for all"]]
        assert words(await anna.page()) == [["for Anna"], ["for all"]]
        again, _ = await opened.enter("Ben", after=1)
        assert words(await again.page()) == [["for all"]]
        _, hello = await opened.enter("Clara")
        assert not any(place["unread"] for place in hello["places"])


@pytest.mark.parametrize("how", [{"quiet": True}, {"pressed": "Accept"}, {"text": "secret 12 X4"}])
async def test_what_is_meant_for_the_bot_alone_no_other_seat_sees(tmp_path: Path, how: dict[str, Any]) -> None:
    async def private(_who: Person, _where: Place, text: str) -> bool:
        return text.startswith("secret")

    async with open_room(tmp_path, private=private) as opened:
        anna, _ = await opened.enter("Anna")
        ben, _ = await opened.enter("Ben")
        await anna.say(**{"text": "accept 12", **how})
        assert (await opened.heard.get()).text == how.get("text", "accept 12")
        assert (await anna.hear("message"))["whisper"] is True
        await ben.say("nothing?")
        await ben.hear("message")
        assert words(ben.messages) == [["nothing?"]]
        assert words(await ben.page()) == [["nothing?"]]


async def test_a_letter_delivered_twice_shows_once(tmp_path: Path) -> None:
    async with open_room(tmp_path) as opened:
        first = await opened.room.deliver(outgoing("k1", "once"), None)
        assert await opened.room.deliver(outgoing("k1", "once"), None) == first
    async with open_room(tmp_path) as opened:
        assert await opened.room.deliver(outgoing("k1", "once"), None) == first
        anna, _ = await opened.enter("Anna")
        assert words(await anna.page()) == [["once"]]


async def test_a_message_sent_again_after_a_lost_answer_is_heard_once(tmp_path: Path) -> None:
    async with open_room(tmp_path) as opened:
        anna, _ = await opened.enter("Anna")
        id = await anna.say("c7c5")  # noqa: A001
        await anna.hear("message")
        await anna.socket.close()
        anna, _ = await opened.enter("Anna")
        await anna.say("c7c5", id=id)
        await anna.say("and then")
        assert [(await opened.heard.get()).text, (await opened.heard.get()).text] == ["c7c5", "and then"]
        assert words(await anna.page()) == [["c7c5"], ["and then"]]


async def test_another_seat_cannot_take_a_message_id_away(tmp_path: Path) -> None:
    async with open_room(tmp_path) as opened:
        anna, _ = await opened.enter("Anna")
        ben, _ = await opened.enter("Ben")
        id = await ben.say("mine")  # noqa: A001
        await anna.say("mine too", id=id)
        assert len({(await opened.heard.get()).id, (await opened.heard.get()).id}) == 2


async def test_a_tab_that_comes_back_gets_what_it_missed_and_nothing_twice(tmp_path: Path) -> None:
    async with open_room(tmp_path) as opened:
        anna, _ = await opened.enter("Anna")
        await opened.room.deliver(outgoing("k0", "seen"), None)
        seen = (await anna.hear("message"))["number"]
        await anna.socket.close()
        for n in range(250):
            await opened.room.deliver(outgoing(f"k{n + 1}", str(n), where=MATCH if n % 2 else LOUNGE), None)
        anna, hello = await opened.enter("Anna", after=seen)
        assert hello["fresh"] is False
        while len(anna.messages) < 250:
            await anna.hear("message")
        assert words(anna.messages) == [[str(n)] for n in range(250)]
        assert words(await anna.settled()) == [[str(n)] for n in range(250)]


async def test_a_tab_from_before_the_history_was_lost_starts_afresh(tmp_path: Path) -> None:
    async with open_room(tmp_path) as opened:
        await opened.room.deliver(outgoing("k1", "the only one"), None)
        _, hello = await opened.enter("Anna", after=9999)
        assert (hello["fresh"], hello["last"]) == (True, 1)


async def test_the_talk_outlives_the_process_and_unfolds_page_by_page(tmp_path: Path) -> None:
    async with open_room(tmp_path) as opened:
        for n in range(90):
            await opened.room.deliver(outgoing(f"k{n}", str(n)), None)
    async with open_room(tmp_path) as opened:
        anna, _ = await opened.enter("Anna")
        latest = await anna.page()
        assert words(latest) == [[str(n)] for n in range(50, 90)]
        assert words(await anna.page(before=latest[0]["number"])) == [[str(n)] for n in range(10, 50)]


async def test_what_was_kept_but_not_heard_when_the_process_died_is_heard_at_the_next_start(tmp_path: Path) -> None:
    begun = asyncio.Event()
    heard: list[IncomingMessage] = []
    kept = aiohttp.CookieJar(unsafe=True)

    async def dies(message: IncomingMessage) -> None:
        heard.append(message)
        begun.set()
        await asyncio.Event().wait()

    async with open_room(tmp_path, dies, kept=kept) as opened:
        anna, _ = await opened.enter("Anna")
        await anna.say("c7c5")
        await anna.say("c6")
        await begun.wait()
        await anna.hear("message")
        await anna.hear("message")
    async with open_room(tmp_path, kept=kept, clock=lambda: NOON + 5000) as opened:
        again = [await opened.heard.get(), await opened.heard.get()]
        assert again[0] == heard[0]
        assert [message.text for message in again] == ["c7c5", "c6"]
        assert again[1].at == NOON
        await (await opened.enter("Anna"))[0].settled()
    async with open_room(tmp_path, kept=kept) as opened:
        anna, _ = await opened.enter("Anna")
        await anna.say("d5")
        assert (await opened.heard.get()).text == "d5"


async def test_a_message_that_cannot_be_heard_holds_up_nobody_and_is_tried_again(tmp_path: Path) -> None:
    heard: asyncio.Queue[IncomingMessage] = asyncio.Queue()

    async def stumbles(message: IncomingMessage) -> None:
        if message.text == "stone":
            raise OSError("trouble")
        await heard.put(message)

    async with open_room(tmp_path, stumbles) as opened:
        anna, _ = await opened.enter("Anna")
        for text in ("stone", "c7c5"):
            await anna.say(text)
        assert (await heard.get()).text == "c7c5"
    async with open_room(tmp_path) as opened:
        assert (await opened.heard.get()).text == "stone"


async def test_a_thread_opens_with_its_first_letter_and_says_whose_turn_it_is(tmp_path: Path) -> None:
    stands = Summary("12", "tokonoma", "running", ("web:anna", "discord:77"), ("web:anna",), (), 0, 0)

    async def summary(match: str) -> Summary | None:
        return stands if match == "12" else None

    async with open_room(tmp_path, summary=summary) as opened:
        anna, hello = await opened.enter("Anna")
        assert [place["thread"] for place in hello["places"]] == [""]
        await opened.room.deliver(outgoing("k1", "begins", where=MATCH), None)
        place = await anna.hear("place")
        assert (place["channel"], place["thread"], place["game"], place["over"]) == ("lounge", "12", "tokonoma", False)
        assert place["players"] == [
            {"key": "web:anna", "name": "Anna"},
            {"key": "discord:77", "name": "a player on Discord"},
        ]
        assert place["to_act"] == ["web:anna"]
        stands = Summary("12", "tokonoma", "over", ("web:anna", "discord:77"), (), (), 0, 0)
        await opened.room.deliver(outgoing("k2", "is over", where=MATCH), None)
        while not place["over"]:
            place = await anna.hear("place")
        assert place["to_act"] == []


async def test_a_place_is_unread_until_its_seat_has_read_it(tmp_path: Path) -> None:
    async with open_room(tmp_path) as opened:
        await opened.enter("Anna")
        await opened.room.deliver(outgoing("k1", "new", where=MATCH), None)
        anna, hello = await opened.enter("Anna")
        assert [place["unread"] for place in hello["places"]] == [False, True]
        [message] = await anna.page(MATCH)
        await anna.tell("read", channel="lounge", thread="12", number=message["number"])
        await anna.settled()
        _, hello = await opened.enter("Anna")
        assert [place["unread"] for place in hello["places"]] == [False, False]
        await anna.say("my own words", MATCH)
        await anna.hear("message")
        _, hello = await opened.enter("Anna")
        assert [place["unread"] for place in hello["places"]] == [False, False]


async def test_a_channel_can_be_made_and_is_there_after_a_restart(tmp_path: Path) -> None:
    kept = aiohttp.CookieJar(unsafe=True)
    async with open_room(tmp_path, kept=kept) as opened:
        anna, _ = await opened.enter("Anna")
        await anna.tell("create", channel="Tuesday Club")
        assert (await anna.hear("created"))["channel"] == "tuesday-club"
        await anna.tell("create", channel="<script>")
        assert "Try: tuesday-club." in (await anna.hear("refused"))["because"]
    async with open_room(tmp_path, kept=kept) as opened:
        _, hello = await opened.enter("Anna")
        assert [place["channel"] for place in hello["places"]] == ["lounge", "tuesday-club"]


async def test_the_room_offers_how_a_command_may_go_on(tmp_path: Path) -> None:
    async def complete(who: Person, where: Place, text: str) -> Sequence[str]:
        return [f"{text}llenge @{who.name} in {where.thread}"]

    async with open_room(tmp_path, complete=complete) as opened:
        anna, _ = await opened.enter("Anna")
        await anna.tell("complete", turn=7, channel="lounge", thread="12", text="cha")
        offered = await anna.hear("completions")
        assert (offered["turn"], offered["texts"]) == (7, ["challenge @Anna in 12"])


async def test_the_room_offers_the_names_of_the_other_seats(tmp_path: Path) -> None:
    async with open_room(tmp_path) as opened:
        anna, _ = await opened.enter("Anna")
        for name in ("Ben", "Bea", "Clara"):
            await opened.enter(name)
        for typed, offered in {
            "challenge @": ["challenge @Bea", "challenge @Ben", "challenge @Clara"],
            "challenge @B": ["challenge @Bea", "challenge @Ben"],
            "challenge @bene": [],
            "mail b@": [],
        }.items():
            await anna.tell("complete", turn=1, channel="lounge", thread="", text=typed)
            assert (await anna.hear("completions"))["texts"] == offered


async def test_every_tab_knows_which_seats_are_taken_and_is_told_only_of_who_comes_and_goes(tmp_path: Path) -> None:
    async with open_room(tmp_path) as opened:
        anna, _ = await opened.enter("Anna")
        assert await anna.hear("seats") == seats("Anna", fresh=True)
        ben, _ = await opened.enter("Ben")
        assert await anna.hear("seats") == seats("Ben")
        assert await ben.hear("seats") == seats("Anna", "Ben", fresh=True)
        await ben.socket.close()
        assert await anna.hear("seats") == seats(away=("Ben",))


def seats(*here: str, away: tuple[str, ...] = (), fresh: bool = False) -> dict[str, Any]:
    listed = {"here": here, "away": away}
    told = {how: [[f"web:{name.lower()}", name] for name in names] for how, names in listed.items()}
    return {"is": "seats", **told, "fresh": fresh}


async def test_long_lists_are_cut_and_what_is_not_listed_is_found_by_its_address(tmp_path: Path) -> None:
    async with open_room(tmp_path):
        pass
    file = sqlite3.connect(tmp_path / "room.db")
    known_to(file)
    file.executemany("INSERT INTO seat (id, name, since) VALUES (?, ?, 0)", [(f"p{n}", f"P{n}") for n in range(1_000)])
    own = ("lounge", "0", "", "web:anna", "", 0, 0)
    others = [("lounge", str(n), "tokonoma", "web:p1 web:p2", "web:p1", 0, n) for n in range(1, 1_000)]
    columns = "channel, thread, game, players, to_act, over, first"
    file.executemany(f"INSERT INTO place ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?)", [own, *others])
    file.commit()
    file.close()
    async with open_room(tmp_path) as opened:
        anna, told = await opened.enter("Anna")
        assert [place["thread"] for place in told["places"]] == ["", "0", *map(str, range(700, 1_000))]
        listed = await anna.hear("seats")
        assert len(listed["here"]) + len(listed["away"]) == 200
        assert listed["here"] == [["web:anna", "Anna"]]
        await anna.tell("open", channel="lounge", thread="5000", before=0)
        await anna.tell("open", channel="lounge", thread="7", before=0)
        place = await anna.hear("place")
        assert place["thread"] == "7"
        assert place["players"][1] == {"key": "web:p2", "name": "P2"}


async def test_a_seat_keeps_the_spelling_of_its_first_sitter(tmp_path: Path) -> None:
    async with open_room(tmp_path) as opened:
        _, first = await opened.enter("Anna")
        _, second = await opened.enter(" ANNA ")
        assert first["user"] == second["user"] == {"key": "web:anna", "name": "Anna"}
