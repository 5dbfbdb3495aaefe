"""Tables of another form, made while processes of the version before go on: added to first, tidied when they end."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import asyncpg
import pytest

from storage.plan import Migration
from storage.postgres import schema
from storage.postgres.shared import SharedStore
from storage.store import Change
from tests.postgres.test_several import post
from tests.stores import Server
from tests.turns import turn

OLD = schema.steps_at_hand()
NEXT = len(OLD) + 1
ADDED = """-- Expands
ALTER TABLE letters ADD COLUMN weight bigint;
ALTER TABLE letters ALTER COLUMN weight SET DEFAULT 1;"""
FILLED = """-- Later, in pieces
UPDATE letters SET weight = 1 WHERE number IN (SELECT number FROM letters WHERE weight IS NULL LIMIT 2)"""
TIDIED = """-- Later
ALTER TABLE letters ALTER COLUMN weight SET NOT NULL"""
NEW = (*OLD, *(Migration(NEXT + n, f"step_{n}", sql) for n, sql in enumerate((ADDED, FILLED, TIDIED))))
SKIPPED = (*OLD, Migration(NEXT, "settled", TIDIED.replace("weight", "key")), Migration(NEXT + 1, "adds", ADDED))
OTHER = (*OLD, Migration(NEXT, "other", "ALTER TABLE letters RENAME COLUMN why TO reason"))

Opens = Callable[..., "asyncio.Future[SharedStore]"]


@pytest.fixture
async def url(postgres: Server, tmp_path: Path) -> str:
    postgres.forget()
    return await postgres.database(tmp_path / "riposte.db")


@pytest.fixture
async def joined(url: str, tmp_path: Path) -> AsyncIterator[Opens]:
    """Opens the store of one more process of a version."""
    async with AsyncExitStack() as stack:

        async def another(steps: tuple[Migration, ...]) -> SharedStore:
            where = url, tmp_path / "riposte.key", tmp_path / "riposte.erased"
            store = await SharedStore.open(*where, steps=steps)
            stack.push_async_callback(store.close)
            return store

        yield another  # type: ignore[misc]


async def form(store: SharedStore) -> int:
    ((count,),) = await store._rows("SELECT count(*) FROM migrations")
    return int(count)


async def left(store: SharedStore) -> int:
    ((count,),) = await store._rows("SELECT count(*) FROM letters WHERE weight IS NULL")
    return int(count)


async def test_a_newer_process_adds_to_the_tables_while_an_older_one_plays_on(joined: Opens) -> None:
    old = await joined(OLD)
    for n in range(5):
        await old.commit(Change(messages=(post(f"before {n}"),)))
    new = await joined(NEW)
    assert await form(new) == NEXT
    await asyncio.gather(old.commit(turn("1", 0)), new.commit(turn("2", 0)))
    await old.commit(turn("2", 1))
    assert len(await new.load("2")) == 2
    assert await left(new) == 5


async def test_an_older_process_starts_beside_a_newer_one_that_has_only_added(joined: Opens) -> None:
    await joined(NEW)
    old = await joined(OLD)
    await old.commit(turn("1", 0))
    assert await form(old) == NEXT


async def test_what_takes_away_waits_until_no_older_process_is_there(joined: Opens) -> None:
    old = await joined(OLD)
    for n in range(5):
        await old.commit(Change(messages=(post(f"before {n}"),)))
    new = await joined(NEW)
    await new.narrow()
    assert (await form(new), await left(new)) == (NEXT, 5)
    await old.close()
    await new.narrow()
    assert await form(new) == NEXT, "one that has left counts until it is buried: then it writes nothing more"
    await new.bury()
    await new.narrow()
    assert (await form(new), await left(new)) == (NEXT + 2, 0)
    await new.commit(turn("1", 0))
    with pytest.raises(OSError, match="was written by a newer Riposte"):
        await joined(OLD)


async def test_tables_that_an_older_process_could_not_work_on_are_not_made_under_its_hands(joined: Opens) -> None:
    old = await joined(OLD)
    with pytest.raises(OSError, match="Another Riposte is running"):
        await joined(OTHER)
    await old.commit(turn("1", 0))


async def test_whoever_skips_a_version_is_told_which_way_there_is(joined: Opens) -> None:
    old = await joined(OLD)
    told = rf"needs its tables in form {NEXT + 1}, and they are in form {NEXT - 1}.* Stop all.*or first replace each"
    with pytest.raises(OSError, match=f"Another Riposte is running on .* of an older version.*{told}"):
        await joined(SKIPPED)
    await old.commit(turn("1", 0))
    assert await form(old) == NEXT - 1, "nothing was changed"
    await old.close()
    assert await form(await joined(SKIPPED)) == NEXT + 1


async def test_a_process_of_the_form_that_told_nothing_of_itself_is_one_that_knows_four_steps(
    postgres: Server, tmp_path: Path
) -> None:
    postgres.forget()
    url = await postgres.database(tmp_path / "riposte.db", empty=True)
    connection = await asyncpg.connect(url)
    await schema.upgrade(connection, url, OLD[:4])
    there = "INSERT INTO leases (name, token, holder, until) VALUES ('process 1', 1, 'elsewhere 1 1 1', $1)"
    await connection.execute(f"SELECT nextval('processes'); {there.replace('$1', repr('infinity'))}")
    new = await SharedStore.open(url, tmp_path / "riposte.key", tmp_path / "riposte.erased", steps=OLD)
    try:
        await new.narrow()
        assert await form(new) == len(schema.needed(OLD, 0)), "what only adds is taken, what comes later waits"
        await connection.execute("DELETE FROM leases WHERE name = 'process 1'")
        await new.narrow()
        assert await form(new) == len(OLD)
    finally:
        await new.close()
        await connection.close()


async def test_nobody_waits_long_for_tables_that_somebody_else_uses(
    joined: Opens, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("storage.postgres.rolling.BETWEEN", 0.05)
    old, user = await joined(OLD), await asyncpg.connect(url)
    await user.execute("BEGIN; SELECT * FROM letters")
    starting = asyncio.ensure_future(joined(NEW))
    for match in range(1, 6):  # each waits a second at most behind whoever waits for the tables
        await old.commit(turn(str(match), 0))
    assert not starting.done()
    await user.close()
    assert await form(await starting) == NEXT
