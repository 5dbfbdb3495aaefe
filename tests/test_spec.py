"""What is taken for a command, and what for talk or a turn."""

import ast
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.commands.info import SUBJECTS
from bot.commands.parser import ParsedCommand, PlainText, is_secret, read_command, read_turn, write_command
from bot.commands.spec import BY_NAME, COMMANDS, GROUPS
from bot.commands.spec.parts import SETTINGS, Command
from bot.messages.model import clean
from engine.games import GAMES
from engine.match.terms import sheet


@pytest.mark.parametrize("command", COMMANDS, ids=[command.name for command in COMMANDS])
def test_every_example_is_what_it_says(command: object) -> None:
    meant = next(c for c in COMMANDS if c is command)
    parsed = read_command(meant.example)
    assert isinstance(parsed, ParsedCommand)
    assert parsed.command is meant


@pytest.mark.parametrize("text", ["no way", "ok thanks", "yes indeed", "undo your shoelaces", "b c4", "log in, please"])
def test_a_sentence_that_begins_with_a_short_word_is_talk(text: str) -> None:
    assert read_command(text) == PlainText(text)


@pytest.mark.parametrize("text", ["!call me later", "!draw me a sheep", "!accept the invitation", "resign now"])
def test_a_command_followed_by_words_it_does_not_know_is_not_carried_out(text: str) -> None:
    parsed = read_command(text)
    assert isinstance(parsed, PlainText)
    assert parsed.typo_of is not None


def test_behind_a_command_s_sign_words_too_many_are_asked_about() -> None:
    assert read_command("!no way") == PlainText("!no way", BY_NAME["decline"], addressed=True)


def test_a_turn_may_have_its_number_in_front() -> None:
    assert read_turn("12. c7c5") == ParsedCommand(BY_NAME["move"], number=12, rest="c7c5")
    assert read_turn("3...c1c3") == ParsedCommand(BY_NAME["move"], number=3, rest="c1c3")
    assert read_turn("c7c5") == ParsedCommand(BY_NAME["move"], rest="c7c5")


def test_what_cannot_be_seen_is_not_read() -> None:
    assert read_command("\u202eaccept\x00 1\u2066") == ParsedCommand(BY_NAME["accept"], "1")
    assert read_command("\ud800") == PlainText("")


def test_a_misspelt_secret_is_still_for_the_bot_alone() -> None:
    assert is_secret("secret 1 X4 $ Y4 S")
    assert is_secret("secrte 1 X4 $ Y4 S")
    assert not is_secret("c7c5")


# --- what is offered as a remedy ----------------------------------------------------------------------------
ROOMS = ("bot/commands", "bot/service", "bot/messages", "engine/match", "engine/match/evolve", "engine/match/record")
ROOT = Path(__file__).parents[1]
SAID = sorted(str(file.relative_to(ROOT)) for room in ROOMS for file in (ROOT / room).glob("*.py"))


def quoted(source: str) -> set[str]:
    """The first words in `back quotes`, in what a module says (not in what it explains to its reader)."""
    tree = ast.parse(source)
    explained = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    told = [n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and n not in explained]
    return {word for text in told if isinstance(text, str) for word in re.findall(r"`([a-z]+)[ `]", text)}


@pytest.mark.parametrize("path", SAID)
def test_no_remedy_names_a_command_that_does_not_exist(path: str) -> None:
    terms = {option.key for game in GAMES.values() for option in sheet(game)}
    values = {value for game in GAMES.values() for option in sheet(game) for value in option.values}
    words = quoted((ROOT / path).read_text("utf-8"))
    follow = {word for command in BY_NAME.values() for slot in command.slots for word in slot.words}
    assert words <= {*BY_NAME, *SETTINGS, "none", "hourglass"} | terms | values | follow


# --- forms ----------------------------------------------------------------------------------------------------
def fillings(command: Command) -> st.SearchStrategy[dict[str, str]]:
    """What somebody may put into a command's form: nothing impossible, anything written freely."""
    free = st.text(min_size=1, max_size=40).filter(lambda written: written == clean(written))
    by_kind = {
        "match": st.integers(1, 10**8).map(str),
        "game": st.sampled_from(tuple(GAMES)),
        "command": st.sampled_from([c.name for c in COMMANDS]),
        "person": st.lists(st.integers(1, 10**19).map(lambda number: f"@{number}"), min_size=1, max_size=4).map(
            " ".join
        ),
        "place": st.sampled_from(("A33", "c7", "black")),
        "turn": free | st.sampled_from(("12 c7", "12. c7c5", "#3", "@5 c7", "# c7", "7")),
    }
    slots = {s.name: st.sampled_from(s.words) if s.kind == "word" else by_kind.get(s.kind, free) for s in command.slots}
    needed = {s.name: slots[s.name] for s in command.slots if s.needed}
    return st.fixed_dictionaries(needed, optional={name: slots[name] for name in slots if name not in needed})


@pytest.mark.parametrize("command", COMMANDS, ids=[command.name for command in COMMANDS])
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_a_filled_form_is_read_as_what_was_filled_in(command: Command, data: st.DataObject) -> None:
    filled = data.draw(fillings(command))
    ply = data.draw(st.none() | st.integers(1, 99_999)) if command.scope == "match" else None
    given_ = [slot for slot in command.slots if slot.name in filled and slot.kind != "match"]
    rest = " ".join(f"{slot.key}={filled[slot.name]}" if slot.key else filled[slot.name] for slot in given_)
    assert read_command(write_command(command, filled, ply)) == ParsedCommand(
        command, filled.get("match", ""), ply, rest
    )


def test_a_turn_that_begins_with_a_number_is_not_taken_for_a_match() -> None:
    assert write_command(BY_NAME["move"], {"turn": "12 c7"}) == "move # 12 c7"
    assert write_command(BY_NAME["move"], {"match": "3", "turn": "12 c7"}) == "move 3 12 c7"


@pytest.mark.parametrize("command", COMMANDS, ids=[command.name for command in COMMANDS])
def test_a_command_s_slots_are_told_apart_and_explained(command: Command) -> None:
    assert len({slot.name for slot in command.slots}) == len(command.slots)
    assert all(0 < len(str(slot.gist)) <= 100 for slot in command.slots)
    assert all(bool(slot.words) == (slot.kind == "word") for slot in command.slots)
    assert [slot.kind for slot in command.slots].count("match") == (command.scope == "match")
    assert command.group == "" or command.group in GROUPS


def test_help_lists_commands_under_one_subject_each() -> None:
    listed = [name for _, names in SUBJECTS for name in names]
    assert len(set(listed)) == len(listed)
    assert set(listed) < {command.name for command in COMMANDS}


def test_what_a_form_asks_for_by_itself_is_written_with_its_key() -> None:
    board = BY_NAME["board"]
    text = write_command(board, {"match": "12", "theme": "dark", "near": "A 33", "side": "black"})
    assert text == "board 12 dark near=A33 from=black"
    parsed = read_command(text)
    assert isinstance(parsed, ParsedCommand)
    assert (parsed.command, parsed.match, parsed.words) == (board, "12", ("dark", "near=A33", "from=black"))


def test_what_follows_a_lone_number_sign_stands_as_it_was_typed() -> None:
    """It is no number of a match, and nothing takes the sign's place."""
    parsed = read_command("call # the arm")
    assert isinstance(parsed, ParsedCommand)
    assert (parsed.match, parsed.rest) == ("", "the arm")
