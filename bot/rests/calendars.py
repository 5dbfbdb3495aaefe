"""When people's time rests, and when they want quiet, by their own zones and calendars."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo, available_timezones

from engine.match.alarms import limits_of
from engine.match.clock import DAY, HOUR
from engine.match.rests import Span, merged
from engine.match.state import Match
from engine.value import value

UTC_NAME = "UTC"
ALLOWANCE = 30 * DAY
"""Milliseconds of vacation within any 365 days."""
YEAR = 365 * DAY
URGENT = 4 * HOUR
"""With less left than this, reminders come in quiet hours too."""


@value(frozen=True, slots=True)
class Calendar:
    """What a person has settled about their time, as it is stored."""

    zones: str = ""
    """A line each: since when, and which; the last two are kept."""
    vacations: str = ""
    """A line each: from when to when."""
    quiet: str = ""
    """The hours in which no reminder comes: `22-8`."""
    auto: bool = False
    """Whether a vacation begins by itself when time would run out."""


@lru_cache(maxsize=1)
def zone_names() -> dict[str, str]:
    """Every zone of the IANA database by its name in small letters."""
    return {name.lower(): name for name in available_timezones() if not name.startswith(("posix", "right", "local"))}


OF_DAY = re.compile(r"(\d{1,2})(?::00)?\s*(am|pm)?", re.ASCII | re.IGNORECASE)


def hour_of_day(text: str) -> int | None:
    """The hour that people write as `8`, `08:00`, `8am` or `10 pm`; 24 is the end of a day. None = it is none."""
    found = OF_DAY.fullmatch(text)
    hour, half = (int(found[1]), (found[2] or "").lower()) if found else (25, "")
    if half:
        return hour % 12 + 12 * (half == "pm") if 1 <= hour <= 12 else None
    return hour if hour <= 24 else None


def zone_at(calendar: Calendar, at: int | None = None) -> ZoneInfo:
    """The zone in which somebody was at an instant, or is in now: another one holds from the next turn on."""
    lines = [line.partition(" ") for line in calendar.zones.splitlines()]
    known = [name for since, _, name in lines if at is None or int(since) <= at]
    name = known[-1] if known else UTC_NAME
    return ZoneInfo(zone_names().get(name.lower(), UTC_NAME))


def add_zone(stored: str, name: str, at: int) -> str:
    """What is stored once somebody is in another zone."""
    return "\n".join([*stored.splitlines()[-1:], f"{at} {name}"])


def weekends(zone: ZoneInfo, since: int, until: int) -> Iterator[Span]:
    """Saturdays and Sundays in a zone between two instants."""
    day = local(zone, since).date()
    day -= timedelta(days=(day.weekday() - 5) % 7)
    while (start := midnight(zone, day.year, day.month, day.day)) < until:
        monday = day + timedelta(days=2)
        yield start, midnight(zone, monday.year, monday.month, monday.day)
        day += timedelta(days=7)


def vacations(calendar: Calendar) -> tuple[Span, ...]:
    """The vacations of a person, earliest first."""
    spans = (line.split() for line in calendar.vacations.splitlines())
    return tuple((int(since), int(until)) for since, until in spans)


def allowance_left(calendar: Calendar, at: int) -> int:
    """How much vacation somebody has left that begins at an instant."""
    return max(0, ALLOWANCE - sum(max(0, until - max(since, at - YEAR)) for since, until in vacations(calendar)))


def write_vacations(spans: tuple[Span, ...], at: int) -> str:
    """Vacations as they are stored; those of long ago are dropped."""
    return "\n".join(f"{since} {until}" for since, until in spans if until > at - YEAR and until > since)


def rests_of(match: Match, side: str, calendar: Calendar) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """The weekends and the vacation in which a side's time rests while it is awaited this time."""
    how = match.terms.get("rest", "usual")
    away = vacations(calendar) if match.clock.kind == "none" or match.clock.base >= DAY else ()
    if how == "none" or not (away or how == "weekend"):
        return (), ()
    limit = limits_of(match.but(rests={})).get(side)
    if limit is None:
        return (), ()
    player = match.seats[side]
    zone = zone_at(calendar, match.runs_since)
    until = 0
    own: tuple[Span, ...] = ()
    off: tuple[Span, ...] = ()
    while until < limit:  # each rest moves the limit, behind which there may be another
        until = limit
        own = tuple(weekends(zone, match.runs_since, until)) if how == "weekend" else ()
        own = merged((span for span in own if span[0] < until), match.runs_since)
        off = merged((span for span in away if span[0] < until), match.runs_since)
        limit = limits_of(match.but(rests={player: merged((*own, *off))}))[side]
    return own, off


def quiet_until(calendar: Calendar, at: int) -> int:
    """The end of the quiet hours that an instant lies in; the instant itself where it lies in none."""
    if "-" not in calendar.quiet:
        return at
    first, last = (int(hour) for hour in calendar.quiet.split("-"))
    zone = zone_at(calendar)
    here = local(zone, at)
    inside = first <= here.hour < last if first < last else (here.hour >= first or here.hour < last)
    if not inside:
        return at
    day = here.date() + timedelta(days=here.hour >= last)
    return _instant(datetime(day.year, day.month, day.day, last, tzinfo=zone))


def local(zone: ZoneInfo, at: int) -> datetime:
    """An instant as clocks in a zone show it."""
    return datetime.fromtimestamp(at / 1000, UTC).astimezone(zone)


def midnight(zone: ZoneInfo, year: int, month: int, day: int) -> int:
    """The instant at which a day begins in a zone."""
    return _instant(datetime(year, month, day, tzinfo=zone))


def _instant(when: datetime) -> int:
    return round(when.timestamp() * 1000)
