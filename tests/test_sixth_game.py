"""A sixth game is one file on the shelf: found, examined, playable and judged without an edit anywhere else."""

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

import engine.games
from engine.dice import Dice
from engine.game import AnyGame
from engine.games import GAMES
from engine.match.commands import Acknowledge, Call, Challenge, Command, Join, Play
from engine.match.decide import decide
from engine.match.events import CalledOut, Ended, Event
from engine.match.evolve import evolve
from engine.match.state import Match

HERE = Path(__file__).parent
SHELF = HERE / "sixth_game"


@pytest.fixture
def shelf(monkeypatch: pytest.MonkeyPatch) -> Mapping[str, AnyGame]:
    """The games with the toy among them."""
    monkeypatch.setattr(engine.games, "__path__", [*engine.games.__path__, str(SHELF)])
    monkeypatch.setattr(GAMES, "_taken", {})
    return GAMES


def played(*commands: Command) -> tuple[Match, list[Event]]:
    match, told = None, list[Event]()
    for at, command in enumerate(commands, start=1):
        events = decide(match, command, at, Dice(bytes(32)))
        assert isinstance(events, tuple), events
        for event in events:
            match = evolve(match, event)
            told.append(event)
    assert match is not None
    return match, told


def test_a_file_on_the_shelf_is_a_game(shelf: Mapping[str, AnyGame]) -> None:
    assert "daisy" in shelf
    assert shelf["daisy"].name == "Daisy"


def test_without_its_file_there_is_no_such_game() -> None:
    assert "daisy" not in GAMES


def test_it_is_played_to_its_end_and_an_untenable_turn_is_called_out_on_the_way(shelf: Mapping[str, AnyGame]) -> None:
    match, told = played(
        Challenge("m1", "anna", "daisy", {"umpire": "turn", "side": "sun"}, ("bert",), "room"),
        Join("bert"),
        Play("anna", "a b"),
        Play("bert", "c e"),  # these two did not grow side by side
        Call("anna"),
        Play("anna", "c d"),  # for bert has lost his turn
        Play("bert", "e"),
        Play("anna", "f g"),
        Acknowledge("bert"),
    )
    called = next(event for event in told if isinstance(event, CalledOut))
    ended = next(event for event in told if isinstance(event, Ended))
    assert (called.rules, ended.winners) == (("2",), ("S",))
    assert shelf["daisy"].encode(match.position) == "- M"


def test_the_guide_shows_it_as_it_is() -> None:
    guide = (HERE.parent / "docs" / "adding-a-game.md").read_text()
    assert f"```python\n{(SHELF / 'daisy.py').read_text()}```\n" in guide


def test_it_is_examined_like_every_other_game() -> None:
    arguments = [str(HERE / "test_every_game.py"), "-q", "-k", "daisy", "-p", "no:cacheprovider"]
    shelved = f"import engine.games; engine.games.__path__.append({str(SHELF)!r})"
    examine = f"import sys, pytest; {shelved}; sys.exit(pytest.main({arguments!r}))"
    done = subprocess.run([sys.executable, "-c", examine], capture_output=True, text=True, cwd=HERE.parent, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert " passed" in done.stdout
