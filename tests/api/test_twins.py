"""The silent referee at the door for programs: what differs in tenability alone is answered alike, to the byte."""

import asyncio
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from random import Random

import pytest

from bot.adapters.api.streams import is_news
from bot.adapters.api.webhooks import Webhooks
from bot.messages.serialization import address, read_event, read_message
from bot.notices.programs import mailbox
from engine.games import GAMES
from engine.match.events import Played
from tests.api.hook import listening
from tests.api.room import Room, open_room
from tests.api.test_streams import PATIENT
from tests.differ.blind import blind
from tests.differ.untenable import SHEETS, Line, next_turn
from tests.parts_of_games import CERTAIN
from tests.table import begun

TURNS = 4


@pytest.mark.parametrize("key", CERTAIN)
async def test_twins_are_answered_alike(key: str, tmp_path: Path) -> None:
    terms, script = _script(key)
    real, broken = await _noticed(tmp_path / "real", key, terms, script)
    with blind(key):
        twin, none = await _noticed(tmp_path / "twin", key, terms, script)
    assert (broken, none) == (True, False), "or there is nothing to hide"
    for one, other in zip(real, twin, strict=True):
        assert one == other


def _script(key: str) -> tuple[str, list[Line]]:
    """The terms of a match, and turns of which one at least is untenable."""
    game, chance = GAMES[key], Random(key)
    terms = {"umpire": game.penalties[0], "judge": "silent", "time": "5d", "side": game.names[game.sides[0]].lower()}
    terms |= SHEETS.get(key, ({},))[0]
    while True:
        table = begun(key, ("ben",), **terms)
        script: list[Line] = []
        while len(script) < TURNS and table.now.status == "running" and table.now.ending is None:
            script.append(next_turn(table, chance, lucky=False))
        if any(event.broken for event in table.events if isinstance(event, Played)):
            return " ".join(map("=".join, terms.items())), script


async def _noticed(folder: Path, key: str, terms: str, script: Sequence[Line]) -> tuple[list[bytes], bool]:
    """Every byte that the programs of two players and of a stranger are sent, in order; whether anything was broken."""
    async with (
        listening() as annas,
        listening() as bens,
        open_room(folder, webhooks=partial(Webhooks, private=True)) as room,
    ):
        number = await room.begin(key, terms)
        await room.key("Carol")
        for name, hook in (("Anna", annas), ("Ben", bens)):
            status, answer = await room.ask(name, "POST", "/webhook", {"address": hook.url})
            assert status == 200, answer
        told: list[bytes] = []
        for who, text in script:
            answer = text.removeprefix("secret 1 ")
            deed, body = ("secret", {"answer": answer}) if answer != text else ("move", {"turn": text})
            for name, said in ((who, body), (who, body), ("carol", body), (who, {"turn": "this is no turn"})):
                told.append(await _sent(room, name, "POST", f"/matches/{number}/{deed}", said))
                await _passes(room)
            for name in ("anna", "ben", "carol"):
                paths = ("/matches", f"/matches/{number}", f"/matches/{number}/menu", f"/matches/{number}?shown=1")
                told += [await _sent(room, name, "GET", path) for path in paths]
        told += [line for name in ("Anna", "Ben") for line in await _heard(room, name)]
        for hook in (annas, bens):
            assert hook.heard, "or nothing was sent"
            told += [_hooked(*heard) for heard in zip(hook.heard, hook.heads, strict=True)]
        events = [read_event(one.body) for one in await room.store.load(number)]
        return told, any(event.broken for event in events if isinstance(event, Played))


def _hooked(heard: tuple[str, bytes], heads: object) -> bytes:
    """What a webhook was sent, and when; the rest of its signature hangs on a key that each has alone."""
    signed, body = heard
    return repr((signed.partition(",")[0], len(signed), heads)).encode() + body


async def _passes(room: Room) -> None:
    """Time goes by once everything said has arrived: when it did is told by the clock."""
    async with asyncio.timeout(6 * PATIENT):
        while await room.store.waiting(room.clock()):
            await asyncio.sleep(0.005)
    room.clock.at += 5_000


async def _sent(room: Room, name: str, method: str, path: str, body: object = None) -> bytes:
    room.said += 1
    headers = {"Authorization": f"Bearer {room.keys[name.capitalize()]}", "Idempotency-Key": str(room.said)}
    async with room.session.request(method, f"{room.url}{path}", json=body, headers=headers) as answer:
        heads = sorted((key, value) for key, value in answer.headers.items() if key != "Date")
        return repr((answer.status, heads)).encode() + await answer.read()


async def _heard(room: Room, name: str) -> list[bytes]:
    """The lines of somebody's stream, from the beginning of all."""
    news = await room.store.news(address(mailbox(f"web:{name.lower()}")), 0)
    count = sum(is_news(read_message(one.message.body)) for one in news)
    headers = {"Authorization": f"Bearer {room.keys[name]}", "Last-Event-ID": "0"}
    lines: list[bytes] = []
    async with asyncio.timeout(6 * PATIENT), room.session.get(f"{room.url}/events", headers=headers) as answer:
        while sum(line.startswith(b"data: ") for line in lines) < count:
            lines.append(await answer.content.readline())
    assert count > 2
    return lines
