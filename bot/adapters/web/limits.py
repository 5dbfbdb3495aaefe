"""How much one address may ask of the page, at once and in a minute."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from bot.runtime.rate_limit import Buckets
from engine.text import Text

SOCKETS, REQUESTS = 64, 128
"""At once from one address: tabs, of which a club behind one router has that many, and requests, tabs among them."""
READINGS = 300
"""A minute: boards and their pictures. Whoever steps through a match asks for five a second, for a while."""

TOO_MANY: Final = Text("Too many tabs are open from where you are; close some and reload.")
CROWDED: Final = Text("Too much is asked for at once from where you are; try again in a moment.")


class Limits:
    """Whoever sits at the machine itself ("") has none. What it remembers may be lost."""

    def __init__(self, now: Callable[[], int]):
        self._under_way = Counter[str]()
        self._tabs = Counter[str]()
        self._buckets = Buckets(now)

    @contextmanager
    def request(self, address: str) -> Iterator[bool]:
        """One more request is under way, whatever it is for; whether there is room for it."""
        with _one_more(self._under_way, address, REQUESTS) as room:
            yield room

    @contextmanager
    def tab(self, address: str) -> Iterator[bool]:
        """One more tab is open; whether there is room for it."""
        with _one_more(self._tabs, address, SOCKETS) as room:
            yield room

    def read(self, address: str) -> int:
        """Something that costs time is to be read. Returns 0 if it may be, else in how many milliseconds it may."""
        return self._buckets.take(address, READINGS) if address else 0


@contextmanager
def _one_more(counted: Counter[str], address: str, most: int) -> Iterator[bool]:
    if address and counted[address] >= most:
        yield False
        return
    counted[address] += 1
    try:
        yield True
    finally:
        counted -= Counter((address,))
