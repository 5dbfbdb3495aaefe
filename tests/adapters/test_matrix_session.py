"""A login on Matrix is made once; what is lost of it is told of, and never mended by a second login."""

import json
import shutil
import socket
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from structlog.testing import capture_logs

from bot.adapters.matrix.client import Client
from bot.adapters.matrix.session import Login, enter
from bot.messages.model import Retry
from tests.synapse.server import Homeserver

Enter: TypeAlias = Callable[..., Any]
CANARY = "pass-canary-word"


@pytest.fixture
def bot(synapse: Homeserver, tmp_path: Path) -> str:
    """An account of this test's own."""
    return synapse.register(f"bot-{abs(hash(tmp_path))}", CANARY)


@pytest.fixture
async def start(synapse: Homeserver, tmp_path: Path, bot: str) -> AsyncIterator[Enter]:
    """Enters as a start of the program does; what was open is closed, like the end of a program does."""
    open_ones: list[Client] = []

    async def begin(**given: str) -> Client:
        for client in open_ones:
            await client.close()
        open_ones[:] = [await enter(tmp_path / "matrix", synapse.address, bot, **given)]
        return open_ones[0]

    yield begin
    for client in open_ones:
        await client.close()


def devices(synapse: Homeserver, bot: str) -> list[str]:
    """All devices of the bot, as the server has them."""
    token = synapse.log_in(bot, CANARY)
    found = synapse.ask("GET", "/_matrix/client/v3/devices", token=token)["devices"]
    synapse.ask("POST", "/_matrix/client/v3/logout", {}, token=token)
    return [device["device_id"] for device in found if device.get("display_name") == "Riposte"]


async def test_the_first_start_logs_in_and_says_so_and_later_ones_take_it_up(
    synapse: Homeserver, bot: str, start: Enter, tmp_path: Path
) -> None:
    with capture_logs() as logs:
        first = await start(password=CANARY)
        await first.keys_upload()
    device, fingerprint = first.device_id, first.fingerprint
    told = [line for line in logs if "new device" in line["event"]]
    assert [(line["user"], line["device"]) for line in told] == [(bot, device)]
    with capture_logs() as logs:
        for given in ({}, {"password": CANARY}):
            again = await start(**given)
            assert (again.device_id, again.fingerprint) == (device, fingerprint)
    assert logs == []
    assert devices(synapse, bot) == [device]


async def test_an_access_token_does_as_well_as_a_password(synapse: Homeserver, bot: str, start: Enter) -> None:
    token = synapse.log_in(bot, CANARY)
    device = synapse.ask("GET", "/_matrix/client/v3/account/whoami", token=token)["device_id"]
    assert (await start(token=token)).device_id == device
    assert (await start()).device_id == device


async def test_a_login_that_was_cut_off_is_taken_up_with_the_same_device(
    synapse: Homeserver, bot: str, start: Enter, tmp_path: Path
) -> None:
    device = (await start(password=CANARY)).device_id
    session = tmp_path / "matrix" / "session.json"
    session.write_text(json.dumps(json.loads(session.read_text()) | {"token": ""}))
    assert (await start(password=CANARY)).device_id == device
    (tmp_path / "matrix" / "keys.db").unlink()
    session.write_text(json.dumps(json.loads(session.read_text()) | {"token": ""}))
    assert (await start(password=CANARY)).device_id == device
    assert devices(synapse, bot) == [device]


async def test_what_is_kept_is_for_the_bots_eyes_only(start: Enter, tmp_path: Path) -> None:
    client = await start(password=CANARY)
    folder = tmp_path / "matrix"
    assert folder.stat().st_mode & 0o077 == 0
    assert {file.name: oct(file.stat().st_mode & 0o777) for file in folder.iterdir()} == {
        "session.json": "0o600",
        "keys.db": "0o600",
    }
    kept = json.loads((folder / "session.json").read_text())
    assert kept["token"] == client.access_token
    assert CANARY not in (folder / "session.json").read_text()
    assert kept["token"] not in repr(Login(**kept))


async def test_a_slip_in_the_first_start_is_told_of_without_the_password_and_can_be_mended(
    synapse: Homeserver, start: Enter, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    folder = tmp_path / "matrix"
    with pytest.raises(OSError, match="Set RIPOSTE_MATRIX_PASSWORD for the first start"):
        await start()
    with pytest.raises(OSError, match=r"refuses the password in RIPOSTE_MATRIX_PASSWORD: .* \(M_FORBIDDEN\)") as error:
        await start(password="wrong-canary-word")
    assert "canary" not in str(error.value)
    with pytest.raises(OSError, match="M_FORBIDDEN"):
        await enter(folder, synapse.address, "@nobody:riposte.test", password=CANARY)
    client = await start(password=CANARY)
    assert "canary" not in caplog.text
    assert client.access_token not in caplog.text


async def test_a_token_that_somebody_else_has_is_refused(synapse: Homeserver, bot: str, start: Enter) -> None:
    other = synapse.log_in(synapse.register(f"other-{bot[1:].split(':', maxsplit=1)[0]}"))
    with pytest.raises(OSError, match=r"belongs to @other-.*, or set RIPOSTE_MATRIX_USER=@other-"):
        await start(token=other)
    with pytest.raises(OSError, match="The homeserver does not know"):
        await start(token="syt_nothing")


async def test_a_login_that_somebody_ended_is_not_made_anew(synapse: Homeserver, bot: str, start: Enter) -> None:
    client = await start(password=CANARY)
    synapse.ask("POST", "/_matrix/client/v3/logout", {}, token=client.access_token)
    with pytest.raises(OSError, match=r"logged it out\. .* move session\.json and keys\.db out of .*, set RIPOSTE_MAT"):
        await client.sync()
    with pytest.raises(OSError, match=r"logged it out\. To log in as a new device"):
        await start(password=CANARY)
    assert devices(synapse, bot) == []


@pytest.mark.parametrize(
    ("lost", "said"),
    [
        ("keys.db", r"keys of the bot's Matrix device .* are gone.*Restore it from a backup"),
        ("session.json", r"holds the keys of a login, but not the login itself.*Restore session.json"),
    ],
)
async def test_half_a_login_is_none(
    synapse: Homeserver, bot: str, start: Enter, tmp_path: Path, lost: str, said: str
) -> None:
    device = (await start(password=CANARY)).device_id
    (tmp_path / "matrix" / lost).unlink()
    with pytest.raises(OSError, match=said):
        await start(password=CANARY)
    assert devices(synapse, bot) == [device]


async def test_damaged_keys_are_told_of_before_they_are_used(start: Enter, tmp_path: Path) -> None:
    await start(password=CANARY)
    keys = tmp_path / "matrix" / "keys.db"
    whole = keys.read_bytes()
    page = int.from_bytes(whole[16:18], "big")
    for at in range(page, len(whole) - page, page):
        keys.write_bytes(whole[:at] + bytes([255]) * page + whole[at + page :])
        with pytest.raises(OSError, match=r"keys\.db"):
            await start()
    keys.write_bytes(whole)
    await start()


async def test_keys_of_another_device_are_refused(synapse: Homeserver, bot: str, start: Enter, tmp_path: Path) -> None:
    client = await start(password=CANARY)
    await client.keys_upload()
    device = client.device_id
    other = await enter(tmp_path / "other", synapse.address, bot, password=CANARY)
    await other.close()
    kept = tmp_path / "matrix" / "keys.db"
    kept.rename(tmp_path / "kept.db")
    shutil.copy(tmp_path / "other" / "keys.db", kept)
    with pytest.raises(OSError, match=rf"holds the keys of {other.device_id} of {bot}, not of {device}"):
        await start()
    # The right names with wrong keys, as an empty store that nio has filled would have.
    stranger = Client(synapse.address, bot, tmp_path / "stranger")
    (tmp_path / "stranger").mkdir()
    stranger.restore_login(bot, device, "no token")
    await stranger.close()
    shutil.copy(tmp_path / "stranger" / "keys.db", kept)
    with pytest.raises(OSError, match="does not hold the keys that the homeserver knows of device"):
        await start()
    kept.write_bytes(b"not a database" * 100)
    with pytest.raises(OSError, match=r"keys\.db is damaged. Restore it from a backup."):
        await start()
    shutil.copy(tmp_path / "kept.db", kept)
    assert (await start()).device_id == device


async def test_a_login_of_somebody_else_or_for_elsewhere_is_refused(
    synapse: Homeserver, bot: str, start: Enter, tmp_path: Path
) -> None:
    await start(password=CANARY)
    folder = tmp_path / "matrix"
    with pytest.raises(OSError, match=rf"is the login of {bot}, not of @else:riposte\.test.*RIPOSTE_MATRIX_USER={bot}"):
        await enter(folder, synapse.address, "@else:riposte.test", password=CANARY)
    with pytest.raises(OSError, match=r"is a login on http://127.*, not on http://elsewhere.*change the address"):
        await enter(folder, "http://elsewhere", bot)
    (folder / "session.json").write_text("{")
    with pytest.raises(OSError, match=r"session\.json is damaged"):
        await start()


async def test_a_homeserver_that_has_forgotten_the_keys_is_told_them_again(start: Enter) -> None:
    client = await start(password=CANARY)
    client.olm.account.shared = True
    client.olm.save_account()
    again = await start()
    assert again.should_upload_keys
    await again.keys_upload()
    assert not (await start()).should_upload_keys


async def test_a_homeserver_that_is_away_is_tried_again(tmp_path: Path) -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{nobody.getsockname()[1]}"
        with pytest.raises(Retry):
            await enter(tmp_path, address, "@riposte:riposte.test", password="x")
