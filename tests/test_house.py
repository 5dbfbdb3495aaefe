"""The house stays one in which things are found: short files, few in a room, each with a word on what it is for."""

import ast
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROOMS = ("benchmarks", "bot", "engine", "render", "storage", "tools")
LONGEST, MOST = 400, 12
SOURCES = sorted(
    path
    for room in ROOMS
    for kind in ("py", "js")
    for path in (ROOT / room).rglob(f"*.{kind}")
    if "vendor" not in path.parts
)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_file_is_short_and_begins_with_what_it_is_for(path: Path) -> None:
    text = path.read_text("utf-8")
    assert text.count("\n") <= LONGEST
    said = ast.get_docstring(ast.parse(text)) if path.suffix == ".py" else text.removeprefix("// ")
    assert said


def test_no_room_holds_more_than_a_dozen_modules() -> None:
    side_by_side = Counter(path.parent for path in SOURCES if path.name != "__init__.py")
    assert {room: count for room, count in side_by_side.items() if count > MOST} == {}
