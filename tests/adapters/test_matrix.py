"""Whole matches on a real homeserver, in plain and in encrypted rooms, as people with clients of their own see them."""

from collections.abc import AsyncIterator
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.dice import Dice
from engine.games import GAMES
from tests.adapters.matrix_room import PREFIX, Bot, Enter, challenged, club
from tests.synapse.player import Seen
from tests.synapse.server import Homeserver

NUMBERS = count(1)


@pytest.fixture
async def bot(synapse: Homeserver, tmp_path: Path) -> AsyncIterator[Bot]:
    bot = await Bot.enter(synapse, tmp_path / "bot", f"riposte-{next(NUMBERS)}")
    yield bot
    await bot.stop()


@pytest.mark.parametrize("encrypted", [False, True])
async def test_a_match_is_played_from_the_challenge_to_its_end(bot: Bot, people: Enter, encrypted: bool) -> None:
    anna, ben = await people("anna"), await people("ben")
    room = await club(bot, anna, ben, encrypted=encrypted)
    thread, number = await challenged(bot, room, anna, ben, "tokonoma side=white")
    game = GAMES["tokonoma"]
    position: Any = game.setup({option.key: option.default for option in game.options}, Dice(bytes(32)))
    luck, made = Random(196), 0
    while game.outcome(position) is None:
        made += 1
        mover, other = (anna, ben) if game.to_act(position) == game.sides[0] else (ben, anna)
        turn = _quick(game, position, luck)
        await mover.say(room, turn, thread=thread)
        position = game.play(position, game.read(turn, position))
        told = await other.see(room, f"Turn {made} ·")
        assert told.encrypted is encrypted
        assert told.thread == thread
        assert told.content["msgtype"] == "m.text"
        if game.outcome(position) is None:
            assert told.mentions == (other.user,), "the one to move is rung, and nobody else"
        board = await other.see(room, lambda seen: seen.picture, count=made + 1)
        image = await other.save_picture(board)
        assert image.startswith(b"\x89PNG")
        assert (board.thread, board.mentions) == (thread, ()), "words ring, pictures do not"
        assert board.text == board.content["filename"], "no words that clients without captions would lose"
        assert board.content["info"]["size"] == len(image)
        assert ("file" in board.content, "url" in board.content) == (encrypted, not encrypted)
    end = game.outcome(position)
    assert end is not None
    assert end.rule.title in told.text
    news = await anna.see(room, lambda seen: seen.text.startswith(f"Match {number}: "))
    assert (news.thread, news.mentions) == ("", ())
    assert [
        seen for seen in anna.seen(room) if seen.sender == bot.user and seen.state and seen.kind != "m.room.member"
    ] == []
    ours = [seen for seen in anna.read(room) if seen.sender == bot.user]
    assert len(ours) == 2 * made + 6, "greeting, invitation, opening, the end; words and picture of each board"


def _quick(game: Any, position: Any, luck: Random) -> str:
    """A turn that wins, or any tenable one."""
    turns = list(game.turns(position))
    luck.shuffle(turns)
    me = frozenset((game.to_act(position),))
    wins = (turn for turn in turns if (end := game.outcome(game.play(position, turn))) and end.winners == me)
    return str(game.write(next(wins, turns[0]), position))


async def test_an_untenable_turn_is_called_out_by_a_reaction_in_an_encrypted_room(bot: Bot, people: Enter) -> None:
    anna, ben = await people("anna"), await people("ben")
    room = await club(bot, anna, ben, encrypted=True)
    thread, _ = await challenged(bot, room, anna, ben, "veney side=white first=white umpire=turn")
    await anna.say(room, "a+ SY7", thread=thread)
    turn = await ben.see(room, "Turn 1 ·")
    number = _button(turn, "Call it out")
    await ben.react(room, turn.id, number)
    verdict = await anna.see(room, "is untenable")
    assert (verdict.thread, verdict.content["msgtype"], verdict.encrypted) == (thread, "m.text", True)
    assert "Rule: " in verdict.text, "why, in words that need no caption"
    await anna.see(room, lambda seen: seen.picture, count=3)
    told = [seen for seen in anna.read(room) if seen.sender == bot.user and seen.thread == thread]
    after = told[[seen.id for seen in told].index(verdict.id) :]
    assert [bool(seen.picture) for seen in after] == [False, True], "a callout is one post: its words and its picture"
    await ben.react(room, turn.id, number.replace("\ufe0f", ""))  # again, as another client writes it
    whispers = await ben.see_invitation()
    await ben.join(whispers)
    answer = await ben.see(whispers, "No turn can be called out now")
    assert answer.encrypted


def _button(post: Seen, label: str) -> str:
    """The reaction that presses a button."""
    line = next(line for line in post.text.split("\n") if label in line)
    return line[: line.index(label)].split()[-1]


async def test_a_room_chooses_whether_words_stand_above_a_picture_or_below_it(bot: Bot, people: Enter) -> None:
    anna, ben = await people("anna"), await people("ben")
    room = await club(bot, anna, ben)
    thread, _ = await challenged(bot, room, anna, ben, "tokonoma side=white")
    await ben.say(room, f"{PREFIX} settings pictures caption")
    await ben.see(room, lambda seen: seen.sender == bot.user and "caption" in seen.text)
    await anna.say(room, "c7c5", thread=thread)
    board = await ben.see(room, "Turn 1 ·")
    assert board.picture, "one message: the words are its caption"
    assert board.content["filename"] != board.text
    assert board.mentions == (ben.user,)
    await ben.say(room, f"{PREFIX} settings pictures apart")
    await ben.see(room, lambda seen: seen.sender == bot.user and "of their own here" in seen.text)
    await ben.say(room, "e1e3", thread=thread)
    words = await anna.see(room, "Turn 2 ·")
    assert not words.picture
