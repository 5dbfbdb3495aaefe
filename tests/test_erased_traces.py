"""Nothing is left of whoever is erased, nor of what they wrote, wherever a club keeps it: besides `test_privacy.py`."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.messages.serialization import read_event
from bot.repository.people import MOST
from engine.match.evolve import replay
from engine.match.snapshot.keep import read
from storage.seal import read_key
from storage.store import Change
from tests.chat_room import DAY, HOUR, ChatRoom, open_room
from tests.stores import inspected, told
from tests.test_privacy import NAME, WHO, erased, everything, lived

WORDS = "quixotically"
"""A word that only he uses."""


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[ChatRoom]:
    opened = await open_room(tmp_path)
    yield opened
    await opened.store.close()


async def all_of(folder: Path) -> str:
    """Everything in all files, behind the seals too, matches as they were kept included."""
    sealer = read_key(folder / "riposte.key")
    assert sealer is not None
    found = [await everything(folder)]
    for match, seq, body, digest in await told(
        folder / "riposte.db",
        "SELECT matches.match, snapshots.seq, snapshots.body, digest FROM snapshots "
        "JOIN matches ON matches.number = snapshots.match "
        "JOIN events ON events.match = snapshots.match AND events.seq = snapshots.seq",
    ):
        opened = sealer.open_bytes(body, "snapshots", match, seq, digest.hex())
        kept = read(opened)
        assert kept is not None
        found.append(f"snapshot {match} {kept[0]!r}")
    return "\n".join(found)


async def traces(folder: Path) -> list[str]:
    """Where anything of him stands; what he has said in events stays there, as docs/hosting.md says."""
    lines = (await all_of(folder)).splitlines()
    return [line[:300] for line in lines if WHO in line.lower() or "zachm" in line]


async def in_a_club(room: ChatRoom) -> None:
    """What a long life in a club leaves besides: tournaments, remarks, rulings, wishes, links, programs, riddles."""
    await lived(room)
    say = room.say
    await say("Hana", f"role @{WHO} organiser", host=True)
    await say(NAME, "tournament round-robin tokonoma Autumn Cup")
    await say(NAME, "join 1")
    await say("Ben", "join 1")
    await say("Dora", "join 1")
    await say(NAME, "organise 1 begin")
    await room.wait(HOUR)
    await say("Dora", "tournament ladder tokonoma")
    for name in ("Dora", "Ben", NAME):
        await say(name, "join 2")
    await say(NAME, "climb 2 @ben")
    await room.wait(HOUR)
    await say("Ben", "challenge @cleo tokonoma umpire=turn")
    number = await last(room)
    await say("Cleo", f"accept {number}")
    await say(NAME, f"kibitz {number} {WORDS} put")
    await say("Dora", f"kibitz {number} he is right")
    await say(NAME, f"arbiter {number} pause 5d {WORDS} late")
    await say(NAME, f"arbiter {number} seat white @dora {WORDS} ill")
    await say("Dora", f"report {number} {NAME} rules as he likes")
    await say("Ben", f"challenge @{WHO} tirachen")
    await say(NAME, f"decline {await last(room)} {WORDS} slow")
    await say(NAME, f"preset save {WORDS} time=7d")
    await say(NAME, f"token {WORDS} shell")
    await say(NAME, "challenge veney formality=formal")
    await say(NAME, "wish 3 chirality time=9d")
    await say("Hana", f"block @{WHO}")
    await say("Hana", "settings challengers everybody", host=True)
    await say(NAME, f"challenge @ben ironclad share={WORDS}")
    await say(NAME, "apikey webhook https://example.org/" + WORDS)
    for text in ("solve tokonoma", "spot tokonoma", "learn tokonoma", "analyse tokonoma", f"analyse keep {WORDS}"):
        await say(NAME, text)
    await say(NAME, "vacation 7d")
    await say(NAME, "quiet 22-8")
    await say(NAME, "language deutsch")
    await say(NAME, "theme dark")
    await say(NAME, "rating off")
    await say(NAME, "next")
    await say(NAME, "open 1")
    await say(NAME, "mute 1")


async def last(room: ChatRoom) -> str:
    return max((one.match for one in await room.store.matches()), key=int)


async def test_nothing_is_left_of_a_life_in_a_club(room: ChatRoom, tmp_path: Path) -> None:
    await in_a_club(room)
    before = await traces(tmp_path)
    assert len(before) > 60
    await erased(room)
    assert await traces(tmp_path) == []
    found = await inspected(tmp_path / "riposte.db")
    assert (found.damaged, found.rows) == ((), ())


async def test_every_log_can_be_read_as_before(room: ChatRoom) -> None:
    await in_a_club(room)
    await erased(room)
    for summary in await room.store.matches():
        log = [read_event(record.body) for record in await room.store.load(summary.match)]
        assert replay(log, check=True) is not None
    for number in ("t1", "t2"):
        of = await room.service.repository.tournament(number)
        assert of is not None
        assert not any(WHO in player for player in of.entrants)


async def test_a_seat_that_was_handed_on_tells_of_nobody_who_had_it(room: ChatRoom, tmp_path: Path) -> None:
    """A long match is kept as it stands, and it remembers who had a seat before."""
    await room.say("Hana", "role @cleo arbiter", host=True)
    await room.say("Dora", "help")
    room.seed = 0
    await room.say(NAME, "challenge @ben tokonoma side=white")
    await room.say("Ben", "accept 1")
    for number in range(24):
        await room.say((NAME, "Ben")[number % 2], f"draw {number}", thread="1")
        await room.say((NAME, "Ben")[1 - number % 2], "decline", thread="1")
        match = await room.service.repository.match("1")
        assert match is not None
        turn = match.game.write(next(iter(match.game.turns(match.position))), match.position)
        await room.say((NAME, "Ben")[number % 2], turn, thread="1")
    await room.say("Cleo", "arbiter 1 seat white @dora he is ill")
    for _ in range(2):  # it is read from the store, and kept with the next change
        room.restart()
        await room.say("Ben", "board 1")
        await room.say("Ben", "note 1 again")
        await room.store.commit(Change(settings=(("web:ben", "theme", "dark"),)))
    assert any(line.startswith("snapshot 1") for line in await traces(tmp_path))
    await erased(room)
    assert await traces(tmp_path) == []


@pytest.mark.slow
async def test_all_matches_are_left_however_many(room: ChatRoom, tmp_path: Path) -> None:
    """More than are ever listed at once."""
    for number in range(1, MOST + 4):
        await room.service.receive(room.message(NAME, "challenge @ben tokonoma"))
        await room.service.receive(room.message("Ben", f"accept {number}"))
    assert len(await room.store.matches(status="running")) > MOST
    await room.store.commit(Change(settings=((f"web:{WHO}", "erasing", "1"),)))
    await room.erasing.work()
    assert not await room.store.matches(status="running")
    assert WHO not in await all_of(tmp_path)


async def test_a_newcomer_of_the_same_name_gets_nothing_of_it(room: ChatRoom) -> None:
    await in_a_club(room)
    await erased(room)
    before = len(room.lines)
    for text in ("role", "wish", "tournament 1", "next", "matches", "rating", "profile", "preset", "privacy export"):
        await room.say(NAME, text)
    said = "\n".join(line for line in room.lines[before:] if not line.startswith(NAME))
    assert WORDS not in said
    assert "No matches yet" in said
    await room.wait(2 * DAY)  # nobody writes to them of what was theirs
    assert not [post for post in room.posts[before:] if post.only and post.only.id == WHO and "match 1" in str(post)]


@pytest.mark.parametrize(
    ("code", "called"), [("de", "ehemaliges Mitglied"), ("es", "antiguo miembro"), ("ja", "退会した人")]
)
async def test_whoever_is_gone_is_called_so_in_the_reader_s_language(room: ChatRoom, code: str, called: str) -> None:
    await room.say("Ben", f"language {code}")
    await room.say(NAME, "challenge @ben tokonoma")
    await room.say("Ben", "accept 1")
    await erased(room)
    (post,) = await room.say("Ben", "board 1")
    assert called in str(post.text)
    assert post.picture is not None
    assert called in [name for _, name in post.picture.players]
    assert "former player" not in str(post.text)
