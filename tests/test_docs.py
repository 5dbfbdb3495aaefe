"""The pages say what is: their chats and commands were really typed, their tables are true, their links lead somewhere.

RIPOSTE_WRITE=1 writes the tables and the answers anew: read the difference before you keep it.
"""

import os
import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bot.adapters.api.description import table as operations
from bot.commands.spec import table
from bot.program import app
from bot.settings import Settings
from engine.games import GAMES
from engine.match.record.read import read_record, replayed
from engine.match.record.verify import verify
from tests.test_conversations import retold

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
WRITE = bool(os.environ.get("RIPOSTE_WRITE"))

every_page = pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])


def fenced(page: Path, language: str) -> list[str]:
    """The blocks of a page that are marked so."""
    return re.findall(rf"^```{language}\n(.*?)^```$", page.read_text("utf-8"), re.MULTILINE | re.DOTALL)


def keep(page: Path, old: str, new: str) -> None:
    """Write an answer anew, if that is wanted."""
    if WRITE and old != new:
        page.write_text(page.read_text("utf-8").replace(old, new), "utf-8")


def test_the_readme_lists_every_command() -> None:
    readme = ROOT / "README.md"
    found = re.search(r"\| say \|.*?(?=\n\n)", readme.read_text("utf-8"), re.DOTALL)
    assert found is not None
    keep(readme, found[0], table())
    assert found[0] == table()


def test_each_guarantee_has_its_command_its_trials_failures_bound_and_date() -> None:
    page = (ROOT / "docs" / "guarantees.md").read_text("utf-8")
    tables = re.findall(r"(?:^\|.*\n)+", page, re.MULTILINE)
    promised = [text.splitlines() for text in tables if text.startswith("| promise |")]
    assert sum(len(lines) - 2 for lines in promised) > 70
    for head, _, *rows in promised:
        assert head == "| promise | command | N | failures | bound | date |"
        for row in rows:
            _, *cells, _ = re.split(r" ?\| ?", row)
            assert len(cells) == 6, row
            assert all(cells[1:]), row
            assert re.search(r"\d %", cells[4]), row
            assert re.match(r"2026-\d\d-\d\d", cells[5]), row


def test_the_page_about_the_api_lists_every_request() -> None:
    page = ROOT / "docs" / "api.md"
    found = re.search(r"\| request \|.*?(?=\n\n)", page.read_text("utf-8"), re.DOTALL)
    assert found is not None
    keep(page, found[0], operations())
    assert found[0] == operations()


def test_the_readme_lists_every_game_with_its_page() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    told = {page.stem for page in (ROOT / "docs" / "rules").glob("*.md")}
    ours = {folder.name for folder in (ROOT / "tests" / "games").iterdir() if folder.is_dir()} & set(GAMES)
    assert ours <= told <= set(GAMES), "a game that comes with Riposte has tests and a page; others need neither"
    for key in told:
        assert f"| {GAMES[key].name} |" in readme
        assert f"[rules](docs/rules/{key}.md)" in readme


@every_page
def test_what_is_to_be_made_can_be_made(page: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    named = re.findall(r"(?:^ *|`|&& )make(?: -C \S+)? ([a-z-]+)", page.read_text("utf-8"), re.MULTILINE)
    assert set(named) <= targets


@every_page
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text("utf-8")):
        assert "://" in target or (page.parent / target).exists(), target


@every_page
async def test_chats_were_really_held(page: Path, tmp_path: Path) -> None:
    """All of a page's chats happen in one room, one after the other; pictures and buttons may be left out."""
    blocks = fenced(page, "chat")
    if blocks:
        told = [line for line in (await retold("\n#\n".join(blocks), tmp_path)).splitlines() if not _aside(line)]
        answers = "\n".join(told).split("\n#\n")
        for block, answer in zip(blocks, answers, strict=True):
            shown = [line for line in block.splitlines() if line]
            said = _as_shown([line for line in answer.splitlines() if line], shown)
            keep(page, block, "\n".join(said) + "\n")
            assert said == shown


def _aside(line: str) -> bool:
    return line.startswith(("    [picture", "    ("))


def _as_shown(told: list[str], shown: list[str]) -> list[str]:
    """What was told, without answers that the page leaves out whole: a line typed there with nothing below it."""
    kept: list[str] = []
    silent = {line for line, after in zip(shown, [*shown[1:], "x"], strict=True) if line[:1] != " " != after[:1]}
    skipping = False
    for line in told:
        if line[:1] != " ":
            skipping = line in silent
            kept.append(line)
        elif not skipping:
            kept.append(line)
    return kept


@every_page
def test_commands_answer_as_the_page_says(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for number, record in enumerate(fenced(page, "record"), 1):
        Path(f"match-{number}.txt").write_text(record, "utf-8")
    for game in fenced(page, "game"):
        Path("game.txt").write_text(game, "utf-8")
    for block in fenced(page, "console"):
        told = ""
        for line in re.findall(r"^\$ (.*)$", block, re.MULTILINE):
            typed, _, command = line.rpartition(" | ")
            piped = shlex.split(typed)[1] + "\n" if typed else None
            answer = CliRunner().invoke(app, shlex.split(command)[1:], input=piped)
            silent = f"$ {line}\n$ " in block + "$ "  # a page may leave an answer out
            told += f"$ {line}\n" + ("" if silent else answer.output)
            assert answer.exit_code == 0, answer.output
        keep(page, block, told)
        assert told == block


def test_records_are_shown_as_they_are() -> None:
    blocks = fenced(ROOT / "docs" / "records.md", "record")
    assert blocks
    for block in blocks:
        record = read_record(block)
        assert record.write() == block
        assert list(replayed(record, 0))
        assert verify(record) == ()


def test_every_setting_is_told_of_to_hosts() -> None:
    page = (ROOT / "docs" / "hosting.md").read_text("utf-8")
    for name, setting in Settings.model_fields.items():
        assert f"| `RIPOSTE_{name.upper()}` | {setting.description} |" in page
