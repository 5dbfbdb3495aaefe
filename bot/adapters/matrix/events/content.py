"""The content of the event for a message: words that suffice by themselves, and the commands of its reactions."""

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from bot.adapters.matrix.events.html import ENGLISH, Wording, formatted
from bot.adapters.matrix.events.reading import KEYS
from bot.commands.spec import COMMANDS
from bot.messages.model import Button, OutgoingMessage, Span, Strong
from engine.text import Code, Text

MESSAGE_KEY: Final = "org.riposte.letter"
"""The field of our events that holds the message's key."""
MATCH: Final = "org.riposte.match"
"""The one that holds the number of the match."""
CHOICES: Final = "org.riposte.choices"
"""The one that lists the commands of its reactions."""

NAMES: Final = {command.name for command in COMMANDS}


@dataclass(frozen=True, slots=True)
class Setting:
    """The room or thread that a message goes to."""

    prefix: str
    free: bool
    """Whether commands need no prefix there: in a match's thread, and where nobody else is."""
    wording: Wording = ENGLISH


def content(message: OutgoingMessage, setting: Setting, *, picture: dict[str, Any] | None, now: int) -> dict[str, Any]:
    """The event's content, without the thread it stands in."""
    pressed = () if message.only else tuple(choice for choice in message.choices if not choice.blank)[: len(KEYS)]
    words = (*_heading(message, setting.wording), *(_command(span, setting) for span in message.text))
    spans = (*words, *_buttons(pressed, _named(message), setting), *_hints(message, setting))
    alt = message.picture.alt if message.picture is not None else ""
    body = formatted(spans, now, rings=message.rings, alt=alt, wording=setting.wording)
    made = body | (picture or {}) | {MESSAGE_KEY: message.key}
    if message.where.thread:
        made[MATCH] = message.where.thread
    if pressed:
        made[CHOICES] = [choice.command for choice in pressed]
    return made


def opening(message: OutgoingMessage, now: int, wording: Wording = ENGLISH) -> dict[str, Any]:
    """The content of the event that a match's thread hangs from."""
    match = message.where.thread
    words = message.opening or (Strong(wording.say(Text("Match {number} goes on here.", number=match))),)
    return formatted(words, now, wording=wording) | {MESSAGE_KEY: f"{message.key}.opening", MATCH: match}


def threaded(made: dict[str, Any], root: str) -> dict[str, Any]:
    """The content as part of a thread; clients that know none show it as a reply to the thread's beginning."""
    relation = {"rel_type": "m.thread", "event_id": root, "is_falling_back": True, "m.in_reply_to": {"event_id": root}}
    return {**made, "m.relates_to": relation}


def size(image: bytes) -> tuple[int, int]:
    """Width and height of a PNG."""
    width, height = struct.unpack(">II", image[16:24])
    return int(width), int(height)


def _command(span: Span, setting: Setting) -> Span:
    """A command with the prefix that it needs there."""
    if setting.free or not isinstance(span, Code) or span.text.partition(" ")[0] not in NAMES:
        return span
    return Code(f"{setting.prefix} {span.text}")


def _heading(message: OutgoingMessage, wording: Wording) -> tuple[Span, ...]:
    """The match that a private message is about: nothing around it shows that."""
    match = message.where.thread
    return (Strong(wording.say(Text("Match {number}.", number=match))), " ") if message.only and match else ()


def _named(message: OutgoingMessage) -> set[str]:
    """The commands that the text names itself."""
    return {span.text.partition(" ")[0] for span in message.text if isinstance(span, Code)}


def _buttons(choices: Sequence[Button], named: set[str], setting: Setting) -> list[Span]:
    """The reactions, each with its command where the text does not name it."""
    spans: list[Span] = []
    for number, choice in enumerate(choices, start=1):
        spans.append(f"{'   ' if spans else chr(10)}{number}\ufe0f\u20e3 {choice.label}")
        if choice.command.partition(" ")[0] not in named:
            spans += [": ", _command(Code(_typed(choice, setting)), setting)]
    return spans


def _hints(message: OutgoingMessage, setting: Setting) -> list[Span]:
    """How to type the choices that need a line, unless the text tells it, or the line alone is enough."""
    spans: list[Span] = []
    for choice in message.choices:
        name = choice.command.partition(" ")[0]
        if choice.blank and name not in _named(message) and not (name == "move" and setting.free):
            command = _command(Code(f"{_typed(choice, setting)} …"), setting)
            spans += [f"\n{choice.label}: ", command, f" {choice.blank}"]
    return spans


def _typed(choice: Button, setting: Setting) -> str:
    """A choice's command as people type it: without the stamp, and in a match's thread without its number."""
    name, *rest = choice.command.split()
    words = [word for word in rest if not word.startswith("@")]
    return " ".join((name, *(words[1:] if setting.free else words)))
