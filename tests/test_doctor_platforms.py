"""What the doctor finds wrong on Matrix and Discord, and what it says is well there."""

import json
import socket
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from bot.adapters.discord.doctor import invitation, invite
from bot.adapters.matrix.encryption.identity import identify
from bot.adapters.matrix.session import enter
from bot.commands.spec import COMMANDS
from tests.discord_standin import StandIn, redirected
from tests.discord_standin.traffic import Trouble
from tests.synapse.fixtures import Start
from tests.synapse.server import Homeserver
from tests.test_doctor import examined, wrong


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An own folder, with nothing set up but a free port."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RIPOSTE_PORT", "0")
    monkeypatch.setenv("RIPOSTE_KEY_FILE", "data/riposte.key")  # as in the room
    return tmp_path


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


def spoil(name: str, kept: int) -> Callable[[Homeserver, str], None]:
    """Damage a file from a byte on, as a disk does."""

    def spoilt(_synapse: Homeserver, _token: str) -> None:
        file = Path("data/matrix", name)
        whole = file.read_bytes()
        file.write_bytes(whole[:kept] + b"\x5a" * (len(whole) - kept))

    return spoilt


@pytest.mark.parametrize(
    ("hurt", "fact", "remedy"),
    [
        (log_out, "does not know the bot's login any more", "To log in as a new device"),
        (forget("keys.db"), "The keys of the bot's Matrix device", "Restore it from a backup"),
        (spoil("keys.db", 0), "keys.db is damaged", "Restore it from a backup. To log in as a new device"),
        (spoil("keys.db", 100), "keys.db is damaged", "Restore it from a backup. To log in as a new device"),
        (spoil("identity.json", 20), "identity.json is damaged", "Restore it from a backup"),
        (forget("session.json"), "holds the keys of a login, but not the login itself", "Restore session.json"),
        (forget("identity.json"), "identity.json is gone", "Restore it from a backup"),
    ],
    ids=["logged out", "keys", "keys damaged", "keys damaged inside", "identity damaged", "login", "identity"],
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
