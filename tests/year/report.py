"""What a year was like, in sentences and plots."""

from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from statistics import median, quantiles

from bot.messages.club.charts import standings_chart
from engine.chart import Chart, Series
from engine.games import GAMES
from engine.text import Term
from render.charts import drawn
from tests.chat_room import DAY, HOUR, START
from tests.year import Year

WAITS = ((1, "1 h"), (3, "3 h"), (6, "6 h"), (12, "12 h"), (24, "1 d"), (48, "2 d"), (96, "4 d"), (10**6, "more"))
"""Hours, and what stands below the bar of those who answered within them."""
NOTICES = ((0.05, "0"), (0.25, "¼"), (0.5, "½"), (1, "1"), (2, "2"), (4, "4"), (8, "8"), (10**6, "more"))
WEEK = 7 * DAY


def figures(found: Year) -> list[str]:
    """What happened, a sentence each."""
    days = (found.room.now - START) / DAY
    each = sorted(count / days for count in found.notices.values())
    quarter = quantiles(found.waits, n=4)
    reminders = sum(found.rung.values())
    return [
        f"{found.endings.total()} matches of {len(found.games)} games among {len(found.habits)} people, "
        f"{len(found.cups)} tournaments, {len(found.waits)} turns in {days:.0f} days: every one has ended.",
        f"Nobody was flagged early; of {reminders} reminders none came twice, and none in quiet hours but with less "
        "than four hours left.",
        f"Half of all turns were made within {median(found.waits) / HOUR:.1f} hours, a quarter within "
        f"{quarter[0] / HOUR:.1f}, three quarters within {quarter[2] / HOUR:.1f}.",
        f"Notices per person and day: half of the people have at most {median(each):.2f}, "
        f"nobody more than {each[-1]:.1f}.",
        "Endings: " + ", ".join(f"{title} {count}" for title, count in found.endings.most_common()) + ".",
        "Games: " + ", ".join(f"{GAMES[key].name} {count}" for key, count in sorted(found.games.items())) + ".",
    ]


async def write_report(found: Year, folder: Path) -> None:
    """A page and its plots."""
    folder.mkdir(parents=True, exist_ok=True)
    plots = {
        "waits": ("How long people take", _waits(found)),
        "notices": ("How often people are rung", _notices(found)),
        "endings": ("How matches end", _endings(found)),
        "running": ("How many matches run", _running(found)),
    }
    lines = ["# A year, lived through in minutes", "", *(f"- {told}" for told in figures(found)), ""]
    for name, (title, chart) in plots.items():
        (folder / f"{name}.png").write_bytes(drawn(chart))
        lines += [f"## {title}", "", f"![{title}]({name}.png)", ""]
    lines += ["## The tournaments", ""] if found.cups else []
    for cup in found.cups:
        of = await found.room.service.repository.tournament(cup)
        assert of is not None
        names = {player: await found.room.service.repository.person(player) for player in of.entrants}
        (folder / f"{cup}.png").write_bytes(drawn(standings_chart(of, names)))
        lines += [f"![{of.name}]({cup}.png)", ""]
    (folder / "report.md").write_text("\n".join(lines), encoding="utf-8")


def _bars(title: str, subtitle: Term, unit: Term, told: list[tuple[str, float]]) -> Chart:
    points = tuple((float(at), value) for at, (_, value) in enumerate(told))
    ticks = tuple((float(at), name) for at, (name, _) in enumerate(told))
    return Chart(title, subtitle, form="bars", series=(Series("", points),), ticks=ticks, unit=unit)


def _sorted_into(values: list[float], bins: tuple[tuple[float, str], ...]) -> list[tuple[str, float]]:
    counted = Counter(next(name for most, name in bins if value <= most) for value in values)
    return [(name, float(counted[name])) for _, name in bins]


def _waits(found: Year) -> Chart:
    told = _sorted_into([wait / HOUR for wait in found.waits], WAITS)
    whole = len(found.waits) / 100
    shares = [(name, value / whole) for name, value in told]
    return _bars("Waiting for a turn", Term("made within"), Term("% of turns"), shares)


def _notices(found: Year) -> Chart:
    days = (found.room.now - START) / DAY
    told = _sorted_into([found.notices[name] / days for name in found.habits], NOTICES)
    return _bars("Notices", Term("at most so many a day"), Term("people"), told)


def _endings(found: Year) -> Chart:
    most = found.endings.most_common(7)
    rest = found.endings.total() - sum(count for _, count in most)
    told = [*((title[:14], float(count)) for title, count in most), *([("others", float(rest))] if rest else [])]
    return _bars("Endings", Term("by what"), Term("matches"), told)


def _running(found: Year) -> Chart:
    weeks = range(int((found.room.now - START) / WEEK) + 1)
    points = []
    for week in weeks:
        at = START + week * WEEK
        points.append((float(week), float(sum(since <= at < until for since, until in found.lengths))))
    last = max((week for week, count in points if count), default=0.0)
    points = [point for point in points if point[0] <= last + 1]
    ticks = tuple(
        (float(week), f"{datetime.fromtimestamp((START + week * WEEK) / 1000, UTC):%d %b}")
        for week in range(0, len(points), max(4, len(points) // 6 // 4 * 4))
    )
    return Chart(
        "Matches under way", Term("from week to week"), form="line", series=(Series("", tuple(points)),), ticks=ticks
    )
