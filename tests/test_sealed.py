"""A copied database tells nothing: not while matches run, not of what waits or was kept, in no form."""

import asyncio
import base64
import hmac
import json
import shutil
import sqlite3
import zlib
from collections.abc import AsyncIterator
from contextlib import closing, suppress
from pathlib import Path

import pytest
from Crypto.Cipher import ChaCha20_Poly1305
from typer.testing import CliRunner

from bot.messages.model import IncomingMessage, Person, Place
from bot.program import app
from bot.runtime.inbox import Inbox
from storage import open_store
from storage.seal import FORM, Sealer, make_key, read_key
from storage.sqlite.inspect import inspect
from tests.chat_room import ChatRoom

SECRETS = (
    *("BSC$ 5885", "SC$B 5676", "h4Rt9kXyz", "oak-17-long", "whispered words", "c7c5", "moon shell"),
    *("e5e3", "c1d3", "willow bark", "odd of her", "elm-9-over", "fir-3-over"),
)
"""Layouts, shares, what was kept, turns and a token; a line that waits, a note, and a remark of who looks on."""


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[ChatRoom]:
    """Matches in all states: open, one layout sealed, under way with an untenable turn, over, called off, declined."""
    room = ChatRoom(await open_store(tmp_path / "riposte.db"), seed=0x5EED_5EED_5EED)
    for name, text in (
        ("anna", "token moon shell"),
        ("anna", "challenge @ben veney setup=concealed share=h4Rt9kXyz side=white"),
        ("ben", "accept 1 share=oak-17-long"),
        ("anna", "secret 1 SC$B 5676"),
        ("anna", "challenge @ben tokonoma side=white umpire=turn"),
        ("ben", "accept 2"),
        ("anna", "move 2 c7c5"),
        ("ben", "move 2 c1a2"),
        ("ben", "if 2 e5e3 then c1d3"),
        ("ben", "note 2 willow bark"),
        ("carol", "kibitz 2 odd of her"),
        ("anna", "challenge @ben ironclad side=white"),
        ("anna", "challenge @ben ironclad side=white"),
        ("ben", "decline 4"),
        ("anna", "challenge @ben veney side=white setup=concealed"),
        ("ben", "accept 5"),
        ("anna", "secret 5 SC$B 5676"),
        ("ben", "secret 5 BSC$ 5885"),
        ("anna", "challenge @ben tokonoma side=white share=elm-9-over"),
        ("ben", "accept 6 share=fir-3-over"),
        ("anna", "move 6 c7c5"),
        ("ben", "resign 6 yes"),
        ("anna", "challenge @ben veney side=white setup=concealed"),
        ("ben", "accept 7"),
        ("anna", "secret 7 SC$B 5676"),
        ("anna", "abort 7 yes"),
    ):
        await room.service.receive(room.message(name, text))  # and nothing is delivered: all whispers wait
    who, where = Person("discord", "7", "Cleo"), Place("discord", "9")
    kept = IncomingMessage("discord:1", who, where, "secret 1 whispered words", 1, receipt="whispered words")
    await Inbox(room.store, "discord").keep([kept], cursor="whispered words")
    yield room
    await room.store.close()


def forms(secret: str) -> list[bytes]:
    """A secret as somebody could find it: plain, in JSON, in other codes."""
    raw = secret.encode()
    inner = [base64.b64encode(b"x" * skip + raw)[4:-4] for skip in range(3)]
    return [raw, json.dumps(secret)[1:-1].encode(), raw.hex().encode(), secret.encode("utf-16-le"), *inner]


def everything(folder: Path) -> bytes:
    """All bytes of a database as it is on the disk, and what unpacking anything in it gives."""
    raw = b"\n".join(path.read_bytes() for path in sorted(folder.glob("riposte.db*")))
    with closing(sqlite3.connect(folder / "riposte.db")) as db:
        tables = [name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        values = [value for table in tables for row in db.execute(f"SELECT * FROM {table}") for value in row]
    texts = [value.encode() if isinstance(value, str) else value for value in values if isinstance(value, str | bytes)]
    unpacked = list(texts)
    for part in unpacked:  # what comes out of one is looked into as well
        for undo in UNDO:
            with suppress(ValueError, zlib.error):
                if plain := undo(part.removeprefix(b"sealed2:")):  # of nothing, nothing comes out for ever
                    unpacked.append(plain)
    return raw + b"\n".join(unpacked)


UNDO = (lambda data: base64.b64decode(data, validate=True), zlib.decompress, lambda data: zlib.decompress(data, -15))


async def test_a_copy_of_the_database_tells_no_secret_in_any_form(room: ChatRoom, tmp_path: Path) -> None:
    states = [(summary.match, summary.status) for summary in await room.store.matches()]
    assert {("6", "over"), ("7", "over"), ("5", "running")} <= set(states), states
    copy = tmp_path / "copy"
    copy.mkdir()
    for path in tmp_path.glob("riposte.db*"):
        shutil.copy(path, copy)
    stored = everything(copy)
    seed = (0x5EED_5EED_5EED).to_bytes(32, "big")
    secrets = [*SECRETS, seed.hex(), seed[:16].hex(), "broken", "arm"]
    assert [secret for secret in secrets if any(form in stored for form in forms(secret) if len(form) > 5)] == []
    assert seed not in stored


async def test_the_search_finds_what_is_not_sealed(room: ChatRoom, tmp_path: Path) -> None:
    await room.store.close()
    sealer = read_key(tmp_path / "riposte.key")
    assert sealer is not None
    with closing(sqlite3.connect(tmp_path / "riposte.db")) as db, db:
        ((body, match, seq),) = db.execute("SELECT body, match, seq FROM events WHERE match = 1 LIMIT 1")
        packed = base64.b64encode(zlib.compress(sealer.open(body, "events", match, seq).encode())).decode()
        db.execute("UPDATE events SET body = ? WHERE match = ? AND seq = ?", (packed, match, seq))
    assert b"h4Rt9kXyz" in everything(tmp_path)
    room.store = await open_store(tmp_path / "riposte.db")


async def test_chains_are_verified_without_the_key(room: ChatRoom, tmp_path: Path) -> None:
    (tmp_path / "riposte.key").rename(tmp_path / "elsewhere")
    found = inspect(tmp_path / "riposte.db")
    assert (found.matches, found.damaged) == (7, ()), "what is said by who looks on is no match"
    assert found.waiting > 5
    (tmp_path / "elsewhere").rename(tmp_path / "riposte.key")


async def test_a_lost_or_a_wrong_key_is_told_and_nothing_is_changed(room: ChatRoom, tmp_path: Path) -> None:
    await room.store.close()
    database, key = tmp_path / "riposte.db", tmp_path / "riposte.key"
    before, right = database.read_bytes(), key.read_text()
    key.unlink()
    with pytest.raises(OSError, match="is sealed, and its key is not at"):
        await open_store(database)
    assert not key.exists(), "no other key is made in its place"
    make_key(key)
    with pytest.raises(OSError, match="is not the one that the database"):
        await open_store(database)
    key.write_text("something else")
    with pytest.raises(OSError, match="holds no key of Riposte"):
        await open_store(database)
    assert database.read_bytes() == before
    key.write_text(right)
    room.store = await open_store(database)
    room.restart()
    await room.say("ben", "secret 1 BSC$ 5885")
    match = await room.service.repository.match("1")
    assert match is not None
    assert match.game.asks(match.position) == ()


async def test_the_key_is_readable_by_its_owner_alone_and_apart_where_the_host_says(tmp_path: Path) -> None:
    key = tmp_path / "elsewhere/deep/the.key"
    store = await open_store(tmp_path / "riposte.db", key)
    await store.close()
    assert key.stat().st_mode & 0o777 == 0o600
    assert key.read_text().startswith(FORM)
    assert not list(tmp_path.glob("*.key"))


def test_what_is_sealed_for_one_row_does_not_open_in_another() -> None:
    sealer, other = Sealer(bytes(32)), Sealer(bytes([1] * 32))
    sealed = sealer.seal("secret", "events", "1", 4)
    assert sealer.open(sealed, "events", "1", 4) == "secret"
    for wrong, row in ((sealer, ("events", "1", 5)), (sealer, ("letters", "1", 4)), (other, ("events", "1", 4))):
        with pytest.raises(OSError, match="was not sealed there with this key"):
            wrong.open(sealed, *row)
    with pytest.raises(OSError, match="was not sealed there"):
        sealer.open('{"event": "Ended"}', "events", "1", 4)


def test_the_same_words_are_sealed_otherwise_in_each_row() -> None:
    sealer = Sealer(bytes(32))
    assert len({sealer.seal("secret", "events", "1", number) for number in range(100)}) == 100
    assert sealer.seal("secret", "events", "1", 1) == sealer.seal("secret", "events", "1", 1)


def test_doctor_and_backup_speak_of_the_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def opened() -> None:
        await (await open_store(tmp_path / "riposte.db")).close()

    asyncio.run(opened())
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RIPOSTE_DATA", str(tmp_path))
    monkeypatch.setenv("RIPOSTE_KEY_FILE", str(tmp_path / "riposte.key"))
    assert f"the key {tmp_path}/riposte.key fits the database" in CliRunner().invoke(app, ["doctor"]).output
    told = CliRunner().invoke(app, ["backup", "copy"]).output
    assert f"keep a copy of {tmp_path}/riposte.key elsewhere" in told
    assert not list((tmp_path / "copy").rglob("*.key"))
    (tmp_path / "riposte.db.before-0003").write_text("")
    assert "all secrets in the clear. Delete it." in CliRunner().invoke(app, ["doctor"]).output
    monkeypatch.setenv("RIPOSTE_KEY_FILE", str(tmp_path / "none.key"))
    assert f"its key is not at {tmp_path}/none.key. Put your copy" in CliRunner().invoke(app, ["doctor"]).output


def test_what_0_2_0_has_sealed_opens_and_nowhere_else() -> None:
    key = bytes(range(32))
    sealer = Sealer(key)
    for length in (0, 1, 16, 65, 2_000):
        data = bytes(n % 120 for n in range(length))
        nonce = bytes(range(100, 124))
        cipher = ChaCha20_Poly1305.new(key=hmac.digest(key, b"riposte sealing", "sha256"), nonce=nonce)
        cipher.update(b"letters\nk")
        sealed = nonce + b"".join(cipher.encrypt_and_digest(data))
        stored = "sealed1:" + base64.b64encode(sealed).decode()
        assert sealer.open_bytes(sealed, "letters", "k") == data
        assert sealer.open(stored, "letters", "k") == data.decode()
        for other in (lambda: sealer.open_bytes(sealed, "letters", "j"), lambda: sealer.open(stored, "events", "k")):  # noqa: B023
            with pytest.raises(OSError, match="was not sealed there"):
                other()


def test_what_is_sealed_opens_as_it_was_written_and_is_the_same_each_time() -> None:
    sealer = Sealer(bytes(range(32)))
    for text in ("", "x", "é" * 40, "c7c5" * 500):
        sealed = sealer.seal(text, "letters", "k")
        assert sealed == sealer.seal(text, "letters", "k") != sealer.seal(text, "letters", "j")
        assert sealer.open(sealed, "letters", "k") == text
        assert sealer.open_bytes(sealer.seal_bytes(text.encode(), "picture", 1), "picture", 1) == text.encode()
        for forged in (sealed[:-4], sealed[:9] + ("A" if sealed[9] != "A" else "B") + sealed[10:], "sealed2:", text):
            with pytest.raises(OSError, match="was not sealed there"):
                sealer.open(forged, "letters", "k")
