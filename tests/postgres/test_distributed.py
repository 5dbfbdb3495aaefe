# ruff: noqa: E501  (statements are whole)
"""What Riposte asks of a PostgreSQL, held to what databases of several nodes document that they do not do."""

import ast
import re
from datetime import UTC, datetime
from pathlib import Path

import asyncpg
import pytest

from bot.cli.migrate import migrate
from bot.commands.people.privacy import CONFIRM
from storage.people import erasure
from storage.postgres import inspect, lease, schema
from storage.postgres import store as store_module
from storage.postgres.connections import LEADS
from storage.postgres.replica import examined
from storage.postgres.shared import SharedStore
from storage.postgres.store import PostgresStore
from storage.seal import read_key
from storage.store import Alarm, Arrival, Change
from tests.chat_room import DAY, ChatRoom
from tests.postgres.wire import noted
from tests.stores import Server
from tests.turns import NOON, turn
from tools.distributed.exceptions import EXCEPTIONS
from tools.distributed.layout import STATEMENTS, layout
from tools.distributed.lint import Finding, Tables, columns_of, lint

ROOT = Path(__file__).parents[2]
MADE = "\n".join(step.sql for step in schema.steps_at_hand())
TABLES = Tables(layout(STATEMENTS.read_text()), columns_of(MADE))
READY = lease, schema, store_module
NEVER = {
    "SELECT coalesce(max(number), 0) FROM matches",  # SQLite's way to the next number
    # databases of an earlier version are brought on before they are distributed
    *("DELETE FROM snapshots WHERE match = ", "UPDATE events SET body = ", "UPDATE matches SET head = "),
}
"""What is asked of no database of several nodes."""
ASYNCPG = "WITH RECURSIVE typeinfo_tree"
"""How the library's own question about types begins."""
STAND_INS = """
CREATE FUNCTION create_distributed_table(name text, by text, colocate_with text DEFAULT 'default') RETURNS void
LANGUAGE sql AS $$ SELECT by::name, 1 / (SELECT count(*) FROM pg_attribute WHERE attrelid = name::regclass AND attname = by) $$;
CREATE FUNCTION create_reference_table(name text) RETURNS void LANGUAGE sql AS $$ SELECT name::regclass $$;
CREATE FUNCTION citus_add_local_table_to_metadata(name text) RETURNS void LANGUAGE sql AS $$ SELECT name::regclass $$;
"""
"""What stands for Citus' functions: each looks whether there is such a table, and such a column."""
NAMES = "ARRAY(SELECT attname::text FROM pg_attribute WHERE attrelid = {} AND attnum = ANY({}))"
UNIQUE = (
    f"SELECT indrelid::regclass::text, {NAMES.format('indrelid', 'indkey')} FROM pg_index "
    "JOIN pg_class ON pg_class.oid = indrelid WHERE indisunique AND relnamespace = 'public'::regnamespace"
)
REFERENCES = (
    f"SELECT conrelid::regclass::text, {NAMES.format('conrelid', 'conkey')}, confrelid::regclass::text, "
    f"{NAMES.format('confrelid', 'confkey')} FROM pg_constraint WHERE contype = 'f'"
)
BEGINS = re.compile(r"(SELECT|INSERT INTO|UPDATE|DELETE FROM|WITH) ")


@pytest.fixture
async def url(postgres: Server, tmp_path: Path) -> str:
    postgres.forget()
    return await postgres.database(tmp_path / "riposte.db")


# --- what is asked ----------------------------------------------------------------------------------------
async def lived(url: str, empty: str, folder: Path) -> None:
    """Two processes, people who play and one who is erased, what is kept, looked at, copied and pruned."""
    key, erased = folder / "riposte.key", folder / "riposte.erased"
    one = await SharedStore.open(url, key, erased)
    other = await SharedStore.open(url, key, erased)
    one.serves = other.serves = lambda: ("web",)
    await one.hears(lambda _: None)
    await one.hears(lambda _: None)
    for store, platform in ((one, "web"), (other, "matrix")):
        await store.take(platform, platform, ["web 1"])
        await store.ready(platform, ready=True)
        await store.duties()
    room = ChatRoom(one)
    for name, text in (
        ("anna", "challenge @ben tokonoma"), ("ben", "accept 1"), ("anna", "matches"), ("ben", "list"),
        ("cleo", "challenge @anna veney"), ("anna", "decline 2 too cold for Veney"), ("anna", "zone Europe/Berlin"),
        ("anna", "history"), ("anna", "privacy"), ("anna", "privacy export"), ("ben", "resign 1"),
    ):  # fmt: skip
        await room.say(name, text)
    await one.commit(Change(heard="web:anna 1", arrivals=(Arrival("web:$0", '"web:anna"'),), at=NOON))
    await room.say("anna", "privacy erase")
    await room.say("anna", CONFIRM)
    assert await one.unerased() == {}
    await one.commit(turn("7", 0, ordering_key="web/hall"))
    await one.commit(turn("odd", 0, ordering_key="matrix/hall"))
    await one.commit(turn("7", 1, ordering_key="web/hall"))
    await one.commit(Change(wakes=(Alarm("7", "late", NOON),), woken=(Alarm("7", "flag", NOON + 1001),), at=NOON))
    await one.commit(Change(arrivals=(Arrival("web:$1", "a"), Arrival("web:$2", "b")), at=NOON))
    await one.commit(Change(heard="web:$1", dismissed=("web:$2",), settings=(("web:anna", "theme", ""),), at=NOON))
    one.keep("7", 2, b"as it stood")
    await one.flush()
    await one.resume("7")
    await one.claim(NOON)
    first, *_ = await one.waiting(NOON)
    await one.delivered(first.number, "remote", NOON, untried=first.message)
    await one.put_off((await one.waiting(NOON))[0].number, NOON + 5)
    await other.claim(NOON + 9)
    await one.undeliverable((await one.waiting(NOON + DAY) or await other.waiting(NOON + DAY))[0].number, "gone", NOON)
    for asked in (one.next_waiting(NOON), one.sent("remote"), one.unsent("hall"), one.told(["a"]),
                  one.on_the_way(["a"]), one.news("api/x", 0), one.latest("api/x"), one.next_alarm(), one.due(NOON + DAY), one.known("web:$1"),
                  one.arrived("web"), one.length("7"), one.summary("7"), one.owners("theme"), one.noting("theme"),
                  one.settings("web:anna"), one.next_match(), one.matches(), one.matches(status="playing"),
                  one.matches(player="web:anna"), one.matches(place="web:hall"),
                  one.load("7"), one.load("99"), one.words(["web:cleo"]), one.bury(), one.narrow()):  # fmt: skip
        await asked
    await one.commit(turn("7", 2, ordering_key="web/hall"))  # its alarm was claimed
    await one.shorten(NOON + DAY, lambda body: body)
    await one.forget_heard(NOON + 40 * DAY, "")
    await one.pauses_for()
    await one.paused(0)
    await one.all_pause()
    await one.give_up("web")
    one._renewals.append((0.0, datetime.now(UTC)))
    replica = one.replica(url)
    for asked in replica.reached(), examined(url, url):
        with pytest.raises(OSError, match="follows no other one"):
            await asked
    await replica.close()
    await other.close()
    await one.close()
    alone = await PostgresStore.open(url, key, erased)
    erasure.begin(alone._sealer, erased, ["web:ben"], NOON)
    await alone.unerased()
    await alone.close()
    await inspect.running(url)
    await inspect.inspect(url, read_key(key))
    await inspect.owners(url, "theme", read_key(key))
    await inspect.setting(url, "riposte", "key")
    await migrate(url, str(folder / "copied.db"), folder)
    await migrate(str(folder / "copied.db"), empty, folder)


@pytest.fixture
async def seen(url: str, postgres: Server, tmp_path: Path) -> set[str]:
    """Every statement that went to the server, and those that stand ready for when something breaks."""
    found = {sql for room in READY for sql in vars(room).values() if isinstance(sql, str) and BEGINS.match(sql)}
    found.add(LEADS)
    empty = await postgres.database(tmp_path / "empty.db", empty=True)
    (tmp_path / "other").mkdir()
    async with noted(url, tmp_path, found) as one, noted(empty, tmp_path / "other", found) as other:
        await lived(one, other, tmp_path)
    return found


def excepted(found: list[Finding]) -> list[Finding]:
    """What no exception names."""
    return [one for one in found if not any(each.names(one) for each in EXCEPTIONS)]


def shown(found: list[Finding]) -> str:
    return "\n".join(sorted({f"{one.rule}: {one.told}\n    {one.sql[:300]}" for one in found}))


async def test_whatever_is_asked_is_allowed_or_an_exception_that_is_still_needed(seen: set[str]) -> None:
    steps = {step.sql for step in schema.steps_at_hand()}
    found = [finding for sql in seen - steps if ASYNCPG not in sql for finding in lint(sql, TABLES)]
    made = [finding for sql in steps for finding in lint(sql, TABLES)]
    found += [one for one in made if not one.rule.startswith("citus")]  # tables are distributed when all is made
    assert not excepted(found), shown(excepted(found))
    unused = [one for one in EXCEPTIONS if not any(map(one.names, found))]
    assert not unused
    unseen = sorted({piece for piece in written() - NEVER if not any(piece in sql for sql in seen)})
    assert not unseen, "\n".join(unseen)


@pytest.mark.parametrize(
    ("rule", "wrong", "right"),
    [
        ("citus: locks", "SELECT head FROM matches WHERE match = $1 FOR NO KEY UPDATE",
         "SELECT head FROM matches WHERE number = $1 AND match = $2 FOR NO KEY UPDATE"),
        ("citus: locks", "UPDATE alarms SET process = 1 FROM (SELECT at FROM alarms LIMIT 1 FOR UPDATE SKIP LOCKED) AS a "
         "WHERE bucket = 1 AND alarms.at = a.at",
         "UPDATE alarms SET process = 1 FROM (SELECT at FROM alarms WHERE bucket = 1 LIMIT 1 FOR UPDATE SKIP LOCKED) "
         "AS a WHERE bucket = 1 AND alarms.at = a.at"),
        ("citus: recursion", "WITH RECURSIVE l (n) AS (SELECT min(number) FROM letters UNION ALL SELECT 1 FROM l) "
         "SELECT n FROM l", "WITH RECURSIVE l (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM l) SELECT n FROM l"),
        ("citus: WITH", "WITH a AS (DELETE FROM events WHERE match = 1) SELECT 1",
         "WITH a AS (DELETE FROM settings WHERE owner = $1) SELECT 1"),
        ("citus: joins", "SELECT kind FROM alarms JOIN matches ON matches.number = alarms.match",
         "SELECT seq FROM events JOIN matches ON matches.number = events.match"),
        ("citus: joins", "SELECT seq FROM events JOIN seats ON events.seq = seats.updated",
         "SELECT seq FROM events JOIN seats ON seats.match = $1 WHERE events.match = $1"),
        ("citus: correlated", "SELECT (SELECT count(*) FROM events WHERE at = matches.due) FROM matches",
         "SELECT (SELECT count(*) FROM events WHERE events.match = matches.number) FROM matches"),
        ("citus: correlated", "SELECT 1 FROM alarms WHERE NOT EXISTS (SELECT 1 FROM duties WHERE duties.process = alarms.at)",
         "SELECT 1 FROM alarms WHERE NOT EXISTS (SELECT 1 FROM leases WHERE name = 'process ' || process)"),
        ("citus: correlated", "SELECT EXISTS (SELECT 1 FROM matches WHERE number = given.n) FROM nextval('a') AS given (n)",
         "SELECT EXISTS (SELECT 1 FROM matches WHERE number = $1)"),
        ("citus: moves", "UPDATE letters SET bucket = 1 WHERE bucket = 2", "UPDATE letters SET done = 1 WHERE bucket = 2"),
        ("citus: inserts", "INSERT INTO letters (key) VALUES ($1)", "INSERT INTO letters (key, bucket) VALUES ($1, $2)"),
        ("citus: inserts", "INSERT INTO events (match, seq) VALUES ($1, (SELECT max(seq) FROM events))",
         "INSERT INTO people (number) VALUES ((SELECT 1))"),
        ("citus: inserts", "INSERT INTO alarms (bucket, match) VALUES (1, 2) ON CONFLICT (match) DO NOTHING",
         "INSERT INTO alarms (bucket, match) VALUES (1, 2) ON CONFLICT DO NOTHING"),
        ("citus: volatile", "UPDATE letters SET until = nextval('a') WHERE bucket = 1",
         "UPDATE leases SET until = clock_timestamp() WHERE name = $1"),
        ("citus: one node", "DELETE FROM events USING heard WHERE match = 1 AND heard.at = events.at",
         "DELETE FROM events USING people WHERE match = 1 AND people.number = events.at"),
        ("citus: everywhere", "DELETE FROM letters WHERE done < 5", "DELETE FROM heard WHERE at < 5"),
        ("citus: triggers", "CREATE TRIGGER a BEFORE INSERT ON events EXECUTE FUNCTION f()", "CREATE SEQUENCE a"),
        ("both: ctid", "SELECT ctid FROM leases", "SELECT name FROM leases"),
        ("cockroachdb: twice", "WITH a AS (DELETE FROM heard WHERE at = 1), b AS (INSERT INTO heard (at) VALUES (1)) SELECT 1",
         "WITH a AS (DELETE FROM heard WHERE at = 1), b AS (DELETE FROM people WHERE number = 1) SELECT 1"),
        ("cockroachdb: xid", "SELECT pg_current_xact_id()", "SELECT clock_timestamp()"),
        ("cockroachdb: advisory", "SELECT pg_advisory_xact_lock($1)", "SELECT hashtext('a')"),
        ("cockroachdb: NOTIFY", "LISTEN riposte", "SELECT 1"),
        ("cockroachdb: NOTIFY", "SELECT pg_notify('a', 'b')", "SELECT 'pg_notify'"),
        ("cockroachdb: connections", "SELECT pid FROM pg_stat_activity", "SELECT holder FROM leases"),
        ("cockroachdb: DEFERRABLE", "CREATE TABLE a (b bigint UNIQUE DEFERRABLE)", "CREATE TABLE a (b bigint UNIQUE)"),
        ("cockroachdb: DEFERRABLE", "ALTER TABLE a ADD CONSTRAINT c FOREIGN KEY (b) REFERENCES d (e) DEFERRABLE",
         "ALTER TABLE a ADD CONSTRAINT c FOREIGN KEY (b) REFERENCES d (e)"),
        ("cockroachdb: COLLATE", 'CREATE TABLE a (b text COLLATE "C")', "CREATE TABLE a (b text)"),
        ("citus: locks", "SELECT seq FROM events LEFT JOIN matches ON events.match = $1 AND matches.number = $1 FOR UPDATE",
         "SELECT seq FROM events LEFT JOIN matches ON matches.number = events.match WHERE events.match = $1 FOR UPDATE"),
        ("citus: samples", "SELECT seq FROM events TABLESAMPLE BERNOULLI (10)", "SELECT at FROM heard TABLESAMPLE BERNOULLI (10)"),
        ("citus: samples", "SELECT at, seq FROM events GROUP BY GROUPING SETS ((at), (seq))",
         "SELECT at, seq FROM events WHERE match = 1 GROUP BY GROUPING SETS ((at), (seq))"),
        ("citus: samples", "SELECT at, count(*) FROM events GROUP BY CUBE (at)", "SELECT at, count(*) FROM events GROUP BY at"),
        ("citus: moves", "ALTER TABLE letters ALTER COLUMN bucket TYPE text", "ALTER TABLE letters ALTER COLUMN key TYPE text"),
        ("citus: moves", "ALTER TABLE letters DROP COLUMN bucket", "ALTER TABLE heard DROP COLUMN at"),
        ("cockroachdb: unknown", "CREATE TABLE a (b int, EXCLUDE USING gist (b WITH =))", "CREATE TABLE a (b text DEFAULT 'EXCLUDE')"),
        ("cockroachdb: unknown", "CREATE TABLE a (b int) INHERITS (events)", "CREATE TABLE a (b int)"),
        ("cockroachdb: unknown", "CREATE TEMP TABLE a (b int)", "CREATE TABLE temp (b int)"),
        ("cockroachdb: unknown", "CREATE INDEX a ON events USING brin (at)", "CREATE INDEX a ON events USING btree (at)"),
        ("cockroachdb: unknown", "CREATE TABLE a (b int UNIQUE NULLS NOT DISTINCT)", "CREATE TABLE a (b int UNIQUE)"),
        ("cockroachdb: unknown", "SELECT xmlelement(name a)", "SELECT xml FROM heard"),
        ("cockroachdb: unknown", "SELECT int8range(1, 2) @> 1", "SELECT 1 BETWEEN 1 AND 2"),
        ("cockroachdb: unknown", "ALTER TABLE matches DROP CONSTRAINT matches_pkey",
         "ALTER TABLE matches DROP CONSTRAINT matches_pkey, ADD PRIMARY KEY (number)"),
        ("not understood", "GRANT ALL ON events TO anna", "SELECT 1"),
        ("not understood", "SELECT FROM WHERE", "SELECT 1"),
    ],
)  # fmt: skip
def test_the_linter_tells_what_other_databases_refuse(rule: str, wrong: str, right: str) -> None:
    assert rule in {one.rule for one in lint(wrong, TABLES)}
    assert rule not in {one.rule for one in lint(right, TABLES)}


async def test_what_lays_the_tables_out_can_be_carried_out_and_every_key_holds_its_column(url: str) -> None:
    connection = await asyncpg.connect(url)
    try:
        await connection.execute(STAND_INS)
        await connection.execute(STATEMENTS.read_text("utf-8"))
        tables = {
            name for (name,) in await connection.fetch("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        }
        placed = TABLES.layout
        assert tables == {*placed.columns, *placed.everywhere, *placed.one_node}, "each table lies somewhere, once"
        assert len(tables) == len(placed.columns) + len(placed.everywhere) + len(placed.one_node)
        for table, columns in await connection.fetch(UNIQUE):
            assert placed.columns.get(table) in {None, *columns}, f"a key of {table} on {columns}"
        for table, columns, other, others in await connection.fetch(REFERENCES):
            if other in placed.one_node:
                assert table in placed.one_node, (table, other)
            if other in placed.columns:
                assert table in placed.columns, (table, other)
                assert placed.together(table, other), (table, other)
                assert (placed.columns[table], placed.columns[other]) in zip(columns, others, strict=True)
        assert not await connection.fetch("SELECT 1 FROM pg_trigger WHERE NOT tgisinternal")
    finally:
        await connection.close()


def written() -> set[str]:
    """The longest piece of each statement that stands in our sources, which is the same whenever it is asked."""
    found = set()
    for path in sorted((ROOT / "storage").rglob("*.py")):
        if path.parent.name != "sqlite":
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.JoinedStr | ast.Constant):
                    parts = node.values if isinstance(node, ast.JoinedStr) else [node]
                    pieces = [
                        one.value for one in parts if isinstance(one, ast.Constant) and isinstance(one.value, str)
                    ]
                    if pieces and BEGINS.match(pieces[0]):
                        plain = [part for piece in pieces for part in re.split(r"\?\d*|\$\d+|\{\d?\}", piece)]
                        found.add(max(plain, key=len))
    return found
