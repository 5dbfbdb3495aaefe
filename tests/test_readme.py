"""The README says what is true: its commands are the grammar's, its links lead somewhere, its outputs are real."""

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bot.__main__ import app
from bot.grammar import table

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]
SHOWN = [
    block.strip().splitlines() for block in re.findall(r"^    \$ \.venv/bin/riposte (.+(?:\n    .+)*)", README, re.M)
]


def test_the_table_of_commands_is_the_grammar_s() -> None:
    assert table() in README


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_to_a_file(page: Path) -> None:
    links = re.findall(r"\]\((?!https?:|#)([^)#\s]+)", page.read_text("utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


@pytest.mark.parametrize("lines", [lines for lines in SHOWN if len(lines) > 1], ids=lambda lines: lines[0])
def test_a_command_prints_what_the_readme_shows(lines: list[str]) -> None:
    told = CliRunner().invoke(app, shlex.split(lines[0]))
    assert told.exit_code == 0, told.output
    assert [line.strip() for line in told.output.splitlines()] == [line.strip() for line in lines[1:]]
