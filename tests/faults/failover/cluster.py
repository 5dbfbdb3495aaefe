"""Three PostgreSQLs, each with its Patroni and its etcd, on loopback, behind ways of their own that can be cut.

Debian's packages `patroni` and `etcd-server`; `.ci/provide` puts both into `.cache`.
"""

import base64
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from http.client import HTTPException
from pathlib import Path
from typing import Any, Final
from urllib.request import urlopen

import yaml

from tests.faults.failover.proxies import Proxies
from tests.stores import as_user, programs

ROOT: Final = Path(__file__).parents[3]
CACHE: Final = ROOT / ".cache"
EXAMPLE: Final = ROOT / "deploy/patroni.yml"
NODES: Final = 3
LONGEST: Final = 120.0
"""Seconds within which a cluster comes up, or is whole again."""
KILLED, CUT, APART, HUNG = "killed", "cut off", "cut off from the others", "not looked after"
"""What befalls a leader.

Of one that is `APART` only the others hear nothing, while whoever writes to it still does. The Patroni of one that is
`HUNG` is stopped, so that its PostgreSQL leads on beside the next one.
"""


def missing() -> str:
    """What is not installed; "" = nothing."""
    return "" if programs() and _etcd() and _patroni() else "no PostgreSQL, Patroni or etcd on this machine"


def _etcd() -> str | None:
    return shutil.which("etcd", path=f"{os.environ['PATH']}:{CACHE / 'etcd-server/usr/bin'}")


def _patroni() -> tuple[list[str | Path], dict[str, str]] | None:
    """How Patroni is started, and in which environment."""
    if found := shutil.which("patroni"):
        return [found], {}
    unpacked = CACHE / "patroni/usr"
    libraries = ":".join(map(str, unpacked.glob("lib/*-linux-gnu")))
    environment = {"PYTHONPATH": str(unpacked / "lib/python3/dist-packages"), "LD_LIBRARY_PATH": libraries}
    python = shutil.which("python3", path="/usr/bin") or sys.executable
    return ([python, unpacked / "bin/patroni"], environment) if (unpacked / "bin/patroni").exists() else None


@dataclass(slots=True)
class Node:
    """A machine: a PostgreSQL, its Patroni and a member of etcd."""

    name: str
    folder: Path
    postgres: int
    """The ports behind the ways."""
    rest: int
    clients: int
    """The ways: of whoever uses the database, of other PostgreSQLs, of other Patronis, and to each member of etcd."""
    peers: int
    asked: int
    members: tuple[int, ...]
    etcd: int
    etcd_peer: int
    """The ports of its own member, for Patronis and for other members; the latter are stopped instead of cut off."""
    process: "subprocess.Popen[bytes] | None" = None
    member: "subprocess.Popen[bytes] | None" = None
    away: bool = False


class Cluster:
    """Three nodes. Made by `cluster`."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.proxies = Proxies()
        self.nodes: list[Node] = []
        self._log = (folder / "log").open("ab")

    # --- up and down --------------------------------------------------------------------------------------
    def start(self) -> None:
        """Bring it up until one leads; the two others come as soon as they have copied it."""
        etcds = [(free_port(), free_port()) for _ in range(NODES)]
        for number, etcd in enumerate(etcds):
            postgres, rest = free_port(), free_port()
            clients, peers, asked = (self.proxies.lead(to) for to in (postgres, postgres, rest))
            members = tuple(self.proxies.lead(to) for to, _ in etcds)
            folder = self.folder / f"node{number}"
            folder.mkdir(mode=0o700)
            self._own(folder)
            self.nodes.append(Node(f"node{number}", folder, postgres, rest, clients, peers, asked, members, *etcd))
        for node in self.nodes:
            self._join(node)
        for node in self.nodes:
            self.until(lambda at=node.etcd: _answers(f"http://127.0.0.1:{at}/health"), "etcd does not answer")
        for node in self.nodes:
            self.run(node)
            if node is self.nodes[0]:  # the others copy it
                self.until(lambda: self.leader() is not None, "nobody leads")

    def run(self, node: Node) -> None:
        """Start a node's Patroni, which starts its PostgreSQL."""
        settings = node.folder / "patroni.yml"
        settings.write_text(json.dumps(self._settings(node)))
        self._own(settings)
        found = _patroni()
        assert found is not None
        command, environment = found
        node.process = subprocess.Popen(
            [*command, settings],
            env={"PATH": os.environ["PATH"], "LANG": "C.UTF-8"} | environment,
            stdout=self._log,
            stderr=self._log,
            **as_user(),
        )

    def close(self) -> None:
        """Kill all of it."""
        for node in self.nodes:
            self.kill(node)
        self.proxies.close()
        self._log.close()

    def kill(self, node: Node) -> None:
        """Kill all that runs on a node at once, as if its machine had lost its power."""
        for one in filter(None, (node.process, node.member)):
            one.kill()
            one.wait()
        while began := _postmasters(node):  # one may have begun to start another
            for process in [*(child for one in began for child in _children(one)), *began]:
                with suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)

    # --- what befalls it ----------------------------------------------------------------------------------
    def lose(self, node: Node, how: str) -> None:
        """Have something befall a node. Its etcd goes with it, unless it is Patroni alone that hangs."""
        node.away = how != HUNG
        if how == KILLED:
            self.kill(node)
        elif how == HUNG:
            _signal(node.process, signal.SIGSTOP)
        else:
            _signal(node.member, signal.SIGSTOP)
            self.proxies.cut(self._ways(node, how))

    def mend(self, node: Node, how: str, *, late: bool) -> None:
        """Have it be over; `late` = what was held up on the way arrives then."""
        if how == KILLED:
            self._join(node)
            self.run(node)
        elif how == HUNG:
            _signal(node.process, signal.SIGCONT)
        else:
            _signal(node.member, signal.SIGCONT)
            self.proxies.mend(self._ways(node, how), late=late)
        node.away = False

    def _ways(self, node: Node, how: str) -> Sequence[int]:
        inner = node.peers, node.asked, *node.members
        return inner if how == APART else (*inner, node.clients)

    # --- how it is ----------------------------------------------------------------------------------------
    @cached_property
    def url(self) -> str:
        """As a host writes it."""
        hosts = ",".join(f"127.0.0.1:{node.clients}" for node in self.nodes)
        return f"postgresql://riposte@{hosts}/riposte?target_session_attrs=read-write"

    def behind(self, node: Node, database: str = "riposte") -> str:
        """A node's database, past the ways."""
        return f"postgresql://riposte@127.0.0.1:{node.postgres}/{database}"

    def leader(self) -> Node | None:
        """Whom etcd names, by any member that can tell."""
        key = json.dumps({"key": "L3NlcnZpY2Uvcmlwb3N0ZS9sZWFkZXI="}).encode()
        for asked in self.nodes:
            if asked.away:
                continue
            with (
                suppress(OSError, HTTPException, ValueError),
                urlopen(f"http://127.0.0.1:{asked.etcd}/v3/kv/range", key, timeout=5) as answer,
            ):
                found = [one["value"] for one in json.load(answer).get("kvs", ())]
                return next((one for one in self.nodes if found and _same(one.name, found[0])), None)
        return None

    def whole(self) -> bool:
        """Whether there is a leader, which writes, and whose two others stream from it, one of them synchronously."""
        node = self.leader()
        if node is None:
            return False
        with (
            suppress(OSError, ValueError, HTTPException),
            urlopen(f"http://127.0.0.1:{node.rest}/cluster", timeout=5) as answer,
        ):
            members = json.load(answer)["members"]
            roles = sorted(one["role"] for one in members if one.get("state") in ("running", "streaming"))
            lines = {one.get("timeline") for one in members}
            return roles == ["leader", "replica", "sync_standby"] and len(lines) == 1
        return False

    def until(self, done: Callable[[], bool], otherwise: str, longest: float = LONGEST) -> None:
        """Wait until something is so."""
        ended = time.monotonic() + longest
        while not done():
            assert time.monotonic() < ended, f"{otherwise}: {(self.folder / 'log').read_text()[-3000:]}"
            time.sleep(0.1)

    # --- how it is made -----------------------------------------------------------------------------------
    def _join(self, node: Node) -> None:
        """Start a node's member of etcd, the first time or again."""
        program, data = _etcd(), node.folder / "etcd"
        assert program is not None
        data.mkdir(mode=0o700, exist_ok=True)
        self._own(data)
        own, others = f"http://127.0.0.1:{node.etcd}", f"http://127.0.0.1:{node.etcd_peer}"
        words = {
            "name": node.name,
            "data-dir": str(data),
            "listen-client-urls": own,
            "advertise-client-urls": own,
            "listen-peer-urls": others,
            "initial-advertise-peer-urls": others,
            "initial-cluster": ",".join(f"{one.name}=http://127.0.0.1:{one.etcd_peer}" for one in self.nodes),
            "heartbeat-interval": 200,
            "election-timeout": 2000,
            "logger": "zap",
            "log-level": "warn",
        }
        node.member = subprocess.Popen(
            [program, *(f"--{name}={value}" for name, value in words.items())],
            stdout=self._log,
            stderr=self._log,
            **as_user(),
        )

    def _settings(self, node: Node) -> dict[str, Any]:
        """Those that hosts are given, with ports and folders of our own."""
        found = programs()
        assert found is not None
        settings: dict[str, Any] = yaml.safe_load(EXAMPLE.read_text("utf-8"))
        postgres, access = settings["postgresql"], ("local all", "host all", "host replication")
        del settings["watchdog"]
        settings["name"] = node.name
        settings["restapi"] = {"listen": f"127.0.0.1:{node.rest}", "connect_address": f"127.0.0.1:{node.asked}"}
        settings["etcd3"] = {"hosts": [f"127.0.0.1:{way}" for way in node.members], "use_proxies": True}
        settings["bootstrap"]["initdb"].append("no-sync")
        postgres["basebackup"].append("no-sync")
        postgres["authentication"] = {"superuser": {"username": "riposte"}, "replication": {"username": "replicator"}}
        postgres["pg_hba"] = [f"{one} all {'127.0.0.1/32 ' * one.startswith('host')}trust" for one in access]
        return settings | {
            "postgresql": postgres
            | {
                "listen": f"127.0.0.1:{node.postgres}",
                "connect_address": f"127.0.0.1:{node.peers}",
                "data_dir": str(node.folder / "data"),
                "bin_dir": str(found),
                "pgpass": str(node.folder / "pgpass"),
                "parameters": {
                    "unix_socket_directories": str(node.folder),
                    "shared_buffers": "32MB",
                },
            }
        }

    def _own(self, path: Path) -> None:
        if how := as_user():
            os.chown(path, how["user"], how["group"])


@contextmanager
def cluster(folder: Path) -> Iterator[Cluster]:
    """A cluster that is up, until the block ends. The folder can be looked into by all."""
    made = Cluster(folder)
    try:
        made.start()
        yield made
    finally:
        made.close()


def free_port() -> int:
    """One that nobody listens on."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def _answers(url: str) -> bool:
    with suppress(OSError), urlopen(url, timeout=2):
        return True
    return False


def _signal(process: "subprocess.Popen[bytes] | None", what: signal.Signals) -> None:
    assert process is not None
    process.send_signal(what)


def _same(name: str, value: str) -> bool:
    return base64.b64decode(value).decode() == name


def _postmasters(node: Node) -> list[int]:
    """Whatever runs on a node's data; what it has started has another name."""
    found, data = [], str(node.folder / "data")
    for one in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if data in (one / "cmdline").read_text(errors="replace"):
                found.append(int(one.name))
    return found


def _children(process: int) -> list[int]:
    with suppress(OSError):
        told = Path(f"/proc/{process}/task/{process}/children").read_text()
        return [int(one) for one in told.split()]
    return []
