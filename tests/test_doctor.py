"""The doctor finds what is wrong, names the remedy, and tells no secret; what is well is said to be well."""

import json
import socket
import sqlite3
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from bot.adapters.discord.doctor import NEEDED, invitation, invite
from bot.adapters.matrix.encryption.identity import identify
from bot.adapters.matrix.session import enter
from bot.checks import clock
from bot.cli.doctor import report
from bot.commands.spec import COMMANDS
from render.lettering import font
from storage import open_store
from storage.store import Change
from tests.chat_room import ChatRoom, open_room
from tests.discord_standin import StandIn, redirected
from tests.discord_standin.traffic import Trouble
from tests.synapse.fixtures import Start
from tests.synapse.server import Homeserver


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An own folder, with nothing set up but a free port."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RIPOSTE_PORT", "0")
    monkeypatch.setenv("RIPOSTE_KEY_FILE", "data/riposte.key")  # as in the room
    return tmp_path


@pytest.fixture
async def room(here: Path) -> AsyncIterator[ChatRoom]:
    """Riposte runs in `data`; matches 1 and 2 are open."""
    (here / "data").mkdir(mode=0o700)
    room = await open_room(here / "data")
    await room.say("anna", "challenge @ben tokonoma")
    await room.say("carol", "challenge @dave tokonoma")
    yield room
    await room.store.close()


async def examined(capsys: pytest.CaptureFixture[str], *, quick: bool = False) -> list[str]:
    """The report, whose last word fits its lines."""
    capsys.readouterr()
    faults = await report(quick)
    lines = capsys.readouterr().out.splitlines()
    assert faults is any(line.startswith("FAULT") for line in lines)
    assert all(line.startswith(("ok: ", "warn: ", "FAULT: ")) for line in lines)
    return lines


def wrong(lines: list[str]) -> list[str]:
    return [line for line in lines if not line.startswith("ok")]


# --- all is well --------------------------------------------------------------------------------------------
async def test_before_the_first_start_all_is_well(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = await examined(capsys)
    assert wrong(lines) == []
    assert "ok: there is no database data/riposte.db yet; the first start makes it." in lines
    assert "ok: Discord is not set up (RIPOSTE_DISCORD_TOKEN is empty)." in lines
    assert "ok: Matrix is not set up (RIPOSTE_MATRIX_HOMESERVER is empty)." in lines
    assert list(here.iterdir()) == []


async def test_beside_a_running_riposte_all_is_well(room: ChatRoom, capsys: pytest.CaptureFixture[str]) -> None:
    lines = await examined(capsys)
    assert wrong(lines) == []
    running = "which a Riposte is running on, can be read: 2 matches, 2 events"
    assert f"ok: the database data/riposte.db, {running}." in lines


async def test_one_match_is_no_matches(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "data").mkdir(mode=0o700)
    room = await open_room(here / "data")
    await room.say("anna", "challenge @ben tokonoma")
    await room.store.close()
    assert any(line.endswith("can be read: 1 match, 1 event.") for line in await examined(capsys))


async def test_beside_a_riposte_that_has_ended_all_is_well(room: ChatRoom, capsys: pytest.CaptureFixture[str]) -> None:
    await room.store.close()
    lines = await examined(capsys)
    assert wrong(lines) == []
    assert any("which nobody is using" in line for line in lines)
    room.store = await open_store("data/riposte.db")  # the doctor holds nothing


# --- this machine -------------------------------------------------------------------------------------------
async def test_a_setting_that_cannot_be_is_found(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("RIPOSTE_MATRIX_HOMESERVER", "https://example.org")
    (line,) = await examined(capsys)
    assert line.startswith("FAULT: RIPOSTE_MATRIX_USER is missing: @riposte:example.org, say.")


async def test_settings_and_a_database_that_others_may_read_are_found(
    room: ChatRoom, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / ".env").write_text("RIPOSTE_MATRIX_PASSWORD=canary-8ad2\n")
    (here / ".env").chmod(0o644)
    (here / "data/riposte.db").chmod(0o640)
    settings, database = wrong(await examined(capsys))
    assert settings == (
        "warn: The file .env holds a secret, and others on this machine may read it. Close it: `chmod 600 .env`."
    )
    assert database.endswith("`chmod 600 data/riposte.db`")


async def test_a_game_of_ones_own_that_does_not_work_is_found(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("RIPOSTE_GAMES", str(here / "none"))
    (line,) = wrong(await examined(capsys))
    assert line.endswith("there is no such folder. Make it, or leave the setting empty.")


async def test_a_damaged_match_is_found(room: ChatRoom, capsys: pytest.CaptureFixture[str]) -> None:
    with sqlite3.connect("data/riposte.db") as db:
        db.execute("UPDATE events SET body = body || 'x' WHERE match = 1")
    db.close()
    (line,) = wrong(await examined(capsys))
    assert line.startswith("FAULT: damaged: match 1; all others are as they were written. Restore the database")


async def test_a_match_whose_row_is_gone_is_found(room: ChatRoom, capsys: pytest.CaptureFixture[str]) -> None:
    with sqlite3.connect("data/riposte.db") as db:
        for table in ("seats", "homes", "alarms"):
            db.execute(f"DELETE FROM {table} WHERE match = 2")
        db.execute("DELETE FROM matches WHERE number = 2")
    db.close()
    (line,) = wrong(await examined(capsys))
    assert line.startswith("FAULT: damaged: match 2;")


@pytest.mark.parametrize(
    ("hurt", "fact"),
    [
        (lambda raw: raw[:8192] + bytes(2048) + raw[10240:], "The database is damaged here"),
        (lambda raw: b"not a database at all" * 500, "This file is not a database of Riposte"),
    ],
)
async def test_a_damaged_database_is_found(
    room: ChatRoom, hurt: Callable[[bytes], bytes], fact: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    await room.store.close()
    file = here / "data/riposte.db"
    file.write_bytes(hurt(file.read_bytes()))
    (line,) = wrong(await examined(capsys))
    assert line.startswith(f"FAULT: data/riposte.db: {fact}. ")
    file.unlink()
    room.store = await open_store(file)


async def test_another_program_s_database_is_found(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "data").mkdir()
    with sqlite3.connect("data/riposte.db") as db:
        db.execute("CREATE TABLE theirs (x)")
    db.close()
    (here / "data/riposte.db").chmod(0o600)
    (line,) = wrong(await examined(capsys))
    assert "holds another program's data. Choose another file for Riposte's database." in line


async def test_a_clock_that_was_set_back_is_found(room: ChatRoom, capsys: pytest.CaptureFixture[str]) -> None:
    tomorrow = time.time_ns() // 1_000_000 + 86_400_000
    await room.store.commit(Change(settings=(("riposte", "alive", str(tomorrow)),)))
    (line,) = wrong(await examined(capsys))
    assert line.startswith("FAULT: the clock was set back")
    assert "timedatectl" in line


@pytest.mark.parametrize(
    ("free", "state"), [(10 << 20, "FAULT: 10 MiB are free"), (100 << 20, "warn: 100 MiB are free")]
)
async def test_a_full_disk_is_found(
    free: int, state: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    usage = type("usage", (), {"free": free})
    monkeypatch.setattr("bot.cli.doctor.shutil.disk_usage", lambda _folder: usage)
    (line,) = wrong(await examined(capsys))
    assert line.startswith(state)
    assert line.endswith("Free some space: without any, turns wait until there is.")


async def test_a_folder_that_cannot_be_is_found(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "file").touch()
    monkeypatch.setenv("RIPOSTE_DATA", "file/data")
    (line,) = wrong(await examined(capsys))
    assert "file cannot be written to. Give it to Riposte's user" in line


async def test_a_missing_font_is_found(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def missing(*_: object, **__: object) -> None:
        raise OSError("cannot open resource")

    monkeypatch.setattr("render.lettering.ImageFont.truetype", missing)
    font.cache_clear()
    (line,) = wrong(await examined(capsys))
    assert line.startswith("FAULT: boards cannot be drawn: OSError('cannot open resource'). Install Riposte again")


async def test_a_taken_port_is_found(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        monkeypatch.setenv("RIPOSTE_PORT", str(port))
        (line,) = wrong(await examined(capsys))
    assert line.startswith(f"warn: port {port} is taken: the web room will open on the next free one.")
    monkeypatch.setenv("RIPOSTE_WEB", "no")
    assert "ok: the web room is not turned on." in await examined(capsys)


# --- for health checks --------------------------------------------------------------------------------------
async def test_a_riposte_that_runs_and_is_awake_is_well(room: ChatRoom, capsys: pytest.CaptureFixture[str]) -> None:
    await room.store.commit(Change(settings=(("riposte", "alive", str(time.time_ns() // 1_000_000)),)))
    assert wrong(await examined(capsys, quick=True)) == []


async def test_a_riposte_that_is_not_awake_is_not_well(room: ChatRoom, capsys: pytest.CaptureFixture[str]) -> None:
    late = time.time_ns() // 1_000_000 - 601_000
    await room.store.commit(Change(settings=(("riposte", "alive", str(late)),)))
    (line,) = wrong(await examined(capsys, quick=True))
    assert line.startswith("FAULT: Riposte has not been awake for 10 minutes.")


async def test_no_riposte_is_not_well(capsys: pytest.CaptureFixture[str]) -> None:
    (line,) = wrong(await examined(capsys, quick=True))
    assert line == "FAULT: no Riposte is running here. Start it: `riposte run`."


# --- clocks -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("ahead", "state"), [(0, "ok"), (-29, "ok"), (29, "ok"), (31, "FAULT"), (-3600, "FAULT")])
def test_a_clock_is_held_against_a_server_s(ahead: int, state: str) -> None:
    found = clock("Sun, 22 Nov 2026 00:00:00 GMT", "Discord", lambda: 1795305600.0 + ahead)
    assert found is not None
    assert found.state == state
    assert (("ahead of" if ahead > 0 else "behind") in found.fact) is (state == "FAULT")


def test_a_server_that_does_not_tell_the_time_tells_nothing() -> None:
    assert clock("", "Discord", time.time) is None


# --- Matrix -------------------------------------------------------------------------------------------------
PASSWORD = "canary-8ad2"


@pytest.fixture
def bot(synapse: Homeserver, here: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The bot's account on a real homeserver, set up here."""
    user = synapse.register(f"bot-{abs(hash(here))}", PASSWORD)
    monkeypatch.setenv("RIPOSTE_MATRIX_HOMESERVER", synapse.address)
    monkeypatch.setenv("RIPOSTE_MATRIX_USER", user)
    monkeypatch.setenv("RIPOSTE_MATRIX_PASSWORD", PASSWORD)
    return user


async def started(synapse: Homeserver, bot: str) -> None:
    """Riposte has been started here once."""
    client = await enter(Path("data/matrix"), synapse.address, bot, password=PASSWORD)
    await identify(client, password=PASSWORD, show=lambda _key: None)
    await client.close()


async def test_what_is_well_on_matrix_before_the_first_start_is_told(
    synapse: Homeserver, bot: str, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = await examined(capsys)
    assert wrong(lines) == []
    assert f"ok: the homeserver {synapse.address} answers." in lines
    assert "ok: the clock agrees with that of the homeserver." in lines
    assert f"ok: {bot} logs in at the first start." in lines
    assert not Path("data").exists()


async def test_what_is_well_on_matrix_after_the_first_start_is_told(
    synapse: Homeserver, bot: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    await started(synapse, bot)
    monkeypatch.delenv("RIPOSTE_MATRIX_PASSWORD")
    lines = await examined(capsys)
    assert wrong(lines) == []
    assert any(line.startswith(f"ok: {bot} is logged in as device ") for line in lines)
    assert "ok: the device is signed by the bot's identity: encrypted rooms are open to it." in lines
    assert f"users/{bot}/override_ratelimit" in lines[-1]
    login = json.loads(Path("data/matrix/session.json").read_text())
    assert not any(login["token"] in line or PASSWORD in line for line in lines)


async def test_a_first_start_without_a_password_is_found(
    bot: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("RIPOSTE_MATRIX_PASSWORD")
    (line,) = wrong(await examined(capsys))
    told = "FAULT: Riposte has not logged in to Matrix yet. Set RIPOSTE_MATRIX_PASSWORD for the first start."
    assert line == told


async def test_a_homeserver_without_passwords_is_found(
    own_synapse: Start, here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    homeserver = own_synapse(password_config={"enabled": False})
    monkeypatch.setenv("RIPOSTE_MATRIX_HOMESERVER", homeserver.address)
    monkeypatch.setenv("RIPOSTE_MATRIX_USER", "@bot:riposte.test")
    monkeypatch.setenv("RIPOSTE_MATRIX_PASSWORD", PASSWORD)
    (line,) = wrong(await examined(capsys))
    assert line.startswith("FAULT: the homeserver takes no passwords. Log in as the bot another way")


async def test_a_token_of_somebody_else_s_is_found(
    synapse: Homeserver, bot: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    other = synapse.register(f"other-of-{bot[1:].partition(':')[0]}", "other")
    monkeypatch.setenv("RIPOSTE_MATRIX_TOKEN", synapse.log_in(other, "other"))
    (line,) = wrong(await examined(capsys))
    assert line == f"FAULT: RIPOSTE_MATRIX_TOKEN belongs to {other}. Set RIPOSTE_MATRIX_USER={other}."
    monkeypatch.setenv("RIPOSTE_MATRIX_TOKEN", "nobody-s")
    (line,) = wrong(await examined(capsys))
    assert line.startswith("FAULT: the homeserver does not take RIPOSTE_MATRIX_TOKEN.")


def log_out(synapse: Homeserver, token: str) -> None:
    synapse.ask("POST", "/_matrix/client/v3/logout", {}, token=token)


def forget(name: str) -> Callable[[Homeserver, str], None]:
    return lambda _synapse, _token: Path("data/matrix", name).unlink()


@pytest.mark.parametrize(
    ("hurt", "fact", "remedy"),
    [
        (log_out, "does not know the bot's login any more", "To log in as a new device"),
        (forget("keys.db"), "The keys of the bot's Matrix device", "Restore it from a backup"),
        (forget("session.json"), "holds the keys of a login, but not the login itself", "Restore session.json"),
        (forget("identity.json"), "identity.json is gone", "Restore it from a backup"),
    ],
    ids=["logged out", "keys", "login", "identity"],
)
async def test_what_is_lost_of_a_login_is_found(
    synapse: Homeserver,
    bot: str,
    hurt: Callable[[Homeserver, str], None],
    fact: str,
    remedy: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    await started(synapse, bot)
    hurt(synapse, json.loads(Path("data/matrix/session.json").read_text())["token"])
    (line,) = wrong(await examined(capsys))
    assert line.startswith("FAULT: ")
    assert fact in line
    assert remedy in line


async def test_a_device_that_nobody_has_signed_is_found(
    synapse: Homeserver, bot: str, capsys: pytest.CaptureFixture[str]
) -> None:
    client = await enter(Path("data/matrix"), synapse.address, bot, password=PASSWORD)
    (line,) = wrong(await examined(capsys))
    assert line.startswith("warn: nobody can encrypt for the bot yet")
    await client.keys_upload()
    await client.close()
    (line,) = wrong(await examined(capsys))
    assert line.startswith("warn: the bot has no identity on Matrix yet, so newer clients shut it out")


async def test_an_address_without_a_homeserver_is_found(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def known(_request: web.Request) -> web.Response:
        return web.json_response({"m.homeserver": {"base_url": "https://matrix.example.org/"}})

    app = web.Application()
    app.router.add_get("/.well-known/matrix/client", known)
    async with TestServer(app) as server:
        address = str(server.make_url("")).rstrip("/")
        monkeypatch.setenv("RIPOSTE_MATRIX_HOMESERVER", address)
        monkeypatch.setenv("RIPOSTE_MATRIX_USER", "@bot:localhost")
        (line,) = wrong(await examined(capsys))
    assert line.startswith(f"FAULT: {address} is no homeserver: it answers with status 404.")
    assert line.endswith("set RIPOSTE_MATRIX_HOMESERVER=https://matrix.example.org.")


async def test_a_homeserver_out_of_reach_is_found(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as nobody:
        address = f"http://127.0.0.1:{nobody.getsockname()[1]}"
    monkeypatch.setenv("RIPOSTE_MATRIX_HOMESERVER", address)
    monkeypatch.setenv("RIPOSTE_MATRIX_USER", "@bot:localhost")
    (line,) = wrong(await examined(capsys))
    assert line.startswith(f"FAULT: {address} cannot be reached")
    assert line.endswith("Check the address in RIPOSTE_MATRIX_HOMESERVER, and the network.")


# --- Discord ------------------------------------------------------------------------------------------------
@pytest.fixture
async def standin(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[StandIn]:
    """A Discord that knows the bot's token; a club with a channel for games."""
    async with StandIn() as standin:
        monkeypatch.setenv("RIPOSTE_DISCORD_TOKEN", standin.token)
        standin.guild("The club", standin.person("Anna")).channel("games")
        with redirected(standin):
            yield standin


def registered(standin: StandIn, *without: str) -> None:
    names = {command.group or command.name for command in COMMANDS} - set(without)
    standin.world.registry.by_guild[0] = [{"name": name, "type": 1} for name in sorted(names)]


async def test_what_is_well_on_discord_is_told(standin: StandIn, capsys: pytest.CaptureFixture[str]) -> None:
    registered(standin)
    lines = await examined(capsys)
    assert wrong(lines) == []
    assert f"ok: Discord knows the bot as {standin.bot.json()['username']}." in lines
    assert "ok: on The club it can play in 1 channel." in lines
    assert "ok: no privileged intent is needed." in lines
    assert "ok: the clock agrees with that of Discord." in lines
    assert not any(standin.token in line for line in lines)


async def test_a_wrong_token_is_found(
    standin: StandIn, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("RIPOSTE_DISCORD_TOKEN", "canary-8ad2")
    (line,) = wrong(await examined(capsys))
    assert line.startswith("FAULT: Discord does not take the bot's token. Make a new one")
    assert "canary" not in line


async def test_commands_that_are_not_registered_are_found(standin: StandIn, capsys: pytest.CaptureFixture[str]) -> None:
    (line,) = wrong(await examined(capsys))
    assert line == "warn: no slash command is registered yet. Start Riposte: it registers them."
    registered(standin, "move", "board")
    (line,) = wrong(await examined(capsys))
    assert line == "warn: slash commands are missing: board, move. Start Riposte: it registers them."


async def test_missing_permissions_are_found(standin: StandIn, capsys: pytest.CaptureFixture[str]) -> None:
    registered(standin)
    (guild,) = standin.world.guilds.values()
    closed = guild.channel("staff")
    closed.deny("view_channel")
    guild.channels[0].deny("attach_files", "send_messages_in_threads")
    (line,) = wrong(await examined(capsys))
    assert line.startswith("warn: on The club the bot lacks Attach Files, Send Messages in Threads in #games.")
    assert invitation(standin.world.application) in line


async def test_a_bot_on_no_server_gets_its_link(standin: StandIn, capsys: pytest.CaptureFixture[str]) -> None:
    registered(standin)
    standin.world.guilds.clear()
    (line,) = wrong(await examined(capsys))
    assert line == f"warn: the bot is on no server yet. Invite it: {invitation(standin.world.application)}"
    assert await invite(standin.token) == invitation(standin.world.application)
    with pytest.raises(OSError, match="does not take the bot's token"):
        await invite("another")


@pytest.mark.parametrize("trouble", ["502", "cut"])
async def test_a_discord_in_trouble_is_told(
    standin: StandIn, trouble: Trouble, capsys: pytest.CaptureFixture[str]
) -> None:
    standin.fail("GET", "/users/@me", trouble, times=9)
    (line,) = wrong(await examined(capsys))
    assert line.startswith("FAULT: Discord ")
    assert "https://discordstatus.com" in line


def test_the_bot_asks_for_what_it_needs_and_nothing_that_hurts() -> None:
    assert NEEDED.value == 309237746688
    assert not NEEDED & type(NEEDED).elevated()
    assert "scope=bot+applications.commands" in invitation(1)
