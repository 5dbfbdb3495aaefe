"""A screen of the composer on Discord as somebody uses it who knows what they want to pick."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeAlias

Component: TypeAlias = Mapping[str, Any]
BUTTON, MENU = 2, 3


GATHERS = ("meta", "other")
"""What Veney gathers choices under, each of which is an entry."""


def pressed(picks: Iterable[str]) -> list[str]:
    """Picks as they are chosen: what only gathers choices together with the one behind it."""
    found: list[str] = []
    for pick in picks:
        if found and found[-1] in GATHERS:
            found[-1] += f" {pick}"
        else:
            found.append(pick)
    return found


def parts(components: Iterable[Component]) -> Iterator[Component]:
    """The buttons and menus of a message."""
    for row in components:
        yield from row.get("components") or ()


def way_to(components: Iterable[Component], pick: str) -> tuple[str, str]:
    """The id of the menu or button that picks this, and the value to choose there, "" for a button.

    Where the board is opened part by part, that of the part. Raises AssertionError where it is not offered.
    """
    found = tuple(parts(components))
    menus = [part for part in found if part["type"] == MENU]
    for menu in menus:
        if not _opens_parts(menu) and pick in (option["value"] for option in menu["options"]):
            return menu["custom_id"], pick
    for menu in filter(_opens_parts, menus):
        for option in menu["options"]:
            if option["label"].startswith(pick[:1]):
                return menu["custom_id"], option["value"]
    for part in found:
        if part["type"] == BUTTON and part["custom_id"].endswith(f" {pick}") and ":=0" in part["custom_id"]:
            return part["custom_id"], ""
    raise AssertionError(f"{pick} is not offered: {[part['custom_id'] for part in found]}")


def _opens_parts(menu: Component) -> bool:
    return ":z" in menu["custom_id"]
