"""What a closed place does not take is told in private, by one account after the other; whoever is reached by none."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from bot.messages.model import OutgoingMessage, Person, Place, Undeliverable
from bot.messages.serialization import read_message
from engine.match.alarms import deadline
from engine.match.state import Match
from engine.text import Code
from tests.chat_room import DAY, ChatRoom, open_room

THREAD = Place("web", "lounge", "1")
WHY = "Riposte lacks a permission in the channel"


@dataclass
class Ways:
    """A room whose places and people may be closed to the bot; a crash may come after each way was tried."""

    room: ChatRoom
    closed: set[Place] = field(default_factory=set)
    shut: set[str] = field(default_factory=set)
    """Accounts that take no private messages."""
    crashing: bool = False

    async def deliver(self) -> list[OutgoingMessage]:
        told: list[OutgoingMessage] = []
        while waiting := await self.room.store.waiting(self.room.now):
            for outgoing in waiting:
                post = read_message(outgoing.message.body)
                if error := self._refusal(post):
                    for _ in range(1 + self.crashing):
                        await self.room.service.contact.failed(post, error)
                        if self.crashing:
                            self.room.restart()
                    await self.room.store.undeliverable(outgoing.number, str(error), self.room.now)
                else:
                    await self.room.service.contact.arrived(post)
                    await self.room.store.delivered(outgoing.number, f"remote {outgoing.number}", self.room.now)
                    told.append(post)
        return told

    async def say(
        self, name: str, text: str, thread: str = "", channel: str = "lounge", platform: str = "web"
    ) -> list[OutgoingMessage]:
        await self.room.service.receive(self.room.message(name, text, thread, channel, platform))
        return await self.deliver()

    async def match(self) -> Match:
        match = await self.room.service.repository.match("1")
        assert match is not None
        return match

    def _refusal(self, post: OutgoingMessage) -> Undeliverable | None:
        if post.only is not None:
            return Undeliverable("closed", closes="person") if post.only.key in self.shut else None
        return Undeliverable(WHY, closes="place") if post.where in self.closed else None


@pytest.fixture
async def ways(tmp_path: Path) -> AsyncIterator[Ways]:
    """White is to move and has three days."""
    ways = Ways(await open_room(tmp_path))
    await ways.say("anna", "challenge @ben tokonoma side=white time=3d")
    await ways.say("ben", "accept 1")
    yield ways
    await ways.room.store.close()


def private(told: list[OutgoingMessage]) -> dict[str, OutgoingMessage]:
    return {post.only.key: post for post in told if post.only}


def words(post: OutgoingMessage) -> str:
    return "".join(span if isinstance(span, str) else getattr(span, "text", "") for span in post.text)


@pytest.mark.parametrize("crashing", [False, True])
async def test_what_a_closed_place_does_not_take_is_told_to_each_player_in_private_once(
    ways: Ways, crashing: bool
) -> None:
    ways.closed.add(THREAD)
    ways.crashing = crashing
    told = await ways.say("anna", "c7c5", "1")
    assert [post.only and post.only.key for post in told] == ["web:anna", "web:ben"]
    mine = private(told)["web:ben"]
    assert mine.picture is not None
    assert [choice.label for choice in mine.choices] == ["Make the turn"]
    assert words(mine).startswith("I cannot write to the place of match 1, so the match goes on here.")
    assert [person.key for person in mine.rings] == ["web:ben"]
    assert not private(told)["web:anna"].rings


async def test_whoever_is_told_of_their_own_turn_in_private_is_not_offered_to_call_it_out(tmp_path: Path) -> None:
    ways = Ways(await open_room(tmp_path))
    await ways.say("anna", "challenge @ben tokonoma side=white umpire=turn")
    await ways.say("ben", "accept 1")
    ways.closed.add(THREAD)
    told = private(await ways.say("anna", "c7c5", "1"))
    labels = {who: [choice.label for choice in post.choices] for who, post in told.items()}
    assert labels == {"web:anna": ["Make the turn"], "web:ben": ["Make the turn", "Call it out"]}
    await ways.room.store.close()


async def test_whoever_was_put_out_of_a_room_is_told_in_private_and_plays_on_there(ways: Ways) -> None:
    contact, lounge = ways.room.service.contact, Place("web", "lounge")
    ben = Person("web", "ben", "Ben")
    for _ in range(2):
        await contact.shut_out(lounge, ben, "kick")
    (board,) = await ways.deliver()
    assert board.only is not None
    assert board.only.key == "web:ben"
    assert words(board).startswith("You have been put out of the place of match 1, so for you the match goes on here.")
    assert board.picture is not None
    ways.room.restart()
    contact = ways.room.service.contact
    told = await ways.say("anna", "c7c5", "1")
    assert {post.only and post.only.key for post in told} == {None, "web:ben"}
    mine = private(told)["web:ben"]
    assert [person.key for person in mine.rings] == ["web:ben"]
    assert mine.picture is not None
    told = await ways.say("ben", "move 1 e1e3", channel="direct")
    assert "Turn 2" in words(told[0])
    await contact.let_in(lounge, ben, "join")
    (told_once,) = await ways.say("anna", "c5d5", "1")
    assert told_once.only is None


async def test_whoever_was_put_out_and_is_reached_by_no_way_has_time_that_stands_still(ways: Ways) -> None:
    ways.shut.add("web:ben")
    await ways.room.service.contact.shut_out(Place("web", "lounge"), Person("web", "ben", "Ben"), "kick")
    await ways.say("anna", "c7c5", "1")
    assert deadline(await ways.match()) is None


async def test_that_the_place_is_closed_is_said_once(ways: Ways) -> None:
    ways.closed.add(THREAD)
    await ways.say("anna", "c7c5", "1")
    told = await ways.say("ben", "move 1 c1c3", channel="direct")
    assert "I cannot write" not in "".join(map(words, told))
    assert len(private(told)) == 2


async def test_a_place_that_takes_a_post_again_is_open_and_nothing_more_is_told_in_private(ways: Ways) -> None:
    ways.closed.add(THREAD)
    await ways.say("anna", "c7c5", "1")
    ways.closed.clear()
    (told,) = await ways.say("ben", "move 1 c1c3", channel="direct")
    assert told.where == THREAD
    assert await ways.room.service.contact.closed("web") == []


async def test_when_the_way_is_open_again_the_board_is_posted_once(ways: Ways) -> None:
    ways.closed.add(THREAD)
    await ways.say("anna", "c7c5", "1")
    contact = ways.room.service.contact
    assert await contact.closed("web") == [THREAD]
    ways.closed.clear()
    await contact.opened(THREAD)
    await contact.opened(THREAD)
    (board,) = await ways.deliver()
    assert board.where == THREAD
    assert board.picture is not None
    assert board.picture.position == (await ways.match()).game.encode((await ways.match()).position)
    assert words(board).startswith("I can write here again")
    assert [choice.label for choice in board.choices] == ["Make the turn"]
    await contact.opened(THREAD)
    assert await ways.deliver() == []


async def test_a_board_that_cannot_be_posted_after_all_is_told_to_nobody_and_tried_again_later(ways: Ways) -> None:
    ways.closed.add(THREAD)
    await ways.say("anna", "c7c5", "1")
    contact = ways.room.service.contact
    ways.room.now += DAY
    await contact.opened(THREAD)
    assert await ways.deliver() == []
    ways.closed.clear()
    ways.room.restart()
    await ways.room.service.contact.opened(THREAD)
    assert [post.where for post in await ways.deliver()] == [THREAD]


async def test_whoever_is_reached_by_no_way_has_time_that_stands_still_and_the_other_is_told(ways: Ways) -> None:
    ways.closed.add(THREAD)
    ways.shut.add("web:ben")
    told = await ways.say("anna", "c7c5", "1")
    match = await ways.match()
    assert match.unreached.keys() == {"web:ben"}
    assert deadline(match) is None
    assert {post.only.key for post in told if post.only} == {"web:anna"}
    assert "No message reaches" in words(told[-1])
    assert "Nobody's time runs meanwhile" in words(told[-1])


async def test_whoever_has_shut_the_door_themselves_loses_time_while_their_place_is_open(ways: Ways) -> None:
    ways.shut.add("web:ben")
    await ways.say("anna", "c7c5", "1")
    assert not (await ways.match()).unreached
    assert deadline(await ways.match()) is not None


async def test_a_linked_account_is_the_next_way_and_who_is_reached_by_it_has_time_that_runs(ways: Ways) -> None:
    (code,) = await ways.say("ben", "account")
    written = next(span.text for span in code.text if isinstance(span, Code) and "account " in span.text)
    await ways.say("benny", f"{written} yes", channel="!room", platform="matrix")
    ways.closed.add(THREAD)
    ways.shut.add("web:ben")
    told = await ways.say("anna", "c7c5", "1")
    assert "matrix:benny" in private(told)
    assert not (await ways.match()).unreached


async def test_whoever_plays_on_a_place_that_is_open_is_not_told_in_private_too(ways: Ways) -> None:
    (code,) = await ways.say("ben", "account")
    written = next(span.text for span in code.text if isinstance(span, Code) and "account " in span.text)
    await ways.say("benny", f"{written} yes", channel="!room", platform="matrix")
    await ways.say("benny", "link 1", channel="!room", platform="matrix")
    ways.closed.add(THREAD)
    told = await ways.say("anna", "c7c5", "1")
    assert {post.only.key for post in told if post.only} == {"web:anna"}
    assert [post.where for post in told if not post.only] == [Place("matrix", "!room", "1")]


async def test_contact_is_found_when_the_place_takes_a_post_again(ways: Ways) -> None:
    ways.closed.add(THREAD)
    ways.shut.add("web:ben")
    await ways.say("anna", "c7c5", "1")
    before = (await ways.match()).turn_started_at
    ways.closed.clear()
    ways.room.now += 2 * DAY
    await ways.room.service.contact.opened(THREAD)
    told = await ways.deliver()
    match = await ways.match()
    assert not match.unreached
    assert deadline(match) == before + 5 * DAY
    assert words(told[-1]).endswith("can be reached again. Time runs again.")


async def test_after_seven_days_the_other_is_given_a_button_and_wins_by_it(ways: Ways) -> None:
    ways.closed.add(THREAD)
    ways.shut.add("web:ben")
    await ways.say("anna", "c7c5", "1")
    ways.room.now += 7 * DAY
    for alarm in await ways.room.store.due(ways.room.now):
        await ways.room.service.alarm_fired(alarm)
    (told,) = await ways.deliver()
    assert told.only is not None
    assert (told.only.key, [choice.command for choice in told.choices]) == ("web:anna", ["claim 1"])
    await ways.say("anna", "claim 1", channel="direct")
    match = await ways.match()
    assert match.result is not None
    assert match.result.winners == ("W",)


async def test_a_challenger_is_told_whom_a_challenge_has_not_reached(ways: Ways) -> None:
    ways.shut.add("matrix:@cleo:example.org")
    told = await ways.say("anna", "challenge @matrix:@cleo:example.org tokonoma")
    (whispered,) = private(told).values()
    assert whispered.only is not None
    assert whispered.only.key == "web:anna"
    assert "who has not seen challenge 2" in words(whispered)
