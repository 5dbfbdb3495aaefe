"""From a post to the content of an event: words that suffice by themselves, and what reactions to it would say."""

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bot.adapters.matrix.events import KEYS
from bot.adapters.matrix.html import message
from bot.commands.spec import COMMANDS
from bot.messages.model import Choice, OutgoingMessage, Span, Strong
from engine.text import Code

LETTER, MATCH, CHOICES = "org.riposte.letter", "org.riposte.match", "org.riposte.choices"
"""What our posts say of themselves: their key, the match they are about, the commands that reactions to them say."""

NAMES = {command.name for command in COMMANDS}


@dataclass(frozen=True, slots=True)
class Setting:
    """Where something is said."""

    prefix: str
    free: bool
    """Whether commands are heard there as they are: in a match's thread, and where nobody else is."""


def content(post: OutgoingMessage, setting: Setting, *, picture: dict[str, Any] | None, now: int) -> dict[str, Any]:
    """The event's content, but for the thread it stands in."""
    pressed = () if post.only else tuple(choice for choice in post.choices if not choice.blank)[: len(KEYS)]
    words = (*_heading(post), *(_command(span, setting) for span in post.text))
    spans = (*words, *_buttons(pressed, _said(post), setting), *_hints(post, setting))
    alt = post.picture.alt if post.picture is not None else ""
    made = message(spans, now, rings=post.rings, alt=alt) | (picture or {}) | {LETTER: post.key}
    if post.where.thread:
        made[MATCH] = post.where.thread
    if pressed:
        made[CHOICES] = [choice.command for choice in pressed]
    return made


def opening(post: OutgoingMessage, now: int) -> dict[str, Any]:
    """What a match's thread hangs from."""
    words = post.opening or (Strong(f"Match {post.where.thread}"), " goes on here.")
    return message(words, now) | {LETTER: f"{post.key}.opening", MATCH: post.where.thread}


def threaded(made: dict[str, Any], root: str) -> dict[str, Any]:
    """The content as part of a thread; clients that know none show it as a reply to the thread's beginning."""
    relation = {"rel_type": "m.thread", "event_id": root, "is_falling_back": True, "m.in_reply_to": {"event_id": root}}
    return {**made, "m.relates_to": relation}


def size(image: bytes) -> tuple[int, int]:
    """Width and height of a PNG."""
    width, height = struct.unpack(">II", image[16:24])
    return int(width), int(height)


def _command(span: Span, setting: Setting) -> Span:
    """A command as it must be typed there."""
    if setting.free or not isinstance(span, Code) or span.text.partition(" ")[0] not in NAMES:
        return span
    return Code(f"{setting.prefix} {span.text}")


def _heading(post: OutgoingMessage) -> tuple[Span, ...]:
    """Which match a whisper is about: nothing around it says so."""
    return (Strong(f"Match {post.where.thread}"), ". ") if post.only and post.where.thread else ()


def _said(post: OutgoingMessage) -> set[str]:
    """The commands that the text names itself."""
    return {span.text.partition(" ")[0] for span in post.text if isinstance(span, Code)}


def _buttons(choices: Sequence[Choice], said: set[str], setting: Setting) -> list[Span]:
    """What a reaction says, and how to say it in words where the text does not."""
    spans: list[Span] = []
    for number, choice in enumerate(choices, start=1):
        spans.append(f"{'   ' if spans else chr(10)}{number}\ufe0f\u20e3 {choice.label}")
        if choice.command.partition(" ")[0] not in said:
            spans += [": ", _command(Code(_typed(choice, setting)), setting)]
    return spans


def _hints(post: OutgoingMessage, setting: Setting) -> list[Span]:
    """What would be asked for line by line elsewhere, unless the text says so itself, or one just types it."""
    spans: list[Span] = []
    for choice in post.choices:
        name = choice.command.partition(" ")[0]
        if choice.blank and name not in _said(post) and not (name == "move" and setting.free):
            command = _command(Code(f"{_typed(choice, setting)} …"), setting)
            spans += [f"\n{choice.label}: ", command, f" {choice.blank}"]
    return spans


def _typed(choice: Choice, setting: Setting) -> str:
    """A choice as one would type it; the stamp in it is for buttons, and a match's thread knows its number."""
    name, *rest = choice.command.split()
    words = [word for word in rest if not word.startswith("@")]
    return " ".join((name, *(words[1:] if setting.free else words)))
