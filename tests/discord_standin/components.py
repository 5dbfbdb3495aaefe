"""What buttons, selects, layouts and modals must look like: their shapes in tables, then the rules across them."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from tests.discord_standin import limits
from tests.discord_standin.emoji import is_emoji
from tests.discord_standin.form import (
    Form,
    Shape,
    among,
    by_type,
    check,
    link,
    many,
    snowflake,
    table,
    text,
    truth,
    whole,
)
from tests.discord_standin.refusal import JSON, Path

ROW, BUTTON, SELECT, INPUT = 1, 2, 3, 4
PICKERS: Final = (5, 6, 7, 8)
"""Selects of users, roles, either and channels."""
SELECTS: Final = (SELECT, *PICKERS)
SECTION, WORDS, THUMBNAIL, GALLERY, FILE, LINE, CONTAINER, LABEL = 9, 10, 11, 12, 13, 14, 17, 18
LINK, PREMIUM = 5, 6
"""Styles of buttons without a custom_id."""


def emoji(form: Form, path: Path, value: Any) -> None:
    """A sign of Unicode; the stand-in's guilds have no emoji of their own."""
    table({"name": text(32), "id": snowflake, "animated": truth})(form, path, value)
    if isinstance(value, dict) and (value.get("id") or not is_emoji(str(value.get("name")))):
        form.complain((*path, "name"), "BUTTON_COMPONENT_INVALID_EMOJI", "Invalid emoji")


def button(form: Form, path: Path, value: Any) -> None:
    """A button: what it needs depends on its style."""
    _BUTTON(form, path, value)
    style, named = value.get("style"), bool(value.get("custom_id"))
    if style in (LINK, PREMIUM):
        form.require(not named, (*path, "custom_id"), "BASE_TYPE_FORBIDDEN", "A custom id cannot be set on this button")
    else:
        form.require(named, (*path, "custom_id"), "BASE_TYPE_REQUIRED", "A custom id is required")
    if style == LINK or value.get("url"):
        form.require(style == LINK and value.get("url"), (*path, "url"), "BASE_TYPE_REQUIRED", "A url needs style 5")
    if style != PREMIUM and not (value.get("label") or value.get("emoji")):
        words = "A label or emoji is required"
        form.complain(path, "BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED", words)


def select(form: Form, path: Path, value: Any) -> None:
    """A select: its counts must fit its options, and its options each other."""
    (_SELECT if value.get("type") == SELECT else _PICKER)(form, path, value)
    least, most = value.get("min_values", 1), value.get("max_values", 1)
    if not isinstance(least, int) or not isinstance(most, int):
        return
    taken = value.get("default_values")
    if isinstance(taken, list) and taken:
        fits = least <= len(taken) <= most
        words = "The number of default values must be within min_values and max_values"
        form.require(fits, (*path, "default_values"), "BASE_TYPE_BAD_LENGTH", words)
    form.require(least <= most, (*path, "min_values"), "BASE_TYPE_MAX", "min_values must not exceed max_values")
    options = value.get("options")
    if value.get("type") != SELECT or not isinstance(options, list) or not all(isinstance(o, dict) for o in options):
        return
    form.require(
        most <= len(options), (*path, "max_values"), "BASE_TYPE_MAX", "There are fewer options than max_values"
    )
    chosen = sum(bool(option.get("default")) for option in options)
    form.require(chosen <= most, (*path, "options"), "SELECT_COMPONENT_TOO_MANY_DEFAULTS", "Too many default options")
    seen: set[str] = set()
    for n, option in enumerate(options):
        words = "The specified option value is already used"
        fresh = str(option.get("value")) not in seen
        form.require(fresh, (*path, "options", n, "value"), "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED", words)
        seen.add(str(option.get("value")))


def row(form: Form, path: Path, value: Any) -> None:
    """A row of buttons, or of one select."""
    _ROW(form, path, value)
    inside = value.get("components")
    if isinstance(inside, list) and len(inside) > 1 and any(kind_of(one) in SELECTS for one in inside):
        form.complain((*path, "components"), "COMPONENT_LAYOUT_WIDTH_EXCEEDED", "A select takes a row of its own")


_BUTTON = table(
    {
        "custom_id": text(limits.CUSTOM_ID, 1),
        "style": among((1, 2, 3, 4, 5, 6)),
        "label": text(limits.BUTTON_LABEL),
        "url": link(512, ("http", "https", "discord")),
        "disabled": truth,
        "emoji": emoji,
        "sku_id": snowflake,
    },
    "style",
)
_OPTION = table(
    {
        "label": text(100, 1),
        "value": text(100, 1),
        "description": text(100),
        "default": truth,
        "emoji": emoji,
    },
    "label",
    "value",
)
_PICKING: Final[Mapping[str, Shape]] = {
    "custom_id": text(limits.CUSTOM_ID, 1),
    "placeholder": text(150),
    "min_values": whole(0, 25),
    "max_values": whole(1, 25),
    "disabled": truth,
    "required": truth,
}
_SELECT = table({**_PICKING, "options": many(_OPTION, limits.SELECT_OPTIONS, 1)}, "custom_id", "options")
_TAKEN = table({"id": snowflake, "type": among(("user", "role", "channel"))}, "id", "type")
_PICKER = table({**_PICKING, "default_values": many(_TAKEN, limits.SELECT_OPTIONS)}, "custom_id")
_ANY_SELECT: Final[Mapping[int, Shape]] = dict.fromkeys(SELECTS, select)
_ROW = table(
    {"components": many(by_type({BUTTON: button, **_ANY_SELECT}), limits.BUTTONS_IN_ROW, 1)},
    "components",
)

_MEDIA = table({"url": link(2048, ("http", "https", "attachment"))}, "url")
_WORDS = table({"content": text(limits.V2_TEXT, 1)}, "content")
_PICTURE: Final[Mapping[str, Shape]] = {"media": _MEDIA, "description": text(limits.ALT_TEXT), "spoiler": truth}
_SECTION = table(
    {
        "components": many(by_type({WORDS: _WORDS}), 3, 1),
        "accessory": by_type({BUTTON: button, THUMBNAIL: table(_PICTURE, "media")}),
    },
    "components",
    "accessory",
)
_LAYOUT: Final[Mapping[int, Shape]] = {
    ROW: row,
    SECTION: _SECTION,
    WORDS: _WORDS,
    GALLERY: table({"items": many(table(_PICTURE, "media"), limits.GALLERY, 1)}, "items"),
    FILE: table({"file": _MEDIA, "spoiler": truth}, "file"),
    LINE: table({"divider": truth, "spacing": among((1, 2))}),
}
_CONTAINER = table(
    {
        "components": many(by_type(_LAYOUT), limits.V2_COMPONENTS, 1),
        "accent_color": whole(0, 0xFFFFFF),
        "spoiler": truth,
    },
    "components",
)
V1: Final = many(by_type({ROW: row}), limits.ROWS)
V2: Final = many(by_type({**_LAYOUT, CONTAINER: _CONTAINER}), limits.V2_COMPONENTS)

_TEXT_INPUT = table(
    {
        "custom_id": text(limits.CUSTOM_ID, 1),
        "style": among((1, 2)),
        "label": text(limits.MODAL_LABEL),
        "value": text(4000),
        "placeholder": text(100),
        "required": truth,
        "min_length": whole(0, 4000),
        "max_length": whole(1, 4000),
    },
    "custom_id",
    "style",
)
_LABEL = table(
    {
        "label": text(limits.MODAL_LABEL, 1),
        "description": text(100),
        "component": by_type({INPUT: _TEXT_INPUT, **_ANY_SELECT}),
    },
    "label",
    "component",
)
MODAL: Final = table(
    {
        "custom_id": text(limits.CUSTOM_ID, 1),
        "title": text(limits.MODAL_TITLE, 1),
        "components": many(
            by_type(
                {
                    ROW: table({"components": many(by_type({INPUT: _TEXT_INPUT}), 1, 1)}, "components"),
                    LABEL: _LABEL,
                    WORDS: _WORDS,
                }
            ),
            limits.MODAL_COMPONENTS,
            1,
        ),
    },
    "custom_id",
    "title",
    "components",
)


def check_message(form: Form, components: Any, *, v2: bool, files: set[str]) -> None:
    """The components of one message: their shapes, their number, and what they refer to."""
    here: Path = ("components",)
    (V2 if v2 else V1)(form, here, components)
    if form.faults or not components:
        return
    _check_ids(form, here, components)
    parts = list(walk(components))
    if v2:
        form.require(
            len(parts) <= limits.V2_COMPONENTS,
            here,
            "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED",
            f"The total number of components cannot exceed {limits.V2_COMPONENTS}",
        )
        said = sum(len(part["content"]) for part in parts if part["type"] == WORDS)
        form.require(
            said <= limits.V2_TEXT,
            here,
            "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED",
            f"Total size of displayable text exceeds maximum size of {limits.V2_TEXT}",
        )
    for medium in media(parts):
        url = str(medium["url"])
        if url.startswith("attachment://") and url.removeprefix("attachment://") not in files:
            code = "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND"
            form.complain(here, code, f"The referenced attachment '{url}' was not found")


def check_modal(data: Any) -> None:
    """A modal: its shape, no id twice, a label for every field, and lengths that can be met."""
    check(MODAL, data)
    form = Form()
    here: Path = ("components",)
    _check_ids(form, here, data["components"])
    for n, top in enumerate(data["components"]):
        if top["type"] == ROW:
            label = top["components"][0].get("label")
            form.require(label, (*here, n, "components", 0, "label"), "BASE_TYPE_REQUIRED", "This field is required")
        for part in walk([top]):
            if part["type"] == INPUT:
                least, most = part.get("min_length") or 0, part.get("max_length") or 4000
                form.require(least <= most, (*here, n), "TEXT_INPUT_BAD_LENGTHS", "min_length exceeds max_length")
                value = part.get("value") or ""
                words = f"The value must be between {least} and {most} in length."
                form.require(not value or least <= len(value) <= most, (*here, n), "BASE_TYPE_BAD_LENGTH", words)
    form.close()


def _check_ids(form: Form, here: Path, components: list[JSON]) -> None:
    for name in ("custom_id", "id"):
        seen: set[str] = set()
        for part in walk(components):
            value = str(part.get(name) or "")
            if value and value in seen:
                words = f"Component {name.replace('_', ' ')} cannot be duplicated"
                form.complain(here, f"COMPONENT_{name.upper()}_DUPLICATED", words)
            seen.add(value)


def kind_of(component: Any) -> int:
    """The type of a component, 0 if it has none."""
    kind = component.get("type") if isinstance(component, dict) else None
    return kind if isinstance(kind, int) else 0


def walk(components: list[JSON]) -> Iterator[JSON]:
    """Every component, whatever it stands in."""
    for one in components:
        yield one
        yield from walk(one.get("components") or [])
        yield from walk([one[key] for key in ("accessory", "component") if one.get(key)])


def media(parts: list[JSON]) -> Iterator[JSON]:
    """The pictures and files that components show."""
    for part in parts:
        yield from (part[key] for key in ("media", "file") if part.get(key))
        yield from (item["media"] for item in part.get("items") or ())


def completed(components: list[JSON]) -> list[JSON]:
    """The same components as Discord gives them back: each with an id, and with what it takes for granted."""
    taken = {part["id"] for part in walk(components) if part.get("id")}
    free = (n for n in range(1, 1000) if n not in taken)
    for part in walk(components):
        granted = _GRANTED.get(part["type"], {})
        part |= {name: value for name, value in granted.items() if name not in part}
        part["id"] = part.get("id") or next(free)
        for item in part.get("items") or ():
            item.setdefault("spoiler", False)
    return components


_GRANTED: Final[Mapping[int, JSON]] = {
    **{kind: {"min_values": 1, "max_values": 1} for kind in SELECTS},
    LINE: {"divider": True, "spacing": 1},
    CONTAINER: {"accent_color": None, "spoiler": False},
    THUMBNAIL: {"description": None, "spoiler": False},
    FILE: {"spoiler": False},
}
