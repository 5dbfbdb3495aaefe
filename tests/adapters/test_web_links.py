"""Whoever plays in a chat opens their board on the page by a personal link; nobody else comes in by it."""

from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from bot.messages.model import Page, Person, Place
from tests.adapters.linked_room import CLUB, PUBLIC, SALON, board, browser, linked_room, spoken
from tests.adapters.web_room import NOON
from tests.links import attempts, tried

MINUTES = 60_000


@pytest.mark.parametrize("chat", [CLUB, SALON], ids=lambda chat: chat.platform)
async def test_a_player_of_a_chat_goes_on_by_taps_on_the_page_and_back_in_the_chat(tmp_path: Path, chat: Place) -> None:
    async with linked_room(tmp_path, chat) as room, browser(room) as phone:
        match = await room.match("Anna", "Ben")
        link = await room.link("Anna", match)
        assert link.startswith(f"{PUBLIC}/enter#")
        for _ in range(3):  # programs that look at links
            assert (await phone.get("/enter"))[0] == 200
        answer = await phone.press(link)
        assert (answer["name"], answer["at"]) == ("Anna", f"~/{match}")
        (cookie,) = answer["cookies"].values()
        assert (cookie["httponly"], cookie["samesite"], cookie["secure"]) == (True, "Strict", True)
        tab, entered = await phone.enter("Anna")
        assert entered["user"]["key"] == "web:anna"
        (place,) = [place for place in entered["places"] if place["thread"]]
        assert (place["channel"], place["thread"], place["to_act"]) == ("~", match, ["web:anna"])
        assert [player["key"] for player in place["players"]] == ["web:anna", f"{chat.platform}:ben"]
        seen = await board(tab, match)
        assert seen["viewer"] == "W"
        composed = await board(tab, match, picks=["c7"])
        assert composed["menu"]["sites"]
        await tab.say(f"move {match} @1 c7c5", Place("web", "~", match), pressed="c7c5")
        assert (await tab.hear("place"))["to_act"] == [f"{chat.platform}:ben"]
        # the others read it where the match lives, and the board on the page follows the chat
        await room.say("Ben", "c1c3", replace(chat, thread=match))
        assert (await tab.hear("place"))["to_act"] == ["web:anna"]
        assert len((await board(tab, match))["plies"]) == 2
        await room.say("Anna", f"move {match} a5a3")
        assert (await tab.hear("place"))["to_act"] == [f"{chat.platform}:ben"]


async def test_a_match_that_lives_on_the_page_stays_where_it_is(tmp_path: Path) -> None:
    async with linked_room(tmp_path) as room, browser(room) as phone:
        match = await room.match("Anna", "Ben")
        await phone.press(await room.link("Anna", match))
        tab, _ = await phone.enter("Anna")
        await tab.say("challenge tokonoma")
        await room.handled.get()
        (open_one,) = await room.store.matches(player="web:anna", status="open", limit=2)
        await room.say("Ben", f"accept {open_one.match}", CLUB)
        _, entered = await phone.enter("Anna")
        listed = [(place["channel"], place["thread"]) for place in entered["places"] if place["thread"]]
        assert sorted(listed) == [("lounge", open_one.match), ("~", match)]
        answer = await phone.press(await room.link("Ben", open_one.match))
        assert answer["at"] == f"lounge/{open_one.match}"


async def test_what_is_said_there_is_read_by_nobody_else(tmp_path: Path) -> None:
    async with linked_room(tmp_path) as room, browser(room) as phone, browser(room) as stranger:
        match = await room.match("Anna", "Ben")
        await phone.press(await room.link("Anna", match))
        tab, _ = await phone.enter("Anna")
        here = Place("web", "~", match)
        await tab.say("nonsense that is no turn", here)
        await tab.say(f"board {match}", here)
        await tab.hear("message")
        await stranger.sit("Mallory")
        other, entered = await stranger.enter("Mallory")
        assert [place for place in entered["places"] if place["thread"]] == []
        assert await other.page(here) == []
        assert (await board(other, match))["none"]
        assert (await board(other, match, "lounge"))["none"]
        await other.say(f"resign {match} yes", here)
        assert "no such place" in (await other.hear("refused"))["because"]
        assert (await stranger.get(f"/match/{match}/board"))[0] == 404
        assert [await room.store.summary(match)][0].status == "running"  # type: ignore[union-attr]


async def test_a_second_link_leads_to_the_same_seat_and_the_first_one_to_none(tmp_path: Path) -> None:
    async with linked_room(tmp_path) as room, browser(room) as phone, browser(room) as desk:
        match = await room.match("Anna", "Ben")
        first, second = await room.link("Anna", match), await room.link("Anna", match)
        assert "leads nowhere" in (await phone.press(first))["because"]
        assert (await phone.press(second))["name"] == "Anna"
        assert "leads nowhere" in (await phone.press(second))["because"]
        assert (await desk.press(await room.link("Anna", match)))["name"] == "Anna"
        for each in (phone, desk):
            assert (await each.enter("Anna"))[1]["is"] == "entered"
        assert (await room.service.repository.accounts("web:anna")) == ("discord:anna", "web:anna")


async def test_a_name_that_is_taken_on_the_page_is_left_to_whoever_has_it(tmp_path: Path) -> None:
    async with linked_room(tmp_path) as room, browser(room) as other, browser(room) as phone:
        await other.sit("Anna")
        await other.enter("Anna")
        match = await room.match("Anna", "Ben")
        assert (await phone.press(await room.link("Anna", match)))["name"] == "Anna-2"
        tab, _ = await other.enter("Anna")
        assert (await board(tab, match))["none"]


@pytest.mark.parametrize("name", ["Zoë Müller", "★★★", "Riposte", "a" * 60, "An\u202ena", "_", "<b>x</b>", "山田"])
async def test_whatever_somebody_is_called_elsewhere_they_get_a_seat(tmp_path: Path, name: str) -> None:
    async with linked_room(tmp_path) as room, browser(room) as phone:
        match = await room.match(name, "Ben")
        answer = await phone.press(await room.link(name, match))
        assert (await phone.enter(answer["name"]))[1]["is"] == "entered"


async def test_a_link_ends_after_ten_minutes(tmp_path: Path) -> None:
    async with linked_room(tmp_path) as room, browser(room) as phone:
        match = await room.match("Anna", "Ben")
        link = await room.link("Anna", match)
        room.now = NOON + 10 * MINUTES
        assert "ten minutes" in (await phone.press(link))["because"]
        link = await room.link("Anna", match)
        room.now += 10 * MINUTES - 1
        assert (await phone.press(link))["name"] == "Anna"


async def test_two_who_press_one_link_at_once_do_not_both_come_in(tmp_path: Path) -> None:
    from asyncio import gather

    async with linked_room(tmp_path) as room, browser(room) as phone, browser(room) as thief:
        match = await room.match("Anna", "Ben")
        link = await room.link("Anna", match)
        answers = await gather(phone.press(link), thief.press(link))
        assert sorted("name" in answer for answer in answers) == [False, True]
        assert len(await room.page.room._history._run(lambda db: db.execute("SELECT * FROM session").fetchall())) == 1


async def test_a_spent_link_stays_spent_after_a_restart_and_the_browser_stays_in(tmp_path: Path) -> None:
    async with linked_room(tmp_path) as room, browser(room) as phone:
        match = await room.match("Anna", "Ben")
        link = await room.link("Anna", match)
        await phone.press(link)
        kept = phone.kept
    async with linked_room(tmp_path) as room, browser(room) as phone:
        assert "leads nowhere" in (await phone.press(link))["because"]
        phone.kept = kept
        tab, _ = await phone.enter("Anna")
        assert (await board(tab, match))["viewer"] == "W"


async def test_an_account_that_is_unlinked_no_longer_shows_its_matches_there(tmp_path: Path) -> None:
    async with linked_room(tmp_path) as room, browser(room) as phone:
        match = await room.match("Anna", "Ben")
        await phone.press(await room.link("Anna", match))
        tab, _ = await phone.enter("Anna")
        await room.say("Anna", "account apart")
        assert (await board(tab, match))["none"]
        await tab.say(f"move {match} c7c5", Place("web", "~", match))
        assert "no such place" in (await tab.hear("refused"))["because"]


async def test_the_sessions_of_somebody_erased_end_and_their_name_is_a_newcomer_s(tmp_path: Path) -> None:
    async with linked_room(tmp_path) as room, browser(room) as phone, browser(room) as other:
        match = await room.match("Anna", "Ben")
        await phone.press(await room.link("Anna", match))
        tab, _ = await phone.enter("Anna")
        assert room.room is not None
        await room.room.forget((Person("web", "anna", "Anna"),), 1)
        closed = await tab.socket.receive()
        while closed.type.name == "TEXT":
            closed = await tab.socket.receive()
        assert closed.type.name in ("CLOSE", "CLOSED", "CLOSING")
        assert "because" in (await phone.enter("Anna"))[1]
        assert "because" not in await other.sit("Anna")
        assert "because" not in (await other.enter("Anna"))[1]


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://play.example.org"},
        {"Host": "evil.example", "Origin": "https://evil.example"},
        {"Origin": PUBLIC, "Host": "127.0.0.1"},
    ],
    ids=str,
)
async def test_another_site_spends_no_personal_link(tmp_path: Path, headers: dict[str, str]) -> None:
    async with linked_room(tmp_path) as room, browser(room) as phone:
        match = await room.match("Anna", "Ben")
        link = await room.link("Anna", match)
        assert (await phone.press(link, **headers))["status"] == 403
        assert (await phone.press(link))["name"] == "Anna"


# --- who is given one ---------------------------------------------------------------------------------------
async def test_only_those_who_play_are_given_a_link(tmp_path: Path) -> None:
    async with linked_room(tmp_path) as room:
        match = await room.match("Anna", "Ben")
        (told,) = await room.say("Clara", f"open {match}")
        assert "do not play" in spoken(told)
        assert not any(isinstance(span, Page) for span in told.text)
        (shown,) = await room.say("Clara", f"board {match}")
        assert [choice.command for choice in shown.choices] == []
        (shown,) = await room.say("Anna", f"board {match}")
        assert [choice.command for choice in shown.choices] == [f"open {match}"]


async def test_without_a_public_page_there_is_neither_link_nor_button(tmp_path: Path) -> None:
    async with linked_room(tmp_path) as room:
        match = await room.match("Anna", "Ben")
        room.service.repository.public = ""
        (told,) = await room.say("Anna", f"open {match}")
        assert "no matches on the web here" in spoken(told)
        (shown,) = await room.say("Anna", f"board {match}")
        assert [choice.command for choice in shown.choices] == []


async def test_no_match_begins_where_nobody_else_reads_but_a_rematch_goes_back(tmp_path: Path) -> None:
    async with linked_room(tmp_path) as room, browser(room) as phone:
        match = await room.match("Anna", "Ben")
        await phone.press(await room.link("Anna", match))
        tab, _ = await phone.enter("Anna")
        here = Place("web", "~", match)
        for text in ("challenge tokonoma", f"link {match}"):
            await tab.say(text, here)
            while "place that others can read" not in str((await tab.hear("message"))["body"]):
                pass
            await room.handled.get()
        await tab.say(f"resign {match} yes", here)
        await room.handled.get()
        while not (await tab.hear("place"))["over"]:
            pass
        acts = (await board(tab, match))["acts"]
        assert [act["command"] for act in acts] == [f"rematch {match}"]
        await tab.say(f"rematch {match}", here, pressed="Rematch")
        assert (await room.handled.get()).text.startswith("rematch")
        (again,) = await room.store.matches(player="discord:anna", status="open", limit=2)
        assert again.places == ("discord/7/",)


# --- who tries to get in ------------------------------------------------------------------------------------
async def test_forged_spent_and_expired_links_and_keys_open_nothing(tmp_path: Path) -> None:
    """The short form of `python -m tests.links`."""
    assert await tried(tmp_path, 400) == {"tried": 400, "let in": 0}


def test_each_kind_of_attempt_is_among_the_first(tmp_path: Path) -> None:
    kinds = {attempt.kind for attempt in islice(attempts("f" * 64, "a" * 43, "b" * 43), 60)}
    assert kinds == {"link", "key", "another's key", "planted key", "another site", "socket"}


async def test_who_has_only_sat_down_is_called_by_their_name(tmp_path: Path) -> None:
    async with linked_room(tmp_path) as room, browser(room) as first, browser(room) as second:
        await first.sit("Anna-Maria")
        await first.enter("Anna-Maria")
        await second.sit("Ben")
        tab, _ = await second.enter("Ben")
        await tab.say("challenge @anna-maria tokonoma")
        await room.handled.get()
        told = [span.get("name") for span in (await tab.page())[-1]["body"]["text"] if isinstance(span, dict)]
        assert "Anna-Maria" in told
    async with linked_room(tmp_path) as room:  # after a restart, too
        assert (await room.service.repository.person("web:anna-maria")).name == "Anna-Maria"
