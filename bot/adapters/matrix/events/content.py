"""The content of the event for a message: words that suffice by themselves, and the commands of its reactions."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from bot.adapters.matrix.events.html import ENGLISH, Wording, formatted
from bot.adapters.matrix.events.reading import KEYS
from bot.commands.spec import COMMANDS
from bot.messages.model import Button, OutgoingMessage, Span, Strong
from bot.messages.prompts import ANSWERS
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
    """The event's content, without the thread it stands in; with a `picture`, its words are the picture's caption."""
    pressed = buttons(message)
    words = (*_heading(message, setting.wording), *(_command(span, setting) for span in message.text))
    spans = (*words, *_buttons(pressed, _named(message), setting), *_hints(message, setting))
    alt = message.picture.alt if message.picture is not None else ""
    body = formatted(spans, now, rings=message.rings, alt=alt, wording=setting.wording)
    made = body | {"msgtype": "m.text" if concerns(message) else "m.notice"} | (picture or {})
    return made | _marked(message, message.key)


def alone(message: OutgoingMessage, picture: dict[str, Any]) -> dict[str, Any]:
    """The content of a picture that stands apart from its words: reactions to it mean the same, and it rings nobody."""
    return {**picture, "body": picture["filename"], "m.mentions": {}, **_marked(message, f"{message.key}.picture")}


def buttons(message: OutgoingMessage) -> tuple[Button, ...]:
    """What reactions can stand for."""
    return () if message.only else tuple(choice for choice in message.choices if not choice.blank)[: len(KEYS)]


def signs(commands: Sequence[str]) -> list[str]:
    """The reaction for each command: ✅ and ❌ for the only offer, else numbers."""
    verbs = [command.partition(" ")[0] for command in commands]
    return [
        ANSWERS[verb] if verb in ANSWERS and verbs.count(verb) == 1 else f"{number}\ufe0f\u20e3"
        for number, verb in enumerate(verbs, start=1)
    ]


def concerns(message: OutgoingMessage) -> bool:
    """Whether somebody is to be told by their client: of what they must do, of a board, of what is for them alone.

    All else is a notice, which rings nobody, and which no other bot answers.
    """
    return bool(message.rings) or (not message.answers and (message.only is not None or message.picture is not None))


def _marked(message: OutgoingMessage, key: str) -> dict[str, Any]:
    """The fields by which we know an event of ours again."""
    pressed, match = buttons(message), message.where.thread
    made: dict[str, Any] = {MESSAGE_KEY: key}
    if match and not message.where.gallery:
        made[MATCH] = match
    if pressed:
        made[CHOICES] = [choice.command for choice in pressed]
    return made


def opening(message: OutgoingMessage, now: int, wording: Wording = ENGLISH) -> dict[str, Any]:
    """The content of the event that a match's thread hangs from."""
    match = message.where.thread
    words = message.opening or (Strong(wording.say(Text("Match {number} goes on here.", number=match))),)
    fields = {MESSAGE_KEY: f"{message.key}.opening", MATCH: match, "msgtype": "m.notice"}
    return formatted(words, now, wording=wording) | fields


def related(made: dict[str, Any], root: str = "", answers: str = "") -> dict[str, Any]:
    """The content as part of a thread and as an answer to an event, where it is one of these.

    Clients that know no threads show it as a reply to the thread's beginning.
    """
    if not root and not answers:
        return made
    relation: dict[str, Any] = {"m.in_reply_to": {"event_id": answers or root}}
    if root:
        relation |= {"rel_type": "m.thread", "event_id": root, "is_falling_back": not answers}
    return {**made, "m.relates_to": relation}


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
    for sign, choice in zip(signs([choice.command for choice in choices]), choices, strict=True):
        spans.append(f"{'   ' if spans else chr(10)}{sign} {choice.label}")
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
