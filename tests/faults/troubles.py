"""What goes wrong in an evening: a table of faults, each of which begins, lasts while people play on, and ends."""

import asyncio
import resource
import shutil
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing
from pathlib import Path
from typing import TypeAlias

from bot.messages.model import OutgoingMessage, Retry
from tests.faults.bot import DATABASE
from tests.faults.evening import Evening

Trouble: TypeAlias = Callable[[Evening], AbstractAsyncContextManager[None]]
HOUR = 3600.0


@asynccontextmanager
async def locked(evening: Evening) -> AsyncIterator[None]:
    """Another program holds the database."""
    with closing(sqlite3.connect(evening.folder / DATABASE, isolation_level=None)) as other:
        await evening.store._writer.run(lambda db: db.execute("PRAGMA busy_timeout = 20").fetchall())
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


@asynccontextmanager
async def full(evening: Evening) -> AsyncIterator[None]:
    """The database has no page left, or a few."""
    limit = evening.chance.choice((0, 0, 1, 3))

    def most(db: sqlite3.Connection, pages: int) -> None:
        db.execute(f"PRAGMA max_page_count = {pages}").fetchall()

    ((pages,),) = await evening.store._writer.run(lambda db: db.execute("PRAGMA page_count").fetchall())
    await evening.store._writer.run(lambda db: most(db, pages + limit))
    yield
    await evening.store._writer.run(lambda db: most(db, 1 << 30))


@asynccontextmanager
async def torn(evening: Evening) -> AsyncIterator[None]:
    """The disk takes no byte beyond one in the middle of a write: the file may not grow past it."""
    log = evening.folder / f"{DATABASE}-wal"
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    size = log.stat().st_size if log.exists() else 0
    resource.setrlimit(resource.RLIMIT_FSIZE, (max(1 << 16, size + evening.chance.randrange(20_000)), hard))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))


@asynccontextmanager
async def slow(evening: Evening) -> AsyncIterator[None]:
    """Every commit takes its time."""
    evening.pause = 0.02
    yield
    evening.pause = 0.0


@asynccontextmanager
async def read_only(evening: Evening) -> AsyncIterator[None]:
    """Nothing may be written."""
    await evening.store._writer.run(lambda db: db.execute("PRAGMA query_only = ON").fetchall())
    yield
    await evening.store._writer.run(lambda db: db.execute("PRAGMA query_only = OFF").fetchall())


@asynccontextmanager
async def taken(evening: Evening) -> AsyncIterator[None]:
    """The database, its log or its folder is removed, moved, or exchanged for an older one; the host puts it right."""
    path = evening.folder / DATABASE
    evening.chance.choice((_unlink, _move, _swap, _unlink_log))(path)
    yield
    await evening.stop()
    rescued = path.with_name(f"{DATABASE}.rescued")
    for each in evening.folder.glob(f"{DATABASE}*"):
        if each != rescued:
            each.unlink()
    rescued.rename(path)
    await evening.start()


def _unlink(path: Path) -> None:
    path.unlink()


def _move(path: Path) -> None:
    path.rename(path.with_name("elsewhere.db"))


def _swap(path: Path) -> None:
    older = path.with_name("older.db")
    shutil.copy(path, older)
    older.rename(path)


def _unlink_log(path: Path) -> None:
    path.with_name(f"{path.name}-wal").unlink()


@asynccontextmanager
async def cancelled(evening: Evening) -> AsyncIterator[None]:
    """Whoever deals with a message is cancelled, at any moment."""
    receive = evening.receive

    async def cut_off(message: object) -> bool:
        dealing = asyncio.ensure_future(receive(message))  # type: ignore[arg-type]
        for _ in range(evening.chance.randrange(12)):
            await asyncio.sleep(0)
        dealing.cancel()
        return await dealing

    evening.receive = cut_off
    yield
    evening.receive = receive


@asynccontextmanager
async def killed(evening: Evening) -> AsyncIterator[None]:
    """It is stopped and started again."""
    yield
    await evening.stop()
    await evening.start()


@asynccontextmanager
async def jumps(evening: Evening) -> AsyncIterator[None]:
    """The wall clock jumps, by seconds or by years, and is set right again."""
    jump = int(evening.chance.choice((-600, -1, 1, 3600, -3600, 86_400, -86_400, 10 * 365 * 86_400)) * 1000)
    evening.clock.ms += jump
    yield
    evening.clock.ms -= jump
    evening.pass_(HOUR / 2)


@asynccontextmanager
async def storm(evening: Evening) -> AsyncIterator[None]:
    """The platform refuses, fails, cuts the line before or after it has posted, or is slow to answer."""
    wall, chance = evening.wall, evening.chance

    class Storm:
        async def deliver(self, post: OutgoingMessage, image: bytes | None) -> str:
            match chance.randrange(6):
                case 0:
                    raise Retry(chance.uniform(0.1, 60))  # 429
                case 1:
                    raise ConnectionResetError("cut before it was sent")
                case 2:
                    await wall.deliver(post, image)
                    raise ConnectionResetError("cut after it was posted")
                case 3:
                    await wall.deliver(post, image)
                    raise RuntimeError("502 Bad Gateway")
                case 4:
                    await asyncio.sleep(0)
            return await wall.deliver(post, image)

    evening.wall = Storm()  # type: ignore[assignment]
    yield
    evening.wall = wall


@asynccontextmanager
async def crowded(evening: Evening) -> AsyncIterator[None]:
    """No file can be opened any more."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (len(list(Path("/proc/self/fd").iterdir())), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@asynccontextmanager
async def several(evening: Evening) -> AsyncIterator[None]:
    """Two of these at once."""
    one, two = evening.chance.sample((locked, full, slow, cancelled, jumps, storm), 2)
    async with one(evening), two(evening):
        yield


TROUBLES: dict[str, Trouble] = {
    trouble.__name__.replace("_", "-"): trouble
    for trouble in (*(locked, full, torn, slow, read_only, taken, cancelled, killed, jumps, storm, crowded, several),)
}
