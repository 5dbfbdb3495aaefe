"""What need not be written at once: it is written with the next change, or by itself after a second."""

import asyncio
import errno
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final, NamedTuple, TypeVar

from storage.plan import Plan, Planned
from storage.store import Conflict

T = TypeVar("T")

PATIENCE: Final = 1.0
"""Seconds after which what waits gets a transaction of its own."""


class Deferred(NamedTuple):
    """Something to be written, and what tells when it is on the disk."""

    plan: Planned[None]
    """May be carried out twice: where nobody knows whether it was, it is."""
    done: "asyncio.Future[None]"


class DeferredWrites:
    """What waits for a transaction, in the order in which it came."""

    def __init__(self, write: Callable[[Planned[None]], Awaitable[None]]):
        self._write = write
        """Carries out a plan in a transaction of its own."""
        self._waiting: list[Deferred] = []
        self._under_way: list[list[Deferred]] = []
        self._timer: asyncio.TimerHandle | None = None
        self._writing: asyncio.Task[None] | None = None

    def add(self, plan: Planned[None], *, soon: bool = False) -> "asyncio.Future[None]":
        """Have a plan carried out; `soon`: without waiting for a change. Returns what is done when it is on the disk.

        That may hold an OSError: then it was not written.
        """
        deferred = Deferred(plan, asyncio.get_running_loop().create_future())
        self._waiting.append(deferred)
        if soon:
            self._start()
        else:
            self._be_patient()
        return deferred.done

    async def along(self, plan: Planned[T], write: Callable[[Planned[T]], Awaitable[T]]) -> T:
        """Carry out a plan by `write`, what waits in the same transaction. Returns and raises what the plan does."""
        taken = self._take()
        if not taken:
            return await write(plan)
        self._under_way.append(taken)
        try:
            answer = await write(lambda: _behind(taken, plan))
        except BaseException as error:
            self._waiting[:0] = taken
            self._be_patient()
            if not _may_be_one(error):
                raise
        else:
            _settle(taken)
            return answer
        finally:
            self._under_way.remove(taken)
        return await write(plan)

    async def flush(self) -> None:
        """Return when everything is written, or cannot be."""
        self._start()
        if left := [deferred.done for taken in (self._waiting, *self._under_way) for deferred in taken]:
            await asyncio.wait(left)

    def _be_patient(self) -> None:
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(PATIENCE, self._start)

    def _take(self) -> list[Deferred]:
        taken, self._waiting = self._waiting, []
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        return taken

    def _start(self) -> None:
        if self._waiting and self._writing is None:
            self._writing = asyncio.create_task(self._write_all(), name="deferred writes")

    async def _write_all(self) -> None:
        """Write what waits, one transaction after the other: what comes during one shares the next."""
        try:
            while taken := self._take():
                await self._write_some(taken)
        finally:
            self._writing = None

    async def _write_some(self, taken: list[Deferred]) -> None:
        self._under_way.append(taken)
        try:
            await self._write(lambda: _each(taken))
        except Exception as error:
            if len(taken) > 1 and _may_be_one(error):  # that must not cost the others
                for one in taken:
                    await self._write_some([one])
            else:
                _settle(taken, error)
        else:
            _settle(taken)
        finally:
            self._under_way.remove(taken)


def _each(deferred: Sequence[Deferred]) -> Plan[None]:
    for one in deferred:
        yield from one.plan()


def _behind(deferred: Sequence[Deferred], plan: Planned[T]) -> Plan[T]:
    yield from _each(deferred)
    return (yield from plan())


def _may_be_one(error: BaseException) -> bool:
    """Whether an error may be that of one row among others: not a full disk, say, nor somebody who was faster."""
    if isinstance(error, OSError):
        return error.errno == errno.EBADMSG
    return isinstance(error, Exception) and not isinstance(error, Conflict)


def _settle(taken: Sequence[Deferred], error: Exception | None = None) -> None:
    for _, done in taken:
        if done.done():  # nobody waits for it
            continue
        if error is None:
            done.set_result(None)
        else:
            done.set_exception(error)


def forgiven(done: "asyncio.Future[Any]") -> None:
    """Takes the error of what nobody waits for any more, so that asyncio does not report it."""
    if not done.cancelled():
        done.exception()
