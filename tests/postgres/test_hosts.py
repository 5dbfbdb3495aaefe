"""A host keeps matches in PostgreSQL: migrate, doctor, run and backup, as the program that a host starts."""

import asyncio
import re
from pathlib import Path

import pytest

from storage.sqlite.store import SqliteStore
from tests.postgres.test_servers import told
from tests.stores import Server
from tests.test_program import started
from tests.turns import turn

PASSWORD = "canary-0f31"


@pytest.fixture
async def url(postgres: Server, tmp_path: Path) -> str:
    postgres.forget()
    found = await postgres.database(tmp_path / "new.db", empty=True)
    return found.replace("riposte@", f"riposte:{PASSWORD}@")  # any password will do: the server trusts everybody


async def said(folder: Path, *words: str, **settings: str) -> tuple[int, str]:
    """What a command of the program writes, and its exit code."""
    async with started(folder, "http://127.0.0.1:9", *words, **settings) as program:
        code = await asyncio.wait_for(program.process.wait(), 300)
        await asyncio.sleep(0)
        return code, "\n".join((*program.out, *program.log))


@pytest.mark.slow
async def test_a_host_moves_to_postgresql_and_plays_on(url: str, tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir(mode=0o700)
    store = await SqliteStore.open(data / "riposte.db", tmp_path / "data.key")
    await store.commit(turn("1", 0))
    await store.close()
    settings = {"data": str(data), "database": url, "port": "0", "web": "yes"}

    code, lines = await said(tmp_path, "migrate", str(data / "riposte.db"), url, **settings)
    assert code == 0
    assert "1 match, " in lines
    code, lines = await said(tmp_path, "doctor", **settings)
    assert re.search(r"ok: the database postgresql://riposte@/\S+, which nobody is using, can be read: 1 match", lines)
    assert "fits the database" in lines
    assert PASSWORD not in lines
    async with started(tmp_path, "http://127.0.0.1:9", "run", **settings) as running:
        await running.until(lambda: any("http://127.0.0.1:" in line for line in (*running.out, *running.log)))
        _, lines = await said(tmp_path, "doctor", **settings)
        assert "which a Riposte is running on, can be read" in lines
        code, lines = await said(tmp_path, "run", **settings)
        assert code == 1
        assert "Another Riposte is running on postgresql://riposte@/" in lines
        assert PASSWORD not in lines
        code, lines = await said(tmp_path, "backup", str(tmp_path / "copy"), **settings)
        assert code == 0
        assert "pg_dump" in lines
    await told(url, "UPDATE events SET body = body || 'x'")
    code, lines = await said(tmp_path, "doctor", **settings)
    assert code == 1
    assert "FAULT: damaged: match 1" in lines
    await told(url, "INSERT INTO migrations VALUES (99, 'later', '')")
    code, lines = await said(tmp_path, "run", **settings)
    assert code == 1
    assert "was written by a newer Riposte" in lines
    assert PASSWORD not in lines
