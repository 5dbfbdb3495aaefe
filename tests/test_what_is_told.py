"""What is told to whom: verdicts only where the terms say so, sealed answers to their owner alone."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.adapters.web.board import shown as page
from bot.messages.model import OutgoingMessage, Person, Picture, Place
from bot.messages.showing.pictures import alt, diagram
from bot.service.composing import Glance, glanced
from engine.text import Code
from render.painter import paint
from render.text_board import board as text_board
from render.view import View
from tests.chat_room import DAY, ChatRoom, open_room

UNTENABLE, TENABLE = "c7c4", "c7c5"


@pytest.fixture
async def rooms(tmp_path: Path) -> AsyncIterator["Rooms"]:
    opened = Rooms(tmp_path)
    yield opened
    for room in opened.all:
        await room.store.close()


class Rooms:
    """Rooms in which the same dice fall."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.all: list[ChatRoom] = []

    async def open(self, *lines: str) -> ChatRoom:
        """A room in which these lines were said: the first in the lounge, the others in the match's thread."""
        room = await open_room(self.folder / f"{len(self.all)}.db")
        room.seed = 7
        self.all.append(room)
        for number, line in enumerate(lines):
            name, _, text = line.partition(": ")
            await room.say(name, text, "1" if number else "")
        return room

    async def tokonoma(self, terms: str) -> ChatRoom:
        return await self.open(f"anna: challenge @ben tokonoma side=white {terms}", "ben: accept")


def public(posts: list[OutgoingMessage]) -> list[OutgoingMessage]:
    return [post for post in posts if post.only is None]


def words(post: OutgoingMessage) -> str:
    return "".join(
        span.text if isinstance(span, Code) else span if isinstance(span, str) else "·" for span in post.text
    )


# --- the umpire's verdicts --------------------------------------------------------------------------------
async def test_an_advisory_umpire_tells_the_public_not_a_word_more_than_a_silent_one(rooms: Rooms) -> None:
    silent, advisory = [await rooms.tokonoma(f"umpire=turn judge={judge}") for judge in ("silent", "advisory")]
    one, other = [await room.say("anna", UNTENABLE, "1") for room in (silent, advisory)]
    assert public(other) == public(one) == one
    (warning,) = [post for post in other if post.only is not None]
    assert warning.only is not None
    assert (warning.only.key, warning.picture) == ("web:anna", None)
    for name in ("ben", "zoe"):
        for asked in ("board", "board text", "turns", "export", "matches"):
            heard = [await room.say(name, asked, "1") for room in (silent, advisory)]
            told = [[words(post).replace("judge=advisory", "judge=silent") for post in posts] for posts in heard]
            assert told[0] == told[1], (name, asked)
            assert [post.picture for post in heard[0]] == [post.picture for post in heard[1]]


async def test_an_advisory_umpire_names_to_the_mover_the_rules_that_the_turn_breaks(rooms: Rooms) -> None:
    room = await rooms.tokonoma("umpire=turn judge=advisory")
    _, warning = await room.say("anna", UNTENABLE, "1")
    match = await room.service.repository.match("1")
    assert match is not None
    (title,) = {str(ruling.rule.title) for ruling in match.game.judge(match.plies[-1].before, match.plies[-1].turn)}
    assert words(warning) == f"Only you see this. That turn breaks: {title}. You can call it out yourself: call 1."


async def test_an_open_umpire_says_to_everybody_that_a_turn_is_untenable_and_nothing_else(rooms: Rooms) -> None:
    silent, told = [await rooms.tokonoma(f"umpire=turn judge={judge}") for judge in ("silent", "open")]
    (one,), (other,) = [await room.say("anna", UNTENABLE, "1") for room in (silent, told)]
    assert (one.only, other.only) == (None, None)
    first, *rest = words(one).splitlines()
    assert words(other).splitlines() == [f"{first} That turn is untenable.", *rest]
    assert replace(other, text=(), lines=()) == replace(one, text=(), lines=())


@pytest.mark.parametrize("judge", ["advisory", "open"])
async def test_of_a_tenable_turn_no_umpire_says_anything(rooms: Rooms, judge: str) -> None:
    silent, other = [await rooms.tokonoma(f"umpire=turn judge={how}") for how in ("silent", judge)]
    assert await other.say("anna", TENABLE, "1") == await silent.say("anna", TENABLE, "1")


@pytest.mark.parametrize("judge", ["advisory", "open"])
async def test_where_untenable_turns_are_refused_an_umpire_s_opinion_is_told_to_nobody(
    rooms: Rooms, judge: str
) -> None:
    silent, other = [await rooms.tokonoma(f"umpire=refuse judge={how}") for how in ("silent", judge)]
    refused = await other.say("anna", UNTENABLE, "1")
    assert refused == await silent.say("anna", UNTENABLE, "1")
    assert public(refused) == []
    assert await other.say("anna", TENABLE, "1") == await silent.say("anna", TENABLE, "1")


# --- terms ------------------------------------------------------------------------------------------------
OPEN = "Turn 1 can be called out until it is answered: call 1."


@pytest.mark.parametrize("turn", [TENABLE, UNTENABLE])
@pytest.mark.parametrize("judge", ["silent", "advisory", "open"])
async def test_a_match_says_what_can_be_called_out_and_until_when_whatever_the_judge_thinks(
    rooms: Rooms, judge: str, turn: str
) -> None:
    room = await rooms.tokonoma(f"umpire=turn judge={judge}")
    news = public(await room.say("anna", turn, "1"))[0]
    assert words(news).endswith(OPEN)
    for asked, where in (("board", "1"), ("next", ""), ("matches", "")):
        assert OPEN in words((await room.say("ben", asked, where))[0]), asked
    reminded = await room.wait(2 * DAY)
    assert [words(post).endswith(OPEN) for post in reminded] == [True] * len(reminded) != []
    glance = await glanced(room.service.repository, Person("web", "ben", "ben"), Place("web", "lounge", "1"), Glance())
    assert glance is not None
    assert page.shown(glance, str, "")["callable"] == OPEN.replace("call 1", "`call 1`")
    answered = public(await room.say("ben", "c1c3", "1"))[0]
    assert words(answered).endswith(OPEN.replace("Turn 1", "Turn 2"))


async def test_where_untenable_turns_are_refused_nothing_can_be_called_out(rooms: Rooms) -> None:
    room = await rooms.tokonoma("umpire=refuse")
    said = await room.say("anna", TENABLE, "1")
    for asked in ("board", "next", "matches"):
        said += await room.say("ben", asked, "1")
    assert not [post for post in said if "called out" in words(post)]


async def test_an_outsider_s_proposal_of_terms_is_refused_in_private_and_changes_nothing(rooms: Rooms) -> None:
    room = await rooms.open("anna: challenge @ben tokonoma time=3d")
    before = await room.service.repository.match("1")
    (answer,) = await room.say("zoe", "counter 1 time=5d umpire=sudden")
    assert answer.only is not None
    assert answer.only.key == "web:zoe"
    assert words(answer).startswith("Only the players of this challenge can change its terms.")
    after = await room.service.repository.match("1")
    assert after == before
    assert after is not None
    assert (after.terms["time"], after.parties) == ("3d", ("web:anna", "web:ben"))
    await room.say("ben", "accept 1")
    begun = await room.service.repository.match("1")
    assert begun is not None
    assert set(begun.seats.values()) == {"web:anna", "web:ben"}


# --- sealed answers and secrets in pictures ---------------------------------------------------------------
READERS = ("anna", "ben", "zoe")
"""The owner of the secret, the opponent, a spectator."""

LAYOUTS = ("SC$B 5678", "C$SB 8558")
CASTS = ("~L:X6", "~L:Y7")
APART = "W: S@Y4 $@X4 J@W2 e@X3 / B: S@X14 $@Z14 J@W14 e@X12 / rW: C D L / rB: C L / a: ^XY8 / to: W"


def seen(picture: Picture) -> tuple[str, str, bytes]:
    """A picture three times: as text, in words, as an image."""
    drawn = diagram(picture)
    return str(text_board(drawn, str)), alt(picture, "en"), paint(drawn, View(picture.theme))


async def pictures(room: ChatRoom, posts: list[OutgoingMessage]) -> dict[str, tuple[str, str, bytes]]:
    """What the public and every reader sees of a match."""
    (shown,) = [post.picture for post in public(posts) if post.picture is not None]
    told = {"public": seen(shown)}
    for reader in READERS:
        (board,) = await room.say(reader, "board", "1")
        assert board.only is not None
        assert board.only.name == reader
        assert board.picture is not None
        told[reader] = seen(board.picture)
    return told


async def test_a_sealed_layout_is_in_nobody_s_picture_until_both_are_there(rooms: Rooms) -> None:
    opening = ("anna: challenge @ben veney side=white setup=concealed first=white", "ben: accept")
    one, other = await rooms.open(*opening), await rooms.open(*opening)
    posts = [await room.say("anna", f"secret {text}", "1") for room, text in zip((one, other), LAYOUTS, strict=True)]
    assert await pictures(one, posts[0]) == await pictures(other, posts[1])
    both = [await pictures(room, await room.say("ben", "secret C$SB 5555", "1")) for room in (one, other)]
    for reader in ("public", *READERS):
        for shown, differing in zip(both[0][reader], both[1][reader], strict=True):
            assert shown != differing, f"now {reader} sees them"


async def test_where_a_cast_fell_is_in_everybodys_picture_of_that_turn(rooms: Rooms) -> None:
    opening = (f'anna: challenge @ben veney side=white umpire=turn start="{APART}"', "ben: accept")
    one, other = await rooms.open(*opening), await rooms.open(*opening)
    posts = [await room.say("anna", cast, "1") for room, cast in zip((one, other), CASTS, strict=True)]
    told = [await pictures(room, said) for room, said in zip((one, other), posts, strict=True)]
    for reader in ("public", *READERS):
        for shown, otherwise in zip(told[0][reader][1:], told[1][reader][1:], strict=True):
            assert shown != otherwise, "words and image tell everybody"
    posts = [await room.say("ben", "SX15", "1") for room in (one, other)]
    late = [await pictures(room, said) for room, said in zip((one, other), posts, strict=True)]
    assert late[0] == late[1], "afterwards it is remembered, not shown"
