"""Takes people out of stored messages: who they are becomes a tombstone, and their names go from the words."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from bot.messages.catalogue import language
from bot.messages.model import FORMER, FORMER_NAME, FORMER_PLAYER, WORDS_REMOVED
from bot.messages.serialization import shortened

AS_THEY_ARE = ("command", "key", "answers", "receipt", "about", "position", "turn", "where", "language", "platform")
"""Fields of a message in which no name stands for its owner."""

TELLING = 8
"""A name of at least so many letters is looked for inside words, too; a shorter one would match too much."""


def redaction(gone: Mapping[str, str], names: Sequence[str], said: Sequence[str] = ()) -> "Redaction":
    """What takes these people out of a message: `gone` from keys to tombstones, their names, and their words."""
    return Redaction(gone, [name for name in names if name.strip()], said)


class Redaction:
    """Called with a message as it is stored, and whether it is done with; returns it without them, "" for none."""

    def __init__(self, gone: Mapping[str, str], names: Sequence[str], said: Sequence[str] = ()):
        self._gone = gone
        self._keys = (*gone, *(f'"id":"{key.partition(":")[2]}"' for key in gone))
        self._called_so = tuple(dict.fromkeys(names))
        # Ann-Marie is somebody else than Ann.
        whole = "|".join(rf"(?<![\w-]){re.escape(name)}(?![\w-])" for name in names)
        self._names = re.compile(whole) if names else None
        self._said = frozenset(said)
        told = sorted((words for words in self._said if len(words) >= TELLING), key=len, reverse=True)
        self._quoted = re.compile("|".join(rf"(?<!\w){re.escape(words)}(?!\w)" for words in told)) if told else None
        self._called, self._removed = FORMER_NAME, str(WORDS_REMOVED)

    def __call__(self, body: str, done: bool) -> str:
        """A message that is done with keeps no words; one to them alone that waits is for nobody any more."""
        if not self.concerned(body):
            return body
        fields = msgspec.json.decode(body)
        reader = language(fields.get("language", ""))
        self._called, self._removed = str(reader.say(FORMER_PLAYER)), str(reader.say(WORDS_REMOVED))
        only = fields.get("only")
        if not done and only and f"{only['platform']}:{only['id']}" in self._gone:
            return ""
        return msgspec.json.encode(self._without(msgspec.json.decode(shortened(body)) if done else fields)).decode()

    def concerned(self, body: str) -> bool:
        """Whether anybody of them may be in it: most messages are about others."""
        for one in self._keys:  # many thousand times in a row: a loop takes half as long as `any`
            if one in body:
                return True
        for name in self._called_so:  # many times as fast as a search
            if name in body:
                return self._names is not None and self._names.search(body) is not None
        return False

    def text(self, text: str) -> str:
        """Plain words without their names, and without what they wrote themselves."""
        if text in self._said:
            return self._removed
        if self._quoted:
            text = self._quoted.sub(self._removed, text)
        return self._names.sub(self._called, text) if self._names else text

    def names_them(self, text: str) -> bool:
        """Whether a name is in it, however it is spelled or joined."""
        return any(name.casefold() in text.casefold() for name in self._called_so)

    def words(self, value: Any) -> Any:
        """Any JSON without them."""
        return self._without(value)

    def _without(self, value: Any) -> Any:
        if isinstance(value, dict):
            tombstone = self._gone.get(f"{value.get('platform')}:{value.get('id')}")
            if tombstone is not None and "name" in value:
                return {"platform": FORMER, "id": tombstone.partition(":")[2], "name": self._called}
            if isinstance(key := value.get("person"), str) and key in self._gone:  # as the web room's page reads one
                return {"person": self._gone[key], "name": self._called}
            return {key: self._keyed(one) if key in AS_THEY_ARE else self._without(one) for key, one in value.items()}
        if isinstance(value, list):
            return [self._without(one) for one in value]
        if isinstance(value, str):
            return self._gone.get(value) or self.text(value)
        return value

    def _keyed(self, value: Any) -> Any:
        """A field in which no name stands for its owner; a key may."""
        if isinstance(value, dict):
            return {key: self._keyed(one) for key, one in value.items()}
        return self._gone.get(value, value) if isinstance(value, str) else value
