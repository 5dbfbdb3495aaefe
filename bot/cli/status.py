"""`riposte status`: how a running Riposte is, read from the figures that it serves to hosts."""

import asyncio
import time
from collections.abc import Iterator

import aiohttp

from bot.bucket.keeping import told as of_bucket
from bot.cli.databases import space
from bot.monitoring.door import lacking
from bot.settings import Settings
from bot.standby import told

UNUSED = 'riposte_standby_age_seconds{where="replica"} +Inf'
REPLICA = "Readers of the page are not served from the replica; `riposte doctor` and the log say why"
PATIENCE = aiohttp.ClientTimeout(total=5)


def report(settings: Settings) -> tuple[list[str], bool]:
    """Returns lines for the host, and whether all is well."""
    if not settings.metrics:
        return ["RIPOSTE_METRICS is not set, so nothing is served to look at. Set it to a port, like 9109."], False
    host, _, port = settings.metrics.rpartition(":")
    reachable = "127.0.0.1" if host in ("", "0.0.0.0") else host  # noqa: S104  # the other way round: where it is bound
    try:
        health, ready, text = asyncio.run(
            _read(f"http://{reachable}:{port}", settings.metrics_token.get_secret_value())
        )
    except (aiohttp.ClientError, TimeoutError, OSError):
        silent = f"Nothing answers on port {port}: Riposte does not run, or began before RIPOSTE_METRICS was set."
        return [silent, *([missing] if (missing := lacking()) else [])], False
    disk = [finding for finding in space(settings) if finding.state == "FAULT"]
    copies = [told(settings, time.time()), of_bucket(settings, time.time())]
    standby = [fact[0].upper() + fact[1:] for fact, _ in copies if fact]
    late = "".join(remedy for _, remedy in copies)
    if UNUSED in text:
        late = REPLICA
        standby.append(REPLICA)
    lines = [*map(str, disk), health.strip().capitalize(), ready.strip().capitalize(), *_told(text), *standby]
    return lines, (health, ready, late) == ("well\n", "ready\n", "") and not disk


async def _read(address: str, token: str) -> tuple[str, str, str]:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    async with aiohttp.ClientSession(headers=headers, timeout=PATIENCE) as session:
        texts = []
        for path in ("/healthz", "/readyz", "/metrics"):
            async with session.get(address + path) as answer:
                texts.append(await answer.text())
    return texts[0], texts[1], texts[2]


def _told(text: str) -> Iterator[str]:
    """The figures that a glance needs."""
    if missing := lacking():
        yield missing
        return
    from prometheus_client.parser import text_string_to_metric_families as families

    found = {sample.name: sample.value for family in families(text) for sample in family.samples}
    waits, overdue = found.get("riposte_outbox_oldest_seconds", 0), found.get("riposte_alarm_overdue_seconds", 0)
    yield f"The oldest message has been waiting for {waits:.0f} s" if waits else "No message waits"
    yield f"The oldest alarm has been due for {overdue:.0f} s" if overdue else "No alarm is overdue"
    yield f"Changes stored since it began: {found.get('riposte_commits_total', 0):.0f}"
    if memory := found.get("process_resident_memory_bytes"):
        yield f"{memory / 2**20:.0f} MiB of memory, {found.get('process_open_fds', 0):.0f} open files"
