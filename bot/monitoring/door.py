"""Where hosts find figures and health checks. Needs no library, so that it costs nothing where it is not used."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec


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


def lacking() -> str:
    """Returns fact and remedy where the library that counts is not installed; "" = it is."""
    if find_spec("prometheus_client") is not None:
        return ""
    return "Figures need prometheus-client, which is not installed. Install it: `pip install 'riposte[figures]'`."
