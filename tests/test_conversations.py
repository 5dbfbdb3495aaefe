"""Whole chats, kept as text that a person can read aloud: `conversations/*.txt` say what is typed and what is answered.

A line `anna: challenge @ben tokonoma` is typed in the lounge, `anna in attic: link 1` in another channel,
`anna in match 1: c7c5` in a match's thread, `anna as host: settings channels here` by somebody who may settle how
Riposte behaves there, `ruth on matrix in room: settings` on another platform; `(3 days later)` lets time pass,
`(seed 7)` loads the dice of matches that begin later; every other line is what the bot says. RIPOSTE_WRITE=1 writes the
answers anew: read the difference before you keep it.
"""

import os
import re
from pathlib import Path

import pytest

from engine.match.clock import read_duration
from tests.chat_room import ChatRoom, open_room

pytestmark = pytest.mark.usefixtures("each_database")

CONVERSATIONS = sorted((Path(__file__).parent / "conversations").glob("*.txt"))

TYPED = re.compile(
    r"(?P<name>[A-Za-z]+)(?P<host> as host)?(?: on (?P<platform>[a-z]+))?"
    r"(?: in (?:match (?P<match>\d+)|(?P<channel>[a-z]+)))?: (?P<text>.*)"
)
PASSES = re.compile(r"\((?P<count>\d+) (?P<unit>day|hour|minute)s? later\)")
LOADS = re.compile(r"\(seed (?P<seed>\d+)\)")


@pytest.mark.parametrize("path", CONVERSATIONS, ids=[path.stem for path in CONVERSATIONS])
async def test_the_bot_answers_as_the_transcript_says(path: Path, tmp_path: Path) -> None:
    script = path.read_text("utf-8")
    told = await retold(script, tmp_path)
    assert "Riposte made a mistake here" not in told
    if os.environ.get("RIPOSTE_WRITE"):
        path.write_text(told, "utf-8")
    assert told.splitlines() == script.splitlines()


async def retold(script: str, folder: Path) -> str:
    """The transcript with the bot's lines as it says them now."""
    return "\n".join((await replayed(script, folder)).lines) + "\n"


async def replayed(script: str, folder: Path) -> ChatRoom:
    """The room after everything was said again; its store is closed."""
    room = await open_room(folder)
    try:
        for line in script.splitlines():
            typed, passes, loads = TYPED.fullmatch(line), PASSES.fullmatch(line), LOADS.fullmatch(line)
            if typed:
                words = typed["text"].replace("\\n", "\n")
                where = typed["match"] or "", typed["channel"] or "lounge", typed["platform"] or "web"
                await room.say(typed["name"], words, *where, host=bool(typed["host"]))
            elif passes:
                room.lines.append(line)
                await room.wait(read_duration(passes["count"] + passes["unit"][0]))
                await room.tell_riddles()
                await room.tell_lists()
            elif loads:
                room.lines.append(line)
                room.seed = int(loads["seed"])
            elif line.startswith("#") or not line:
                room.lines.append(line)
    finally:
        await room.store.close()
    return room
