"""The pages of the rules: every picture is the game's own, none is stale, and the web room serves them.

`python -m tools.rules_pages` makes them anew: look at them.
"""

import io
import re
from pathlib import Path

import aiohttp
import pytest
from PIL import Image, ImageChops

from engine.dice import Dice
from engine.games import GAMES
from engine.teaching.entries import Entry
from engine.teaching.scenes import drawn, scenes, shown_turn
from render.scene import painted, pictured
from tests.adapters import web_room
from tests.chat_room import open_room
from tools.rules_pages import PAGES, SERVED, anchor, served, taught, whole

KEYS = sorted(taught())
DRAWN = [(key, name) for key in KEYS for name in scenes(GAMES[key])]
TURNS = [
    (key, entry)
    for key in KEYS
    for entry in GAMES[key].entries
    if entry.scene is not None and entry.scene.way and not entry.scene.reaches
]
SPECIAL = {
    "tokonoma": "flat arm blind star stacking attack house",
    "tirachen": "general fort commander master-of-arms master-of-spells master-of-the-hunt pike traitor traitor-turned "
    "beside-a-fort the-homeland",
    "ironclad": "robot stone negation sliding circularity firing cover string breakthrough swap",
    "chirality": "thick thin mustering remote-mustering capture garrison inner-garrison throne",
    "veney": "self sword dagger guard lantern jutsu cloak balance ruin donkey engagement free-engagement flail "
    "en-passant feign shift retreat placing withdrawing cavazione opposition concert stepping-stone throw distraction "
    "deflection glare intention disarm severing capture-of-a-blade control presence hirakamae casting fire-dance chaos "
    "shima",
}
"""Pieces and moves without which a page would not be whole."""


def same(first: bytes, second: bytes) -> bool:
    """Whether two pictures have the same pixels."""
    one, other = (Image.open(io.BytesIO(image)).convert("RGB") for image in (first, second))
    return one.size == other.size and ImageChops.difference(one, other).getbbox() is None


@pytest.mark.parametrize(("key", "name"), DRAWN, ids=[f"{key} {name}" for key, name in DRAWN])
def test_no_picture_of_the_rules_is_stale(key: str, name: str) -> None:
    assert same((PAGES / key / f"{name}.png").read_bytes(), painted(GAMES[key], name))


@pytest.mark.parametrize("key", KEYS)
def test_a_page_shows_every_piece_and_move_and_nothing_that_is_not_drawn(key: str) -> None:
    there = set(scenes(GAMES[key]))
    assert set(SPECIAL[key].split()) <= there
    assert {path.stem for path in (PAGES / key).glob("*.png")} == there
    assert set(re.findall(rf"\]\({key}/([\w-]+)\.png\)", (PAGES / f"{key}.md").read_text("utf-8"))) == there


@pytest.mark.parametrize("key", KEYS)
def test_a_page_and_its_copy_for_the_web_room_are_up_to_date(key: str) -> None:
    page = (PAGES / f"{key}.md").read_text("utf-8")
    assert whole(GAMES[key], page) == page
    assert served(GAMES[key], page) == (SERVED / f"{key}.html").read_text("utf-8")


@pytest.mark.parametrize(("key", "entry"), TURNS, ids=[f"{key} {entry.name}" for key, entry in TURNS])
def test_a_turn_that_is_shown_is_what_the_judge_says_of_it(key: str, entry: Entry) -> None:
    game = GAMES[key]
    assert entry.scene is not None
    position, turn, marks = shown_turn(game, entry.scene)
    broken = list(game.judge(position, game.read(turn or entry.scene.way, position)))
    assert bool(turn) != bool(broken)
    assert bool(marks) <= bool(broken)
    assert drawn(game, entry.scene).figures


@pytest.mark.parametrize("key", KEYS)
def test_a_turn_that_ends_the_game_shows_who_has_won(key: str) -> None:
    game, ends = GAMES[key], 0
    for scene in scenes(game).values():
        if scene.reaches or not scene.way:
            continue
        position, turn, _ = shown_turn(game, scene)
        end = game.outcome(game.play(position, game.read(turn, position))) if turn else None
        if end is not None:
            ends += 1
            assert (drawn(game, scene).to_act, drawn(game, scene).winners) == (None, end.winners)
    assert ends


CLOSE = [(key, name) for key, name in DRAWN if scenes(GAMES[key])[name].around]


@pytest.mark.parametrize(("key", "name"), CLOSE, ids=[f"{key} {name}" for key, name in CLOSE])
def test_a_close_up_holds_all_that_happens_with_the_names_that_are_told(key: str, name: str) -> None:
    game, scene = GAMES[key], scenes(GAMES[key])[name]
    whole_board, shown = drawn(game, scene), pictured(game, scene)
    assert len(shown.board.outlines) < len(whole_board.board.outlines)
    assert shown.marks == whole_board.marks
    assert shown.links == whole_board.links
    named = set(re.findall(r"[A-E]\d+", scene.way))
    assert named <= shown.board.outlines.keys()


@pytest.mark.parametrize("key", KEYS)
def test_the_match_with_notes_breaks_no_rule_and_comes_to_an_end(key: str) -> None:
    game = GAMES[key]
    position = game.setup(dict(game.sample_terms), Dice(bytes(32)))
    for noted in game.sample:
        assert game.outcome(position) is None
        turn = game.read(noted.turn, position)
        assert list(game.judge(position, turn)) == [], noted.turn
        assert game.write(turn, position) == noted.turn
        position = game.play(position, turn)
    assert game.outcome(position) is not None


@pytest.mark.parametrize("key", KEYS)
def test_the_match_has_notes_and_boards_and_stands_on_the_page(key: str) -> None:
    page = (PAGES / f"{key}.md").read_text("utf-8")
    notes = [noted.says for noted in GAMES[key].sample if noted.says]
    assert len(notes) >= 5
    assert [note for note in notes if note not in page] == []
    assert any(noted.drawn for noted in GAMES[key].sample)


def test_headings_are_linked_as_the_code_host_does() -> None:
    page = (PAGES / "veney.md").read_text("utf-8")
    anchors = {anchor(heading) for heading in re.findall(r"^#+ (.*)$", page, re.MULTILINE)}
    assert set(re.findall(r"\]\(#([^)]*)\)", page)) <= anchors


async def test_the_web_room_serves_pages_and_pictures_and_nothing_else(tmp_path: Path) -> None:
    async with web_room.open_room(tmp_path) as room, aiohttp.ClientSession() as session:
        base = room.address.rstrip("/")
        async with session.get(f"{base}/rules/veney") as answer:
            page = await answer.text()
            assert (answer.status, answer.content_type) == (200, "text/html")
        for source in ("/rules/veney/sword.png", "/rules/veney/sword.png?theme=dark"):
            assert f'"{source}"' in page
            async with session.get(base + source) as answer:
                assert (answer.status, answer.content_type) == (200, "image/png")
                image = await answer.read()
            assert same(image, painted(GAMES["veney"], "sword")) is ("dark" not in source)
        for key in KEYS:
            async with session.get(f"{base}/rules/{key}") as answer:
                assert (answer.status, GAMES[key].name in await answer.text()) == (200, True)
        for missing in ("/rules/chess", "/rules/veney/chess.png", "/rules/veney/sword", "/rules/..%2fveney"):
            async with session.get(base + missing) as answer:
                assert answer.status == 404


async def test_chats_link_to_the_page_where_everybody_can_open_it(tmp_path: Path) -> None:
    room = await open_room(tmp_path)
    for command in ("rules tokonoma", "games tokonoma"):
        await room.say("anna", command)
    assert not any("/rules/" in line for line in room.lines)
    room.service.repository.public = "https://riposte.example"
    for command in ("rules tokonoma", "games tokonoma"):
        await room.say("anna", command)
    assert sum("<https://riposte.example/rules/tokonoma>" in line for line in room.lines) == 2
    await room.store.close()
