"""Nheko as Debian has it, on an X server without a screen: what is typed into it, and what it shows."""

import asyncio
import os
import signal
import subprocess
from pathlib import Path
from typing import Any, Self

from tests.synapse.server import Homeserver

SIZE = (1280, 900)
ROOM = (130, 107)
"""Where the first room of the list is, from the window's corner."""
CANCEL = (1213, 861)
"""Where the set-up of encryption is put off."""
NEEDED = ("nheko", "Xvfb", "xdotool", "import", "dbus-run-session")
"""The programs of the packages nheko, xvfb, xdotool, imagemagick and dbus."""


class Nheko:
    """One person's client; it shows the only room that they are in."""

    def __init__(self, server: Homeserver, user: str, home: Path, display: int):
        self.user = user
        self.home = home
        self._display = f":{display}"
        self._environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(home),
            "DISPLAY": self._display,
            "XDG_RUNTIME_DIR": str(home / "run"),
            "QT_QUICK_BACKEND": "software",
            "LANG": "C.UTF-8",
        }
        self._programs: list[subprocess.Popen[bytes]] = []
        self._log_in(server)

    @classmethod
    async def start(cls, server: Homeserver, user: str, home: Path, display: int) -> Self:
        """Log in and wait until the window is there."""
        client = cls(server, user, home, display)
        size = f"{SIZE[0]}x{SIZE[1]}x24"
        client._run("Xvfb", client._display, "-screen", "0", size, "-nolisten", "tcp")
        await asyncio.sleep(1)
        client._run("dbus-run-session", "--", "nheko")
        window = ""
        while not window:
            await asyncio.sleep(1)
            window = client._x("search", "--onlyvisible", "--name", "nheko").partition("\n")[0]
        client._x("windowsize", window, *map(str, SIZE))
        client._x("windowmove", window, "0", "0")
        client._x("windowfocus", window)
        return client

    def close(self) -> None:
        """End it, and its screen."""
        for program in reversed(self._programs):
            with_children = os.getpgid(program.pid)
            os.killpg(with_children, signal.SIGTERM)
            try:
                program.wait(10)
            except subprocess.TimeoutExpired:
                os.killpg(with_children, signal.SIGKILL)
                program.wait()

    async def press(self, key: str) -> None:
        """Press a key."""
        self._x("key", key)
        await asyncio.sleep(0.5)

    async def click(self, x: int, y: int) -> None:
        """Press and let go, as slowly as people do."""
        self._x("mousemove", str(x), str(y))
        await asyncio.sleep(1.5)
        self._x("mousedown", "1")
        await asyncio.sleep(0.6)
        self._x("mouseup", "1")
        await asyncio.sleep(1)

    async def write(self, text: str) -> None:
        """Write a message into the room that is open, and send it."""
        await self.click(700, SIZE[1] - 25)
        self._x("type", "--delay", "40", text)
        await self.press("Return")

    def photograph(self, file: Path) -> bytes:
        """Everything on the screen, as a PNG."""
        file.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["import", "-window", "root", str(file)], env=self._environment, check=True)
        return file.read_bytes()

    def _log_in(self, server: Homeserver) -> None:
        asked = {
            "type": "m.login.password",
            "identifier": {"type": "m.id.user", "user": self.user},
            "password": self.user[1:].partition(":")[0],
            "initial_device_display_name": "nheko",
        }
        made: dict[str, Any] = server.ask("POST", "/_matrix/client/v3/login", asked)
        (self.home / "run").mkdir(parents=True, mode=0o700)
        folder = self.home / ".config" / "nheko"
        folder.mkdir(parents=True)
        (folder / "nheko.conf").write_text(
            "[General]\nrun_without_secure_secrets_service=true\n"
            f"[auth]\naccess_token={made['access_token']}\ndevice_id={made['device_id']}\n"
            f"home_server={server.address}\nuser_id={self.user}\n"
        )

    def _run(self, *command: str) -> None:
        with (self.home / "log").open("ab") as log:
            self._programs.append(
                subprocess.Popen(command, env=self._environment, stdout=log, stderr=log, start_new_session=True)
            )

    def _x(self, *arguments: str) -> str:
        found = subprocess.run(
            ["xdotool", *arguments], check=False, env=self._environment, capture_output=True, text=True
        )
        return found.stdout
