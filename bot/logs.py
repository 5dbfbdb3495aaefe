"""The log: one line for each event on standard error, never with a secret in it."""

import asyncio
import errno
import json
import logging
import math
import re
import sys
import traceback
from types import TracebackType
from typing import Any
from urllib.parse import quote

import structlog

REDACTED = "[secret]"
CREDENTIALS = re.compile(r"(access_token=|Authorization['\"]?: ?['\"]?(?:Bearer |Bot )|\bBearer )[^\s&'\"<>]+")
"""What stands in front of a secret that nobody has named: a token that a server has just made, say."""

_concealed: set[str] = set()


def conceal(*secrets: str) -> None:
    """Redact these in everything that is logged from now on."""
    for secret in filter(None, secrets):
        _concealed.update((secret, quote(secret, safe=""), json.dumps(secret)[1:-1]))


def redacted(text: str) -> str:
    """Returns the text without secrets."""
    for secret in sorted(_concealed, key=len, reverse=True):  # one may be part of another
        text = text.replace(secret, REDACTED)
    return CREDENTIALS.sub(rf"\g<1>{REDACTED}", text)


def write_log(level_name: str) -> None:
    """Log to standard error from now on; of libraries only warnings, and at `debug` also their info.

    Never their own `debug`: it holds whole requests, statements and keys.
    """
    level = logging.getLevelNamesMapping()[level_name.upper()]
    # Plain tracebacks: prettier ones print the values of variables, and with them the players' secrets.
    render = structlog.dev.ConsoleRenderer(
        colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
    )

    def rendered(logger: Any, name: str, event: Any) -> str:
        return redacted(render(logger, name, event))

    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper("%Y-%m-%d %H:%M:%S", utc=False),
            rendered,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    handler = logging.StreamHandler()
    handler.setLevel(max(level, logging.WARNING) if level > logging.DEBUG else logging.INFO)
    handler.setFormatter(_Redacting("%(asctime)s [%(levelname)-8s] %(message)s [%(name)s]", "%Y-%m-%d %H:%M:%S"))
    logging.basicConfig(level=handler.level, handlers=[handler], force=True)
    sys.excepthook = _print_redacted


class _Redacting(logging.Formatter):
    """Formats records, tracebacks included, without secrets."""

    def format(self, record: logging.LogRecord) -> str:
        return redacted(super().format(record))


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
