"""What is kept of people, and that nothing is left of whoever is erased."""

import asyncio
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
import structlog
from typer.testing import CliRunner

from bot.cli.backup import back_up
from bot.messages.model import Person
from bot.messages.serialization import read_event
from bot.privacy.erasing import Erasing
from bot.program import app
from engine.match.commands import Player
from engine.match.evolve import replay
from engine.text import Code
from storage.people.persons import HOLDERS
from storage.seal import PLAIN, read_key
from storage.store import Change
from tests.chat_room import DAY, ChatRoom, open_room, transcribe
from tests.stores import inspected, opened, told

pytestmark = pytest.mark.usefixtures("each_database")

WHO, NAME = "zacharias", "Zacharias"
ROOT = Path(__file__).parents[1]
SCRIPT = ROOT / "docs" / "verify.py"
TABLES = (
    *("matches", "events", "seats", "homes", "alarms", "heard", "settings", "letters", "arrivals", "snapshots"),
    *("people", "erasures"),
)


@pytest.fixture
async def room(tmp_path: Path, each_database: str) -> AsyncIterator[ChatRoom]:
    opened = await open_room(tmp_path)
    yield opened
    await opened.store.close()


async def lived(room: ChatRoom) -> None:
    """Somebody has left traces wherever they can."""
    room.seed = 0
    await room.say("Hana", f"role @{WHO} arbiter", host=True)
    await room.say("Hana", f"settings challengers @{WHO} @ben", host=True)
    await room.say(NAME, "zone Europe/Berlin")
    await room.say(NAME, "digest 8")
    await room.say(NAME, "preset save slow time=7d")
    await room.say(NAME, "token moon shell")
    await room.say(NAME, "apikey new")
    await room.say("Ben", f"block @{WHO}")
    await room.say("Ben", f"block @{WHO} off")
    await room.say("Hana", "settings challengers everybody", host=True)
    await room.say(NAME, "challenge @ben tokonoma umpire=turn")
    await room.say("Ben", "accept 1")
    for _ in range(2):
        match = await room.service.repository.match("1")
        assert match is not None
        side = match.game.to_act(match.position)
        name = match.seats[side].removeprefix("web:").capitalize()
        turn = match.game.write(next(iter(match.game.turns(match.position))), match.position)
        await room.say(name, turn, thread="1")
    await room.say(NAME, "note 1 watch the left side")
    await room.say("Cleo", "follow 1")
    await room.say("Ben", "challenge @cleo tokonoma")
    await room.say("Cleo", "accept 2")
    await room.say(NAME, "follow 2")
    await room.say("Ben", "resign 2 yes")
    await room.say(NAME, "challenge tirachen")
    await room.say("Ben", f"challenge @{WHO} veney")
    code = (await room.say(NAME, "account"))[0]
    assert "account" in str(code.text)
    await room.say("zachm", _code(room), platform="matrix", channel="den")


def _code(room: ChatRoom) -> str:
    return next(line for line in reversed(room.lines) if "`account " in line).split("`")[1] + " yes"


async def erased(room: ChatRoom) -> None:
    await room.say(NAME, "privacy erase")
    await room.say(NAME, "privacy erase yes")


async def everything(folder: Path) -> str:
    """All bytes of all files, all rows, and all that is sealed in the database, opened."""
    database = folder / "riposte.db"
    found = [path.read_bytes().decode("utf-8", "replace") for path in folder.rglob("*") if path.is_file()]
    sealer = read_key(folder / "riposte.key")
    assert sealer is not None
    for table in TABLES:
        found += map(str, await told(database, f"SELECT * FROM {table}"))
    for match, seq, body in await told(
        database, "SELECT matches.match, seq, body FROM events JOIN matches ON matches.number = events.match"
    ):
        found.append(sealer.open(body, "events", match, seq))
    for key, body in await told(database, "SELECT key, body FROM letters"):
        found.append(sealer.open(body, "letters", key))
    for owner, key, value in await told(database, "SELECT owner, key, value FROM settings WHERE owner != ?1", PLAIN):
        found.append(f"{owner} {key} {sealer.open(value, 'settings', owner, key)}")
    for name, body in await told(database, "SELECT id, body FROM arrivals"):
        found.append(sealer.open(body, "arrivals", name))
    return "\n".join(found)


async def left_of(folder: Path) -> list[str]:
    """Where anything of the person stands."""
    lines = (await everything(folder)).splitlines()
    return [line[:200] for line in lines if WHO in line.lower() or "zachm" in line]


async def test_nothing_is_left_of_whoever_is_erased_in_any_file(room: ChatRoom, tmp_path: Path) -> None:
    await lived(room)
    assert len(await left_of(tmp_path)) > 20
    await erased(room)
    assert await left_of(tmp_path) == []
    found = await inspected(tmp_path / "riposte.db")
    assert (found.damaged, found.rows) == ((), ())


async def test_matches_stay_as_those_of_a_former_player(room: ChatRoom) -> None:
    await lived(room)
    before = len(room.lines)
    await erased(room)
    told = "\n".join(room.lines[before:])
    assert "former player" in told
    assert "**wins** by resignation" in told
    match = await room.service.repository.match("1")
    assert match is not None
    assert match.status == "over"
    assert sum(player.startswith("former:") for player in match.seats.values()) == 1
    assert replay([read_event(one.body) for one in await room.store.load("1")], check=True) == match
    for number in ("3", "4"):
        off = await room.service.repository.match(number)
        assert off is not None
        assert off.status == "declined"
    before = len(room.lines)
    await room.say("Ben", "board 1")
    await room.say("Ben", "rating")
    await room.say("Ben", "matches")
    await room.say("Ben", "export 1")
    assert NAME not in "\n".join(room.lines[before:])
    assert "former player" in "\n".join(room.lines[before:])


async def test_the_luck_of_an_erased_player_s_match_is_checked_in_full(room: ChatRoom, tmp_path: Path) -> None:
    """A record from before holds, and so does a later one, which names nobody."""
    posts = [*await room.say("Anna", "challenge @ben tokonoma"), *await room.say("Ben", "accept 1")]
    said = "\n".join(line for post in posts for line in transcribe(post, room.now))
    posted = re.findall(r"`([0-9a-f]{32}|[0-9a-f]{64})`", said)
    await room.say("Ben", "resign 1 yes")

    async def checked(*hashes: str) -> tuple[str, str, int]:
        (post,) = await room.say("Anna", "export 1")
        (record,) = (span.text for span in post.text if isinstance(span, Code))
        (tmp_path / "record").write_text(record, "utf-8")
        typed = [word for each in hashes for word in ("--posted", each)]
        told = CliRunner().invoke(app, ["verify", str(tmp_path / "record"), *typed])
        script = [sys.executable, SCRIPT, tmp_path / "record", *hashes]
        run = subprocess.run(script, capture_output=True, text=True, check=False)
        return told.output, run.stdout + run.stderr, run.returncode

    told, by_script, code = await checked(*posted)
    assert (told.startswith("Seats, setup and every throw follow"), code) == (True, 0)
    await room.say("Ben", "privacy erase yes")
    told, by_script, code = await checked(*posted)
    assert (told.startswith("Seats, setup and every throw follow"), code) == (True, 0)
    assert by_script.startswith("Seats, setup and all 1 numbers follow")
    told, by_script, code = await checked(posted[0], posted[1], "0" * 32)
    assert "was posted, but the record makes" in told
    assert code == 1


async def test_whoever_comes_back_is_somebody_new(room: ChatRoom, tmp_path: Path) -> None:
    await lived(room)
    await erased(room)
    before = len(room.lines)
    await room.say(NAME, "matches")
    await room.say(NAME, "zone")
    assert "No matches yet" in "\n".join(room.lines[before:])
    assert await room.store.setting(f"web:{WHO}", "zone") == ""
    await room.say(NAME, "challenge @ben tokonoma")
    match = await room.service.repository.match("5")
    assert match is not None
    assert match.challenger == f"web:{WHO}"
    room.restart()
    assert await room.erasing.restored() == 0


@pytest.mark.sqlite
async def test_a_backup_from_before_is_erased_again_when_it_is_restored(tmp_path: Path) -> None:
    data, backup = tmp_path / "data", tmp_path / "backup"
    data.mkdir()
    room = await open_room(data)
    await lived(room)
    back_up(str(data / "riposte.db"), data, backup)
    await room.wait(DAY)
    await erased(room)
    await room.store.close()
    assert await left_of(data) == []
    for stale in data.glob("riposte.db*"):
        stale.unlink()
    shutil.copy(backup / "riposte.db", data / "riposte.db")
    assert await left_of(data) != []
    again = ChatRoom(await opened(data / "riposte.db"), now=room.now)
    assert await again.erasing.restored() == 2
    assert await left_of(data) == []
    assert await again.erasing.restored() == 0
    match = await again.service.repository.match("1")
    assert match is not None
    assert replay([read_event(one.body) for one in await again.store.load("1")], check=True) == match
    await again.store.close()
    assert not list(backup.glob("*.erased"))


async def test_what_is_on_its_way_to_whoever_is_erased_is_gone(room: ChatRoom) -> None:
    room.seed = 0
    await room.say(NAME, "challenge @ben tokonoma")
    await room.service.receive(room.message("Ben", "accept 1"))
    await room.service.receive(room.message(NAME, "rating"))
    await room.store.commit(Change(settings=((f"web:{WHO}", "erasing", "1"),)))
    await room.erasing.work()
    before = len(room.lines)
    told = await room.deliver()
    assert told
    assert all(post.only is None or post.only.id != WHO for post in told)
    assert NAME not in "\n".join(room.lines[before:])


async def test_an_organiser_who_is_erased_leaves_the_tournament_to_the_hosts(room: ChatRoom, tmp_path: Path) -> None:
    await room.say(NAME, "help")
    await room.say("Hana", f"role @{WHO} organiser", host=True)
    await room.say(NAME, "tournament round-robin tokonoma")
    await room.say(NAME, "join 1")
    await room.say("Ben", "join 1")
    of = await room.service.repository.tournament("t1")
    assert of is not None
    assert of.organiser == f"web:{WHO}"
    await erased(room)
    of = await room.service.repository.tournament("t1")
    assert of is not None
    assert of.organiser == ""
    assert tuple(of.active) == ("web:ben",)
    assert await left_of(tmp_path) == []


async def test_erasing_is_asked_once_and_nothing_happens_before(room: ChatRoom) -> None:
    await room.say(NAME, "zone Europe/Berlin")
    posts = await room.say(NAME, "privacy erase")
    assert [choice.command for choice in posts[0].choices] == ["privacy erase yes"]
    assert "Europe/Berlin" in await room.store.setting(f"web:{WHO}", "zone")


async def test_a_crash_in_the_middle_is_made_good_at_the_next_start(room: ChatRoom, tmp_path: Path) -> None:
    await lived(room)
    await room.service.receive(room.message(NAME, "privacy erase yes"))
    room.restart()  # before anything of it was done
    await room.erasing.work()
    assert await left_of(tmp_path) == []


@pytest.mark.parametrize("again", ["restored", "work"])
async def test_what_an_erasure_had_left_to_do_is_done_later(room: ChatRoom, tmp_path: Path, again: str) -> None:
    troubles = [OSError("the disk is full")]

    async def forget(people: Sequence[Person], _at: int, _said: Sequence[str]) -> None:
        forgotten.extend(person.key for person in people)
        if troubles:
            raise troubles.pop()

    forgotten: list[str] = []
    await lived(room)
    await room.store.commit(Change(settings=((f"web:{WHO}", "erasing", "1"),)))
    service = room.service
    erasing = Erasing(service.repository, service.transactions, lambda: room.now, [forget])
    with pytest.raises(OSError, match="disk is full"):
        await erasing.work()
    assert await left_of(tmp_path) != [], "letters that are done with name them still"
    await getattr(erasing, again)()
    assert await left_of(tmp_path) == []
    assert len(forgotten) == 2 * len(set(forgotten)), "each platform was told again"
    await getattr(erasing, again)()
    assert len(forgotten) == 2 * len(set(forgotten)), "and never more"


async def test_whoever_moves_meanwhile_writes_nothing_of_them_back(room: ChatRoom, tmp_path: Path) -> None:
    await lived(room)
    await room.store.commit(Change(settings=((f"web:{WHO}", "erasing", "1"),)))
    talk = [room.message("Ben", text, thread="1") for text in ("board", "draw", "note a plan", "matches", "link 1")]
    talk += [room.message("Cleo", "link 1", thread="", channel="attic")]
    await asyncio.gather(room.erasing.work(), *(room.service.receive(one) for one in talk))
    await room.deliver()
    assert await left_of(tmp_path) == []


async def test_an_export_holds_what_is_kept_and_goes_to_nobody_else(room: ChatRoom) -> None:
    await lived(room)
    (post,) = await room.say(NAME, "privacy export")
    assert post.only is not None
    assert post.only.id == WHO
    assert post.file == "riposte-export.json"
    told = msgspec.json.decode("".join(getattr(span, "text", span) for span in post.text).encode())
    assert {one["account"] for one in told["accounts"]} == {f"web:{WHO}", "matrix:zachm"}
    settings = next(one["settings"] for one in told["accounts"] if one["account"] == f"web:{WHO}")
    assert "Europe/Berlin" in settings["zone"]
    assert settings["note 1"] == "watch the left side"
    assert {one["match"] for one in told["matches"]} == {"1", "3", "4"}
    assert "Riposte record 1" in next(one for one in told["matches"] if one["match"] == "1")["record"]


async def test_an_export_names_a_challenge_that_nobody_has_accepted_and_has_no_record_of_it(room: ChatRoom) -> None:
    await room.say("Anna", "challenge tokonoma")
    (post,) = await room.say("Anna", "privacy export")
    told = msgspec.json.decode("".join(getattr(span, "text", span) for span in post.text).encode())
    assert told["matches"] == [{"match": "1", "game": "tokonoma", "status": "open"}]


def test_every_field_of_an_event_that_names_a_person_is_stored_as_a_number() -> None:
    """By the annotations in the source: `Player` is a plain word at run time."""
    import ast

    named: set[str] = set()
    for file in (*(ROOT / "engine" / "match" / "events").glob("*.py"), ROOT / "bot" / "club" / "events.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef) and node.name not in ("ArbiterAct", "Outcome"):
                fields = (one for one in node.body if isinstance(one, ast.AnnAssign))
                named |= {ast.unparse(one.target) for one in fields if "Player" in ast.unparse(one.annotation)}
    assert Player is str
    assert named == HOLDERS.keys() - {"seatings"}  # parts, whose own fields are looked at


@pytest.mark.parametrize("file", ["0.1.0.db", "0.2.0-veney.db"])
@pytest.mark.sqlite
async def test_the_logs_of_earlier_versions_hold_numbers_too(file: str, tmp_path: Path) -> None:
    for name, target in ((file, "riposte.db"), ("test.key", "riposte.key")):
        shutil.copy(ROOT / "tests" / "databases" / name, tmp_path / target)
    store = await opened(tmp_path / "riposte.db")
    matches = await store.matches()
    assert matches
    for summary in matches:
        assert replay([read_event(one.body) for one in await store.load(summary.match)], check=True) is not None
    await store.close()
    sealer = read_key(tmp_path / "riposte.key")
    assert sealer is not None
    with closing(sqlite3.connect(tmp_path / "riposte.db")) as db:
        for match, name, seq, body in db.execute(
            "SELECT events.match, matches.match, seq, body FROM events JOIN matches ON matches.number = events.match"
        ):
            event = msgspec.json.decode(sealer.open(body, "events", name, seq))
            assert isinstance(event.get("by", 0), int) or event["by"] == "", match
            assert all(isinstance(one, int) for one in event.get("invited", ()))
            assert all(isinstance(one, int) for one in event.get("seats", {}).values())


async def test_the_log_holds_no_words_that_people_wrote(room: ChatRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    with structlog.testing.capture_logs() as lines:
        await lived(room)
        await room.say(NAME, "challenge @ben nonsensical-words-of-mine")
        await room.say(NAME, "note 1 nonsensical-words-of-mine", thread="1")
        await room.say(NAME, "nonsensical-words-of-mine a1b2", thread="1")
        await erased(room)
    assert lines
    told = str(lines)
    assert "nonsensical" not in told
    assert WHO not in told.lower()
