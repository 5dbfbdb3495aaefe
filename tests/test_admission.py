"""How much one person may ask for in a minute, what is heard all the same, and who goes first when all talk at once."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from bot.messages.model import IncomingMessage, Person, Place
from bot.runtime.admission import AT_ONCE, WAITING, Admission
from engine.text import Text
from tests.chat_room import START, ChatRoom, open_room

SECOND = 1000


@dataclass
class Door:
    """Admission in front of a receiver that notes what it gets; everybody plays in match 1 and in no other."""

    at: int = START
    heard: list[str] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    gate: asyncio.Event = field(default_factory=asyncio.Event)
    """Cleared while messages take long to deal with."""
    admission: Admission = field(init=False)

    def __post_init__(self) -> None:
        self.gate.set()
        self.admission = Admission(self._receive, self._answer, self._plays)

    async def _receive(self, message: IncomingMessage) -> bool:
        await self.gate.wait()
        self.heard.append(f"{message.who.name}: {message.text}")
        return False

    async def _answer(self, message: IncomingMessage, *sentences: Text) -> bool:
        self.told.append(" ".join(map(str, sentences)))
        return True

    async def _plays(self, _player: str, number: str) -> bool:
        return number == "1"

    async def say(self, text: str, name: str = "Anna", thread: str = "", sent: int = 0) -> None:
        place = Place("web", "lounge", thread)
        await self.admission.receive(
            IncomingMessage(f"web:{self.at}", Person("web", name, name), place, text, self.at, sent)
        )


@pytest.fixture
def door() -> Door:
    return Door()


async def test_twenty_commands_a_minute_are_heard_then_one_is_told_and_then_there_is_silence(door: Door) -> None:
    for _ in range(30):
        await door.say("help")
    assert len(door.heard) == 20
    (sentence,) = door.told
    assert sentence.startswith("That was a lot at once: wait 30 seconds.")


async def test_after_the_pause_one_is_heard_again(door: Door) -> None:
    for _ in range(25):
        await door.say("help")
    door.at += 30 * SECOND - 1
    await door.say("help")
    assert len(door.heard) == 20
    door.at += 1
    for _ in range(15):
        await door.say("help")
    assert len(door.heard) == 30
    assert len(door.told) == 2


async def test_twenty_commands_spread_over_a_minute_are_no_flood(door: Door) -> None:
    for _ in range(200):
        await door.say("matches")
        door.at += 3 * SECOND
    assert len(door.heard) == 200
    assert door.told == []


async def test_one_person_s_flood_is_not_another_s(door: Door) -> None:
    for _ in range(25):
        await door.say("help")
    await door.say("help", name="Ben")
    assert door.heard[-1] == "Ben: help"


@pytest.mark.parametrize(
    ("text", "thread"),
    [("move 1 c7c5", ""), ("c7c5", "1"), ("1: c7c5", ""), ("call", "1"), ("accept 1 draw", ""), ("secret X4", "1")],
)
async def test_in_one_s_own_match_turns_calls_and_answers_are_heard_all_the_same(
    door: Door, text: str, thread: str
) -> None:
    for _ in range(25):
        await door.say("help")
    heard = len(door.heard)
    for _ in range(20):
        await door.say(text, thread=thread)
    assert len(door.heard) == heard + 20


async def test_two_turns_a_second_are_enough(door: Door) -> None:
    for _ in range(130):
        await door.say("c7c5", thread="1")
    assert len(door.heard) == 120
    assert door.told == ["That was a lot at once: wait 30 seconds."]


async def test_in_a_match_of_others_nobody_is_awaited(door: Door) -> None:
    for _ in range(30):
        await door.say("call", thread="2")
    assert len(door.heard) == 20


async def test_six_boards_a_minute_are_drawn_and_words_are_to_be_had_beyond(door: Door) -> None:
    for _ in range(10):
        await door.say("board", thread="1")
    assert len(door.heard) == 6
    assert door.told == ["That was a lot at once: wait 30 seconds. `board text` shows a board in plain characters."]
    await door.say("board text", thread="1")
    await door.say("games")
    assert len(door.heard) == 8
    await door.say("games veney")
    assert len(door.heard) == 8


async def test_six_replays_a_minute_are_made_as_of_boards_and_a_large_one_counts_as_three(door: Door) -> None:
    for _ in range(10):
        await door.say("replay 1")
    assert len(door.heard) == 6
    assert door.told == ["That was a lot at once: wait 30 seconds. `board text` shows a board in plain characters."]
    for _ in range(10):
        await door.say("replay 1 LARGE 100", name="Ben")
    assert len(door.heard) == 8
    await door.say("board", name="Ben")
    assert len(door.heard) == 8


async def test_talk_among_people_is_not_counted(door: Door) -> None:
    for _ in range(100):
        await door.say("what a lovely day it is")
    await door.say("help")
    assert len(door.heard) == 101


async def test_what_was_written_over_an_hour_and_arrives_at_once_is_no_flood(door: Door) -> None:
    for minute in range(60):
        await door.say("help", sent=door.at - (60 - minute) * 60 * SECOND)
    assert len(door.heard) == 60


async def test_nobody_can_write_in_the_future_to_be_heard_more_often(door: Door) -> None:
    for number in range(40):
        await door.say("help", sent=door.at + number * 60 * SECOND)
    assert len(door.heard) == 20


# --- the line --------------------------------------------------------------------------------------------------
async def rest() -> None:
    """Let everybody go as far as they can."""
    for _ in range(20):
        await asyncio.sleep(0)


async def test_each_person_s_messages_are_dealt_with_in_order(door: Door) -> None:
    names = [f"p{n}" for n in range(50)]
    await asyncio.gather(*(door.say(f"help {n}", name) for n in range(15) for name in names))
    for name in names:
        assert [line for line in door.heard if line.startswith(f"{name}:")] == [f"{name}: help {n}" for n in range(15)]


async def test_nobody_waits_behind_the_second_message_of_another(door: Door) -> None:
    door.gate.clear()
    flood = [asyncio.ensure_future(door.say("matches", f"p{n}")) for n in range(200) for _ in range(20)]
    await rest()
    turn = asyncio.ensure_future(door.say("c7c5", "Ben", thread="1"))
    board = asyncio.ensure_future(door.say("board", "Cleo", thread="1"))
    await rest()
    door.gate.set()
    await asyncio.gather(turn, board, *flood)
    assert len(door.heard) == 4002
    assert door.heard.index("Ben: c7c5") <= AT_ONCE
    assert door.heard.index("Cleo: board") <= 200 + 1


async def test_one_person_s_heap_has_an_end(door: Door) -> None:
    door.gate.clear()
    heap = [asyncio.ensure_future(door.say("c7c5", thread="1")) for _ in range(WAITING + 50)]
    await rest()
    assert sum(one.done() for one in heap) == 50
    door.gate.set()
    await asyncio.gather(*heap)


async def test_whoever_goes_away_leaves_their_place_to_the_next(door: Door) -> None:
    door.gate.clear()
    crowd = [asyncio.ensure_future(door.say(f"help {n}", f"p{n % 60}")) for n in range(180)]
    await rest()
    for one in crowd[::2]:
        one.cancel()
    await rest()
    door.gate.set()
    done = await asyncio.gather(*crowd, return_exceptions=True)
    assert sum(isinstance(one, asyncio.CancelledError) for one in done) == 90
    assert len(door.heard) == 90
    await door.say("help", "Ben")
    assert door.heard[-1] == "Ben: help"


# --- with everything behind it ------------------------------------------------------------------------------------
@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[ChatRoom]:
    room = await open_room(tmp_path)
    yield room
    await room.store.close()


async def test_a_flood_of_two_hundred_people_does_not_hold_up_a_turn(room: ChatRoom) -> None:
    await room.say("anna", "challenge @ben tokonoma side=white")
    await room.say("ben", "accept 1")
    dealt: list[str] = []

    def noting(hear: Callable[[IncomingMessage], Awaitable[bool]]) -> Callable[[IncomingMessage], Awaitable[bool]]:
        async def heard(message: IncomingMessage) -> bool:
            answered = await hear(message)
            dealt.append(message.who.name)
            return answered

        return heard

    admission = Admission(noting(room.service.receive), room.service.answer, room.service.repository.plays)
    flood = [room.message(f"p{n}", "matches") for n in range(200) for _ in range(20)]
    waiting = [asyncio.ensure_future(admission.receive(message)) for message in flood]
    await asyncio.sleep(0)
    await admission.receive(room.message("anna", "c7c5", thread="1"))
    before = len(dealt)
    for one in waiting:
        one.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    match = await room.service.repository.match("1")
    assert match is not None
    assert match.turns_made == 1
    assert before <= 4 * AT_ONCE


async def test_what_was_too_much_is_told_in_private_and_changes_nothing(room: ChatRoom) -> None:
    admission = Admission(room.service.receive, room.service.answer, room.service.repository.plays)
    for number in range(25):
        who, where = Person("web", "anna", "anna"), Place("web", "lounge")
        await admission.receive(IncomingMessage(f"web:{number}", who, where, "help", room.now))
    posts = await room.deliver()
    assert len(posts) == 21
    assert posts[-1].only == Person("web", "anna", "anna")
    assert posts[-1].answers == "web:20"
    assert "wait 30 seconds" in str(posts[-1].text)
