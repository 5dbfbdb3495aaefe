"""The bot's login on Matrix: made once, kept with its keys in the data folder, and never renewed without a person.

A second login would be a second device: it cannot read what only the first could, and would send again what that one
had sent, because homeservers know transactions by device. So a lost login is an error, and a person decides.
"""

import errno
import secrets
import sqlite3
import string
from contextlib import closing
from pathlib import Path

import msgspec
import structlog

from bot.adapters.matrix.client import Client
from bot.adapters.matrix.errors import granted, new_device, refuse
from bot.adapters.matrix.files import KEYS, SESSION, write_private
from storage.sqlite.errors import DATABASE_ERRORS, explain

log = structlog.get_logger(__name__)

WHOAMI = "/_matrix/client/v3/account/whoami"
LOGIN = "/_matrix/client/v3/login"
QUERY = "/_matrix/client/v3/keys/query"


class Login(msgspec.Struct, frozen=True, kw_only=True):
    """What is kept of a login; a first one that was interrupted has no token yet."""

    homeserver: str
    user: str
    device: str
    token: str = ""

    def __repr__(self) -> str:
        return f"Login({self.user} on {self.homeserver}, device {self.device})"


async def enter(folder: Path, homeserver: str, user: str, *, password: str = "", token: str = "") -> Client:
    """The client, logged in and with its keys; password or token are needed the first time only.

    Raises an OSError that tells a person what to do, or Retry while the homeserver cannot answer.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    kept = login_in(folder, homeserver, user)
    client = Client(homeserver, user, folder)
    try:
        if kept is None or not kept.token:
            await _first(client, folder, kept, password, token)
        else:
            require_keys(folder, kept)
            await _open(client, folder, kept)
    except BaseException:
        await client.close()
        raise
    (folder / KEYS).chmod(0o600)
    return client


def login_in(folder: Path, homeserver: str, user: str) -> Login | None:
    """The login in the folder, if it is the one that is meant."""
    path = folder / SESSION
    if not path.exists():
        if (folder / KEYS).exists():
            refuse(
                f"{folder} holds the keys of a login, but not the login itself",
                f"Restore {SESSION} from a backup. {new_device(folder)}",
            )
        return None
    path.chmod(0o600)
    try:
        kept = msgspec.json.decode(path.read_bytes(), type=Login)
    except (msgspec.DecodeError, UnicodeDecodeError):
        refuse(f"{path} is damaged", f"Restore it from a backup. {new_device(folder)}")
    if not kept.token and (kept.user, kept.homeserver) != (user, homeserver):
        return None  # an attempt with a slip in it
    if kept.user != user:
        refuse(
            f"{path} is the login of {kept.user}, not of {user}",
            f"Set RIPOSTE_MATRIX_USER={kept.user}, or move {folder} away and start again.",
        )
    if kept.homeserver != homeserver:
        # A token is worth an account, so it goes to no other server than the one that gave it.
        refuse(
            f"{path} is a login on {kept.homeserver}, not on {homeserver}",
            f"If the homeserver has moved, change the address in {path} too.",
        )
    return kept


async def _first(client: Client, folder: Path, kept: Login | None, password: str, token: str) -> None:
    """Log in for the first time; an interrupted login is continued with the same device."""
    if token:
        client.access_token = token
        device = await _device_of_token(client, folder)
    elif password:
        device = kept.device if kept else "".join(secrets.choice(string.ascii_uppercase) for _ in range(10))
    else:
        refuse("Riposte has not logged in to Matrix yet", "Set RIPOSTE_MATRIX_PASSWORD for the first start.")
    login = Login(homeserver=client.homeserver, user=client.user, device=device)
    # Written before the login, so that one that is cut off does not leave a device behind.
    write_private(folder / SESSION, msgspec.json.encode(login))
    if not token:
        asked = {
            "type": "m.login.password",
            "identifier": {"type": "m.id.user", "user": client.user},
            "password": password,
            "device_id": device,
            "initial_device_display_name": "Riposte",
        }
        made = granted(await client.ask("POST", LOGIN, asked), folder, "the password in RIPOSTE_MATRIX_PASSWORD")
        token = str(made.get("access_token", ""))
    login = msgspec.structs.replace(login, token=token)
    await _open(client, folder, login)
    write_private(folder / SESSION, msgspec.json.encode(login))
    log.info("logged in to Matrix as a new device", user=login.user, device=login.device)


async def _device_of_token(client: Client, folder: Path) -> str:
    found = granted(await client.ask("GET", WHOAMI), folder, "the access token in RIPOSTE_MATRIX_TOKEN")
    if found.get("user_id") != client.user:
        refuse(
            f"The access token in RIPOSTE_MATRIX_TOKEN belongs to {found.get('user_id')}",
            f"Give one of {client.user}, or set RIPOSTE_MATRIX_USER={found.get('user_id')}.",
        )
    device = found.get("device_id")
    if not isinstance(device, str):
        refuse("The access token in RIPOSTE_MATRIX_TOKEN has no device", "Set RIPOSTE_MATRIX_PASSWORD in its place.")
    return device


def require_keys(folder: Path, kept: Login) -> None:
    """Make sure that the keys are there and belong to the device: nio would silently make new ones."""
    path = folder / KEYS
    remedy = f"Restore it from a backup. {new_device(folder)}"
    if not path.exists():
        refuse(f"The keys of the bot's Matrix device {kept.device} are gone: there is no {path}", remedy)
    try:
        with closing(sqlite3.connect(path)) as keys:
            (sound,) = keys.execute("PRAGMA quick_check(1)").fetchone()
            found = keys.execute("SELECT user_id, device_id FROM accounts").fetchall()
    except DATABASE_ERRORS as error:
        known = explain(error)
        if isinstance(known, OSError) and known.errno == errno.EBADMSG:  # said of matches, it has another remedy
            refuse(f"{path} is damaged", remedy)
        reason = known.strerror if isinstance(known, OSError) else str(error)
        raise OSError(errno.EBADMSG, f"{path}: {reason} {new_device(folder)}") from error
    if sound != "ok":
        refuse(f"{path} is damaged: {' '.join(sound.split())}", remedy)
    if (kept.user, kept.device) not in found:
        others = ", ".join(f"{device} of {user}" for user, device in found) or "no device"
        refuse(f"{path} holds the keys of {others}, not of {kept.device} of {kept.user}", remedy)


async def _open(client: Client, folder: Path, login: Login) -> None:
    """Restore the login, and make sure that the homeserver knows the same device, with the same keys."""
    try:
        client.restore_login(login.user, login.device, login.token)
    except DATABASE_ERRORS as error:
        raise explain(error) from error
    found = granted(await client.ask("GET", WHOAMI), folder, "the bot's login")
    if (found.get("user_id"), found.get("device_id")) != (login.user, login.device):
        refuse(
            f"To the homeserver the login in {folder} is {found.get('device_id')} of {found.get('user_id')}, "
            f"not {login.device} of {login.user}",
            new_device(folder),
        )
    known = granted(
        await client.ask("POST", QUERY, {"device_keys": {login.user: [login.device]}}), folder, "a question"
    )
    device = known.get("device_keys", {}).get(login.user, {}).get(login.device)
    if device and device["keys"].get(f"ed25519:{login.device}") != client.fingerprint:
        refuse(
            f"{folder / KEYS} does not hold the keys that the homeserver knows of device {login.device}",
            f"Restore it from a backup. {new_device(folder)}",
        )
    if not device and client.olm is not None:
        client.olm.account.shared = False  # the homeserver was restored from before it knew them: publish them again
    await client.renew_keys()
