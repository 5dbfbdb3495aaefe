"""A sixth game is one file, and a seventh another: found, examined, playable and judged without an edit elsewhere."""

import importlib.util
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

import engine.games
from engine.dice import Dice
from engine.examination import examine_game
from engine.game import AnyGame
from engine.games import GAMES
from engine.match.commands import Acknowledge, Call, Challenge, Command, Join, Play
from engine.match.decide import decide
from engine.match.events import CalledOut, Ended, Event, Played
from engine.match.evolve import Decision
from engine.match.state import Match

HERE = Path(__file__).parent
FOLDER = HERE / "sixth_game"
KEYS = sorted(path.stem for path in FOLDER.glob("*.py"))


@pytest.fixture
def games(monkeypatch: pytest.MonkeyPatch) -> Mapping[str, AnyGame]:
    """The games with those of the guide among them."""
    monkeypatch.setattr(engine.games, "__path__", [*engine.games.__path__, str(FOLDER)])
    monkeypatch.setattr(GAMES, "_taken", {})
    return GAMES


LOTS_IN_ORDER = bytes([4] * 32)
"""A seed whose lots leave three players in the order in which they came."""


def played(*commands: Command) -> tuple[Match, list[Event]]:
    match, told = None, list[Event]()
    for at, command in enumerate(commands, start=1):
        decision = decide(match, command, at, match.dice if match and match.seed else Dice(LOTS_IN_ORDER))
        assert isinstance(decision, Decision), decision
        match = decision.after
        told += decision.events
    assert match is not None
    return match, told


# --- found and played -------------------------------------------------------------------------------------
def test_a_file_in_the_folder_is_a_game(games: Mapping[str, AnyGame]) -> None:
    assert [games[key].name for key in KEYS] == ["Daisy", "Pond"]


@pytest.mark.parametrize("key", KEYS)
def test_without_its_file_there_is_no_such_game(key: str) -> None:
    assert (key in GAMES) is any((Path(folder) / f"{key}.py").exists() for folder in engine.games.__path__)


def test_it_is_played_to_its_end_and_an_untenable_turn_is_called_out_on_the_way(games: Mapping[str, AnyGame]) -> None:
    match, told = played(
        Challenge("m1", "anna", "daisy", {"umpire": "turn", "side": "sun"}, ("bert",), "room"),
        Join("bert"),
        Play("anna", "p1 p2"),
        Play("bert", "p3 p5"),  # these two did not grow side by side
        Call("anna"),
        Play("anna", "p3 p4"),  # for bert has lost his turn
        Play("bert", "p5"),
        Play("anna", "p6 p7"),
        Acknowledge("bert"),
    )
    called = next(event for event in told if isinstance(event, CalledOut))
    ended = next(event for event in told if isinstance(event, Ended))
    assert (called.rules, ended.winners) == (("2",), ("S",))
    assert games["daisy"].encode(match.position) == "petals: - / to_move: M"


def test_a_die_is_thrown_before_each_move_and_three_can_play(games: Mapping[str, AnyGame]) -> None:
    match, told = played(
        Challenge("m1", "anna", "pond", {"umpire": "turn", "side": "red", "players": "3"}, ("bert", "cleo"), "room"),
        Join("bert"),
        Join("cleo"),
        Play("anna", "a2"),
        Play("bert", "c1"),  # no die shows that many
        Call("anna"),
    )
    throws = [event.text for event in told if isinstance(event, Played)]
    assert [text[:2] for text in throws] == ["a2", "c1"]
    assert all(text[2:] in {" [1]", " [2]", " [3]"} for text in throws), "the next one's die is part of the turn"
    assert match.position.frogs == {"R": "a2", "G": "c5", "B": "e1"}
    assert (match.position.to_move, match.position.die in (1, 2, 3)) == ("B", True)


# --- the guide --------------------------------------------------------------------------------------------
@pytest.mark.parametrize("key", KEYS)
def test_the_guide_shows_it_as_it_is(key: str) -> None:
    guide = (HERE.parent / "docs" / "adding-a-game.md").read_text("utf-8")
    assert f"```python\n{(FOLDER / f'{key}.py').read_text('utf-8')}```\n" in guide


LOOK_AT_GAMES = [
    "test_every_game",
    "test_analysis",
    "test_board_that_stays",
    "test_composing",
    "test_limits",
    "test_lines",
    "test_look",
    "test_no_verdict",
    "test_record_reading",
    "test_replay",
    "test_review",
    "test_silent_referee",
    "test_snapshots",
    "test_solve",
    "test_spot",
    "test_talk",
    "test_teaching",
    "test_typed",
    "render/test_contrast",
    "render/test_text_board",
    "api/test_twins",
    "adapters/test_discord_composer",
]
"""Files of tests that look at every game."""


def test_they_are_looked_at_like_every_other_game() -> None:
    chosen = ["-m", "not slow and not browser", "-k", f"({' or '.join(KEYS)}) and not postgresql"]
    files = [str(HERE / f"{name}.py") for name in LOOK_AT_GAMES]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "tests.planted", "-q", "-p", "no:cacheprovider", *chosen, *files],
        capture_output=True,
        text=True,
        cwd=HERE.parent,
        env={name: value for name, value in os.environ.items() if name != "RIPOSTE_GAMES"},
        timeout=500,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert " passed" in done.stdout


@pytest.mark.parametrize("key", KEYS)
def test_an_examination_finds_nothing_wrong_with_it(key: str, games: Mapping[str, AnyGame]) -> None:
    assert list(examine_game(games[key], seed=7, examples=20)) == []


# --- games of an older contract ---------------------------------------------------------------------------
OLDER = [
    ("Game[Position, Move]", "Game[Position]", "Write `class Daisy(Game[Position, Move])`."),
    (
        '    def example(self, position: Position) -> str:\n        return " ".join(sorted(position.petals)[:2])\n',
        '    example = "p1 p2"\n',
        "`example` is of type `str`, not a method. Write `def example(self, position)`.",
    ),
    (
        "def pass_turn(self, position: Position, dice: Dice)",
        "def pass_turn(self, position: Position)",
        "`pass_turn(self, position)` cannot be called as Riposte calls it. "
        "Write `def pass_turn(self, position, dice)`.",
    ),
    ("def pass_turn(", "def skip(", "`pass_turn` is missing. Write `def pass_turn(self, position, dice)`."),
    (
        "    def board(",
        "    def told(self, turn: Turn) -> str:\n        return ''\n\n    def board(",
        "`told` is called `describe_luck` now. Write `def describe_luck(self, turn, position, viewer, after)`.",
    ),
    ('name = Term("Daisy")', 'name = "Daisy"', '`name` is of type `str`, not `Term`. Write it like `name = Term("Dai'),
    ("    rules = (PLUCK, TOUCH, LOVED)\n", "", "`rules` is missing."),
    ('Text("A turn plucks one petal, or two that touch.")', '"A turn plucks."', "What people read of `1` in `rules`"),
    ("GAME = Daisy()", "GAME = Daisy", "`GAME` is no game but `ABCMeta`."),
]


@pytest.mark.parametrize(("written", "instead", "said"), OLDER)
def test_a_game_of_an_older_contract_is_told_what_to_write_when_it_is_loaded(
    written: str, instead: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    daisy = (FOLDER / "daisy.py").read_text("utf-8")
    assert written in daisy
    name = f"older{OLDER.index((written, instead, said))}"
    (tmp_path / f"{name}.py").write_text(daisy.replace(written, instead), "utf-8")
    monkeypatch.setattr(engine.games, "__path__", [str(tmp_path)])
    with pytest.raises(TypeError) as caught:
        GAMES[name]
    assert said in str(caught.value)


# --- what an examination finds ----------------------------------------------------------------------------
BROKEN = [
    (
        'return " ".join(move.origin for move in turn)',
        'return "p1"',
        "Every tenable turn comes back from its notation.",
    ),
    ("        if len(turn) > 2:", "        if len(turn) > 3:", "A turn that the judge lets pass was listed."),
    ("rules = (PLUCK, TOUCH, LOVED)", "rules = (TOUCH, LOVED)", "A ruling cites a rule of the game in order"),
    ("None if position.petals else", "None if len(position.petals) > 1 else", "A game goes on while there are turns"),
    ('raise NotationError(Text("No petal is named."), REMEDY)', "raise KeyError", "Whatever is typed is a turn"),
    ('Text("No petal is named."), REMEDY', 'Text("No petal is named.")', "Whatever is typed is a turn"),
    ("return FLOWER", 'return Board("daisy", FLOWER.outlines, edges={"p1": ("p2",)})', "The board is whole."),
    (
        'return " ".join(sorted(position.petals)[:2])',
        'return "p1 p2"',
        "Every position has an example that can be read.",
    ),
    ('return " ".join(sorted(position.petals)[:2])', 'return "p1 p3"', "The example is a tenable first turn."),
    ('PETAL = Term("petal")', 'PETAL: Any = "petal"', "Every viewer gets a picture"),
    (
        "        return replace(position, petals=position.petals - {move.origin})",
        "        raise IndexError",
        "Every penalty can follow an untenable turn.",
    ),
    (
        "    def board(",
        "    def examine(self, position: Position, turn: Turn, written: bool = True) -> Any:\n"
        "        return replace(super().examine(position, turn, written), rulings=())\n\n    def board(",
        "Examining a turn is judging, playing and writing it.",
    ),
]


@pytest.mark.parametrize(("written", "instead", "claim"), BROKEN)
def test_an_examination_names_what_does_not_hold(written: str, instead: str, claim: str, tmp_path: Path) -> None:
    daisy = (FOLDER / "daisy.py").read_text("utf-8")
    assert written in daisy
    found = list(examine_game(loaded(tmp_path, daisy.replace(written, instead))))
    assert any(str(problem.claim).startswith(claim) for problem in found), found
    assert all(str(problem.because) and str(problem.remedy) for problem in found)
    assert list(examine_game(loaded(tmp_path, daisy))) == []


def loaded(folder: Path, code: str) -> AnyGame:
    """A game from its code."""
    path = folder / f"broken{len(list(folder.iterdir()))}.py"
    path.write_text(code.replace("from typing import ClassVar", "from typing import Any, ClassVar"), "utf-8")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    try:
        spec.loader.exec_module(module)
        game: AnyGame = module.GAME
    finally:
        del sys.modules[path.stem]
    return game
