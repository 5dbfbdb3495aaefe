"""What hosts are given for a whole machine or cluster is what its programs take, and opens no more than it must."""

import asyncio
import os
import re
import shutil
import socket
import subprocess
import tomllib
from contextlib import suppress
from copy import deepcopy
from pathlib import Path
from typing import Any

import aiohttp
import kubernetes_validate
import pytest
import yaml
from aiohttp import web

from bot.cli.databases import at
from bot.settings import Settings, shards
from tests.test_hosting import COMMANDS, PAGE, container

DEPLOY = Path(__file__).parents[1] / "deploy"
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
CLUSTER = list(yaml.safe_load_all((DEPLOY / "kubernetes/riposte.yaml").read_text("utf-8")))
SEVERAL = list(yaml.safe_load_all((DEPLOY / "kubernetes/several.yaml").read_text("utf-8")))
UNITS = sorted((DEPLOY / "systemd").iterdir())


def of_kind(kind: str) -> dict[str, Any]:
    """The one object of a kind."""
    (found,) = [one for one in CLUSTER if one["kind"] == kind]
    return deepcopy(found)


def named(kind: str, name: str = "riposte") -> dict[str, Any]:
    """The object of a kind among those of several processes."""
    (found,) = [one for one in SEVERAL if (one["kind"], one["metadata"]["name"]) == (kind, name)]
    return deepcopy(found)


def program(name: str, package: str) -> str:
    """Where a program is; `.ci/provide` unpacks it from Debian's package."""
    found = shutil.which(name) or str(DEPLOY.parent / f".cache/{package}/usr/bin/{name}")
    if not os.access(found, os.X_OK):
        (pytest.fail if os.environ.get("RIPOSTE_TEST_ALL") == "1" else pytest.skip)(f"no {name} on this machine")
    return found


# --- compose ------------------------------------------------------------------------------------------------
def test_nothing_in_compose_has_more_rights_than_it_needs() -> None:
    for name, service in COMPOSE["services"].items():
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert service["read_only"] is True, name
        assert set(service.get("cap_add", ())) <= {"NET_BIND_SERVICE"}, name
        kept = [one.split(":")[0] for one in service["volumes"] if not one.startswith(".")]
        assert set(kept) <= set(COMPOSE["volumes"]), name


def test_compose_builds_what_there_is_and_keeps_its_data() -> None:
    riposte, caddy = COMPOSE["services"]["riposte"], COMPOSE["services"]["caddy"]
    assert (DEPLOY / riposte["build"]["context"] / riposte["build"]["dockerfile"]).samefile(DEPLOY / "Dockerfile")
    (volume,) = container("VOLUME")
    assert riposte["volumes"] == [f"data:{volume}"]
    assert caddy["network_mode"] == "service:riposte"
    assert {name.removeprefix("RIPOSTE_").lower() for name in riposte["environment"]} <= set(Settings.model_fields)
    assert (DEPLOY / caddy["volumes"][0].split(":")[0]).is_file()


@pytest.mark.parametrize("file", ["compose.yaml", "compose.several.yaml"])
def test_the_log_of_a_container_has_an_end(file: str) -> None:
    services = yaml.safe_load((DEPLOY / file).read_text("utf-8"))["services"]
    ours = [service for name, service in services.items() if name.startswith("riposte")]
    assert ours
    assert all(set(service["logging"]["options"]) == {"max-size", "max-file"} for service in ours)


def test_an_image_is_sent_nothing_but_what_it_is_made_of() -> None:
    lines = (DEPLOY.parent / ".dockerignore").read_text("utf-8").splitlines()
    assert lines[1] == "*"
    sent = {line[1:] for line in lines if line.startswith("!")}
    assert sent == {word for line in container("COPY") if "--from" not in line for word in line.split()[:-1]}


def test_a_cluster_acknowledges_nothing_that_one_machine_has_alone() -> None:
    dcs = yaml.safe_load((DEPLOY / "patroni.yml").read_text("utf-8"))["bootstrap"]["dcs"]
    assert dcs["synchronous_mode"] is dcs["synchronous_mode_strict"] is True
    assert dcs["loop_wait"] + 2 * dcs["retry_timeout"] <= dcs["ttl"], "else Patroni takes other figures"


def test_postgresql_stands_beside_it_and_is_asked_by_its_own_password() -> None:
    more = yaml.safe_load((DEPLOY / "compose.postgres.yaml").read_text("utf-8"))
    riposte, postgres = more["services"]["riposte"], more["services"]["postgres"]
    told = {name: re.sub(r"\$\{(\w+)[^}]*\}", "oak17", text) for name, text in postgres["environment"].items()}
    where = re.sub(r"\$\{(\w+)[^}]*\}", "oak17", riposte["environment"]["RIPOSTE_DATABASE"])
    user, password, name = (told[f"POSTGRES_{part}"] for part in ("USER", "PASSWORD", "DB"))
    assert where == f"postgresql://{user}:{password}@postgres/{name}"
    assert at(where).path is None  # Riposte reads it so
    assert Settings(database=where).store == where
    assert "ports" not in postgres  # nobody else reaches it
    assert riposte["depends_on"]["postgres"]["condition"] == "service_healthy"
    assert postgres["volumes"][0].split(":")[0] in more["volumes"]


def test_two_processes_share_all_but_a_port_and_caddy_asks_both() -> None:
    several = yaml.safe_load((DEPLOY / "compose.several.yaml").read_text("utf-8"))
    postgres = yaml.safe_load((DEPLOY / "compose.postgres.yaml").read_text("utf-8"))["services"]["postgres"]
    one, other, caddy = (several["services"][name] for name in ("riposte-1", "riposte-2", "caddy"))
    assert several["services"]["postgres"] == postgres
    ports = [service["environment"].pop("RIPOSTE_PORT") for service in (one, other)]
    assert one == other
    assert one["network_mode"] == "service:caddy"
    asked = (DEPLOY / caddy["volumes"][0].split(":")[0]).read_text("utf-8")
    assert f"reverse_proxy {' '.join(f'127.0.0.1:{port}' for port in ports)} {{" in asked
    for service in (one, caddy):
        assert (service["cap_drop"], service["read_only"]) == (["ALL"], True)
        assert service["security_opt"] == ["no-new-privileges:true"]
    told = {name.removeprefix("RIPOSTE_").lower(): text for name, text in one["environment"].items()}
    told = {name: re.sub(r"\$\{(\w+)[^}]*\}", "oak17", text) for name, text in told.items()}
    assert Settings(**told).several


def test_two_processes_of_which_each_has_half_of_discord_have_all_of_it_together() -> None:
    several, halves = (
        yaml.safe_load((DEPLOY / f"compose.{which}.yaml").read_text("utf-8"))["services"]
        for which in ("several", "shards")
    )
    parts = [shards(service["environment"]["RIPOSTE_DISCORD_SHARDS"]) for service in halves.values()]
    assert {*halves} <= {*several}
    assert {part.total for part in parts} == {len(parts)}
    assert sorted(shard for part in parts for shard in part.ids) == list(range(parts[0].total))


def test_who_thinks_for_riposte_shares_the_database_and_the_others_leave_it_to_them() -> None:
    several, more = (
        yaml.safe_load((DEPLOY / f"compose.{which}.yaml").read_text("utf-8"))["services"]
        for which in ("several", "partner")
    )
    partner = more.pop("riposte-partner")
    assert {*more} == {name for name in several if name.startswith("riposte")}
    assert {service["environment"]["RIPOSTE_PARTNER"] for service in more.values()} == {"elsewhere"}
    assert partner["command"] == ["riposte", "partner"]
    for one in ("cap_drop", "read_only", "security_opt"):
        assert partner[one] == several["riposte-1"][one]
    for name in ("RIPOSTE_DATABASE", "RIPOSTE_SEVERAL", "RIPOSTE_PUBLIC_URL"):
        assert partner["environment"][name] == several["riposte-1"]["environment"][name]
    unit = (DEPLOY / "systemd/riposte-partner.service").read_text("utf-8")
    assert "ExecStart=/opt/riposte/.venv/bin/riposte partner\n" in unit


# --- Caddy --------------------------------------------------------------------------------------------------
CADDYFILES = {
    "Caddyfile": (DEPLOY / "Caddyfile").read_text("utf-8"),
    "Caddyfile.several": (DEPLOY / "Caddyfile.several").read_text("utf-8"),
    "kubernetes": of_kind("ConfigMap")["data"]["Caddyfile"],
    "kubernetes, several": named("ConfigMap")["data"]["Caddyfile"],
}


@pytest.mark.parametrize("where", CADDYFILES)
def test_caddy_reads_its_file_and_leads_to_the_page(where: str, tmp_path: Path) -> None:
    assert f"reverse_proxy 127.0.0.1:{Settings.model_fields['port'].default}" in CADDYFILES[where]
    read_by_caddy(CADDYFILES[where], tmp_path)


def read_by_caddy(text: str, folder: Path) -> None:
    file = folder / "Caddyfile"
    file.write_text(text)
    words = [program("caddy", "caddy"), "validate", "--adapter", "caddyfile", "--config", file]
    env = {"HOME": str(folder), "SITE": "riposte.example.org"}
    done = subprocess.run(words, capture_output=True, text=True, check=False, env=env)
    assert done.returncode == 0, done.stderr


async def test_the_page_is_found_by_way_of_both_caddies_in_whichever_pod_it_is_open(tmp_path: Path) -> None:
    told = named("ConfigMap")["data"]

    async def page(request: web.Request) -> web.Response:
        name, came_from = request.host, request.headers.getall("X-Forwarded-For", [])
        return web.Response(text=f"{name} {came_from}", status=200 if name == "riposte.example.org" else 403)

    app = web.Application()
    app.router.add_get("/", page)
    runner = web.AppRunner(app)
    await runner.setup()
    ports = await free_ports(5)
    first, second, closed, opened, before = ports
    file = tmp_path / "Caddyfile"
    inner = [
        told["Caddyfile"].replace(":8081", f":{pod}").replace("127.0.0.1:8080", f"127.0.0.1:{room}")
        for pod, room in ((first, closed), (second, opened))
    ]
    outer = told["Caddyfile.before"].replace(":8082", f":{before}")
    for pod, port in enumerate((first, second)):
        outer = outer.replace(f"riposte-{pod}.riposte:8081", f"127.0.0.1:{port}")
    file.write_text("\n".join(["{\n\tadmin off\n\tauto_https off\n}", *inner, outer]))
    words = [program("caddy", "caddy"), "run", "--adapter", "caddyfile", "--config", file]
    caddy = await asyncio.create_subprocess_exec(*words, stderr=subprocess.DEVNULL, env={"HOME": str(tmp_path)})
    try:
        await web.TCPSite(runner, "127.0.0.1", opened).start()
        headers = {"Host": "riposte.example.org", "X-Forwarded-For": "203.0.113.9"}
        async with asyncio.timeout(60), aiohttp.ClientSession(headers=headers) as session:
            seen = ""
            while not seen:
                await asyncio.sleep(0.1)
                with suppress(aiohttp.ClientError):
                    async with session.get(f"http://127.0.0.1:{before}/") as answer:
                        seen = await answer.text() if answer.status == 200 else ""
        assert seen == "riposte.example.org ['203.0.113.9']", (
            "each visitor's own address, for each may have so many tabs"
        )
    finally:
        caddy.terminate()
        await caddy.wait()
        await runner.cleanup()


async def free_ports(count: int) -> list[int]:
    bound = [socket.socket() for _ in range(count)]
    for one in bound:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in bound]
    for one in bound:
        one.close()
    return ports


# --- Kubernetes ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "one", [*CLUSTER, *SEVERAL], ids=[f"{one['kind']} {one['metadata']['name']}" for one in [*CLUSTER, *SEVERAL]]
)
def test_kubernetes_takes_the_example(one: dict[str, Any]) -> None:
    kubernetes_validate.validate(one, desired_version="1.37", strict=True)


def test_a_field_that_kubernetes_does_not_know_is_refused() -> None:
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate({**of_kind("Service"), "specs": {}}, desired_version="1.37", strict=True)


def test_there_is_one_pod_without_rights_that_asks_what_there_is() -> None:
    pods = of_kind("StatefulSet")["spec"]
    assert pods["replicas"] == 1
    spec = pods["template"]["spec"]
    (user,) = re.findall(r"--uid (\d+)", " ".join(container("RUN")))
    assert spec["securityContext"]["runAsUser"] == int(user)
    assert spec["securityContext"]["runAsNonRoot"] is True
    assert spec["automountServiceAccountToken"] is False
    assert spec["enableServiceLinks"] is False, "a service called riposte would set RIPOSTE_PORT"
    for one in spec["containers"]:
        least = one["securityContext"]
        assert (least["allowPrivilegeEscalation"], least["readOnlyRootFilesystem"]) == (False, True)
        assert least["capabilities"] == {"drop": ["ALL"]}
        assert "memory" in one["resources"]["limits"]
    riposte = spec["containers"][0]
    for probe in ("startupProbe", "livenessProbe", "readinessProbe"):
        name, command, *_ = riposte[probe]["exec"]["command"]
        assert name == "riposte"
        assert command in COMMANDS
    version = tomllib.loads((DEPLOY.parent / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    assert riposte["image"].endswith(f":{version}")
    mounts = {mount["mountPath"]: mount["name"] for mount in riposte["volumeMounts"]}
    assert mounts["/data"] == pods["volumeClaimTemplates"][0]["metadata"]["name"]
    assert mounts["/run/secrets"] == "secrets"


def test_what_the_pod_is_told_are_settings_and_whole() -> None:
    told = {name: text for name, text in of_kind("ConfigMap")["data"].items() if name != "Caddyfile"}
    Settings(**{name.removeprefix("RIPOSTE_").lower(): text for name, text in told.items()})
    asked = of_kind("StatefulSet")["spec"]["template"]["spec"]["containers"][0]["env"]
    assert {one["name"] for one in asked} == set(told)
    assert {name.removeprefix("RIPOSTE_").lower() for name in told} <= set(Settings.model_fields)


def test_of_two_pods_each_is_what_the_one_pod_is_but_for_what_two_need() -> None:
    one, two = (of_kind("StatefulSet"), named("StatefulSet"))
    alone, both = (kind["spec"]["template"]["spec"] for kind in (one, two))
    assert two["spec"]["replicas"] == 2
    (near,) = both.pop("affinity")["podAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]
    assert near["labelSelector"]["matchLabels"] == two["spec"]["template"]["metadata"]["labels"], "beside each other"
    (data,) = [volume for volume in both["volumes"] if volume["name"] == "data"]
    both["volumes"].remove(data)
    assert data["persistentVolumeClaim"]["claimName"] == named("PersistentVolumeClaim")["metadata"]["name"]
    (several,) = [env for env in both["containers"][0]["env"] if env["name"] == "RIPOSTE_SEVERAL"]
    both["containers"][0]["env"].remove(several)
    del alone["containers"][0]["readinessProbe"], alone["volumes"][0]["secret"]["optional"]
    for pod in (alone, both):
        del pod["containers"][1]["ports"]
    assert both == alone
    told = {name: text for name, text in named("ConfigMap")["data"].items() if not name.startswith("Caddyfile")}
    assert told.pop("RIPOSTE_SEVERAL") == "yes"
    assert told == {name: text for name, text in of_kind("ConfigMap")["data"].items() if name != "Caddyfile"}


def test_what_stands_beside_the_pods_has_no_rights_and_hears_only_whom_it_must() -> None:
    for kind, name in (("Deployment", "riposte-caddy"), ("StatefulSet", "riposte-postgres")):
        spec = named(kind, name)["spec"]["template"]["spec"]
        assert spec["automountServiceAccountToken"] is False
        assert spec["securityContext"]["runAsNonRoot"] is True
        (only,) = spec["containers"]
        assert (
            only["securityContext"]
            == of_kind("StatefulSet")["spec"]["template"]["spec"]["containers"][0]["securityContext"]
        )
        assert "memory" in only["resources"]["limits"]
    hears = {}
    for one in SEVERAL:
        if one["kind"] == "NetworkPolicy":
            (rule,) = one["spec"]["ingress"]
            named_ = [peer["podSelector"]["matchLabels"]["app.kubernetes.io/name"] for peer in rule.get("from", ())]
            hears[one["metadata"]["name"]] = named_, rule["ports"][0]["port"]
    assert hears == {
        "riposte": (["riposte-caddy"], "page"),
        "riposte-postgres": (["riposte"], "postgres"),
        "riposte-caddy": ([], "http"),
    }
    before = named("ConfigMap")["data"]["Caddyfile.before"]
    pods = " ".join(f"riposte-{n}.{named('Service')['metadata']['name']}:8081" for n in range(2))
    assert f"reverse_proxy {pods} {{" in before
    assert named("Service")["spec"]["clusterIP"] == "None"
    (host,) = {rule["host"] for rule in named("Ingress")["spec"]["rules"]}
    assert f"Host {host}\n" in before


def test_each_of_two_pods_can_have_half_of_discord() -> None:
    patch = yaml.safe_load((DEPLOY / "kubernetes/shards.yaml").read_text("utf-8"))
    patched = named("StatefulSet")
    (told,) = patch["spec"]["template"]["spec"]["containers"]
    riposte = patched["spec"]["template"]["spec"]["containers"][0]
    assert riposte["name"] == told["name"]
    riposte["env"] = [*riposte["env"], *told["env"]]
    kubernetes_validate.validate(patched, desired_version="1.37", strict=True)
    (which, text) = told["env"]
    parts = [
        shards(text["value"].replace(f"$({which['name']})", str(pod))) for pod in range(patched["spec"]["replicas"])
    ]
    assert {part.total for part in parts} == {len(parts)}
    assert sorted(shard for part in parts for shard in part.ids) == list(range(len(parts)))


# --- systemd ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("unit", UNITS, ids=[unit.name for unit in UNITS])
def test_systemd_reads_the_unit(unit: Path) -> None:
    words = [program("systemd-analyze", "systemd"), "verify", unit]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    told = [line for line in done.stderr.splitlines() if unit.stem in line and "is not executable" not in line]
    assert told == []  # that the program is not installed here is no fault of the unit


@pytest.mark.parametrize(("unit", "most"), [("riposte", 1.5), ("riposte-partner", 1.5), ("riposte-backup", 1.0)])
def test_systemd_finds_little_that_the_service_could_harm(unit: str, most: float) -> None:
    words = [program("systemd-analyze", "systemd"), "security", "--offline=true", DEPLOY / f"systemd/{unit}.service"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    (exposure,) = re.findall(r"Overall exposure level for \S+: ([\d.]+)", done.stdout)
    assert float(exposure) <= most  # of 10


def test_the_backup_is_made_by_the_same_program_for_the_same_user() -> None:
    service, backup = (
        (DEPLOY / f"systemd/{name}.service").read_text("utf-8") for name in ("riposte", "riposte-backup")
    )
    for field in ("User", "WorkingDirectory", "StateDirectory", "UMask"):
        (one,), (other,) = (re.findall(rf"^{field}=(.*)$", text, re.MULTILINE) for text in (service, backup))
        assert one == other
    assert re.findall(r"(/opt/\S+/riposte) (\w+)", backup) == [("/opt/riposte/.venv/bin/riposte", "backup")]
    assert "+35 " in backup
    assert "more than 35 days" in PAGE
