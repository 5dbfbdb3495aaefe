"""Prometheus' own promtool reads the alert rules, the dashboard's queries and the figures, and tries the alerts.

It comes with Debian's package `prometheus`; `.ci/provide` puts it into `.cache`.
"""

import asyncio
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from bot.monitoring.figures import Figures
from tests.chat_room import open_room

ROOT = Path(__file__).parents[1]
ALERTS = ROOT / "deploy/monitoring/alerts.yml"
DASHBOARD = ROOT / "deploy/monitoring/dashboard.json"
LASTS = 40
"""Minutes that are played through."""

FIRES = {
    "RiposteDown": {'up{job="riposte"}': "0x40"},
    "RiposteCutOff": {'riposte_platform_ready{platform="matrix"}': "0x40"},
    "RiposteSyncOld": {'riposte_sync_age_seconds{platform="matrix"}': "0+60x40"},
    "RiposteCopyOld": {'riposte_standby_age_seconds{where="bucket"}': "0+60x40"},
    "RiposteMessagesWait": {"riposte_outbox_oldest_seconds": "0+60x40"},
    "RiposteAlarmsWait": {"riposte_alarm_overdue_seconds": "0+60x40"},
    "RiposteWriterStuck": {"riposte_writer_oldest_seconds": "0+60x40"},
    "RiposteSlow": {
        'riposte_heard_seconds_bucket{le="0.01",platform="web"}': "0x40",
        'riposte_heard_seconds_bucket{le="1",platform="web"}': "0+90x40",
        'riposte_heard_seconds_bucket{le="2.5",platform="web"}': "0+100x40",
        'riposte_heard_seconds_bucket{le="+Inf",platform="web"}': "0+100x40",
    },
    "RiposteStalls": {
        'riposte_loop_lag_seconds_bucket{le="0.01"}': "0x40",
        'riposte_loop_lag_seconds_bucket{le="0.25"}': "0+50x40",
        'riposte_loop_lag_seconds_bucket{le="0.5"}': "0+60x40",
        'riposte_loop_lag_seconds_bucket{le="+Inf"}': "0+60x40",
    },
}
"""What each alert is for, as figures minute by minute."""
WELL = {
    'up{job="riposte"}': "1x40",
    'riposte_platform_ready{platform="matrix"}': "0x5 1x35",
    'riposte_sync_age_seconds{platform="matrix"}': "20x40",
    'riposte_standby_age_seconds{where="bucket"}': "20x40",
    "riposte_outbox_oldest_seconds": "0x40",
    "riposte_alarm_overdue_seconds": "0x40",
    "riposte_writer_oldest_seconds": "0x40",
    'riposte_heard_seconds_bucket{le="0.01",platform="web"}': "0+100x40",
    'riposte_heard_seconds_bucket{le="+Inf",platform="web"}': "0+100x40",
    'riposte_loop_lag_seconds_bucket{le="0.01"}': "0+60x40",
    'riposte_loop_lag_seconds_bucket{le="+Inf"}': "0+60x40",
}
"""A Riposte that is well, and was not quite ready at first."""


@pytest.fixture(scope="module")
def promtool() -> str:
    found = shutil.which("promtool") or str(ROOT / ".cache/prometheus/usr/bin/promtool")
    if not os.access(found, os.X_OK):
        (pytest.fail if os.environ.get("RIPOSTE_TEST_ALL") == "1" else pytest.skip)("no promtool on this machine")
    return found


def told(promtool: str, *words: str | Path, given: bytes = b"") -> str:
    done = subprocess.run([promtool, *words], input=given, capture_output=True, check=False)
    assert done.returncode == 0, (done.stdout + done.stderr).decode()
    return (done.stdout + done.stderr).decode()


def test_the_rules_can_be_read(promtool: str) -> None:
    assert f"{len(FIRES)} rules found" in told(promtool, "check", "rules", ALERTS)


def test_the_dashboard_asks_what_prometheus_understands(promtool: str, tmp_path: Path) -> None:
    panels = json.loads(DASHBOARD.read_text("utf-8"))["panels"]
    asked = [target["expr"] for panel in panels for target in panel["targets"]]
    rules = [{"record": f"asked:{number}", "expr": query} for number, query in enumerate(asked)]
    file = tmp_path / "dashboard.yml"
    file.write_text(json.dumps({"groups": [{"name": "dashboard", "rules": rules}]}), "utf-8")
    assert f"{len(asked)} rules found" in told(promtool, "check", "rules", file)
    places = [(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in panels]
    assert len(set(places)) == len(panels)


def test_the_figures_are_as_prometheus_likes_them(promtool: str, tmp_path: Path) -> None:
    async def written() -> bytes:
        room = await open_room(tmp_path)
        figures = Figures(room.store, (), lambda: room.now)
        try:
            return await figures.written()
        finally:
            await room.store.close()

    text = asyncio.run(written())
    ours = b"\n".join(line for line in text.splitlines() if re.search(rb"\briposte_(?!\w*_created)", line)) + b"\n"
    assert told(promtool, "check", "metrics", given=ours) == ""


@pytest.mark.parametrize("name", [*FIRES, "none of them"])
def test_each_alert_is_raised_by_what_it_is_for_and_by_nothing_else(name: str, promtool: str, tmp_path: Path) -> None:
    series = WELL | FIRES.get(name, {})
    raised = [{"alertname": one, "eval_time": f"{LASTS}m", "exp_alerts": []} for one in FIRES if one != name]
    tests = {
        "rule_files": [str(ALERTS)],
        "evaluation_interval": "1m",
        "tests": [
            {
                "interval": "1m",
                "input_series": [{"series": one, "values": values} for one, values in series.items()],
                "alert_rule_test": raised,
            }
        ],
    }
    file = tmp_path / "tests.yml"
    file.write_text(json.dumps(tests), "utf-8")
    told(promtool, "test", "rules", file)
    if name in FIRES:  # it is raised: to expect that it is not is wrong
        raised[:] = [{"alertname": name, "eval_time": f"{LASTS}m", "exp_alerts": []}]
        file.write_text(json.dumps(tests), "utf-8")
        with pytest.raises(AssertionError, match=name):
            told(promtool, "test", "rules", file)
