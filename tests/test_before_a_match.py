"""Whatever is said about a match that has not begun, or never will, gets an answer, from players and strangers."""

from pathlib import Path

import pytest
from structlog.testing import capture_logs

from bot.commands.spec import COMMANDS
from tests.chat_room import DAY, open_room

GAMES = ("tokonoma", "veney setup=concealed", "chirality players=2")


@pytest.mark.parametrize("declined", [False, True])
@pytest.mark.parametrize("game", GAMES)
async def test_every_command_about_a_match_that_has_not_begun_is_answered(
    tmp_path: Path, game: str, *, declined: bool
) -> None:
    room = await open_room(tmp_path)
    await room.say("anna", f"challenge @ben {game}")
    if declined:
        await room.say("ben", "decline 1")
    lines = ["move 1", "move 1 c7c5, c5c4", "1: c7c5", "move 1 @1 c7c5", "secret 1 left", "add 1 $X6", "call 1 @1 yes"]
    for command in COMMANDS:
        if command.scope == "match" and command.name not in ("accept", "decline", "counter", "abort", "resign"):
            lines += [f"{command.name} 1", command.example.replace("12", "1", 1)]
    with capture_logs() as logged:
        for who in ("anna", "ben", "carol"):
            for line in lines:
                assert await room.say(who, line), f"{who}: {line}"
                room.now += DAY // 48
    assert [entry["event"] for entry in logged if entry.get("log_level") == "error"] == []
    await room.store.close()


async def test_hours_that_no_day_has_are_told_of_and_change_nothing(tmp_path: Path) -> None:
    room = await open_room(tmp_path)
    await room.say("anna", "quiet 22-8")
    for words in ("99-3", "25-3", "22", "late"):
        (answer,) = await room.say("anna", f"quiet {words}")
        assert "does not say from which hour to which" in "".join(
            str(getattr(span, "text", span)) for span in answer.text
        )
    (answer,) = await room.say("anna", "quiet")
    assert "22-8" in "".join(str(getattr(span, "text", span)) for span in answer.text)
    (answer,) = await room.say("anna", "quiet 22-24")
    assert "22-0" in "".join(str(getattr(span, "text", span)) for span in answer.text)
    await room.store.close()


async def test_whoever_proposes_a_match_in_the_thread_of_another_is_told_where_it_is(tmp_path: Path) -> None:
    room = await open_room(tmp_path)
    for line in ("challenge @ben tokonoma", "accept 1"):
        await room.say("anna" if line.startswith("c") else "ben", line)
    posts = await room.say("anna", "challenge @cleo tokonoma", "1")
    (told,) = [post for post in posts if post.where.thread == "1"]
    assert told.only is not None
    assert told.only.id == "anna"
    assert "number 2" in str(told.lines[0][0])
    assert not [post for post in await room.say("anna", "challenge @dora tokonoma") if post.only]
    await room.store.close()
