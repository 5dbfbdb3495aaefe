"""The page of a match for strangers, as requests see it; and who a match's players are said to be."""

import re
from functools import partial
from html import unescape
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from bot.messages.model import OutgoingMessage, Person, Picture, Place
from bot.painting import Painting
from bot.service.composing import Board, Glance, public_board
from storage.store import Summary
from tests.adapters.linked_room import PUBLIC, SERVED, linked_room
from tests.adapters.web_room import MATCH, open_room
from tests.chat_room import open_room as open_service

ADDRESSES = (
    *("{}", "{}?language=de", "0{}", "{}/board", "{}/board?language=de", "{}/board?site=c7", "{}/board?site=zz"),
    *("{}/board?shown=0", "{}/board?called=0", "{}/board?side=W", "{}/board?heard=9&known=x", "{}/board?shown=x"),
    *("{}/board.png", "{}/board.png?after=5&language=de"),
)


async def get(opened: Any, path: str, **headers: str) -> tuple[int, str]:
    async with opened.session.get(f"{opened.address}{path}", headers=headers) as answer:
        return answer.status, await answer.text()


async def test_a_stranger_reads_a_match_of_the_room_and_no_other(tmp_path: Path) -> None:
    service = await open_service(tmp_path / "service")
    await service.say("Anna", "challenge @ben tokonoma umpire=friendly side=white")
    await service.say("Ben", "accept 1")
    await service.say("Clara", "challenge @dora tokonoma", platform="discord")
    await service.say("Dora", "accept 2", platform="discord")

    async def watch(match: str, glance: Glance) -> Board | None:
        return await public_board(service.service.repository, match, glance, "web")

    async with open_room(tmp_path, public_board=watch) as opened:
        assert (await get(opened, "match/1"))[0] == 200
        status, body = await get(opened, "match/1/board?shown=0&heard=0&known=")
        assert (status, '"menu": null' in body, '"acts": []' in body) == (200, True, True)
        private = await get(opened, "match/2/board")
        never = await get(opened, "match/3/board")
        assert private[0] == never[0] == 404
        assert private[1].replace("2", "3") == never[1]
        assert (await get(opened, "match/1/board?shown=-99999999999&called=77"))[0] == 200
        assert (await get(opened, "match/1/board?shown=x"))[0] == 400
        status, body = await get(opened, "match/1/board?site=c7")
        assert (status, "White Arm on a Flat" in body, "Neighbours" in body) == (200, True, True)
        assert (await get(opened, "match/1/board?site=%3Cb%3E"))[1] == '{"site": "<b>", "told": ""}'
        for path in ("match/1/board", "match/1/board.png"):
            assert (await get(opened, path, Host="evil.example"))[0] == 403
    await service.store.close()


@pytest.mark.parametrize(
    ("player", "name"),
    [
        ("riposte:Riposte", "Riposte"),
        ("discord:77", "a player on Discord"),
        ("discord:78", "Clara"),
        ("web:zoe", "zoe"),
    ],
)
async def test_a_player_from_elsewhere_has_the_name_that_is_known(tmp_path: Path, player: str, name: str) -> None:
    async def named(key: str) -> Person:
        platform, _, number = key.partition(":")
        return Person(platform, number, {"discord:78": "Clara"}.get(key, number))

    async def summary(_match: str) -> Summary:
        return Summary("12", "tokonoma", "running", ("web:anna", player), (player,), (), 1_770_000_500_000, 0)

    async with open_room(tmp_path, named=named, summary=summary) as opened:
        tab, _ = await opened.enter("Anna")
        await opened.room.deliver(OutgoingMessage("k", MATCH, ("It begins.",)), None)
        while (place := await tab.hear("place"))["thread"] != "12" or not place["players"]:
            pass
        assert [each["name"] for each in place["players"]] == ["Anna", name]
        assert place["due"] == 1_770_000_500_000
        assert Place("web", place["channel"], place["thread"]) == MATCH


async def test_files_of_the_page_come_packed_and_only_once(tmp_path: Path) -> None:
    async with open_room(tmp_path) as opened:
        async with opened.session.get(f"{opened.address}room.js") as answer:
            assert answer.headers["Content-Encoding"] == "gzip"
            tag, words = answer.headers["ETag"], await answer.text()
        async with opened.session.get(
            f"{opened.address}room.js", headers={"Accept-Encoding": "identity"}, auto_decompress=False
        ) as answer:
            assert "Content-Encoding" not in answer.headers
            assert await answer.text() == words
        assert (await get(opened, "room.js", **{"If-None-Match": tag})) == (304, "")


async def test_a_link_to_a_match_says_who_plays_and_how_it_stands_and_a_secret_one_nothing(tmp_path: Path) -> None:
    async with linked_room(tmp_path) as room:
        anna, _ = await room.page.enter("Anna")
        await anna.say("challenge tokonoma side=white")
        await room.handled.get()
        await room.say('"><script>alert(1)</script>', "accept 1")
        _, page = await get(room.page, "match/1")
        named = "Tokonoma, match 1: Anna, &quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"
        assert f"<title>{named}</title>" in page
        assert f'<meta property="og:title" content="{named}">' in page
        assert '<meta property="og:description" content="White to move.">' in page
        assert "alert(1)</script>" not in page
        await anna.say("resign 1 yes")
        await room.handled.get()
        assert "by resignation." in (await get(room.page, "match/1"))[1]
        await room.match("Clara", "Dora")
        plain = (await get(room.page, "match/2"))[1]
        assert "<title>Riposte</title>" in plain
        assert plain == (await get(room.page, "match/3"))[1], "as if there were none"


async def test_a_link_to_a_match_shows_its_board_as_everybody_sees_it_and_a_new_one_after_each_turn(
    tmp_path: Path,
) -> None:
    drawn: list[Picture] = []

    async def paint(picture: Picture) -> bytes:
        drawn.append(picture)
        return await painting.paint(picture)

    painting = Painting()
    async with linked_room(tmp_path, paint=paint) as room:
        anna, _ = await room.page.enter("Anna")
        await anna.say("challenge tokonoma umpire=refuse side=white")
        await room.handled.get()
        await room.say('"><b>', "accept 1")

        async def linked(language: str = "") -> str:
            """What a chat fetches of a link: the page's head, and then the picture that it names."""
            async with room.page.session.get(f"{room.page.address}match/1{language}", headers=SERVED) as answer:
                page = await answer.text()
            (address,) = re.findall(r'<meta property="og:image" content="([^"]*)">', page)
            (words,) = re.findall(r'<meta property="og:image:alt" content="([^"]*)">', page)
            assert "Tokonoma" in words
            path = unescape(address).removeprefix(f"{PUBLIC}/")
            async with room.page.session.get(f"{room.page.address}{path}", headers=SERVED) as answer:
                assert (answer.status, answer.content_type) == (200, "image/png")
                image = Image.open(BytesIO(await answer.read()))
            image.verify()
            return unescape(address)

        first = await linked()
        assert await linked() == first
        assert len(drawn) == 1, "the second time it is there still"
        assert (drawn[0].viewer, drawn[0].theme, drawn[0].turn) == (None, "light", "")
        assert ("B", '"><b>') in drawn[0].players
        await linked("?language=de")
        assert drawn[-1].language == "de"
        await linked("?language=tlh")
        assert len(drawn) == 2, "as many as there are languages"
        await anna.say("move 1 c7c5")
        await room.handled.get()
        assert await linked() != first
        await anna.say("resign 1 yes")
        await room.handled.get()
        await linked()
        assert drawn[-1].over
        async with room.page.session.head(f"{room.page.address}match/1/board.png", headers=SERVED) as answer:
            assert (answer.status, answer.headers["Cache-Control"]) == (200, "max-age=60")


@pytest.mark.parametrize("address", ADDRESSES)
async def test_however_it_is_asked_for_a_match_that_is_not_for_all_is_none(tmp_path: Path, address: str) -> None:
    """A private one, one of another platform, one that has not begun, and a private one that is over."""
    service = await open_service(tmp_path / "service")
    await service.say("Anna", "challenge @ben tokonoma side=white private=on")
    await service.say("Ben", "accept 1")
    await service.say("Clara", "challenge @dora tokonoma", platform="discord")
    await service.say("Dora", "accept 2", platform="discord")
    await service.say("Anna", "challenge @ben tokonoma")
    await service.say("Anna", "challenge @ben tokonoma side=white private=on")
    await service.say("Ben", "accept 4")
    await service.say("Anna", "resign 4 yes", "4")
    watch = partial(public_board, service.service.repository, platform="web")
    async with open_room(tmp_path, public_board=watch, paint=Painting().paint) as opened:
        for method in ("GET", "HEAD"):
            told = []
            for number in "12349":
                path = f"{opened.address}match/{address.format(number)}"
                async with opened.session.request(method, path) as answer:
                    headers = {name: value for name, value in answer.headers.items() if name != "Date"}
                    told.append((answer.status, headers, (await answer.text()).replace(f"match {number}", "match")))
            assert all(one == told[-1] for one in told), method
    await service.store.close()
