"""What somebody asks or answers in the room, nobody else there is shown, in the program as a host starts it."""

import asyncio
import json
from pathlib import Path

import pytest

from bot.messages.model import Place
from tests.adapters.web_room import Tab
from tests.test_patience import program, told

THREAD = Place("web", "lounge", "1")


async def seen_until(tab: Tab, words: str) -> str:
    """All that a tab is sent until these words come."""
    seen = ""
    async with asyncio.timeout(30):
        while words not in seen:
            seen += json.dumps(await tab.socket.receive_json())
    return seen


@pytest.mark.parametrize(
    ("terms", "lines", "answers"),
    [
        (
            "tokonoma side=white umpire=turn",
            ("look c5", "rules tokonoma attack", "board legal", "cc7c5", "c7z9", "move c7q1"),
            ("c5 is empty", "Did you mean", "no tile z9", "no tile q1"),
        ),
        ("veney side=white setup=concealed", ("CS$B 5858", "secret 1 nonsense"), ("You have answered already",)),
    ],
    ids=["questions", "a layout without its word"],
)
async def test_what_one_asks_and_answers_no_other_tab_is_sent(
    tmp_path: Path, terms: str, lines: tuple[str, ...], answers: tuple[str, ...]
) -> None:
    async with program(tmp_path) as (anna, ben, _):
        await anna.say(f"challenge @Ben {terms}")
        await told(ben, "challenges")
        await ben.say("accept 1")
        await seen_until(ben, "has begun")
        for line in lines:
            await anna.say(line, THREAD)
        mine = await seen_until(anna, answers[-1])
        await anna.say("that was all", THREAD)
        others = await seen_until(ben, "that was all")
        for words in (*lines, *answers):
            assert words in mine, "its author is answered"
            assert words not in others
