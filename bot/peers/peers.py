"""The other processes on the same database: who does what, what they have committed, and when all of them pause."""

import asyncio
import errno
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from importlib import import_module
from typing import Final, TypeVar

import structlog

from bot.commands.people.privacy import ERASING
from bot.messages.model import Adapter
from bot.repository import Committed, Repository
from bot.runtime.readiness import Readiness
from bot.runtime.supervisor import Open, PlatformSupervisor
from bot.runtime.wake import Wait, wait
from bot.service.transaction import Transactions
from bot.settings import shards
from bot.trouble import Trouble
from storage.store import PAUSE, Change, News, Outgoing, Shared, Summary

T = TypeVar("T")

BEAT: Final = 1.0
"""Seconds between two looks at the other processes: the longest until something that was not announced is noticed."""
SOON: Final = 0.1
"""Seconds between two looks while all pause."""
CHORES: Final = "chores"
"""The duty that covers the daily tasks and erasures."""
THINKS: Final = "partner {match}"
"""The duty of whoever thinks about a match."""
TOLD: Final = ("accounts", ERASING)
"""The settings that somebody must hear of when another process has changed them."""
LATELY: Final = 100
"""Matches that are looked at where news may have been missed."""
STANDS: Final = 60
"""After so many beats duties are announced anew, and it is looked whether older versions are gone."""

log = structlog.get_logger(__name__)


class Peers:
    """What this process knows of the others, and does for their sake. Runs until it is cancelled."""

    def __init__(
        self,
        store: Shared,
        repository: Repository,
        transactions: Transactions,
        page: str = "",
        wait: Wait = wait,
    ):
        """`page` is the platform of the page; "" = there is none. Whoever has it does the chores: it is told there
        whom it has to forget."""
        self._store = store
        self._repository = repository
        self._transactions = transactions
        self._page = page
        self._wait = wait
        self._duties: dict[str, str] = {}
        """Those of this process, and their platforms."""
        self._said: dict[str, bool] = {}
        """Which of them were said to be ready."""
        self._unheard = Trouble("the other processes cannot be heard")
        self._unread = Trouble("what another process has done cannot be read")
        self._passing: set[asyncio.Task[None]] = set()
        self._lately: frozenset[Summary] = frozenset()
        """The matches that were changed last, as they were when news may last have been missed."""
        self._listeners: Sequence[Committed] = ()
        self._nudges: Sequence[Callable[[], None]] = ()

    def serve(self, platforms: Sequence[PlatformSupervisor], beside: Mapping[str, str]) -> None:
        """Deliver to these platforms while they are open; `beside` them, what is open whenever one of them is."""

        def serving() -> set[str]:
            found = {platform.platform for platform in platforms if platform.is_open}
            return found | {name for name, of in beside.items() if of in found}

        self._store.serves = serving

    # --- duties -------------------------------------------------------------------------------------------
    def opening(self, platform: str, open_: Open, part: str = "", needs: str = "") -> Open:
        """Returns what opens a platform, or a part of it, once no other process has it.

        The module that it `needs` is loaded before, and its `prepare` called if it has one: whoever stands by loses no
        time with that.
        """

        async def opened() -> Adapter:
            if needs:
                await asyncio.to_thread(_prepared, needs)
            duty = f"{platform} {part}".strip()
            known = await self._sure(self._store.duties)
            others = [name for name, of, _ in known if of == platform and name != duty]
            await self._take(duty, platform, [name for name in others if clash(part, name.partition(" ")[2])])
            return await open_()

        return opened

    async def after(self, duty: str, work: Callable[[], Awaitable[None]]) -> None:
        """Do something once no other process does it."""
        if duty == CHORES and self._page:
            await self._take(self._page, self._page)
        await self._take(duty)
        await work()

    async def begin(
        self, work: Callable[[], Awaitable[object]] | None, listeners: Sequence[Committed], *nudges: Callable[[], None]
    ) -> None:
        """Return once one of all processes has done what comes before anything is served; not this one without `work`.

        From then on `listeners` are told of what others commit, and `nudges` are called when there may be work.
        """
        self._listeners, self._nudges, page = listeners, nudges, self._page
        while True:
            await self._obey()
            if any(name == CHORES and ready for name, _, ready in await self._store.duties()):
                return
            if work and (not page or await self._store.take(page, page)) and await self._store.take(CHORES, ""):
                await work()
                await self._store.ready(CHORES, ready=True)
                return
            await self._pause()

    async def missing(self, ago: float) -> set[str]:
        """Returns the platforms on which some process may have something to read from before so many seconds `ago`.

        Or to deal with. One that was killed is thought to be there for a while; what it has not read still counts.
        """
        return {platform for _, platform, ready in await self._store.duties(ago) if not ready}

    async def _take(self, duty: str, platform: str = "", instead: list[str] | None = None) -> None:
        while not await self._sure(lambda: self._store.take(duty, platform, instead or ())):
            await self._pause()
            await self._sure(self._store.bury)
        if duty not in self._duties:
            log.info("this process has taken a duty", duty=duty)
        self._duties[duty] = platform
        self._said.pop(duty, None)

    # --- all pause ----------------------------------------------------------------------------------------
    @asynccontextmanager
    async def alone(self) -> AsyncIterator[None]:
        """No other process has anything under way meanwhile."""
        while not await self._sure(lambda: self._store.take(PAUSE, "")):
            await self._pause()
        try:
            while not await self._sure(self._store.all_pause):
                await self._sure(self._store.bury)
                await self._pause(SOON)
            yield
        finally:
            await self._sure(lambda: self._store.give_up(PAUSE))

    async def _obey(self) -> None:
        """Have nothing under way for as long as another process asks for that, then forget what was loaded before."""
        if not (process := await self._store.pauses_for()):
            return
        async with self._transactions.held(), self._store.keeping_none():
            await self._sure(lambda: self._store.paused(process))
            while await self._sure(self._store.pauses_for) == process:
                await self._pause(SOON)
                await self._sure(self._store.bury)
            self._repository.forget_all()
            await self._sure(lambda: self._store.paused(0))

    async def _sure(self, question: Callable[[], Awaitable[T]]) -> T:
        """The answer, however long the database is away. Raises OSError where the others have taken over."""
        while True:
            try:
                return await question()
            except OSError as error:
                if error.errno == errno.ESTALE:
                    raise
                self._unheard.failed(error)
            await self._pause()

    # --- what others have done ----------------------------------------------------------------------------
    async def run(self, readiness: Readiness) -> None:
        """Look after the others. Raises OSError once they have taken over what this process did."""
        beat = 0
        while True:
            try:
                await self._store.hears(self._hear)
                await self._store.bury()
                await self._obey()
                await self._say(readiness, anew=beat % STANDS == 0)
                if beat % STANDS == 0:
                    await self._store.narrow()
                self._unheard.works()
                self._unread.works()
            except OSError as error:
                if error.errno == errno.ESTALE:
                    raise
                self._unheard.failed(error)
            self._nudge()
            await self._pause()
            beat += 1

    async def _say(self, readiness: Readiness, *, anew: bool) -> None:
        """Say which duties of this process are ready."""
        missing = await readiness.missing()
        for duty, platform in [*self._duties.items()]:
            ready = platform not in missing
            if anew or self._said.get(duty) != ready:
                await self._store.ready(duty, ready=ready)
                self._said[duty] = ready

    def _hear(self, news: News | None) -> None:
        self._repository.changed(news.settings if news else None)
        task = asyncio.get_running_loop().create_task(self._pass_on(news), name="news")
        self._passing.add(task)
        task.add_done_callback(self._passing.discard)

    async def _pass_on(self, news: News | None) -> None:
        try:
            changes, waiting = [] if news else [EVERYTHING, *await self._missed()], []
            if news is not None:
                summary = await self._store.summary(news.match) if news.match else None
                told = [(owner, key) for owner, key in news.settings if key in TOLD]
                settings = tuple([(*one, await self._repository.setting(*one)) for one in told])
                changes = [Change(match=news.match, summary=summary, settings=settings)]
                letters = await self._store.told(news.messages) if self._page in self._store.serves() else ()
                waiting = [Outgoing(0, letter, 0, -1) for letter in letters]
            for change in changes:
                for listener in self._listeners:
                    listener(change, waiting)
        except OSError as error:
            if not self._store.lost.is_set():  # else it is said once, by whoever ends this process
                self._unread.failed(error)
        self._nudge()

    async def _missed(self) -> list[Change]:
        """What has become of matches since this was last asked."""
        known, lately = self._lately, await self._store.matches(limit=LATELY)
        self._lately = frozenset(lately)
        return [Change(match=one.match, summary=one) for one in lately if one not in known]

    async def _pause(self, seconds: float = BEAT) -> None:
        await self._wait(self._store.lost, seconds)

    def _nudge(self) -> None:
        for nudge in self._nudges:
            nudge()


class Claims:
    """Which matches this process thinks about: each is one process's at a time, until it is gone or has decided."""

    def __init__(self, store: Shared):
        self._store = store

    async def take(self, match: str) -> bool:
        """Returns whether it is this process's to think about a match."""
        return await self._store.take(THINKS.format(match=match), "")

    async def give_up(self, match: str) -> None:
        """Let others think about it."""
        await self._store.give_up(THINKS.format(match=match))


def _prepared(module: str) -> None:
    prepare = getattr(import_module(module), "prepare", None)
    if prepare is not None:
        prepare()


EVERYTHING: Final = Change(settings=tuple(("", key, "") for key in TOLD))
"""What listeners are told of where news may have been missed."""


def clash(part: str, other: str) -> bool:
    """Whether two parts of Discord have shards in common, or are not parts of the same whole; "" = all of it."""
    if not part or not other:
        return True
    one, two = shards(part), shards(other)
    return one.total != two.total or not set(one.ids).isdisjoint(two.ids)
