"""One line of text for a position whose fields are plain: `petals: a b c / to_move: S`, and back."""

import json
import re
from collections.abc import Callable, Hashable, Mapping
from dataclasses import fields, is_dataclass
from functools import lru_cache
from types import UnionType
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar, Union, get_args, get_origin, get_type_hints

from engine.text import Text

T = TypeVar("T", bound=Hashable)

SEPARATORS = (" ", ",")
"""Between the items of a field, and between those of an item that holds several."""
EMPTY = ("-", "()")
"""What stands for no items, in a field and in an item."""
NONE = "~"
TRUTH = {"yes": True, "no": False}
WORD = re.compile(r"(?!-$)[\w.+*#@!<>|'&%^$;-]+")
"""A text that needs no quotes."""
NUMBER = re.compile(r"0|-?[1-9][0-9]{0,3999}")
RESERVED = re.compile(r"[ ,=/:`]")
"""What separates words, and what would end a code span: escaped inside quotes."""


def position_text(position: Any) -> str:
    """The fields in their order, each with its name; what has no order of its own is sorted."""
    kind: Any = type(position)
    return " / ".join(f"{name}: {_written(getattr(position, name))}" for name in _fields(kind))


class Unreadable(NamedTuple):
    """Why a text describes no position, or no place: the fact and the remedy."""

    because: Text
    remedy: Text


def read_position(start: T, text: str) -> T | Unreadable:
    """The position that a text describes; `start` shows its fields, and people an example."""
    readers = _fields(type(start))
    parts = [part.partition(": ") for part in text.strip().split(" / ")]
    if [name for name, _, _ in parts] != list(readers):
        return Unreadable(Text("That is no position of this game."), _example(start))
    values: dict[str, Any] = {}
    for name, _, said in parts:
        try:
            values[name] = readers[name](said)
        except (ValueError, KeyError):
            return Unreadable(Text("`{field}` cannot be `{value}`.", field=name, value=said[:40]), _example(start))
    return type(start)(**values)


def _example(start: Hashable) -> Text:
    return Text("The start, as an example, is `{example}`.", example=position_text(start))


# --- writing ----------------------------------------------------------------------------------------------


def _written(value: object, depth: int = 0) -> str:
    match value:
        case None:
            return NONE
        case bool():
            return "yes" if value else "no"
        case int():
            return str(value)
        case str():
            return _quoted(value)
        case tuple():
            items = [_written(item, depth + 1) for item in value]
        case frozenset():
            items = sorted(_written(item, depth + 1) for item in value)
        case Mapping():
            items = sorted(f"{_written(key)}={_written(item, depth + 1)}" for key, item in value.items())
        case _:
            raise _too_much(type(value))
    return SEPARATORS[depth].join(items) or EMPTY[depth]


def _quoted(word: str) -> str:
    if WORD.fullmatch(word) and word.isprintable():
        return word
    return RESERVED.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(word))


# --- reading ----------------------------------------------------------------------------------------------

Reader: TypeAlias = Callable[[str], Any]
"""A value from its text; ValueError or KeyError if it is none."""


@lru_cache(maxsize=64)
def _fields(kind: Any) -> Mapping[str, Reader]:
    """The fields of a dataclass or a named tuple, and what reads each."""
    names = [field.name for field in fields(kind)] if is_dataclass(kind) else getattr(kind, "_fields", None)
    if names is None:
        raise _too_much(kind)
    hints = get_type_hints(kind)
    return {name: _reader(hints[name], 0) for name in names}


def _reader(shape: Any, depth: int) -> Reader:
    kind, parts = get_origin(shape), get_args(shape)
    if shape in _PLAIN:
        return _PLAIN[shape]
    if kind is Literal:
        return {_written(value): value for value in parts}.__getitem__
    if kind in (Union, UnionType):
        return _optional([_reader(part, depth) for part in parts if part is not type(None)], shape)
    if depth == len(SEPARATORS) or kind is None:
        raise _too_much(shape)
    if kind is tuple and parts[-1:] != (...,):
        return _fixed([_reader(part, depth + 1) for part in parts], depth)
    if kind in (tuple, frozenset):
        return _several(kind, _reader(parts[0], depth + 1), depth)
    if issubclass(kind, Mapping):
        return _mapping(_reader(parts[0], len(SEPARATORS)), _reader(parts[1], depth + 1), depth)
    raise _too_much(shape)


def _optional(readers: list[Reader], shape: Any) -> Reader:
    if len(readers) != 1:
        raise _too_much(shape)
    (reader,) = readers
    return lambda text: None if text == NONE else reader(text)


def _several(kind: Callable[[list[Any]], Any], reader: Reader, depth: int) -> Reader:
    return lambda text: kind([reader(item) for item in _items(text, depth)])


def _fixed(readers: list[Reader], depth: int) -> Reader:
    return lambda text: tuple(reader(item) for reader, item in zip(readers, _items(text, depth), strict=True))


def _mapping(read_key: Reader, read_value: Reader, depth: int) -> Reader:
    def read(text: str) -> dict[Any, Any]:
        pairs = [item.split("=") for item in _items(text, depth)]
        found = {read_key(key): read_value(value) for key, value in pairs}
        if len(found) < len(pairs):
            raise ValueError(text)
        return found

    return read


def _items(text: str, depth: int) -> list[str]:
    return [] if text == EMPTY[depth] else text.split(SEPARATORS[depth])


def _read_word(text: str) -> str:
    word = json.loads(text) if text.startswith('"') else text
    if not isinstance(word, str) or _quoted(word) != text:
        raise ValueError(text)
    return word


def _read_number(text: str) -> int:
    if not NUMBER.fullmatch(text):
        raise ValueError(text)
    return int(text)


_PLAIN: Mapping[Any, Reader] = {str: _read_word, int: _read_number, bool: TRUTH.__getitem__}


def _too_much(shape: Any) -> TypeError:
    return TypeError(f"{shape} has no text of its own: write the game's `encode` and `decode`.")
