"""Every conversation of the tests, held on Discord: whatever the bot says there, Discord takes."""

import re
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from engine.match.clock import read_duration
from tests.adapters.discord_room import DiscordRoom, discord_room
from tests.discord_standin import Channel
from tests.test_conversations import CONVERSATIONS, LOADS, PASSES, TYPED

ARCHIVED = 50083
"""Days pass between two lines: buttons of long ago may be in a thread that is archived by then."""


@pytest.mark.slow
@pytest.mark.parametrize("path", CONVERSATIONS, ids=[path.stem for path in CONVERSATIONS])
async def test_whatever_is_said_discord_takes_it(path: Path, tmp_path: Path) -> None:
    script = path.read_text("utf-8")
    typed = [found["name"] for line in script.splitlines() if (found := TYPED.fullmatch(line))]
    names = dict.fromkeys([*typed, *re.findall(r"@([a-z]+)\b", script)])
    names.pop("everyone", None)
    with capture_logs() as logs:
        async with discord_room(tmp_path, *names) as room:
            for line in script.splitlines():
                await hold(room, line)
            told = [one for one in room.standin.requests if one.status >= 400 and one.answer["code"] != ARCHIVED]
    assert all(one.method == "DELETE" for one in told), "all but taking away what others should not have said"
    assert not [line for line in logs if line["log_level"] in ("warning", "error")]


async def hold(room: DiscordRoom, line: str) -> None:
    """One line of a conversation."""
    if said := TYPED.fullmatch(line):
        who = next(person for person in room.people if person.name == said["name"])
        where = thread_of(room, said["match"]) if said["match"] else channel_named(room, said["channel"] or "games")
        text = said["text"].replace("\\n", "\n")
        for person in room.people:
            text = re.sub(rf"@{person.name}\b", person.mention, text, flags=re.IGNORECASE)
        message = who.say(where, text, mention_bot=True)
        key = f"discord:m{message.id}"
        asked = len(who.dm.posts)
        await room.until(lambda: any(one.id == key for one in room.heard) or len(who.dm.posts) > asked, line)
        await room.calm()
    elif passes := PASSES.fullmatch(line):
        room.standin.advance(read_duration(passes["count"] + passes["unit"][0]) / 1000)
        for alarm in await room.store.due(room.now()):
            await room.service.alarm_fired(alarm)
        await room.calm()
    elif loads := LOADS.fullmatch(line):
        room.seed = int(loads["seed"])


def thread_of(room: DiscordRoom, match: str) -> Channel:
    """The thread of a match; those who speak of one that has none speak in the channel."""
    return next((one for one in room.channel.threads if one.name.startswith(f"#{match} ")), room.channel)


def channel_named(room: DiscordRoom, name: str) -> Channel:
    return next((one for one in room.guild.channels if one.name == name), None) or room.guild.channel(name)
