"""The log: one line for each event on standard error or in a folder, never with a secret in it.

What a message or an alarm leads to bears its trace, an id of eight signs, from there to each post.
"""

import asyncio
import errno
import hashlib
import json
import logging
import math
import os
import re
import sys
import traceback
from collections.abc import Awaitable, Callable
from contextlib import suppress
from contextvars import ContextVar
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from threading import Event
from types import TracebackType
from typing import Any, Literal
from urllib.parse import quote

import structlog

REDACTED = "[secret]"
CREDENTIALS = re.compile(r"(access_token=|Authorization['\"]?: ?['\"]?(?:Bearer |Bot )|\bBearer )[^\s&'\"<>]+")
"""What stands in front of a secret that nobody has named: a token that a server has just made, say."""

_concealed: set[str] = set()
_trace: ContextVar[str] = ContextVar("trace", default="")
"""Of our own, not among structlog's: those are gone through one by one, and a turn is traced three times."""

_followed = Event()
"""Whether the steps of messages are logged (at `debug`)."""

QUIET = structlog.make_filtering_bound_logger(logging.INFO)
structlog.configure(wrapper_class=QUIET)  # off until a log is set up: commands of the command line need no traces


def conceal(*secrets: str) -> None:
    """Redact these secrets in everything that is logged from now on."""
    for secret in filter(None, secrets):
        _concealed.update((secret, quote(secret, safe=""), json.dumps(secret)[1:-1]))


def redacted(text: str) -> str:
    """Returns the text without secrets."""
    for secret in sorted(_concealed, key=len, reverse=True):  # one may be part of another
        text = text.replace(secret, REDACTED)
    return CREDENTIALS.sub(rf"\g<1>{REDACTED}", text)


def trace_of(cause: str) -> str:
    """Returns the trace of a message or an alarm, by its id: eight signs, the same in every process."""
    return hashlib.blake2b(cause.encode(), digest_size=4).hexdigest()


class traced:  # noqa: N801  (what it is used as; a generator takes three times as long, and a turn is traced three times)
    """Has every line that is written inside, and in tasks begun there, bear a trace; "" = none."""

    __slots__ = ("_before", "_trace")

    def __init__(self, trace: str) -> None:
        self._trace = trace

    def __enter__(self) -> None:
        self._before = _trace.set(self._trace)

    def __exit__(self, *_: object) -> None:
        _trace.reset(self._before)


def follow(step: str, **told: object) -> None:
    """Write down a step on a message's way, at `debug`; while nobody follows it, that takes no time."""
    if _followed.is_set():
        structlog.get_logger().debug(step, **told)


def _with_trace(_logger: Any, _name: str, event: Any) -> Any:
    return {**event, "trace": _trace.get()} if _trace.get() else event


def _without_bugs_that_are_none(_logger: Any, _name: str, event: Any) -> Any:
    """A line without its traceback where another process has taken over: whoever ends this one says why."""
    error = event.get("exc_info")
    error = sys.exc_info()[1] if error is True else error
    if not isinstance(error, OSError) or error.errno != errno.ESTALE:
        return event
    return {name: value for name, value in event.items() if name != "exc_info"} | {"error": error.strerror}


def _redacted_values(_logger: Any, _name: str, event: Any) -> Any:
    """An event whose values hold no secrets: once they are JSON, what is quoted in them is spelt in other ways."""
    return {name: value if isinstance(value, int | float) else redacted(str(value)) for name, value in event.items()}


class DailyFile:
    """A file for each day in a folder, those of more than so many days ago gone; several processes may share it."""

    def __init__(self, folder: Path, days: int, today: Callable[[], date] = date.today):
        self._folder, self._days, self._today = folder, days, today
        self._day: date | None = None

    def write(self, text: str) -> None:
        """Write lines into today's file; to standard error where that fails, for nobody is to wait for a log."""
        try:
            if self._day != (today := self._today()):
                self.let_go()
                self._day = today
            with open(self._folder / f"{LOG}{today}.log", "a", encoding="utf-8", opener=_for_its_owner) as file:
                file.write(text)
        except (OSError, UnicodeError):
            print(text, end="", file=sys.stderr)

    def flush(self) -> None:
        """Does nothing: lines are written at once."""

    async def run(self, pause: Callable[[float], Awaitable[object]] = asyncio.sleep) -> None:
        """Remove old files once an hour: there are days on which nothing is written."""
        while True:
            with suppress(OSError):
                self.let_go()
            await pause(3600)

    def let_go(self) -> None:
        """Remove the files that are too old. Raises OSError where that cannot be done."""
        last = (self._today() - timedelta(self._days - 1)).isoformat()
        for path in self._folder.glob(f"{LOG}[0-9]*.log"):
            if path.stem.removeprefix(LOG) < last:
                path.unlink(missing_ok=True)


LOG = "riposte-"


def _for_its_owner(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def write_log(level_name: str, form: Literal["text", "json"] = "text", into: DailyFile | None = None) -> None:
    """Log to standard error from now on, or into files; of libraries only warnings, and at `debug` also their info.

    Never their own `debug`: it holds whole requests, statements and keys. `json` writes an object in each line.
    """
    where: Any = into or sys.stderr
    level = logging.getLevelNamesMapping()[level_name.upper()]
    (_followed.set if level <= logging.DEBUG else _followed.clear)()

    def rendered(logger: Any, name: str, event: Any) -> str:
        return redacted(str(render(logger, name, event)))

    if form == "json":
        last: list[Any] = [structlog.processors.format_exc_info, _redacted_values]
        time = structlog.processors.TimeStamper("iso")
        render: Any = structlog.processors.JSONRenderer(ensure_ascii=False)
        theirs: logging.Formatter = _Json()
    else:
        last, time = [], structlog.processors.TimeStamper("%Y-%m-%d %H:%M:%S", utc=False)
        # Plain tracebacks: prettier ones print the values of variables, and with them the players' secrets.
        render = structlog.dev.ConsoleRenderer(
            colors=into is None and sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
        )
        theirs = _Redacting("%(asctime)s [%(levelname)-8s] %(message)s [%(name)s]", "%Y-%m-%d %H:%M:%S")
    structlog.configure(
        processors=[
            _with_trace,
            _without_bugs_that_are_none,
            structlog.processors.add_log_level,
            time,
            *last,
            rendered,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.WriteLoggerFactory(where),
    )
    handler = logging.StreamHandler(where)
    handler.setLevel(max(level, logging.WARNING) if level > logging.DEBUG else logging.INFO)
    handler.setFormatter(theirs)
    logging.basicConfig(level=handler.level, handlers=[handler], force=True)
    sys.excepthook = _print_redacted


class _Redacting(logging.Formatter):
    """Formats records, tracebacks included, without secrets."""

    def format(self, record: logging.LogRecord) -> str:
        return redacted(super().format(record))


class _Json(logging.Formatter):
    """Formats records of libraries as our own lines."""

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC).isoformat().replace("+00:00", "Z")
        line = {"event": record.getMessage(), "level": record.levelname.lower(), "logger": record.name}
        line = _with_trace(None, "", line)
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(_redacted_values(None, "", {**line, "timestamp": at}), ensure_ascii=False)


def _print_redacted(kind: type[BaseException], error: BaseException, where: TracebackType | None) -> None:
    print(redacted("".join(traceback.format_exception(kind, error, where))), end="", file=sys.stderr)


def once_a_minute(loop: asyncio.AbstractEventLoop) -> None:
    """Have the loop say once a minute that descriptors have run out, not at each connection that it turns away."""
    told = -math.inf

    def handle(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        nonlocal told
        error = context.get("exception")
        if not (isinstance(error, OSError) and error.errno in (errno.EMFILE, errno.ENFILE)):
            loop.default_exception_handler(context)
        elif loop.time() - told >= 60:
            told = loop.time()
            structlog.get_logger(__name__).error(
                "all file descriptors are in use, so nobody new can connect; allow more (LimitNOFILE, ulimit -n)"
            )

    loop.set_exception_handler(handle)
