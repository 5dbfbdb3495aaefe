"""The people of the Matrix tests: what one does in a room, the others see, encrypted or not."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from tests.synapse.player import Player
from tests.synapse.server import Homeserver

Enter: TypeAlias = Callable[[str], Awaitable[Player]]


@pytest.mark.parametrize("encrypted", [False, True])
async def test_what_one_does_the_others_see(synapse: Homeserver, people: Enter, encrypted: bool) -> None:
    anna, ben = await people("anna"), await people("ben")
    word = f"canary-{encrypted}"
    room = await anna.create(encrypted=encrypted, invite=[ben.user])
    assert await ben.see_invitation() == room
    await ben.join(room)
    await anna.see_member(room, ben.user)
    said = await anna.say(room, f"{word} one", mention=[ben.user])
    seen = await ben.see(room, f"{word} one")
    assert (seen.id, seen.sender, seen.encrypted, seen.mentions) == (said, anna.user, encrypted, (ben.user,))
    answer = await ben.say(room, f"{word} two", reply=said)
    assert (await anna.see(room, f"{word} two")).relation["m.in_reply_to"]["event_id"] == said
    threaded = await ben.say(room, f"{word} three", thread=said)
    assert (await anna.see(room, f"{word} three")).thread == said
    await anna.say(room, f"{word} four", edit=said)
    assert (await ben.see(room, f"* {word} four")).relation["rel_type"] == "m.replace"
    await ben.react(room, said, "✅")
    pressed = await anna.see(room, lambda seen: seen.kind == "m.reaction")
    assert (pressed.relation["key"], pressed.encrypted) == ("✅", False)
    await ben.redact(room, answer)
    await anna.see(room, lambda seen: seen.kind == "m.room.redaction")
    await anna.post_picture(room, f"{word} picture".encode())
    assert await ben.save_picture(await ben.see(room, lambda seen: seen.picture)) == f"{word} picture".encode()
    assert [seen.text for seen in ben.read(room)] == [
        f"{word} one",
        f"{word} two",
        f"{word} three",
        f"* {word} four",
        "photo.png",
    ]
    assert [seen.id for seen in ben.read(room, thread=said)] == [threaded]
    assert synapse.knows(word) is not encrypted
    assert synapse.knows(f"{word} picture") is not encrypted


async def test_rooms_are_left_and_replaced(people: Enter) -> None:
    anna, ben = await people("anna"), await people("ben")
    room = await anna.create(invite=[ben.user])
    await ben.join(room)
    new = await anna.upgrade(room)
    assert (await ben.see(room, lambda seen: seen.kind == "m.room.tombstone")).content["replacement_room"] == new
    await ben.leave(room)
    assert room not in ben.rooms


async def test_a_player_outlasts_a_restart_of_the_homeserver(synapse_of_own: Homeserver, tmp_path: Path) -> None:
    anna = await Player.enter(synapse_of_own, "anna", tmp_path)
    room = await anna.create(encrypted=True)
    synapse_of_own.kill()
    synapse_of_own.start()
    said = await anna.say(room, "still here")
    assert (await anna.see_own(said)).text == "still here"
    await anna.close()


@pytest.fixture
def synapse_of_own(own_synapse: Callable[[], Homeserver]) -> Homeserver:
    return own_synapse()
