"""Matches whose numbers are bound to the keys of the players (`Luck: 2`) go on so, and are checked so.

`databases/0.2.0-luck.db` (key: `test.key`) was written by a version before scheme 3 through its own commands, by a
room as in `chat_room.py`. Anna challenges with `share=h4Rt9k`, Ben agrees with `oak-17`, Cleo with `elm3`: 1 is
Tokonoma, its sides by lot; 2 Ironclad with a first shot to make; in 3, of Veney, a throw was taken back; 4, of
Tirachen, waits for Ben; in 5 Ben proposed other terms, Anna agreed and has given up; 6 is Chirality for three.
"""

import hashlib
import hmac
import re
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bot.program import app
from engine.dice import KEYED, commitment, share_hash
from engine.match.record.read import read_record
from engine.match.record.verify import verify
from engine.match.state import Match
from engine.text import Code
from storage import open_store
from tests.chat_room import ChatRoom

pytestmark = pytest.mark.sqlite

ROOT = Path(__file__).parent.parent
CLOSED, HEARD = 1_800_001_020_000, 17
"""When it was closed, and how many messages it had heard."""
SHARES = {"web:anna": "h4Rt9k", "web:ben": "oak-17", "web:cleo": "elm3"}


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[ChatRoom]:
    for name, target in (("0.2.0-luck.db", "riposte.db"), ("test.key", "riposte.key")):
        shutil.copy(ROOT / "tests" / "databases" / name, tmp_path / target)
    room = ChatRoom(await open_store(tmp_path / "riposte.db"), now=CLOSED, heard=HEARD)
    yield room
    await room.store.close()


async def match(room: ChatRoom, number: str) -> Match:
    found = await room.service.repository.match(number)
    assert found is not None
    return found


async def record(room: ChatRoom, number: str) -> str:
    (post,) = await room.say("Anna", f"export {number}")
    (text,) = (span.text for span in post.text if isinstance(span, Code))
    return text


def hashes(match: Match) -> tuple[str, ...]:
    """What stands in its thread, in the order in which the players have agreed."""
    return (commitment(bytes.fromhex(match.seed)), *(f"{who}={share_hash(SHARES[who])}" for who in match.joined))


def drawn(match: Match, ply: int, *turns: str) -> int:
    """The first number of a ply, as the page of records describes it for `Luck: 2`."""
    stood = hashlib.sha256("\n".join(turns).encode()).hexdigest()
    shares = ",".join(f"{who}={SHARES[who]}" for who in match.joined)
    signed = hmac.digest(bytes.fromhex(match.seed), f"{shares}|{match.id}|{ply}|0.0|{stood}".encode(), "sha256")
    return int.from_bytes(signed[:8], "big")


async def played_out(room: ChatRoom) -> None:
    """A shot, the throw that was taken back, a challenge accepted; then all is given up."""
    await room.say("Anna", "xC6", "2")
    await room.say("Anna", "DtX14~", "3")
    await room.say("Ben", "accept 4 share=oak-17")
    for number in "12346":
        await room.say("Anna", f"resign {number} yes")
    await room.say("Ben", "resign 6 yes")


async def test_what_is_drawn_later_hangs_on_the_keys_as_before(room: ChatRoom) -> None:
    assert [(await match(room, number)).luck for number in "123456"] == [KEYED] * 6
    await played_out(room)
    shot, throw, seats = [(await match(room, number)) for number in "234"]
    assert shot.plies[0].text == f"xC6({drawn(shot, 1) % 6 + 1})"
    assert throw.plies[0].text == "DtX14~(-20)", "as before it was taken back"
    assert drawn(throw, 1) % 20 + 1 == 20
    assert next(iter(seats.seats.values())) == seats.joined[drawn(seats, 0) % 2 ^ 1]


async def test_their_records_are_found_true_and_forgeries_of_them_found(room: ChatRoom) -> None:
    await played_out(room)
    texts = {number: await record(room, number) for number in "123456"}
    for number, text in texts.items():
        posted = hashes(await match(room, number))
        assert "\nLuck: 2\n" in text
        assert verify(read_record(text), posted) == (), number
        assert verify(read_record(text.replace("oak-17", "elm-17")), posted)
        assert verify(read_record(exchanged(text)), posted)
    for number in "36":  # where more was drawn than a coin can show
        assert verify(read_record(texts[number].replace("Luck: 2", "Luck: 3")))
        assert verify(read_record(exchanged(texts[number])))


def exchanged(text: str) -> str:
    """Anna is Ben and Ben is Anna."""
    others = {"anna": "ben", "ben": "anna"}
    return re.sub(r"(?<=web:)(anna|ben)\b", lambda who: others[who[0]], text)


async def test_whoever_is_erased_takes_the_check_along_and_that_is_said(room: ChatRoom, tmp_path: Path) -> None:
    await played_out(room)
    posted = hashes(await match(room, "1"))
    await room.say("Ben", "privacy erase yes")
    (tmp_path / "record").write_text(await record(room, "1"), "utf-8")

    def checked(*told: str) -> tuple[int, str]:
        typed = [word for each in told for word in ("--posted", each.rpartition("=")[2])]
        run = CliRunner().invoke(app, ["verify", str(tmp_path / "record"), *typed])
        return run.exit_code, run.output

    code, told = checked(*posted)
    assert (code, "cannot be drawn again without the ids of the players" in told) == (2, True)
    assert "was posted, but the record makes" in checked(*posted[:-1], "0" * 32)[1]


async def test_the_script_leaves_them_to_the_program(room: ChatRoom, tmp_path: Path) -> None:
    (tmp_path / "record").write_text(await record(room, "5"), "utf-8")
    script = [sys.executable, str(ROOT / "docs" / "verify.py"), str(tmp_path / "record")]
    run = subprocess.run(script, capture_output=True, text=True, check=False)
    assert (run.returncode, "riposte verify" in run.stderr) == (1, True)


async def test_a_new_match_there_hangs_on_the_shares_alone(room: ChatRoom) -> None:
    await room.say("Anna", "challenge @ben tokonoma")
    await room.say("Ben", "accept 7")
    await room.say("Anna", "resign 7 yes")
    assert "\nLuck: 3\n" in await record(room, "7")
