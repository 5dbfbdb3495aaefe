"""Pictures for the outbox: drawn off the loop, and made smaller once nobody has waited for a while."""

import asyncio
import os
import signal
import threading
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace

import pytest

from bot import painting
from bot.adapters.images import image_of
from bot.messages.model import Frame, Picture
from bot.messages.showing.pictures import picture
from engine.dice import Dice
from engine.games import GAMES
from tests.told import PATIENT

GAME = GAMES["tokonoma"]
SHOWN = picture(GAME, GAME.setup({}, Dice(bytes(32))), None)


async def test_pictures_are_polished_when_none_was_wanted_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    polished = threading.Event()
    monkeypatch.setattr(painting, "polish", polished.set)
    monkeypatch.setattr(painting, "IDLE", 0.01)
    drawn = painting.Painting()
    assert (await drawn.paint(SHOWN)).startswith(b"\x89PNG")
    async with asyncio.timeout(PATIENT):
        while not polished.is_set():
            await asyncio.sleep(0.005)


async def test_a_picture_that_cannot_be_drawn_is_an_error_of_whoever_wanted_it() -> None:
    with pytest.raises(KeyError):
        await painting.Painting().paint(replace(SHOWN, game="none"))


async def test_a_replay_is_made_in_a_process_of_its_own_which_may_be_killed() -> None:
    drawn = painting.Painting()
    moving = replace(SHOWN, form="gif", frames=(Frame(SHOWN.position), Frame(SHOWN.position, "c7c5", 1, "W", "c7c5")))
    assert image_of(await drawn.paint(moving))[:2] == ("replay.gif", "image/gif")
    (worker,) = drawn.workers
    assert worker != os.getpid()
    os.kill(worker, signal.SIGKILL)
    with pytest.raises(BrokenProcessPool):
        await _until_noticed(drawn, moving)
    still = image_of(await drawn.paint(replace(moving, form="sheet")))
    assert still.name == "board.png"
    assert still.width > still.height
    drawn.close()


async def _until_noticed(drawn: painting.Painting, moving: Picture) -> None:
    while True:
        await drawn.paint(moving)
