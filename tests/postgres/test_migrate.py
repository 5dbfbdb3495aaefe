"""A database is copied whole into another kind and back, each log the same, while a bot plays on the old one."""

from pathlib import Path

import asyncpg
import msgspec
import pytest

from bot.cli.migrate import migrate
from storage.chain import GENESIS, link
from storage.checksum import checksum
from storage.people.persons import DONE
from storage.postgres import schema
from storage.postgres.inspect import inspect as inspect_server
from storage.postgres.store import PostgresStore
from storage.seal import PROOF, make_key, setting_row
from storage.sqlite.inspect import inspect
from storage.sqlite.store import SqliteStore
from storage.store import Arrival, Change, Record
from tests.chat_room import ChatRoom
from tests.postgres.test_servers import told
from tests.stores import Server, opened
from tests.turns import NOON


@pytest.fixture
async def url(postgres: Server, tmp_path: Path) -> str:
    postgres.forget()
    return await postgres.database(tmp_path / "new.db", empty=True)


async def lived(path: Path) -> ChatRoom:
    """A room in which much has been written."""
    room = ChatRoom(await opened(path))
    for name, text in (("anna", "challenge @ben tokonoma"), ("ben", "accept 1"), ("cleo", "challenge @anna veney")):
        await room.say(name, text)
    await room.say("anna", "decline 2 too cold for Veney")
    await room.say("anna", "zone Europe/Berlin")
    await room.store.commit(Change(arrivals=(Arrival("matrix:$1", "a"),), at=NOON))
    return room


async def held(store: SqliteStore | PostgresStore) -> dict[str, list[Record]]:
    return {one.match: list(await store.load(one.match)) for one in await store.matches()}


async def test_everything_arrives_and_comes_back_and_is_played_on(url: str, tmp_path: Path) -> None:
    old, new, back = tmp_path / "riposte.db", tmp_path / "data", tmp_path / "back.db"
    room = await lived(old)
    before = await held(room.store)
    made = await migrate(str(old), url, new)
    assert made.running, "a Riposte has it open"
    assert (made.copied.matches, made.copied.damaged) == (2, ())
    await room.store.close()
    store = await PostgresStore.open(url, tmp_path / "riposte.key", tmp_path / "riposte.erased")
    assert await held(store) == before
    again = ChatRoom(store, now=room.now, heard=room.heard)
    await again.say("ben", "challenge @anna tokonoma")
    await again.say("anna", "resign 1")
    after = await held(store)
    assert len(after) == 3
    made = await migrate(url, str(back), new)
    assert made.running
    await store.close()
    (tmp_path / "back.key").write_bytes((tmp_path / "riposte.key").read_bytes())
    returned = await SqliteStore.open(back)
    assert await held(returned) == after
    assert await returned.arrived("matrix") == [Arrival("matrix:$1", "a")]
    await ChatRoom(returned, now=room.now, heard=90).say("cleo", "zone Europe/Paris")
    await returned.close()
    found = inspect(back)
    assert (found.damaged, found.rows) == ((), ())
    assert back.stat().st_mode & 0o077 == 0


async def test_the_list_of_those_who_were_erased_comes_along(url: str, tmp_path: Path) -> None:
    room = await lived(tmp_path / "riposte.db")
    await room.store.close()
    (tmp_path / "riposte.erased").write_text(f"{'a' * 40} 17\n")
    (tmp_path / "data").mkdir()
    await migrate(str(tmp_path / "riposte.db"), url, tmp_path / "data")
    assert (tmp_path / "data" / "riposte.erased").read_text() == f"{'a' * 40} 17\n"


async def test_nothing_is_overwritten(url: str, tmp_path: Path) -> None:
    room = await lived(tmp_path / "riposte.db")
    await room.store.close()
    await migrate(str(tmp_path / "riposte.db"), url, tmp_path)
    with pytest.raises(OSError, match="is not empty, and nothing is overwritten"):
        await migrate(str(tmp_path / "riposte.db"), url, tmp_path)
    with pytest.raises(OSError, match="is there already, and nothing is overwritten"):
        await migrate(url, str(tmp_path / "riposte.db"), tmp_path)
    with pytest.raises(OSError, match=r"There is no database .*absent\.db\. Write where it is"):
        await migrate(str(tmp_path / "absent.db"), url, tmp_path)


async def test_what_was_damaged_before_is_named_and_stays_as_damaged(url: str, tmp_path: Path) -> None:
    room = await lived(tmp_path / "riposte.db")
    await room.store.close()
    await migrate(str(tmp_path / "riposte.db"), url, tmp_path)
    await told(url, "UPDATE events SET body = body || 'x' WHERE match = 1 AND seq = 1")
    made = await migrate(url, str(tmp_path / "copy.db"), tmp_path)
    assert made.copied.damaged == ("match 1",)
    assert inspect(tmp_path / "copy.db").damaged == ("1",)
    assert not (tmp_path / "copy.db.part").exists()


async def test_a_database_of_the_first_form_loses_the_words_in_its_events(postgres: Server, tmp_path: Path) -> None:
    postgres.forget()
    url = await postgres.database(tmp_path / "first.db", empty=True)
    first = schema.steps_at_hand()[:1]
    connection = await asyncpg.connect(url)
    await schema.upgrade(connection, url, first)
    await connection.execute("INSERT INTO people (player, sum) VALUES ('web:ben', $1)", checksum("web:ben"))
    sealer = make_key(tmp_path / "riposte.key")
    sealed = sealer.seal('{"event":"Declined","at":5,"by":1,"reason":"too cold"}', "events", "1", 1)
    head = link(GENESIS, "1", 1, 5, sealed)
    await connection.execute("INSERT INTO matches (number, match, length, head) VALUES (1, '1', 1, $1)", head)
    await connection.execute("INSERT INTO events VALUES (1, 1, 5, $1, $2)", sealed, head)
    for owner, key, value in ((*PROOF, sealer.proof), (*DONE, "yes")):
        await connection.execute("INSERT INTO settings VALUES ($1, $2, $3, $4)", *setting_row(owner, key, value))
    await connection.close()
    store = await PostgresStore.open(url, tmp_path / "riposte.key", tmp_path / "riposte.erased")
    (record,) = await store.load("1")
    assert msgspec.json.decode(record.body)["reason"] == "too cold"
    assert list(await store.words(("web:ben",))) == [("1", "reason", "too cold")]
    assert await store._rows("SELECT body FROM events") != [(sealed,)]
    await store.close()
    found = await inspect_server(url, sealer)
    assert (found.damaged, found.rows) == ((), ())
