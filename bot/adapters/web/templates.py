"""The files of the page, and the sentences in them for whoever translates them."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

LITERAL: Final = r'"((?:[^"\\]|\\.)*)"'
CALL: Final = re.compile(rf"\b(?:t|tNodes)\(\s*{LITERAL}|\btPlural\(\s*{LITERAL},\s*{LITERAL}")


def page_templates() -> Iterator[tuple[str, int, tuple[str, ...]]]:
    """File, line and template of each; where a number decides, the template for one and the one for more."""
    for name, file in sorted(page_files(), key=lambda found: found[0]):
        if name.endswith((".js", ".html")) and not name.startswith("vendor/"):
            text = file.read_text("utf-8")
            for line, templates in _marked(text) if name.endswith(".html") else _calls(text):
                yield name, line, templates


def page_files(room: str = "") -> Iterator[tuple[str, Traversable]]:
    """Every file of the page with its path below it: `room.js`, `board/zoom.js`."""
    for file in files("bot.adapters.web").joinpath("page", room).iterdir():
        path = room + file.name
        if file.is_dir():
            yield from page_files(f"{path}/")
        else:
            yield path, file


def _calls(text: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The literals given to `t`, `tNodes` and `tPlural`."""
    for call in CALL.finditer(text):
        found = tuple(each.replace('\\"', '"') for each in call.groups() if each is not None)
        yield text.count("\n", 0, call.start()) + 1, found


def _marked(text: str) -> list[tuple[int, tuple[str, ...]]]:
    """What `data-t` marks in HTML."""
    page = _Page()
    page.feed(text)
    page.close()
    return page.found


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[int, tuple[str, ...]]] = []
        self._text = False
        """Whether the text that follows is a template."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = dict(attrs)
        marked = (known.get("data-t") or "").split()
        self._text = "text" in marked
        self.found += [(self.getpos()[0], (known[part] or "",)) for part in marked if part != "text"]

    def handle_data(self, data: str) -> None:
        if self._text:
            self.found.append((self.getpos()[0], (data,)))
        self._text = False
