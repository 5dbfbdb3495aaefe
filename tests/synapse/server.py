"""Synapse in a folder of its own: started, stopped, killed and started again on the same data."""

import hashlib
import hmac
import json
import os
import secrets
import select
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from base64 import b64encode
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

PATIENCE = 60
"""Seconds; a busy machine is no failure."""
NAME = "riposte.test"

SWIFT = {"per_second": 10_000, "burst_count": 10_000}
UNLIMITED: dict[str, Any] = {
    "rc_message": SWIFT,
    "rc_registration": SWIFT,
    "rc_admin_redaction": SWIFT,
    "rc_login": {"address": SWIFT, "account": SWIFT, "failed_attempts": SWIFT},
    "rc_joins": {"local": SWIFT, "remote": SWIFT},
    "rc_joins_per_room": SWIFT,
    "rc_invites": {"per_room": SWIFT, "per_user": SWIFT, "per_issuer": SWIFT},
    "rc_room_creation": SWIFT,
    "rc_media_create": SWIFT,
    "rc_delayed_event_mgmt": SWIFT,
}
"""Limits that no test meets by accident; one that is about limits sets its own."""


def interpreter() -> Path | None:
    """The python that has Synapse, if there is one: `.ci/provide` makes it."""
    place = os.environ.get("RIPOSTE_SYNAPSE") or Path(__file__).parents[2] / ".cache" / "synapse"
    python = Path(place) / "bin" / "python"
    return python if python.exists() else None


class Homeserver:
    """A Synapse on loopback; `config` overrides single settings, for example `rc_message` to meet limits."""

    def __init__(self, python: Path, folder: Path, config: Mapping[str, Any] | None = None):
        self.folder = folder
        self.port = _free_port()
        self.media = folder / "media"
        self._python = python
        self._config = dict(config or {})
        self._process: subprocess.Popen[bytes] | None = None
        folder.mkdir(parents=True, exist_ok=True)
        key = b64encode(secrets.token_bytes(32)).decode().rstrip("=")
        (folder / "signing.key").write_text(f"ed25519 a_test {key}\n")
        self._secret = secrets.token_hex(16)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def limit(self, **config: Any) -> None:
        """Settings that hold from the next start on."""
        self._config |= config

    def start(self) -> None:
        """Start, on the data as it is, and wait until the server answers."""
        assert self._process is None
        (self.folder / "homeserver.yaml").write_text(json.dumps(self._settings()))  # JSON is YAML too
        # A path of a socket may have about 100 letters, and folders of tests are deep.
        hall = Path(tempfile.mkdtemp(prefix="synapse-"))
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ready, (self.folder / "log").open("ab") as log:
                ready.bind(str(hall / "ready"))
                command = [self._python, "-m", "synapse.app.homeserver", "-c", self.folder / "homeserver.yaml"]
                environment = {**os.environ, "NOTIFY_SOCKET": str(hall / "ready"), "PYTHONPATH": ""}
                self._process = subprocess.Popen(
                    command, cwd=self.folder, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log
                )
                self._await(ready)
        finally:
            shutil.rmtree(hall)

    def stop(self) -> None:
        """Ask it to end, and wait for that."""
        self._end(signal.SIGTERM)

    def kill(self) -> None:
        """End it without a word, as a power cut would."""
        self._end(signal.SIGKILL)

    @property
    def running(self) -> bool:
        return self._process is not None

    def register(self, name: str, password: str = "", *, admin: bool = False) -> str:
        """A new account; gives its Matrix id. The password is the name unless told."""
        path = "/_synapse/admin/v1/register"
        nonce = self.ask("GET", path)["nonce"]
        password = password or name
        told = "\0".join((nonce, name, password, "admin" if admin else "notadmin"))
        mac = hmac.new(self._secret.encode(), told.encode(), hashlib.sha1).hexdigest()
        made = self.ask(
            "POST", path, {"nonce": nonce, "username": name, "password": password, "admin": admin, "mac": mac}
        )
        return str(made["user_id"])

    def log_in(self, user: str, password: str = "") -> str:
        """A device of somebody's; gives its access token. The password is the name unless told."""
        identifier = {"type": "m.id.user", "user": user}
        asked = {
            "type": "m.login.password",
            "identifier": identifier,
            "password": password or user[1:].split(":", maxsplit=1)[0],
        }
        return str(self.ask("POST", "/_matrix/client/v3/login", asked)["access_token"])

    def knows(self, words: str | bytes) -> bool:
        """Whether the words are in anything that the server has stored: events, pictures, its log."""
        sought = words.encode() if isinstance(words, str) else words
        stored = [self.folder / "log", *self.folder.glob("homeserver.db*"), *self.media.rglob("*")]
        return any(sought in path.read_bytes() for path in stored if path.is_file())

    def ask(self, method: str, path: str, body: object = None, *, token: str = "") -> Any:
        """One request without any client between; an error of the server's comes back as its JSON, with `status`."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        data = None if body is None else json.dumps(body).encode()
        try:
            with urlopen(Request(self.address + path, data, headers, method=method), timeout=PATIENCE) as answer:
                return json.load(answer)
        except HTTPError as error:
            with error:
                return {**json.load(error), "status": error.code}

    def _await(self, ready: socket.socket) -> None:
        assert self._process is not None
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            if select.select([ready], [], [], 0.2)[0] and ready.recv(1024).startswith(b"READY=1"):
                return
            if self._process.poll() is not None:
                break
        self.kill()
        raise RuntimeError("Synapse did not start:\n" + (self.folder / "log").read_text()[-3000:])

    def _end(self, how: signal.Signals) -> None:
        if self._process is None:
            return
        self._process.send_signal(how)
        try:
            self._process.wait(PATIENCE)
        finally:
            self._process.kill()
            self._process.wait()
            self._process = None

    def _settings(self) -> dict[str, Any]:
        quiet = {"version": 1, "root": {"level": "WARNING"}, "disable_existing_loggers": False}
        (self.folder / "log.yaml").write_text(json.dumps(quiet))
        listener = {"port": self.port, "type": "http", "bind_addresses": ["127.0.0.1"]}
        return {
            "server_name": NAME,
            "listeners": [{**listener, "resources": [{"names": ["client"]}]}],
            "database": {"name": "sqlite3", "args": {"database": str(self.folder / "homeserver.db")}},
            "media_store_path": str(self.media),
            "signing_key_path": str(self.folder / "signing.key"),
            "log_config": str(self.folder / "log.yaml"),
            "pid_file": str(self.folder / "pid"),
            "registration_shared_secret": self._secret,
            "macaroon_secret_key": self._secret,
            "form_secret": self._secret,
            "trusted_key_servers": [],
            "suppress_key_server_warning": True,
            "report_stats": False,
            "bcrypt_rounds": 4,
            "presence": {"enabled": False},
            "user_directory": {"enabled": False},
            "url_preview_enabled": False,
            **UNLIMITED,
            **self._config,
        }


def _free_port() -> int:
    with socket.socket() as asked:
        asked.bind(("127.0.0.1", 0))
        return int(asked.getsockname()[1])
