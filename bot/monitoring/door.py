"""Where hosts find figures and health checks. Needs no library, so that it costs nothing where it is not used."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec

import structlog

from bot.bucket.keeping import age as age_of_bucket
from bot.settings import Settings
from bot.standby import age

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Door:
    """An address on this machine."""

    host: str
    port: int
    """0 = any free one."""
    token: str = ""
    """The token that a request must bear; "" = none, for requests from this machine."""
    copies: Mapping[str, Callable[[], float | None]] = field(default_factory=dict)
    """How many seconds old each standby is; None = there is none yet."""


def door_of(settings: Settings, copies: Mapping[str, Callable[[], float | None]]) -> Door | None:
    """Where hosts find figures, if they want any; where nothing can count them, the log says so.

    `copies` are those besides the standbys of the settings.
    """
    host, _, port = settings.metrics.rpartition(":")
    if port and (missing := lacking()):
        log.error("figures are not served", remedy=missing)
        return None
    if not port:
        return None
    found = dict(copies)
    if (folder := settings.standby) is not None:
        found["folder"] = lambda: age(folder, time.time())
    if settings.bucket:
        found["bucket"] = lambda: age_of_bucket(settings, time.time())
    return Door(host or "127.0.0.1", int(port), settings.metrics_token.get_secret_value(), found)


def lacking() -> str:
    """Returns fact and remedy where the library that counts is not installed; "" = it is."""
    if find_spec("prometheus_client") is not None:
        return ""
    return "Figures need prometheus-client, which is not installed. Install it: `pip install 'riposte[figures]'`."
