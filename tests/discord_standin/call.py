"""One request on its way to the handler that does it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tests.discord_standin.form import is_id
from tests.discord_standin.interactions import Interaction
from tests.discord_standin.posting import Files
from tests.discord_standin.refusal import JSON, InvalidForm
from tests.discord_standin.traffic import Traffic
from tests.discord_standin.world import Channel, World


@dataclass(frozen=True, slots=True)
class Call:
    """What a handler may know: the names in its route, the query, the payload and the files."""

    world: World
    traffic: Traffic
    interactions: Mapping[str, Interaction]
    """By their tokens."""
    sessions: JSON
    """What `/gateway/bot` tells."""
    ids: Mapping[str, str]
    query: Mapping[str, str]
    payload: Any
    files: Files

    def id(self, name: str) -> int:
        """An id in the path."""
        return number_in(self.ids[name], name)

    def channel(self, *needed: str) -> Channel:
        """The channel of the path, where the bot may do what is needed."""
        channel = self.world.channel(self.id("channel"))
        channel.require("view_channel", *needed)
        return channel

    def body(self) -> JSON:
        """The payload, which must be an object."""
        if not isinstance(self.payload, dict):
            raise InvalidForm([((), "DICT_TYPE_CONVERT", "Only dictionaries may be used in a DictType")])
        return self.payload


def number_in(text: str, name: str) -> int:
    """An id in a path or a query."""
    if not is_id(text):
        raise InvalidForm([((name,), "NUMBER_TYPE_COERCE", f'Value "{text}" is not snowflake.')])
    return int(text)
