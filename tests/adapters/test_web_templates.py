"""Every sentence of the page is found by a script, so that it can be translated."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from bot.adapters.web.templates import page_templates

PAGE = Path(__file__).parents[2] / "bot" / "adapters" / "web" / "page"
SHOWN = ("aria-label", "placeholder", "title", "alt")
"""The attributes that people read or hear."""
NAMES = {"Riposte"}


class Reader(HTMLParser):
    """What the page says that nothing marks as a template."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.unmarked: list[str] = []
        self._marked: list[str] = []
        self._tag = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = dict(attrs)
        self._tag, self._marked = tag, (known.get("data-t") or "").split()
        self.unmarked += [known[name] or "" for name in SHOWN if known.get(name) and name not in self._marked]

    def handle_endtag(self, tag: str) -> None:
        self._tag, self._marked = "", []

    def handle_data(self, data: str) -> None:
        if "text" not in self._marked and self._tag != "noscript" and re.search(r"\w", data):
            self.unmarked.append(data.strip())


def test_html_marks_every_word_that_people_read() -> None:
    text = (PAGE / "index.html").read_text("utf-8")
    text = re.sub(r"<noscript>.*?</noscript>", "", text)  # without scripts there are no translations either
    assert set(Reader(text).unmarked) <= NAMES


@pytest.mark.parametrize("script", sorted(PAGE.glob("*.js")), ids=lambda path: path.name)
def test_scripts_give_their_sentences_as_literals(script: Path) -> None:
    text = re.sub(r"//.*|export function \w+\(", "", script.read_text("utf-8"))
    calls = re.findall(r"\b(?:t|tNodes|tPlural)\(", text)
    assert len([name for name, _, _ in page_templates() if name == script.name]) == len(calls)


def test_every_template_has_its_place_and_its_words() -> None:
    found = list(page_templates())
    assert ("{names} to move",) in [templates for _, _, templates in found]
    for name, line, templates in found:
        words = (PAGE / name).read_text("utf-8").split("\n")
        assert all(re.search(r"\w", template) and template.strip() == template for template in templates)
        assert any(templates[0] in near for near in words[line - 1 : line + 1]), (name, line)
