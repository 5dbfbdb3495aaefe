"""What is wrong with a server, or with what is in it, is said with its remedy, and nothing is lost of it."""

import asyncio
import errno
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from bot.messages.model import OutgoingMessage, Picture, Place
from bot.messages.serialization import address as address_of
from bot.messages.serialization import write_message
from bot.runtime.outbox import OutboxRelay
from storage import open_store
from storage.postgres import schema
from storage.postgres.address import address
from storage.postgres.inspect import inspect
from storage.postgres.store import PostgresStore
from storage.seal import make_key, read_key
from storage.store import Change, OutboxMessage
from tests.stores import Server, served, url_of
from tests.test_outbox import Hall
from tests.turns import NOON, turn


@pytest.fixture
async def url(postgres: Server, tmp_path: Path) -> str:
    postgres.forget()
    return await postgres.database(tmp_path / "riposte.db")


async def opened(url: str, folder: Path, **how: Any) -> PostgresStore:
    return await PostgresStore.open(url, folder / "riposte.key", folder / "riposte.erased", **how)


async def refused(url: str, folder: Path) -> OSError:
    with pytest.raises(OSError, match=r"\w") as error:
        await opened(url, folder)
    assert "hunter2" not in error.value.strerror
    return error.value


async def told(url: str, *statements: str) -> None:
    connection = await asyncpg.connect(url)
    for statement in statements:
        await connection.execute(statement)
    await connection.close()


# --- servers ----------------------------------------------------------------------------------------------
async def test_a_server_that_is_too_old_is_refused(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schema, "OLDEST", 99)
    error = await refused(url, tmp_path)
    assert error.errno == errno.ENOSYS
    assert "is too old. Riposte needs 99 or newer" in error.strerror


@pytest.mark.parametrize(
    ("change", "said"),
    [
        pytest.param(lambda url: url.replace("host=", "host=/nowhere"), "cannot be reached", id="unreachable"),
        pytest.param(
            lambda _: "postgresql://riposte:hunter2@127.0.0.1:9/riposte",
            "riposte@127.0.0.1:9/riposte cannot be reached",
            id="nobody listens",
        ),
        pytest.param(lambda url: url.replace("/riposte_test", "/no_such"), "no such database", id="no database"),
        pytest.param(lambda url: url.replace("riposte@", "nobody@"), "refuses the user", id="no such user"),
        pytest.param(lambda _: "postgresql://127.0.0.1:many/riposte", "cannot be read", id="no port"),
        pytest.param(lambda url: f"{url}&statement_cache_size=x", "cannot be read", id="no number"),
    ],
)
async def test_what_is_wrong_with_the_address_is_said(
    url: str, tmp_path: Path, change: Callable[[str], str], said: str
) -> None:
    assert said in (await refused(change(url), tmp_path)).strerror


async def test_a_read_only_database_is_refused(url: str, tmp_path: Path) -> None:
    name = address(url).url.partition("@/")[2].partition("?")[0]
    await told(url, f'ALTER DATABASE "{name}" SET default_transaction_read_only = on')
    error = await refused(url, tmp_path)
    assert error.errno == errno.EROFS
    assert "is read-only" in error.strerror


@pytest.mark.slow
async def test_a_standby_in_recovery_is_refused(tmp_path: Path) -> None:
    folder = Path(tempfile.mkdtemp(prefix="riposte-standby-"))
    try:
        with served(folder, "fsync=off"):
            await (await opened(url_of(folder), tmp_path)).close()
        (folder / "standby.signal").touch()
        shutil.chown(folder / "standby.signal", folder.owner())
        with served(folder, "fsync=off"):
            error = await refused(url_of(folder), tmp_path)
        assert error.errno == errno.EROFS
        assert "is in recovery" in error.strerror
    finally:
        shutil.rmtree(folder, ignore_errors=True)


# --- what is in it ----------------------------------------------------------------------------------------
async def test_another_program_s_database_is_refused_and_stays_as_it_is(postgres: Server, tmp_path: Path) -> None:
    postgres.forget()
    url = await postgres.database(tmp_path / "theirs.db", empty=True)
    await told(url, "CREATE TABLE migrations (id serial)", "CREATE TABLE matches (x text)")
    assert "another program's data" in (await refused(url, tmp_path)).strerror
    await told(url, "INSERT INTO matches VALUES ('theirs')")


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("INSERT INTO migrations VALUES (99, 'later', '')", "was written by a newer Riposte"),
        ("UPDATE migrations SET checksum = 'x'", "was made by other migrations"),
    ],
)
async def test_another_form_is_refused(url: str, tmp_path: Path, statement: str, said: str) -> None:
    await told(url, statement)
    assert said in (await refused(url, tmp_path)).strerror


async def test_a_wrong_key_is_refused(url: str, tmp_path: Path) -> None:
    await (await opened(url, tmp_path)).close()
    (tmp_path / "riposte.key").unlink()
    assert "its key is not at" in (await refused(url, tmp_path)).strerror
    make_key(tmp_path / "riposte.key")
    assert "is not the one that the database" in (await refused(url, tmp_path)).strerror


def test_a_password_is_not_shown() -> None:
    assert "hunter2" not in address("postgresql://riposte:hunter2@127.0.0.1/riposte?password=hunter2").shown


async def test_two_installations_on_one_database_are_noticed_and_the_first_plays_on(url: str, tmp_path: Path) -> None:
    first = await opened(url, tmp_path, lasts=1)
    error = await refused(url, tmp_path)
    assert error.errno == errno.EBUSY
    assert "Another Riposte is running on" in error.strerror
    await first.commit(turn("1", 0))
    await first.close()
    second = await opened(url, tmp_path)
    assert len(await second.load("1")) == 1
    await second.close()


async def test_a_letter_is_not_sent_by_whoever_may_have_lost_the_lease(url: str, tmp_path: Path) -> None:
    paused = await opened(url, tmp_path, lasts=2)
    assert paused.held()
    assert paused._renewal is not None
    paused._renewal.cancel()  # as one that does not run: it renews nothing
    body = write_message(OutgoingMessage("k", Place("web", "hall"), ("said",)))
    await paused.commit(Change(messages=(OutboxMessage("k", address_of(Place("web", "hall")), body),)))
    second = await opened(url, tmp_path, lasts=2)
    assert second.held()
    assert not paused.held()
    halls = Hall(), Hall()
    relays = [
        OutboxRelay(store, {"web": hall}, painted, lambda: NOON)
        for store, hall in zip((paused, second), halls, strict=True)
    ]
    tasks = [asyncio.create_task(relay.run()) for relay in relays]
    relays[0].committed(Change(), await second.waiting(NOON))
    await halls[1].until(lambda: bool(halls[1].shown))
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert [hall.keys() for hall in halls] == [[], ["k"]]
    await second.close()
    await paused.close()


async def painted(_: Picture) -> bytes:
    return b""


# --- while it runs ----------------------------------------------------------------------------------------
async def test_a_full_disk_loses_nothing_and_play_goes_on_once_there_is_space(url: str, tmp_path: Path) -> None:
    store = await opened(url, tmp_path)
    await store.commit(turn("1", 0))
    full = "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN RAISE disk_full; END$$"
    await told(url, full, "CREATE TRIGGER full_disk BEFORE INSERT ON events EXECUTE FUNCTION full_disk()")
    with pytest.raises(OSError, match="The disk of PostgreSQL is full") as error:
        await store.commit(turn("1", 1))
    assert error.value.errno == errno.ENOSPC
    assert not await store.known("heard 1 1")
    await told(url, "DROP TRIGGER full_disk ON events")
    await store.commit(turn("1", 1))
    assert len(await store.load("1")) == 2
    await store.close()


async def test_connections_that_are_cut_are_made_anew_without_anybody_noticing(url: str, tmp_path: Path) -> None:
    store = await opened(url, tmp_path)
    others = "pid <> pg_backend_pid() AND datname = current_database()"
    cut = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}"
    for count in range(6):
        await store.commit(turn("1", count))
        await told(url, cut)
    assert [record.seq for record in await store.load("1")] == list(range(1, 7))
    await store.close()


async def test_a_pooler_without_prepared_statements_is_served(url: str, tmp_path: Path) -> None:
    store = await opened(f"{url}&statement_cache_size=0", tmp_path)
    for count in range(3):
        await store.commit(turn("1", count))
    ((kept,),) = await store._rows("SELECT count(*) FROM pg_prepared_statements")
    assert kept <= 1, "the one that asks, at most"
    await store.close()


async def test_the_log_wins_over_a_snapshot_that_does_not_fit_it(
    url: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    store = await opened(url, tmp_path)
    for count in range(3):
        await store.commit(turn("1", count))
    store.keep("1", 2, b"as it stood")
    await store.flush()
    data, seq, behind = await store.resume("1")
    assert (data, seq, len(behind)) == (b"as it stood", 2, 1)
    await told(url, "UPDATE snapshots SET seq = 1")
    assert await store.resume("1") == (b"", 0, [])
    assert "does not fit its log" in caplog.text
    assert len(await store.load("1")) == 3
    found = await inspect(url, read_key(tmp_path / "riposte.key"))
    assert (found.damaged, found.rows, found.unfit) == ((), (), ("1",))
    await store.close()


@pytest.mark.parametrize(
    ("statement", "named"),
    [
        ("UPDATE events SET body = body || 'x' WHERE seq = 2", "1"),
        ("DELETE FROM events WHERE seq = 3", "1"),
        ("UPDATE settings SET value = 'x' WHERE key = 'theme'", "settings web:anna theme"),
        ("UPDATE letters SET lane = 'elsewhere' WHERE number = 1", "letters letter 1 0"),
        ("DELETE FROM seats WHERE player = 'web:anna'", "lists match 1"),
    ],
)
async def test_what_was_meddled_with_is_noticed(url: str, tmp_path: Path, statement: str, named: str) -> None:
    store = await opened(url, tmp_path)
    for count in range(3):
        await store.commit(turn("1", count))
    await store.close()
    await told(url, statement)
    found = await inspect(url, read_key(tmp_path / "riposte.key"))
    assert named in (*found.damaged, *found.rows)


def posted(match: str) -> Change:
    """A turn that shares nothing with others but the place in which it is told."""
    return replace(turn(match, 0, ordering_key="api/x"), settings=())


async def test_letters_to_one_place_are_numbered_in_the_order_in_which_they_are_committed(
    url: str, tmp_path: Path
) -> None:
    store = await opened(url, tmp_path)
    late = "CREATE FUNCTION late() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN PERFORM pg_sleep(0.5); RETURN NEW; END$$"
    first = "CREATE CONSTRAINT TRIGGER late AFTER INSERT ON letters DEFERRABLE INITIALLY DEFERRED FOR EACH ROW "
    await told(url, late, f"{first} WHEN (NEW.key = 'letter 1 0') EXECUTE FUNCTION late()")
    other = PostgresStore(
        store._pool, store._links, address(url), store._lease, store._sealer, erased=tmp_path / "e", watch=None
    )
    seen: list[int] = []
    slow = asyncio.create_task(store.commit(posted("1")))
    while not (await store._rows("SELECT is_called FROM letters_number_seq"))[0][0]:
        """It has no number yet."""
    written = asyncio.gather(slow, *(other.commit(posted(match)) for match in "23456"))
    done = False
    while not done:
        done = written.done()  # before it is read: what is committed by then is there
        seen.extend(one.number for one in await store.news("api/x", max(seen, default=0)))
    assert len(seen) == 6, "whoever reads on from a number misses none"
    await written
    await store.close()


async def test_it_is_opened_by_its_address_alone(url: str, tmp_path: Path) -> None:
    store = await open_store(url, tmp_path / "riposte.key", tmp_path / "riposte.erased")
    assert await store.matches() == []
    await store.close()


@pytest.mark.parametrize(
    "state",
    ["25P04", "40000", "40001", "40002", "40003", "40P01", "53000", "53100", "53200", "53400", "55000", "55006",
     "57000", "57014", "57P05", "58000", "58030", "58P01", "F0000", "XX000", "XX001"],
)  # fmt: skip
async def test_whatever_the_server_fails_of_is_told_as_trouble_that_may_pass(
    url: str, tmp_path: Path, state: str
) -> None:
    """By the classes of PostgreSQL's own list (Appendix A): nobody's turn is given up for an error of ours then."""
    store = await opened(url, tmp_path)
    raises = f"$$ BEGIN RAISE EXCEPTION 'as it goes' USING ERRCODE = '{state}'; END $$"
    await told(
        url,
        f"CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS {raises}",
        "CREATE TRIGGER fail BEFORE INSERT ON events EXECUTE FUNCTION fail()",
    )
    with pytest.raises(OSError, match=r"\w") as error:
        await store.commit(turn("1", 0))
    assert error.value.strerror.endswith(".")
    await told(url, "DROP FUNCTION fail CASCADE")
    await store.commit(turn("1", 0))
    await store.close()
