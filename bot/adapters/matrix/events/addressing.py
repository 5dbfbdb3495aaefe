"""Which messages are meant for the bot, and whom they name."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import translate
from typing import Final

from bot.adapters.matrix.events.reading import Message
from bot.commands.parser import HELLO, is_greeting
from bot.commands.spec import BY_NAME, COMMANDS

SHARED: Final = ("help",)
"""Commands that other bots know too, so that `!` alone does not call us."""
CALLED: Final = {command.name for command in COMMANDS} - set(SHARED)
NAMED: Final = re.compile(r"(?<!\S)@([^\s@:]{1,255}(?::[^\s@,;]{1,255})?)")


@dataclass(frozen=True, slots=True)
class Addressing:
    """The bot's id, the prefix that calls it, and whose messages it drops."""

    user: str
    prefix: str
    ignored: Sequence[str] = ()
    """Ids of other bots and of whole ranges: `@_discord_*:example.org`."""
    _dropped: re.Pattern[str] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        pattern = "|".join(translate(each) for each in self.ignored) or r"(?!)"
        object.__setattr__(self, "_dropped", re.compile(pattern))

    def hears(self, sender: str) -> bool:
        """Whether somebody's messages are looked at."""
        return sender != self.user and not self._dropped.match(sender)

    def meant(
        self, message: Message, *, alone: bool, match: bool, replied: bool, name: str = "", prefix: str = ""
    ) -> str | None:
        """The text of a message that is for us, None if it is not.

        `alone`: nobody else is in the room; `match`: it stands in a match's thread, or answers a match's message;
        `replied`: it answers a message of ours; `name`: what we are called in the room; `prefix`: its own, if any.
        """
        line = message.text.strip()
        called, rest = self._call(line, name, prefix or self.prefix, mentioned=self.user in message.mentioned)
        if called:
            # The sign marks a command for us; in front of a turn it would only be in the way.
            if not rest or is_greeting(rest):
                return f"!{HELLO}"
            return f"!{rest}" if rest[:1].isalpha() and not match else rest
        if alone and is_greeting(line):
            return f"!{HELLO}"
        if alone or match or replied:
            return line or None
        if line.startswith("!") and line[1:].partition(" ")[0].lower() in CALLED:
            return line
        if self.user in message.mentioned:
            rest = " ".join(line.replace(self.user, " ").split())
            unnamed = rest.replace(name, " ") if name else rest
            return rest if unnamed.strip(" ,.!?") and not is_greeting(unnamed) else f"!{HELLO}"
        return None

    def _call(self, line: str, name: str, prefix: str, *, mentioned: bool) -> tuple[bool, str]:
        """Whether a line begins by calling us, and what follows."""
        head, _, rest = line.partition(" ")
        if prefix.lower() in (head.lower(), head.rstrip(":,").lower()):
            return True, rest.strip()
        for known in filter(None, (self.user, name, self.user[1:].partition(":")[0])):
            found = re.match(
                rf"@?{re.escape(known)}(?P<sign>\s*[:,])?(?:\s+|$)(?P<rest>.*)", line, re.IGNORECASE | re.S
            )
            if found:
                word = found["rest"].partition(" ")[0].lower()
                # "Riposte is fun" is talk, "Riposte help" and "Riposte, hello" are not.
                if known == self.user or mentioned or found["sign"] or word in BY_NAME:
                    return True, found["rest"].strip()
        return False, ""


def addressed(text: str, members: Mapping[str, str], server: str) -> str:
    """The text with the people it names written as a challenge reads them: `@matrix:@ben:example.org`.

    `members` maps ids, and names and first parts of ids in lower case, to ids; "" where several share one.
    """

    def known(found: re.Match[str]) -> str:
        word = found[1].rstrip(".,;")
        tail = found[1][len(word) :]
        whole = f"@{word}"
        if ":" in word:
            host = word.partition(":")[2]
            user = whole if whole in members or "." in host or host.partition(":")[0] == server else ""
        else:
            user = members.get(word.lower(), "")
        return f"@matrix:{user}{tail}" if user else found[0]

    return NAMED.sub(known, text)
