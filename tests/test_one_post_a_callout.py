"""A callout is one post: the ruling, the board with what was at fault, and the board to go on from."""

import io
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from bot.messages.model import OutgoingMessage
from bot.messages.showing.pictures import alt, diagram
from bot.painting import painted_now
from engine.games import GAMES
from render.view import View
from tests.adapters.web_room import LOUNGE, MATCH
from tests.adapters.web_room import open_room as open_page
from tests.chat_room import ChatRoom, open_room
from tests.render.test_golden import MIDGAMES

SIDE_BY_SIDE = (
    (
        "Anna",
        'challenge @ben veney side=white start="W: S@X6 $@Z6 D@Y6 e@W5 / B: S@Y14 $@Z14 e@W12 / a: ^XY8"',
    ),
    ("Ben", "accept 1"),
    ("Anna", "1: SX7 throw"),
    ("Anna", "1: SW3 $X9"),
    ("Ben", "call 1"),
)
"""White's throw distracts, so that Self and Sword may be put elsewhere, but not so far."""


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[ChatRoom]:
    made = await open_room(tmp_path)
    yield made
    await made.store.close()


def untenable(key: str) -> str:
    """A turn that can be described and breaks a rule: the first that the board's order leads to."""
    game = GAMES[key]
    position = game.decode(MIDGAMES[key])
    ways: list[tuple[str, ...]] = [()]
    for way in ways:
        menu = game.menu(position, way)
        if menu.complete and len(way) > 1 and any(game.judge(position, game.read(menu.text, position))):
            return menu.text
        if len(way) < 4:
            ways += [(*way, pick) for pick in (*menu.sites, *(choice.key for choice in menu.choices))]
    raise AssertionError("every turn is tenable")


async def called(room: ChatRoom, key: str) -> OutgoingMessage:
    """The one post that everybody sees of a callout."""
    game = GAMES[key]
    side = game.names[game.to_act(game.decode(MIDGAMES[key]))].lower()
    await room.say("Anna", f'challenge @ben {key} umpire=friendly start="{MIDGAMES[key]}" side={side}')
    await room.say("Ben", "accept 1")
    await room.say("Anna", f"1: {untenable(key)}")
    (post,) = [post for post in await room.say("Ben", "call 1") if post.only is None]
    return post


@pytest.mark.parametrize("key", MIDGAMES)
async def test_it_holds_the_ruling_the_fault_and_the_board_to_go_on_from(room: ChatRoom, key: str) -> None:
    post = await called(room, key)
    told = str(post.text)
    assert "untenable" in told
    assert "Rule: " in told
    assert post.picture is not None
    now = (await room.service.repository.match("1")).position
    shown = diagram(post.picture)
    assert shown.figures == GAMES[key].draw(now, None).figures
    assert {mark.kind for mark in shown.marks} & {"culprit", "blocker", "reach", "zone", "moved"}
    assert shown.to_act == GAMES[key].to_act(now)


@pytest.mark.parametrize("key", MIDGAMES)
async def test_the_page_shows_it_as_one_message_with_one_picture(room: ChatRoom, tmp_path: Path, key: str) -> None:
    post = await called(room, key)
    assert post.picture is not None
    shown = replace(post, where=MATCH, picture=replace(post.picture, alt=alt(post.picture, "")))
    async with open_page(tmp_path) as opened:
        anna, _ = await opened.enter("Anna")
        await opened.room.deliver(shown, painted_now(post.picture, View()))
        (message,) = await anna.page(MATCH)
        assert message["body"]["picture"]["alt"] == alt(post.picture, "")
        assert await anna.page(LOUNGE) == []


async def test_where_pieces_stand_elsewhere_now_both_boards_are_side_by_side(room: ChatRoom) -> None:
    room.seed = 45  # all sticks but one are right
    for who, line in SIDE_BY_SIDE:
        posts = await room.say(who, line)
    (post,) = [post for post in posts if post.only is None]
    assert post.picture is not None
    fault, now = map(diagram, post.picture.sheet)
    assert "culprit" in {mark.kind for mark in fault.marks}
    assert now.figures == GAMES["veney"].draw((await room.service.repository.match("1")).position, None).figures
    with Image.open(io.BytesIO(painted_now(post.picture, View()))) as image:
        one = Image.open(io.BytesIO(painted_now(replace(post.picture, sheet=()), View(size=480))))
        assert image.width > 2 * one.width
    assert alt(post.picture, "").count("Veney.") == 2
