"""The bot's device on Matrix is signed by an identity that anybody can check and its owner can recover."""

import asyncio
import hmac
import json
import os
import sys
from collections.abc import Mapping
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import vodozemac
from aiohttp import web
from aiohttp.test_utils import TestServer
from Crypto.Cipher import AES
from hypothesis import given
from hypothesis import strategies as st

from bot.adapters.matrix.client import Client
from bot.adapters.matrix.encryption.identity import Identity, identify
from bot.adapters.matrix.encryption.recovery import base64, describe, seal, unbase64, write_key
from bot.adapters.matrix.errors import Answer
from bot.adapters.matrix.session import enter
from tests.synapse.server import Homeserver

NUMBERS = count(1)
PASSWORD = "canary-password"
ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


def read_key(written: str) -> bytes:
    """A recovery key as another client reads it."""
    number = 0
    for letter in written.replace(" ", ""):
        number = number * 58 + ALPHABET.index(letter)
    data = number.to_bytes(35, "big")
    parity = 0
    for byte in data:
        parity ^= byte
    assert (data[:2], parity) == (b"\x8b\x01", 0)
    return data[2:34]


def unseal(key: bytes, name: str, kept: Mapping[str, str]) -> str | None:
    """A secret as another client opens it; None where key or name are not those that it was sealed with."""
    step = hmac.digest(bytes(32), key, "sha256")
    first = hmac.digest(step, name.encode() + b"\x01", "sha256")
    second = hmac.digest(step, first + name.encode() + b"\x02", "sha256")
    sealed = unbase64(kept["ciphertext"])
    if base64(hmac.digest(second, sealed, "sha256")) != kept["mac"]:
        return None
    return _cipher(first, kept["iv"]).decrypt(sealed).decode()


def is_for(told: Mapping[str, str], key: bytes) -> bool:
    """Whether a key is the one that was described: then 32 zeros come out as told."""
    first = hmac.digest(hmac.digest(bytes(32), key, "sha256"), b"\x01", "sha256")
    sealed = base64(_cipher(first, told["iv"]).encrypt(bytes(32)))
    return unseal(key, "", {**told, "ciphertext": sealed}) == "\0" * 32


def _cipher(key: bytes, start: str) -> Any:
    return AES.new(key, AES.MODE_CTR, nonce=b"", initial_value=unbase64(start))


def verify(signed: Mapping[str, Any], user: str, public: str, key_id: str) -> None:
    """Raises where the signature under the JSON is not by this key."""
    bare = {name: value for name, value in signed.items() if name not in ("signatures", "unsigned")}
    text = json.dumps(bare, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()
    signature = vodozemac.Ed25519Signature.from_base64(signed["signatures"][user][key_id])
    vodozemac.Ed25519PublicKey.from_base64(public).verify_signature(text, signature)


def only(key: Mapping[str, Any]) -> str:
    """The one public key in it."""
    (public,) = key["keys"].values()
    return str(public)


def check_what_others_see(server: Homeserver, bot: str, device: str) -> str:
    """Somebody else verifies the chain, the bot's owner the rest of the signatures; gives the bot's master key."""
    other = server.log_in(server.register(f"witness-{next(NUMBERS)}"))
    known = server.ask("POST", "/_matrix/client/v3/keys/query", {"device_keys": {bot: []}}, token=other)
    master, signing = known["master_keys"][bot], known["self_signing_keys"][bot]
    published = known["device_keys"][bot][device]
    verify(signing, bot, only(master), f"ed25519:{only(master)}")
    verify(published, bot, only(signing), f"ed25519:{only(signing)}")
    own = server.log_in(bot, PASSWORD)
    known = server.ask("POST", "/_matrix/client/v3/keys/query", {"device_keys": {bot: []}}, token=own)
    verify(known["master_keys"][bot], bot, published["keys"][f"ed25519:{device}"], f"ed25519:{device}")
    assert known["master_keys"][bot]["keys"] == master["keys"]
    return only(master)


def recover(server: Homeserver, bot: str, password: str, recovery_key: str) -> Identity:
    """The identity as another client of the bot's owner finds it, with the recovery key alone."""
    token, key = server.log_in(bot, password), read_key(recovery_key)

    def stored(kind: str) -> Any:
        return server.ask("GET", f"/_matrix/client/v3/user/{bot}/account_data/{kind}", token=token)

    name = stored("m.secret_storage.default_key")["key"]
    told = stored(f"m.secret_storage.key.{name}")
    assert told["algorithm"] == "m.secret_storage.v1.aes-hmac-sha2"
    assert is_for(told, key)
    roles = ("master", "self_signing", "user_signing")
    sealed = {role: stored(f"m.cross_signing.{role}")["encrypted"][name] for role in roles}
    seeds = {role: unseal(key, f"m.cross_signing.{role}", sealed[role]) for role in roles}
    return Identity(**{role: seed or "" for role, seed in seeds.items()})


@pytest.fixture
def bot(synapse: Homeserver) -> str:
    """An account of this test's own."""
    return synapse.register(f"signed-{next(NUMBERS)}-{id(synapse)}", PASSWORD)


async def start(
    server: Homeserver, bot: str, folder: Path, password: str = PASSWORD, recovery: str = ""
) -> tuple[str, list[str]]:
    """What a start of the program does; gives the device and what was shown."""
    shown: list[str] = []
    client = await enter(folder, server.address, bot, password=password)
    try:
        await identify(client, password=password, recovery=recovery, show=shown.append)
        return str(client.device_id), shown
    finally:
        await client.close()


async def test_anybody_can_verify_the_bots_device_and_its_owner_can_recover_the_identity(
    synapse: Homeserver, bot: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    device, (key,) = await start(synapse, bot, tmp_path)
    master = check_what_others_see(synapse, bot, device)
    found = recover(synapse, bot, PASSWORD, key)
    kept = json.loads((tmp_path / "identity.json").read_text())
    assert found == Identity(**kept)
    assert found.public("master") == master
    assert kept["recovery"] == ""
    assert (tmp_path / "identity.json").stat().st_mode & 0o777 == 0o600
    other = synapse.log_in(synapse.register(f"witness-{next(NUMBERS)}"))
    known = synapse.ask("POST", "/_matrix/client/v3/keys/query", {"device_keys": {bot: []}}, token=other)
    mine = known["device_keys"][bot][device]["keys"][f"ed25519:{device}"]
    verify(known["master_keys"][bot], bot, mine, f"ed25519:{device}")
    token = synapse.log_in(bot, PASSWORD)
    known = synapse.ask("POST", "/_matrix/client/v3/keys/query", {"device_keys": {bot: []}}, token=token)
    users = known["user_signing_keys"][bot]
    verify(users, bot, master, f"ed25519:{master}")
    assert only(users) == found.public("user_signing")
    for secret in (key, PASSWORD, *(getattr(found, role) for role in ("master", "self_signing", "user_signing"))):
        assert secret not in caplog.text
        assert secret not in repr(found)


async def test_later_starts_change_nothing_and_show_nothing(synapse: Homeserver, bot: str, tmp_path: Path) -> None:
    device, _ = await start(synapse, bot, tmp_path)
    master = check_what_others_see(synapse, bot, device)
    before = (tmp_path / "identity.json").read_bytes()
    assert await start(synapse, bot, tmp_path, password="") == (device, [])
    assert check_what_others_see(synapse, bot, device) == master
    assert (tmp_path / "identity.json").read_bytes() == before


async def test_a_new_device_is_signed_by_the_same_identity(synapse: Homeserver, bot: str, tmp_path: Path) -> None:
    old, _ = await start(synapse, bot, tmp_path)
    master = check_what_others_see(synapse, bot, old)
    for name in ("session.json", "keys.db"):
        (tmp_path / name).unlink()
    new, shown = await start(synapse, bot, tmp_path)
    assert new != old
    assert shown == []
    assert check_what_others_see(synapse, bot, new) == master


async def test_the_recovery_key_brings_a_lost_identity_back(synapse: Homeserver, bot: str, tmp_path: Path) -> None:
    _, (key,) = await start(synapse, bot, tmp_path)
    kept = (tmp_path / "identity.json").read_bytes()
    for lost in tmp_path.iterdir():
        lost.unlink()
    with pytest.raises(OSError, match="does not open"):
        await start(synapse, bot, tmp_path, recovery=f"{key[:-1]}{'1' if key[-1] != '1' else '2'}")
    device, shown = await start(synapse, bot, tmp_path, recovery=f" {key.replace(' ', '')}")
    assert (tmp_path / "identity.json").read_bytes() == kept
    assert shown == []
    check_what_others_see(synapse, bot, device)


async def test_the_program_takes_the_recovery_key_as_a_setting(synapse: Homeserver, bot: str, tmp_path: Path) -> None:
    identity = tmp_path / "data/matrix/identity.json"
    _, (key,) = await start(synapse, bot, identity.parent)
    kept = identity.read_bytes()
    identity.unlink()
    told = {"HOMESERVER": synapse.address, "USER": bot, "PASSWORD": PASSWORD, "RECOVERY_KEY": key}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot", "run"),
        cwd=tmp_path,
        env={
            **{name: value for name, value in os.environ.items() if not name.startswith("RIPOSTE_")},
            **{f"RIPOSTE_MATRIX_{name}": value for name, value in told.items()},
            "RIPOSTE_WEB_ROOM": "no",
            "PYTHONPATH": str(Path(__file__).parents[2]),
        },
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        async with asyncio.timeout(60):
            while not identity.exists() or identity.read_bytes() != kept:
                await asyncio.sleep(0.02)
    finally:
        process.terminate()
        await process.wait()


class Mortal(Client):
    """A client whose process dies when the homeserver has taken the n-th request, and before it answers."""

    left = 0

    async def ask(self, method: str, path: str, body: object = None, **more: Any) -> Answer:
        answer = await super().ask(method, path, body, **more)
        self.left -= 1
        if self.left == 0:
            raise KeyboardInterrupt
        return answer


async def test_a_start_that_dies_anywhere_is_gone_on_with(synapse: Homeserver, tmp_path: Path) -> None:
    for dies in count(1):
        bot, folder, shown = synapse.register(f"mortal-{next(NUMBERS)}", PASSWORD), tmp_path / str(dies), []
        await (await enter(folder, synapse.address, bot, password=PASSWORD)).close()
        kept = json.loads((folder / "session.json").read_text())
        client = Mortal(synapse.address, bot, folder)
        client.restore_login(bot, kept["device"], kept["token"])
        client.left = dies
        try:
            await identify(client, password=PASSWORD, show=shown.append)
        except KeyboardInterrupt:
            pass
        else:
            break
        finally:
            await client.close()
        device, again = await start(synapse, bot, folder)
        shown += again
        master = check_what_others_see(synapse, bot, device)
        assert recover(synapse, bot, PASSWORD, shown[0]).public("master") == master
        assert len(shown) == 1
    assert dies == 10, "a note, a query, the identity, the signatures, five deposits"


async def test_an_identity_made_elsewhere_is_replaced_only_when_its_owner_says_so(
    synapse: Homeserver, bot: str, tmp_path: Path
) -> None:
    device, _ = await start(synapse, bot, tmp_path / "elsewhere")
    theirs = check_what_others_see(synapse, bot, device)
    with pytest.raises(
        OSError, match=r"has an identity already, and .*identity\.json is missing\. Restore .*new-ident"
    ):
        await start(synapse, bot, tmp_path / "here")
    assert check_what_others_see(synapse, bot, device) == theirs
    (tmp_path / "here" / "new-identity").touch()
    with pytest.raises(OSError, match="wants the bot's password before"):
        await start(synapse, bot, tmp_path / "here", password="")
    with pytest.raises(OSError, match=r"refuses the bot's identity: .*\(M_FORBIDDEN\)") as error:
        await start(synapse, bot, tmp_path / "here", password="wrong-canary")
    assert "canary" not in str(error.value)
    device, (key,) = await start(synapse, bot, tmp_path / "here")
    ours = check_what_others_see(synapse, bot, device)
    assert ours != theirs
    assert recover(synapse, bot, PASSWORD, key).public("master") == ours
    assert not (tmp_path / "here" / "new-identity").exists()
    with pytest.raises(OSError, match=r"has an identity already, and it is not the one in .*identity\.json"):
        await start(synapse, bot, tmp_path / "elsewhere")


async def test_a_damaged_identity_is_told_of(synapse: Homeserver, bot: str, tmp_path: Path) -> None:
    await start(synapse, bot, tmp_path)
    (tmp_path / "identity.json").write_text("{")
    with pytest.raises(OSError, match=r"identity\.json is damaged\. Restore it from a backup"):
        await start(synapse, bot, tmp_path)


async def test_a_homeserver_where_people_allow_identities_on_a_page_is_told_of(tmp_path: Path) -> None:
    async def answer(request: web.Request) -> web.Response:
        if request.path.endswith("/keys/query"):
            return web.json_response({})
        flows = [{"stages": ["m.oauth"]}, {"stages": ["org.matrix.cross_signing_reset"]}]
        return web.json_response({"session": "dummy", "flows": flows}, status=401)

    page = web.Application()
    page.router.add_post("/_matrix/client/v3/keys/upload", _takes_keys)
    page.router.add_route("*", "/{rest:.*}", answer)
    async with TestServer(page) as server:
        client = Client(str(server.make_url("")).rstrip("/"), "@riposte:riposte.test", tmp_path)
        client.restore_login("@riposte:riposte.test", "DEVICE", "token")
        with pytest.raises(OSError, match="wants the account's owner to allow a new identity in person"):
            await identify(client, password=PASSWORD, show=print)
        await client.close()


async def _takes_keys(request: web.Request) -> web.Response:
    return web.json_response({"one_time_key_counts": {"signed_curve25519": 50}})


@given(st.binary(min_size=32, max_size=32), st.text(max_size=20), st.text(max_size=60))
def test_what_is_sealed_opens_with_its_key_and_name_alone(key: bytes, name: str, secret: str) -> None:
    assert read_key(write_key(key)) == key
    sealed = seal(key, name, secret)
    assert unseal(key, name, sealed) == secret
    assert unseal(key, name + "x", sealed) is None
    assert unseal(bytes(32) if any(key) else b"x" * 32, name, sealed) is None


def test_a_recovery_key_is_written_as_other_clients_write_it() -> None:
    key = bytes.fromhex("77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a")
    assert write_key(key) == "EsTc LW2K PGiF wKEA 3As5 g5c4 BXwk qeeJ ZJV8 Q9fu gUMN UE4d"
    assert is_for(describe(key), key)
    assert not is_for(describe(key), bytes(32))
