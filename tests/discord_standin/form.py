"""Tables that say what a payload must look like, and the reader that collects every fault in it."""

from collections.abc import Callable, Collection, Mapping
from typing import Any, TypeAlias

from tests.discord_standin.refusal import InvalidForm, Path

Shape: TypeAlias = Callable[["Form", Path, Any], None]
"""Looks at one value and complains to the form."""


class Form:
    """The faults found in one payload so far."""

    def __init__(self) -> None:
        self.faults: list[tuple[Path, str, str]] = []

    def complain(self, path: Path, code: str, words: str) -> None:
        """Something at this place is not as it must be."""
        self.faults.append((path, code, words))

    def require(self, fine: object, path: Path, code: str, words: str) -> None:
        """Complain unless it is fine."""
        if not fine:
            self.complain(path, code, words)

    def close(self) -> None:
        """Refuse the payload if there was anything to complain about."""
        if self.faults:
            raise InvalidForm(self.faults)


def check(shape: Shape, payload: object) -> None:
    """Refuse a payload that does not have this shape."""
    form = Form()
    shape(form, (), payload)
    form.close()


def text(most: int, least: int = 0, *, null: bool = True) -> Shape:
    """A string of so many characters."""

    def look(form: Form, path: Path, value: Any) -> None:
        if value is None and null:
            return
        if not isinstance(value, str):
            form.complain(path, "STRING_TYPE_CONVERT", "Could not interpret the value as string.")
        elif len(value) > most:
            form.complain(path, "BASE_TYPE_MAX_LENGTH", f"Must be {most} or fewer in length.")
        elif not value and least:
            form.complain(path, "BASE_TYPE_REQUIRED", "This field is required")
        elif len(value) < least:
            form.complain(path, "BASE_TYPE_MIN_LENGTH", f"Must be {least} or more in length.")

    return look


def whole(least: int = -(1 << 53), most: int = 1 << 53, *, null: bool = True) -> Shape:
    """An integer between two bounds."""

    def look(form: Form, path: Path, value: Any) -> None:
        if value is None and null:
            return
        if isinstance(value, str) and value.lstrip("-").isdecimal():
            value = int(value)
        if not isinstance(value, int) or isinstance(value, bool):
            form.complain(path, "NUMBER_TYPE_COERCE", f'Value "{value}" is not int.')
        elif value < least:
            form.complain(path, "NUMBER_TYPE_MIN", f"int value should be greater than or equal to {least}.")
        elif value > most:
            form.complain(path, "NUMBER_TYPE_MAX", f"int value should be less than or equal to {most}.")

    return look


def number(form: Form, path: Path, value: Any) -> None:
    """An integer or a fraction."""
    if value is not None and (not isinstance(value, int | float) or isinstance(value, bool)):
        form.complain(path, "NUMBER_TYPE_COERCE", f'Value "{value}" is not number.')


def truth(form: Form, path: Path, value: Any) -> None:
    """True or false."""
    if value is not None and not isinstance(value, bool):
        form.complain(path, "BOOLEAN_TYPE_CONVERT", "Must be either true or false.")


def snowflake(form: Form, path: Path, value: Any) -> None:
    """An id: a string of digits, or a number."""
    if value is not None and not (isinstance(value, str | int) and not isinstance(value, bool) and is_id(value)):
        form.complain(path, "NUMBER_TYPE_COERCE", f'Value "{value}" is not snowflake.')


def is_id(value: str | int) -> bool:
    """Whether it can be read as an id."""
    return str(value).isdecimal() and int(value) < 1 << 63


def among(values: Collection[Any], *, null: bool = True) -> Shape:
    """One of a few values."""

    def look(form: Form, path: Path, value: Any) -> None:
        if not (value is None and null) and (isinstance(value, list | dict | bool) or value not in values):
            form.complain(path, "BASE_TYPE_CHOICES", f"Value must be one of {{{', '.join(map(repr, values))}}}.")

    return look


def bits(allowed: int) -> Shape:
    """Flags, of which only some may be set. We read: Discord would drop the others in silence; here it is a mistake."""

    def look(form: Form, path: Path, value: Any) -> None:
        whole(0)(form, path, value)
        if isinstance(value, int) and value & ~allowed:
            form.complain(path, "INVALID_FLAGS", f"Flags {value & ~allowed} cannot be set here.")

    return look


def link(most: int, schemes: tuple[str, ...] = ("http", "https")) -> Shape:
    """An address that starts as it must."""

    def look(form: Form, path: Path, value: Any) -> None:
        text(most)(form, path, value)
        if isinstance(value, str) and not value.startswith(tuple(f"{scheme}://" for scheme in schemes)):
            form.complain(path, "URL_TYPE_INVALID_SCHEME", f'Scheme of "{value[:40]}" must be one of {schemes}.')

    return look


def many(item: Shape, most: int, least: int = 0, *, null: bool = True, unique: bool = False) -> Shape:
    """A list of so many things of one shape, perhaps all different."""

    def look(form: Form, path: Path, value: Any) -> None:
        if value is None and null:
            return
        if not isinstance(value, list):
            form.complain(path, "LIST_TYPE_CONVERT", "Only iterables may be used in a ListType")
            return
        if not least <= len(value) <= most:
            bounds = f"between {least} and {most}" if least else f"{most} or fewer"
            form.complain(path, "BASE_TYPE_BAD_LENGTH", f"Must be {bounds} in length.")
        for n, one in enumerate(value):
            item(form, (*path, n), one)
            if unique and one in value[:n]:
                form.complain(path, "SET_TYPE_ALREADY_CONTAINS_VALUE", f"The set already contains the value {one!r}.")

    return look


def table(fields: Mapping[str, Shape], *needed: str, null: bool = False) -> Shape:
    """An object with these fields; what else it holds is passed over, as Discord does."""

    def look(form: Form, path: Path, value: Any) -> None:
        if value is None and null:
            return
        if not isinstance(value, dict):
            form.complain(path, "DICT_TYPE_CONVERT", "Only dictionaries may be used in a DictType")
            return
        for name in needed:
            form.require(value.get(name) is not None, (*path, name), "BASE_TYPE_REQUIRED", "This field is required")
        for name, shape in fields.items():
            if value.get(name) is not None:
                shape(form, (*path, name), value[name])

    return look


def by_type(kinds: Mapping[int, Shape]) -> Shape:
    """An object whose `type` says which shape it has."""

    def look(form: Form, path: Path, value: Any) -> None:
        kind = value.get("type") if isinstance(value, dict) else None
        if not isinstance(kind, int) or isinstance(kind, bool) or kind not in kinds:
            among(tuple(kinds), null=False)(form, (*path, "type"), kind)
        else:
            kinds[kind](form, path, value)

    return look


def bare(value: Any) -> Any:
    """The same without what is null: as Discord gives it back."""
    if isinstance(value, dict):
        return {name: bare(one) for name, one in value.items() if one is not None}
    return [bare(one) for one in value] if isinstance(value, list) else value
