"""The commands for people and programs: each typed as its reader would type it."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from typer.testing import CliRunner, Result

from bot.cli.games import commands

DOCS = Path(__file__).parents[1] / "docs"
START = "f3A+/b+4S+/a+b+3B+A+/s+4B+/a+3F w"


def typed(*words: str, said: str | bytes = "") -> Result:
    done = CliRunner().invoke(commands, list(words), input=said)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    assert "Traceback" not in done.output
    return done


def answered(*requests: dict[str, Any] | str) -> list[dict[str, Any]]:
    lines = [request if isinstance(request, str) else json.dumps(request) for request in requests]
    done = typed("judge", "--jsonl", said="\n".join(lines) + "\n")
    assert done.exit_code == 0
    return [json.loads(line) for line in done.stdout.splitlines()]


def ask(turn: str, position: str | None = None, **more: Any) -> dict[str, Any]:
    return {"game": "tokonoma", "turn": turn, **({} if position is None else {"position": position}), **more}


# --- judge --------------------------------------------------------------------------------------------


def test_a_tenable_turn_is_told_with_the_position_after_it() -> None:
    done = typed("judge", "--game", "tokonoma", "--turn", "Ac5")
    assert done.stdout == "tenable\nafter: f3A+/b+4S+/a+b+2AB+F/s+4B+/a+3F b q1\n"


def test_an_untenable_turn_is_told_with_every_rule_it_breaks_and_what_it_would_do() -> None:
    done = typed("judge", "--game", "tokonoma", "--turn", "c7c6")
    assert done.exit_code == 0
    assert done.stdout.splitlines() == [
        "untenable",
        "  The Arm on c7 reaches c5, not c6. (arm)",
        "  The Arm on c7 cannot join the Blind on c6. (stacking)",
        "after: f3A+/b+4S+/a+b+3A+F/s+4B+/a+3F b q1",
    ]


def test_the_end_of_the_game_is_told() -> None:
    done = typed("judge", "--game", "tokonoma", "--position", "5/6/1F3f1/6/5 w", "--turn", "Fc1")
    assert done.stdout.splitlines()[-1] == "over: house; winners: W"


def test_json_is_one_line_with_the_same_in_it() -> None:
    done = typed("judge", "--game", "tokonoma", "--position", START, "--turn", "c7c5", "--json")
    assert json.loads(done.stdout) == {
        "id": None,
        "readable": True,
        "tenable": True,
        "rules": [],
        "because": [],
        "after": "f3A+/b+4S+/a+b+2AB+F/s+4B+/a+3F b q1",
        "outcome": None,
    }


@pytest.mark.parametrize(
    ("words", "fact"),
    [
        (("judge", "--game", "chess", "--turn", "e4"), "There is no game called chess. The games are"),
        (("judge", "--game", "tokonoma"), "Judge needs a game and a turn. Try `riposte judge"),
        (("judge", "--game", "tokonoma", "--turn", "c9c5"), "There is no tile c9. Rows a to e"),
        (
            ("judge", "--game", "tokonoma", "--turn", "c7c5", "--position", "8/8"),
            "The position cannot be read. That is no position",
        ),
        (("perft", "chess", "2"), "There is no game called chess. The games are"),
        (("perft", "tokonoma", "2", "--position", "8/8"), "The position cannot be read. That is no position"),
    ],
)
def test_what_cannot_be_done_is_told_on_stderr_with_its_remedy(words: tuple[str, ...], fact: str) -> None:
    done = typed(*words)
    assert done.exit_code == 2
    assert done.stdout == ""
    assert done.stderr.startswith(fact)


# --- judge --jsonl ------------------------------------------------------------------------------------


def test_every_request_has_its_answer_in_order_with_its_id() -> None:
    said = answered(ask("c7c5", id="a"), "", ask("c7c6", id=[2]), ask("zz", id=None))
    assert [answer["id"] for answer in said] == ["a", [2], None]
    assert [(answer["readable"], answer["tenable"]) for answer in said] == [(True, True), (True, False), (False, False)]
    assert [answer["readable"] for answer in said] == [True, True, False]
    assert said[1]["rules"] == ["arm", "stacking"]
    assert said[1]["after"] == "f3A+/b+4S+/a+b+3A+F/s+4B+/a+3F b q1"
    assert (said[2]["after"], said[2]["outcome"]) == (None, None)


def test_of_several_turns_the_last_is_judged_and_the_position_is_the_final_one() -> None:
    (first, second) = answered(ask("c7c6 ; c1c3"), ask("c7c5 ; c1c2"))
    assert first["tenable"] is True
    assert first["after"] == "f3A+/b+4S+/fb+a2A+F/s+4B+/a+3F w q2"
    assert second["tenable"] is False


def test_an_ambiguous_turn_comes_with_its_readings() -> None:
    (said,) = answered(ask("Aa1"))
    assert said["readings"] == ["a5a1", "c7a1"]
    assert said["because"] == ["That may be the Arm on a5 or c7.", "Write `a5a1`."]


def test_a_position_that_comes_back_twice_within_a_request_is_a_draw() -> None:
    back = "b6a4 ; d1e2 ; a4b6 ; e2d1"
    (once, twice) = answered(ask(back), ask(f"{back} ; {back}"))
    assert once["outcome"] is None
    assert twice["outcome"] == {"rule": "repetition", "winners": ["W", "B"]}


def test_a_line_that_is_no_request_is_answered_as_such_and_the_others_as_ever() -> None:
    said = answered(
        "no json",
        '{"id": 1}',
        '{"id": 2, "game": "tokonoma", "turn": 3}',
        ask("c7c5", id=3, position="nowhere"),
        {"id": 4, "game": "chess", "turn": "e4"},
        "[5]",
        ask("c7c5", id=6),
    )
    assert [answer["id"] for answer in said] == [None, 1, 2, 3, 4, None, 6]
    assert all(answer["error"] and answer["remedy"] for answer in said[:-1])
    assert said[-1]["tenable"] is True


def test_bytes_that_are_no_text_are_answered_too() -> None:
    done = typed("judge", "--jsonl", said=b'\xff\xfe\n{"id":"\xff"}\n' + json.dumps(ask("c7c5")).encode())
    assert [("error" in json.loads(line)) for line in done.stdout.splitlines()] == [True, True, False]


def test_an_endless_line_is_cut_short_and_the_next_is_answered() -> None:
    done = typed("judge", "--jsonl", said="[" * 3_000_000 + "\n" + json.dumps(ask("c7c5")) + "\n")
    first, second = map(json.loads, done.stdout.splitlines())
    assert "at most" in first["error"]
    assert second["tenable"] is True


@pytest.mark.parametrize(
    "line", ["[" * 100_000, '{"id":' + "[" * 100_000, '{"id": 1e400, "turn": ""}', '{"id": 1, "game": "\\ud800"}']
)
def test_json_that_hurts_is_answered_like_any_other(line: str) -> None:
    hurt, said = answered(line, ask("c7c5"))
    assert hurt["error"].startswith("This is no request")
    assert said["tenable"] is True


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full on this machine")
def test_a_full_disk_is_told_and_no_traceback() -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "bot", "judge", "--jsonl"],
            input=json.dumps(ask("c7c5")).encode(),
            stdout=full,
            stderr=subprocess.PIPE,
            cwd=DOCS.parent,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr.decode().startswith("The answers cannot be written: No space left on device.")
    assert b"Traceback" not in done.stderr


# --- perft and games ----------------------------------------------------------------------------------


def test_no_command_waits_for_what_only_others_need() -> None:
    told = "import sys, bot.program; print({'asyncio', 'engine.match.state', 'storage', 'PIL'} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True).stdout == "set()\n"


def test_judge_waits_for_no_library_that_it_has_no_need_of() -> None:
    words = "['riposte', 'judge', '--game', 'tokonoma', '--turn', 'c7c5']"
    unneeded = "{'typer', 'pydantic', 'asyncio', 'engine.match.state', 'storage', 'PIL'}"
    told = f"import sys, bot.__main__; sys.argv = {words}; bot.__main__.main(); print({unneeded} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[0] == "tenable"
    assert done.stdout.splitlines()[-1] == "set()"


def test_run_loads_neither_the_other_commands_nor_a_platform_nor_a_game() -> None:
    unneeded = "{'typer', 'bot.program', 'discord', 'nio', 'aiohttp.web', 'engine.games.veney'}"
    told = f"import sys, bot.__main__; bot.__main__.loaded(['run']); print({unneeded} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True).stdout == "set()\n"


def test_an_unknown_option_of_judge_is_told_with_its_remedy() -> None:
    done = typed("judge", "--gane", "tokonoma")
    assert done.exit_code == 2
    assert done.stderr.startswith("Unrecognized arguments: --gane tokonoma. `riposte judge --help` lists")
    assert "--jsonl" in typed("judge", "--help").stdout


def test_perft_counts_the_lines() -> None:
    assert typed("perft", "tokonoma", "4").stdout == "10322\n"
    assert typed("perft", "tokonoma", "1", "--position", "5/6/1F3f1/6/5 w").stdout == "3\n"


def test_a_divided_count_adds_up() -> None:
    *divided, total = typed("perft", "tokonoma", "3", "--divide").stdout.splitlines()
    assert total == "917"
    assert sum(int(line.partition(": ")[2]) for line in divided) == 917
    assert divided[0].startswith("e5d5: ")


def test_games_are_listed_with_who_made_them() -> None:
    assert "tokonoma    Talls and Flats" in typed("games").stdout
    assert "cancrizans" in typed("games").stdout


# --- render -------------------------------------------------------------------------------------------


def test_a_position_is_drawn_as_a_png_and_said_in_words(tmp_path: Path) -> None:
    out = tmp_path / "board.png"
    done = typed("render", "tokonoma", "--size", "200", "-o", str(out))
    with Image.open(out) as picture:
        assert (picture.format, max(picture.size)) == ("PNG", 200)
    assert done.stdout.startswith("Tokonoma. White to move. White: ")


def test_a_turn_a_side_and_a_theme_change_the_picture(tmp_path: Path) -> None:
    seen = set()
    for number, words in enumerate(
        (
            (),
            ("--turn", "c7c5"),
            ("--side", "black"),
            ("--side", "W"),
            ("--theme", "dark"),
            ("--position", "5/6/7/6/S4 b"),
        )
    ):
        out = tmp_path / f"{number}.png"
        assert typed("render", "tokonoma", "--size", "120", "-o", str(out), *words).exit_code == 0
        seen.add(out.read_bytes())
    assert len(seen) == 6


def test_names_are_printed_on_demand(tmp_path: Path) -> None:
    for number, words in enumerate(((), ("--labels",))):
        assert typed("render", "tirachen", "-o", str(tmp_path / f"{number}.png"), *words).exit_code == 0
    assert (tmp_path / "0.png").read_bytes() != (tmp_path / "1.png").read_bytes()


@pytest.mark.parametrize(
    ("words", "fact"),
    [
        (("--theme", "pink"), "There is no theme called pink. The themes are light,"),
        (("--side", "green"), "Tokonoma has no side called green. Its sides are White, Black."),
        (("--turn", "c1c2"), "The piece on c1 is not yours. You have pieces on "),
        (("-o", "nowhere/board.png"), "The file nowhere/board.png cannot be written: No such file or directory."),
    ],
)
def test_what_cannot_be_drawn_is_told_with_its_remedy(words: tuple[str, ...], fact: str, tmp_path: Path) -> None:
    done = typed("render", "tokonoma", "-o", str(tmp_path / "board.png"), *words)
    assert done.exit_code == 2
    assert done.stderr.startswith(fact)


# --- what the documents say ---------------------------------------------------------------------------

COMMANDS = [
    pytest.param(shlex.split(line)[1:], id=line.strip())
    for document in (DOCS / "rules").glob("*.md")
    for line in document.read_text().splitlines()
    if re.match("    riposte (judge|perft|render|games)", line)
]


@pytest.mark.parametrize("words", COMMANDS)
def test_every_command_in_a_rulebook_works(words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert typed(*words).exit_code == 0
