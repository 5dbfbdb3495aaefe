"""Frozen dataclasses that are made a sixth as dear; that nobody changes one is seen to by mypy, and by it alone."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

__all__ = ["value"]

if TYPE_CHECKING:
    from dataclasses import dataclass as value
else:

    def value(*, frozen, slots):
        """Has fields be equal, hashed and written as of a frozen dataclass; used as that is, with both words.

        Python's own sets each field of a frozen one by a call: 33 thousand machine instructions for 22 fields, where
        these take 6. A turn makes some fifty, with four hundred fields.
        """
        assert frozen, "what may be changed is a dataclass"
        return dataclass(slots=slots, unsafe_hash=True)
