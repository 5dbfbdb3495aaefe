"""Where hosts look in: nothing here needs a library, so that it costs nobody who keeps it shut."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Door:
    """An address on this machine."""

    host: str
    port: int
    """0 = any free one."""
    token: str = ""
    """What whoever comes has to show; "" = nothing, but they come from this machine."""
