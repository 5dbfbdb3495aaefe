"""A match is shown again turn by turn: everything that everybody was shown, and nothing else."""

import asyncio
import io
import random
from collections.abc import AsyncIterator
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageSequence

from bot.commands import views
from bot.messages.model import Form, Picture
from bot.messages.serialization import read_message, write_message
from bot.messages.showing.replays import diagrams, played
from bot.runtime.outbox import OutboxRelay
from engine.diagram import Diagram
from engine.dice import Dice
from engine.examination.journey import Journey, Moment
from engine.games import GAMES
from render.animation import animated
from render.theme import THEMES
from render.view import View
from tests.chat_room import ChatRoom, open_room
from tests.parts_of_games import COMPOSED, OURS
from tests.test_outbox import Hall
from tools.sheets import described, fault


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[ChatRoom]:
    made = await open_room(tmp_path)
    yield made
    await made.store.close()


async def replayed(room: ChatRoom, line: str = "replay 1") -> Picture:
    *_, post = await room.say("Clara", line)
    assert post.picture is not None
    assert read_message(write_message(post)).picture == post.picture
    return post.picture


async def called_out(room: ChatRoom) -> None:
    for who, line in (
        ("Anna", "challenge @ben tokonoma umpire=turn side=white"),
        ("Ben", "accept 1"),
        ("Anna", "1: c7c5"),
        ("Ben", "1: c1a2"),
        ("Anna", "call 1"),
        ("Anna", "1: e5d5"),
    ):
        await room.say(who, line)


async def test_it_shows_turns_and_callouts_with_what_was_at_fault(room: ChatRoom) -> None:
    await called_out(room)
    shown = diagrams(await replayed(room))
    assert [str(diagram.notes[0]) for diagram in shown] == [
        "The board as it is set up.",
        "1. White: c7c5",
        "2. Black: c1a2",
        "2. Black: c1a2 is untenable",
        "The board as it is set up.",
        "3. White: e5d5",
    ]
    marked = [{mark.kind for mark in diagram.marks} for diagram in shown]
    assert marked[1] == {"moved"}
    assert "culprit" in marked[3]
    assert all(dict(diagram.players) == {"W": "Anna", "B": "Ben"} for diagram in shown)
    assert not any(diagram.winners for diagram in shown)


async def test_the_last_board_of_a_match_that_is_over_says_who_has_won(room: ChatRoom) -> None:
    await called_out(room)
    await room.say("Ben", "resign 1 yes")
    *others, last = diagrams(await replayed(room))
    assert last.winners == {"W"}
    assert last.to_act is None
    assert all(diagram.to_act for diagram in others)


async def test_the_last_turns_alone_can_be_asked_for(room: ChatRoom) -> None:
    await called_out(room)
    assert [frame.number for frame in (await replayed(room, "replay 1 2")).frames] == [2, 0, 3]


async def test_what_players_have_to_remember_is_not_shown_before_the_end(room: ChatRoom) -> None:
    start = "W: S@X4 $@Y6 / B: S@X11 $@Y13 / rW: L / a: ^XY8 / to: W"
    await room.say("Anna", f'challenge @ben veney umpire=friendly side=white start="{start}"')
    await room.say("Ben", "accept 1")
    game = (await room.service.repository.match("1")).game
    await room.say("Anna", "1: ~LX7")
    match = await room.service.repository.match("1")
    (ply,) = [ply for ply in match.plies if ply.kind == "turn"]
    assert game.fades(ply.turn, ply.before)
    running = diagrams(await replayed(room))
    assert not any(mark for diagram in running for mark in diagram.marks)
    assert str(running[-1].notes[0]) == "1. White"
    await room.say("Ben", "resign 1 yes")
    assert any(mark.kind == "moved" for diagram in diagrams(await replayed(room)) for mark in diagram.marks)


@pytest.mark.parametrize(("form", "kind"), [("gif", "GIF"), ("webp", "WEBP"), ("sheet", "PNG")])
async def test_it_is_a_file_that_others_can_read(room: ChatRoom, form: Form, kind: str) -> None:
    await called_out(room)
    picture = await replayed(room, f"replay 1{' sheet' if form == 'sheet' else ''}")
    data = played(replace(picture, form=form))
    with Image.open(io.BytesIO(data)) as image:
        assert image.format == kind
        frames = 1 if form == "sheet" else len(picture.frames)
        assert sum(1 for _ in ImageSequence.Iterator(image)) == frames


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("key", GAMES)
def test_sixty_turns_and_a_callout_weigh_less_than_a_megabyte_and_are_480_pixels_wide_or_high(
    key: str, theme: str
) -> None:
    shown, fault = sixty_turns(key)
    for form in ("webp", "gif"):
        data = animated([*shown, fault, shown[-1]], View(theme), form)
        assert len(data) < 1_000_000
        with Image.open(io.BytesIO(data)) as image:
            assert min(image.size) <= 480 <= 16 + max(image.size) < 560, (
                "rows come in sixteens, and words below the board"
            )


@lru_cache
def sixty_turns(key: str) -> tuple[tuple[Diagram, ...], Diagram]:
    """What the public sees of a random match's first sixty turns, or a short one's all, and of one called out then."""
    game: Any = GAMES[key]
    longest: tuple[list[Diagram], Any, random.Random] = [], None, random.Random()
    for seed in range(40):
        chosen, dice = random.Random(seed), Dice(bytes([seed]) * 32)
        position, shown = game.setup({}, dice), list[Diagram]()
        while len(shown) < 60:
            turn = game.roll(position, chosen.choice(list(game.turns(position))), dice)
            after = game.play(position, turn)
            if game.outcome(after, 1) is not None:
                break
            shown.append(game.draw_turn(position, turn, None))
            position = after
        longest = max(longest, (shown, position, chosen), key=lambda one: len(one[0]))
        if len(shown) == 60:
            break
    shown, position, chosen = longest
    assert len(shown) == 60 or key not in OURS, "no match of sixty turns"
    turns = (
        filter(None, (described(game, position, chosen) for _ in range(200)))
        if key in COMPOSED
        else Moment(game, Journey((position,), (next(iter(game.turns(position))),)), 0, 0).untenable()
    )
    marks = next(filter(None, (fault(game, position, turn) for turn in turns)), ())
    assert marks or key not in OURS, "no turn that is called out"
    return tuple(shown), game.draw(position, None).marked(marks)


@pytest.mark.parametrize("key", GAMES)
async def test_a_larger_replay_is_made_on_demand(room: ChatRoom, key: str) -> None:
    await room.say("Anna", f"challenge @ben {key} umpire=turn")
    await room.say("Ben", "accept 1")
    small, large = await replayed(room), await replayed(room, "replay 1 large")
    for form in ("webp", "gif", "sheet"):
        sizes = []
        for picture in (small, large):
            with Image.open(io.BytesIO(played(replace(picture, form=form)))) as image:
                sizes.append(max(image.size))
        assert sizes[1] > 1.9 * sizes[0]


async def test_a_large_replay_shows_fewer_turns_at_most(room: ChatRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "MOST_LARGE", 2)
    await called_out(room)
    assert len((await replayed(room, "replay 1 400")).frames) == 6
    assert len((await replayed(room, "replay 1 400 large")).frames) == 3


async def test_a_gif_and_a_webp_show_the_same(room: ChatRoom) -> None:
    await called_out(room)
    picture = await replayed(room)
    moving = []
    for form in ("gif", "webp"):
        data = played(replace(picture, form=form))
        with Image.open(io.BytesIO(data)) as image:
            moving.append([frame.convert("RGB").tobytes() for frame in ImageSequence.Iterator(image)])
    assert moving[0] == moving[1]


async def test_talk_about_a_replay_is_talk(room: ChatRoom) -> None:
    await called_out(room)
    assert await room.say("Anna", "replay that in your head", thread="1") == []
    (answer,) = await room.say("Anna", "replay 1 everything")
    assert "Say how many turns" in str(answer.text)


async def test_no_turn_waits_until_somebody_s_replay_is_made(room: ChatRoom) -> None:
    await called_out(room)
    hall, made = Hall(), asyncio.Event()

    async def paint(picture: Picture) -> bytes:
        if picture.form:
            await made.wait()
        return b"made"

    relay = OutboxRelay(room.store, {"web": hall}, paint, lambda: room.now)
    room.listeners.append(relay.committed)
    at_work = asyncio.create_task(relay.run())
    for who, line in (("Clara", "replay"), ("Ben", "a1a2"), ("Clara", "replay sheet")):
        await room.service.receive(room.message(who, line, "1"))
    await hall.until(lambda: bool(hall.shown))
    ((_, turn, image),) = hall.shown
    (told,) = await room.store.told([turn])
    assert "Turn 4" in str(read_message(told.body).text)
    assert image == b"made"
    made.set()
    await hall.until(lambda: len(hall.shown) == 3)
    at_work.cancel()
    await asyncio.gather(at_work, return_exceptions=True)
