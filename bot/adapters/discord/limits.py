"""Discord's hard limits, and the function that checks what is sent against them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias

CONTENT: Final = 2000
LAYOUT_TEXT: Final = 4000
"""Characters of all texts of a layout together."""
LAYOUT: Final = 40
"""Components of a layout, those inside others counted too."""
NONCE: Final = 25
EMBEDS: Final = 6000
"""Characters of all embeds of a message together."""
EMBED_COUNT: Final = 10
FILES: Final = 10
FILE_SIZE: Final = 10 * 1024 * 1024
ALT: Final = 1024
MENTIONS: Final = 100
ROWS: Final = 5
ROW: Final = 5
BUTTONS: Final = ROWS * ROW
LABEL: Final = 80
CUSTOM_ID: Final = 100
OPTIONS: Final = 25
OPTION_LABEL: Final = 100
OPTION_VALUE: Final = 100
SELECT_PLACEHOLDER: Final = 150
TITLE: Final = 45
FIELDS: Final = 5
FIELD_LABEL: Final = 45
FIELD_DESCRIPTION: Final = 100
PLACEHOLDER: Final = 100
LINE: Final = 4000
THREAD_NAME: Final = 100
COMMAND_NAME: Final = 32
COMMAND_DESCRIPTION: Final = 100
COMMAND_OPTIONS: Final = 25
COMMAND_SIZE: Final = 8000
COMMANDS: Final = 100
CHOICE: Final = 100
CHOICES: Final = 25

ROW_OF, BUTTON, SELECT, FIELD, WORDS = 1, 2, 3, 4, 10

Kind: TypeAlias = Literal["message", "layout", "modal", "thread", "commands", "choices"]


class LimitExceeded(AssertionError):  # noqa: N818  (the name says enough)
    """A mistake of ours: what Discord would refuse is not even sent."""


def is_id(text: str) -> bool:
    """Whether that can be one of the platform's ids: a number of 63 bits."""
    return text.isascii() and text.isdecimal() and 0 < int(text[:20]) < 1 << 63


def length(text: str) -> int:
    """Characters as the strictest reader counts them: emoji are two."""
    return len(text.encode("utf-16-le")) // 2


def cut(text: str, most: int) -> str:
    """The text, or as much of it as fits and a sign that there is more."""
    if length(text) <= most:
        return text
    kept = text[: most - 1]
    while length(kept) > most - 1:
        kept = kept[:-1]
    return kept.rstrip() + "…"


def check(kind: Kind, payload: Any) -> None:
    """Raise LimitExceeded if the platform would refuse this JSON of a message, form, thread, … for its size."""
    _CHECKS[kind](payload)


def check_file(data: bytes, alt: str) -> None:
    """Raise LimitExceeded if a file is too large, or described at too great a length."""
    _most(len(data), FILE_SIZE, "bytes in a file")
    _text(alt, ALT, "alt text")


def _message(payload: Mapping[str, Any]) -> None:
    _text(payload.get("content") or "", CONTENT, "content")
    _text(str(payload.get("nonce") or ""), NONCE, "nonce")
    _most(len(payload.get("attachments") or ()), FILES, "attachments")
    for file in payload.get("attachments") or ():
        _text(file.get("description") or "", ALT, "alt text")
    _most(len((payload.get("allowed_mentions") or {}).get("users") or ()), MENTIONS, "people mentioned")
    rows = payload.get("components") or ()
    _most(len(rows), ROWS, "rows")
    _rows(rows)


def _layout(payload: Sequence[Mapping[str, Any]]) -> None:
    rows = [part for part in payload if part["type"] == ROW_OF]
    _most(len(payload) + sum(len(row["components"]) for row in rows), LAYOUT, "components")
    words = [part["content"] for part in payload if part["type"] == WORDS]
    for text in words:
        _least(len(text), "characters of a text")
    _most(sum(map(length, words)), LAYOUT_TEXT, "characters of all texts")
    _rows(rows)


def _rows(rows: Sequence[Mapping[str, Any]]) -> None:
    seen: set[str] = set()
    for row in rows:
        inside = row.get("components") or ()
        _least(len(inside), "components in a row")
        _most(len(inside), ROW, "components in a row")
        if len(inside) > 1 and any(one["type"] == SELECT for one in inside):
            raise LimitExceeded("a select takes a row of its own")
        for one in inside:
            _component(one)
            if one["custom_id"] in seen:
                raise LimitExceeded(f"the same id twice: {one['custom_id']}")
            seen.add(one["custom_id"])


def _component(one: Mapping[str, Any]) -> None:
    _least(len(one.get("custom_id") or ""), "characters of an id")
    _text(one["custom_id"], CUSTOM_ID, "custom_id")
    if one["type"] == BUTTON:
        _least(len(one.get("label") or ""), "characters on a button")
        _text(one["label"], LABEL, "label of a button")
    if one["type"] == SELECT:
        options = one.get("options") or ()
        _least(len(options), "options")
        _most(len(options), OPTIONS, "options")
        _text(one.get("placeholder") or "", SELECT_PLACEHOLDER, "placeholder")
        _once([option["value"] for option in options], "option")
        for option in options:
            _least(len(option["label"]), "characters of an option")
            _text(option["label"], OPTION_LABEL, "label of an option")
            _text(option["value"], OPTION_VALUE, "value of an option")
    if one["type"] == FIELD:
        _text(one.get("label") or "", FIELD_LABEL, "label of a field")
        _text(one.get("placeholder") or "", PLACEHOLDER, "placeholder of a field")
        _most(one.get("max_length") or 0, LINE, "characters in a field")


def _modal(payload: Mapping[str, Any]) -> None:
    _least(len(payload["title"]), "characters of a title")
    _text(payload["title"], TITLE, "title")
    _text(payload["custom_id"], CUSTOM_ID, "custom_id")
    _least(len(payload["components"]), "fields")
    _most(len(payload["components"]), FIELDS, "fields")
    for row in payload["components"]:
        for one in row.get("components") or (row["component"],):
            _component(one)


def _thread(payload: Mapping[str, Any]) -> None:
    _least(len(payload["name"]), "characters of a thread's name")
    _text(payload["name"], THREAD_NAME, "name of a thread")


def _commands(payload: Sequence[Mapping[str, Any]]) -> None:
    for kind in (1, 2, 3):
        of_kind = [command["name"] for command in payload if command.get("type", 1) == kind]
        _most(len(of_kind), COMMANDS if kind == 1 else 5, "commands of one kind")
        _once(of_kind, "command")
    for command in payload:
        _most(_size(command), COMMAND_SIZE, f"characters in /{command['name']}")
        _command(command, described=command.get("type", 1) == 1)


def _command(command: Mapping[str, Any], *, described: bool = True) -> None:
    _least(len(command["name"]), "characters of a command's name")
    for name in _told(command, "name"):
        _text(name, COMMAND_NAME, f"name of /{command['name']}")
    if described:
        _least(len(command["description"]), f"characters to describe /{command['name']}")
        for words in _told(command, "description"):
            _text(words, COMMAND_DESCRIPTION, f"description of /{command['name']}")
    options = command.get("options") or ()
    _most(len(options), COMMAND_OPTIONS, f"options of /{command['name']}")
    _once([option["name"] for option in options], "option")
    required = [bool(option.get("required")) for option in options]
    if required != sorted(required, reverse=True):
        raise LimitExceeded(f"/{command['name']} has a required option behind an optional one")
    for option in options:
        _command(option)
        _choices(option.get("choices") or ())


def _choices(payload: Sequence[Mapping[str, Any]]) -> None:
    _most(len(payload), CHOICES, "choices")
    for choice in payload:
        _least(len(choice["name"]), "characters of a choice")
        _text(choice["name"], CHOICE, "name of a choice")
        _text(str(choice["value"]), CHOICE, "value of a choice")


def _size(command: Mapping[str, Any]) -> int:
    choices = sum(len(choice["name"]) + len(str(choice["value"])) for choice in command.get("choices") or ())
    inside = sum(_size(option) for option in command.get("options") or ())
    words = (max(map(len, _told(command, key))) for key in ("name", "description"))
    return sum(words) + choices + inside


def _told(command: Mapping[str, Any], key: str) -> list[str]:
    """A name or description in all languages."""
    return [command.get(key) or "", *(command.get(f"{key}_localizations") or {}).values()]


def _text(text: str, most: int, what: str) -> None:
    _most(length(text), most, f"characters of {what}")


def _most(count: int, most: int, what: str) -> None:
    if count > most:
        raise LimitExceeded(f"{count:,} {what}; Discord takes {most:,}")


def _least(count: int, what: str) -> None:
    if count < 1:
        raise LimitExceeded(f"no {what}; Discord wants some")


def _once(names: Sequence[str], what: str) -> None:
    if len(set(names)) != len(names):
        raise LimitExceeded(f"the same {what} twice among {', '.join(names)}"[:200])


_CHECKS: dict[Kind, Callable[[Any], None]] = {
    "message": _message,
    "layout": _layout,
    "modal": _modal,
    "thread": _thread,
    "commands": _commands,
    "choices": _choices,
}
