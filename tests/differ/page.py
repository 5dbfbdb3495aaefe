"""All that the page is sent of a match: in a player's or a spectator's tab, and to a stranger who has its link."""

from collections.abc import AsyncIterator, Iterator, Sequence
from functools import partial
from random import Random
from typing import Any, TypeAlias

from bot.messages.model import Place
from bot.painting import Painting
from bot.service.composing import Board, Glance, glanced, public_board
from tests.adapters.web_room import OpenRoom, Tab, open_room
from tests.chat_room import ChatRoom

Sent: TypeAlias = tuple[str, object]

TURNS = ("course", "callout", "result", "plies")

MATCH = Place("web", "lounge", "1")
OF_THE_PORT = ("date", "etag", "content-length")
PATIENCE = 60
"""Seconds: machines that compare for hours do other things besides."""
PLACES, ALL = 5, 0.2
"""So many are asked about each time, and now and then every one."""


async def sent(room: ChatRoom, people: Sequence[str], chance: Random) -> list[Sent]:
    """At every step, from every side: to each of these people, and to a stranger."""
    match = await room.service.repository.match("1")
    if match is None or match.position is None:
        return []
    repository = room.service.repository

    async def watched(number: str, glance: Glance) -> Board | None:
        return await public_board(repository, number, glance, "web")

    steps = sum(ply.kind != "reply" for ply in match.plies)
    sides, sites = match.game.sides, tuple(match.game.board(match.position).outlines)
    looks: list[dict[str, Any]] = [
        {"heard": 0},
        *({"shown": step} for step in range(-1, steps)),
        *({"called": n} for n in range(steps)),
    ]
    looks += [{"side": side} for side in sides]
    looks += [{"site": site} for site in (sites if chance.random() < ALL else chance.sample(sites, PLACES))]
    looks += [{"site": chance.choice(sites), "shown": step} for step in range(steps)]
    told: list[Sent] = []
    board = partial(glanced, repository)
    folder = room.folder / f"page{len(list(room.folder.glob('page*')))}"
    folder.mkdir()
    paint = Painting().paint
    async with open_room(folder, board=board, public_board=watched, clock=lambda: room.now, paint=paint) as opened:
        for name in people:
            tab, _ = await opened.enter(name)
            told += [each async for each in _in_a_tab(tab, looks)]
            await tab.socket.close()
        told += [each async for each in _by_the_link(opened, looks)]
    return told


async def _in_a_tab(tab: Tab, looks: Sequence[dict[str, Any]]) -> AsyncIterator[Sent]:
    """The answers that a tab is sent, with the picture's geometry in the first."""
    known = ""
    for look in looks:
        asked = {"heard": 0, "known": known, **look}
        await tab.tell("look", turn=1, channel=MATCH.channel, thread=MATCH.thread, **asked)
        while (answer := await tab.socket.receive_json(timeout=PATIENCE))["is"] != "board":
            assert answer["is"] != "refused", answer
        known = known or answer.get("key", "")
        for each in _parts(f"sent to a tab for {look}", answer):
            yield each


async def _by_the_link(opened: OpenRoom, looks: Sequence[dict[str, Any]]) -> AsyncIterator[Sent]:
    """What everybody is sent who has the link, and what chats show of it."""
    for asked in ("", "?language=de"):
        async with opened.session.get(f"{opened.address}match/1{asked}") as answer:
            page = (await answer.text()).replace(opened.address, "/")  # each room has a port of its own
            # Its digest and its packed size follow from the words that are compared here, and from that port.
            headers = {name: value for name, value in answer.headers.items() if name.lower() not in OF_THE_PORT}
            yield "head of the page", (answer.status, headers, page)
    async with opened.session.get(f"{opened.address}match/1/board.png") as answer:
        yield "picture of the link", (answer.status, dict(answer.headers) | {"Date": ""}, await answer.read())
    for look in looks:
        async with opened.session.get(f"{opened.address}match/1/board", params=look) as answer:
            assert answer.status == 200, look
            for each in _parts(f"sent to a stranger for {look}", await answer.json()):
                yield each


def _parts(what: str, answer: dict[str, Any]) -> Iterator[Sent]:
    """The turns apart from the rest, in which alone somebody who reads them may find what the board shows no more."""
    yield "turns", (what, {part: answer.pop(part) for part in TURNS if part in answer})
    yield what, answer
