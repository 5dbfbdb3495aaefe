"""A match on paper: what is written reads back the same, and plays back to the same position."""

import asyncio
import os
from contextlib import suppress
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from bot.cli.records import commands
from bot.messages.model import OutgoingMessage, Place
from engine.game import NotationError
from engine.games import GAMES
from engine.match.commands import Answer, Call, FindContact, Give, LoseContact, Offer, Play, Reply, Resign, Rule
from engine.match.events import Played
from engine.match.record.dates import dates
from engine.match.record.model import Entry, Record
from engine.match.record.read import read_record, replayed
from engine.match.record.verify import verify
from engine.match.record.write import record_of
from engine.match.state import Match
from storage import open_store
from tests.chat_room import ChatRoom
from tests.table import DAY, MINUTE, Table, begun

EXAMPLES = int(os.environ.get("RIPOSTE_EXAMPLES", "40"))

NAMES = {"anna": "Anna", "ben": "Ben"}


def eventful() -> Table:
    """A match with everything a record can hold, but for luck and secrets."""
    table = begun(umpire="turn")
    table.play("c7c5", "c1c3")
    table.done(Call("anna"))  # does not hold
    table.done(Play("anna", "e5e3"))
    table.done(Call("ben"))  # holds
    table.play("d1e2")
    table.done(Offer("ben", "takeback"))
    table.done(Answer("anna", True))
    table.play("e1e3")
    return table


def test_a_record_that_was_written_reads_back_the_same() -> None:
    table = eventful()
    for viewer in ("W", "B", None):
        record = record_of(table.events, NAMES, viewer)
        assert read_record(record.write()) == record
    table.done(Resign("anna"))
    record = record_of(table.events, NAMES, None)
    assert read_record(record.write()) == record


def test_comments_stay_with_their_turn() -> None:
    record = Record((("Game", "tokonoma"),), (Entry("turn", 1, "W", "c7c5", ("a quiet start", "so far")),))
    assert read_record(record.write()) == record


def test_a_record_plays_back_to_where_the_match_stood() -> None:
    table = eventful()
    table.done(Resign("anna"))
    steps = list(replayed(read_record(record_of(table.events, NAMES, None).write()), 0))
    reached: Match = steps[-1][1]
    assert reached.position == table.now.position
    assert reached.result is not None
    assert table.now.result is not None
    assert reached.result.winners == table.now.result.winners
    assert [e.broken for e, _ in steps if isinstance(e, Played)] == [
        e.broken for e in table.events if isinstance(e, Played)
    ]


def test_the_seed_is_told_only_when_the_match_is_over() -> None:
    table = eventful()
    assert "Seed" not in dict(record_of(table.events, NAMES, "W").headers)
    table.done(Resign("anna"))
    assert "Seed" in dict(record_of(table.events, NAMES, "W").headers)


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("", "no match record"),
        ("Riposte record 1\nGame tokonoma", "Line 2 is no header."),
        ("Riposte record 1\nGame: tokonoma\n\n1: c7c5", "Line 4 is not a turn: `1: c7c5`."),
        ("Riposte record 1\nGame: tokonoma\n\n; first", "comment on nothing"),
    ],
)
def test_a_text_that_is_no_record_is_refused_with_its_line(text: str, fact: str) -> None:
    with pytest.raises(NotationError, match=fact):
        read_record(text)


@pytest.mark.parametrize(
    ("change", "fact"),
    [
        (("Game: tokonoma", "Game: chess"), "no game called chess"),
        (("Player White: W anna Anna\n", ""), "The record has players for B, but the game has the sides W and B."),
        (("1. W c7c5", "1. W c9c5"), "Turn 1 cannot be read: `c9c5`. There is no tile c9."),
        (("1. W c7c5", "1. X c7c5"), "Nobody plays X."),
        (("umpire=turn", "umpire=often"), "`umpire=` cannot be `often`"),
    ],
)
def test_a_record_that_cannot_be_played_is_refused_with_the_reason(change: tuple[str, str], fact: str) -> None:
    text = record_of(eventful().events, NAMES, None).write()
    assert change[0] in text
    with pytest.raises(NotationError) as refused:
        list(replayed(read_record(text.replace(*change)), 0))
    assert fact in f"{refused.value.because} {refused.value.remedy}"


def test_the_record_command_tells_the_end_and_what_nobody_called_out(tmp_path: Path) -> None:
    table = begun(umpire="turn")
    table.play("c7c5")
    table.done(Play("ben", "c1a2"))
    table.play("e5d5")
    table.done(Resign("ben"))
    file = tmp_path / "match.txt"
    file.write_text(record_of(table.events, NAMES, None).write(), "utf-8")
    told = CliRunner().invoke(commands, ["record", str(file), "--judge"])
    assert told.exit_code == 0, told.output
    assert "result: W (riposte:resign, Resignation)" in told.output
    assert "2. B c1a2" in told.output
    assert f"position: {table.position}" in told.output
    checked = CliRunner().invoke(commands, ["verify", str(file)])
    assert checked.exit_code == 0, checked.output


@pytest.mark.parametrize("command", ["record", "verify", "import"])
def test_a_file_that_is_not_there_is_told_in_a_sentence(command: str, tmp_path: Path) -> None:
    told = CliRunner().invoke(commands, [command, str(tmp_path / "none.txt")])
    assert told.exit_code == 2
    assert told.output.replace("\n", "").startswith(f"The file {tmp_path / 'none.txt'} cannot be read: No such file")


@pytest.mark.parametrize("place", ["", "lounge", "irc/club", "web/a b"])
def test_a_place_that_is_none_is_told_in_a_sentence(place: str, tmp_path: Path) -> None:
    file = tmp_path / "match.txt"
    file.write_text(record_of(eventful().events, NAMES, None).write(), "utf-8")
    told = CliRunner().invoke(commands, ["import", str(file), "--place", place])
    assert told.exit_code == 2
    assert told.output.startswith(f"`{place}` is no platform and channel.")


# --- records that somebody has had their hands on -----------------------------------------------------------
@cache
def lines_of(key: str) -> tuple[str, ...]:
    """The record of a match of this game in which most things have happened."""
    game = GAMES[key]
    table = begun(key, umpire=game.penalties[1], side=game.names[game.sides[0]].lower())
    for number in range(12):
        for ask in table.now.game.asks(table.now.position):
            table.done(Reply(table.now.seats[ask.side], ask.example))
        before = table.now.position
        turns = [turn for turn in islice(game.turns(before), 7) if game.outcome(game.play(before, turn)) is None]
        if not turns:  # a small game is at its end by now
            break
        table.done(Play(table.to_act, game.write(turns[-1], before)))
        if number % 4 == 1:
            table.done(Call(table.to_act))
    table.done(Offer("anna", "draw"))
    table.done(Answer("ben", True))
    return tuple(record_of(table.events, NAMES, None).write().splitlines())


@settings(max_examples=EXAMPLES, deadline=None, derandomize="RIPOSTE_EXAMPLES" not in os.environ)
@given(key=st.sampled_from(list(GAMES)), chance=st.randoms(use_true_random=True))
def test_whatever_is_changed_in_a_record_it_plays_or_is_refused_in_a_sentence(key: str, chance: Random) -> None:
    lines = list(lines_of(key))
    words = [word for line in lines for word in line.split(" ")]
    for _ in range(chance.randrange(1, 4)):
        spot = chance.randrange(len(lines))
        line = lines[spot].split(" ")
        line[chance.randrange(len(line))] = chance.choice(
            (*words, "", "0", "-1", "called 1 by W: turn (x)", "\u0661", "x" * 99)
        )
        lines[spot : spot + 1] = chance.choice(([], [lines[spot]] * 2, [" ".join(line)], [" ".join(line)], lines[-2:]))
    with suppress(NotationError):  # and nothing else
        record = read_record("\n".join(lines))
        *_, (_, reached) = replayed(record, 0)
        assert reached.status in ("running", "over")
        verify(record)


# --- loading one --------------------------------------------------------------------------------------------
def test_a_record_that_is_loaded_is_played_on_with_dice_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RIPOSTE_DATA", str(tmp_path))
    Path("match.txt").write_text(record_of(eventful().events, NAMES, None).write(), "utf-8")
    told = CliRunner().invoke(commands, ["import", "match.txt", "--place", "web/club"])
    assert told.output == "It is match 1 now: `board 1` shows it.\n"
    match, posts = asyncio.run(_loaded(tmp_path))
    assert match.position == eventful().now.position
    assert len(match.seed) == 64
    assert [post.where for post in posts] == [Place("web", "club", "1")]
    assert "Loaded from a record" in str(posts[0].text)


async def _loaded(folder: Path) -> tuple[Match, list[OutgoingMessage]]:
    room = ChatRoom(await open_store(folder / "riposte.db", folder.with_name(f"{folder.name}.key")))
    try:
        match = await room.service.repository.match("1")
        assert match is not None
        return match, await room.deliver()
    finally:
        await room.store.close()


@pytest.mark.parametrize("place", ["", "lounge", "web/", "web/a/b", "Web/lounge"])
def test_a_record_is_loaded_into_a_channel_that_can_be(place: str, tmp_path: Path) -> None:
    file = tmp_path / "match.txt"
    file.write_text(record_of(eventful().events, NAMES, None).write(), "utf-8")
    told = CliRunner().invoke(commands, ["import", str(file), "--place", place])
    assert told.exit_code == 2
    assert "is no platform and channel" in told.output


def test_a_record_tells_when_everything_was_though_it_makes_no_entry() -> None:
    table = begun(time="3d")
    for command in (
        Offer("anna", "pause", "2d"),
        Answer("ben", yes=True),
        Give("ben", DAY),
        Play("anna", "c7c5"),
        LoseContact("ben", table.at),
        FindContact("ben"),
        Rule("zoe", "resume", "so be it"),
        Resign("ben"),
    ):
        table.done(command)
    record = record_of(table.events, {}, None, dates(lambda at: f"@{at // MINUTE - 1}"))
    assert [entry.comments for entry in record.entries] == [
        (
            "@1 begun",
            "@2 W offers pause 2d",
            "@3 B accepts pause",
            "@3 paused until @2883 (pause)",
            "@4 W is given 1d",
            "@5",
            "@6 B cannot be reached",
            "@7 B can be reached again",
            "@8 an arbiter rules: resume",
            "@8 the pause is over",
        ),
        ("@9", "@9 over: Resignation"),
    ]
    assert read_record(record.write()) == record
    assert [replace(entry, comments=()) for entry in record.entries] == [*record_of(table.events, {}, None).entries]
