"""The clock in every zone of the IANA database, at the very second of every change of its offset from 2024 to 2040."""

from datetime import UTC, datetime, timedelta
from functools import cache, lru_cache
from zoneinfo import ZoneInfo

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.rests.calendars import ALLOWANCE, Calendar, quiet_until, rests_of, weekends, zone_names
from engine.match.alarms import UNCLAIMED, alarms, deadline
from engine.match.commands import Answer, Give, Offer
from engine.match.rests import merged, ran
from tests.table import DAY, HOUR, Table, begun

SECOND = 1000
FIRST, LAST = datetime(2024, 1, 1, tzinfo=UTC), datetime(2041, 1, 1, tzinfo=UTC)
CLOCKS = ("45s", "10m", "1d", "3d", "20d+1d", "20d+1d<30d", "5/10d", "hourglass10d", "60d")


def offset(zone: ZoneInfo, at: int) -> timedelta | None:
    return datetime.fromtimestamp(at, UTC).astimezone(zone).utcoffset()


def changes(zone: ZoneInfo) -> list[int]:
    """The seconds since 1970 at which a zone's offset changes; a pair of changes within six days counts as none."""
    step, end = 6 * 24 * 3600, int(LAST.timestamp())
    at, found = int(FIRST.timestamp()), []
    while at < end:
        if offset(zone, at) != offset(zone, at + step):
            low, high = at, at + step
            while high - low > 1:
                middle = (low + high) // 2
                low, high = (middle, high) if offset(zone, middle) == offset(zone, at) else (low, middle)
            found.append(high)
        at += step
    return found


@lru_cache(maxsize=1)
def kinds() -> dict[tuple[object, ...], str]:
    """One zone for each way in which offsets change, by those changes."""
    found: dict[tuple[object, ...], str] = {}
    for name in sorted(zone_names().values()):
        zone = ZoneInfo(name)
        at = changes(zone)
        found.setdefault((*at, *(offset(zone, one) for one in at), offset(zone, int(FIRST.timestamp()))), name)
    return found


def test_every_change_of_every_zone_is_looked_at() -> None:
    assert len(zone_names()) > 500
    assert sum(len(signature) // 2 for signature in kinds()) > 1_000
    assert "Africa/Casablanca" in kinds().values(), "whose clocks change for Ramadan, each year on other days"
    berlin = [datetime.fromtimestamp(at, UTC) for at in changes(ZoneInfo("Europe/Berlin"))]
    assert berlin[0] == datetime(2024, 3, 31, 1, tzinfo=UTC)
    assert len(berlin) == 34


def test_whoever_rests_has_their_whole_time_besides_across_every_change() -> None:
    table = begun(time="3d", rest="weekend").now
    checked = 0
    for name in kinds().values():
        calendar = Calendar(zones=f"0 {name}")
        for change in changes(ZoneInfo(name)):
            for before in (0, 1, 2 * DAY + HOUR):
                at = change * SECOND - before
                match = table.but(turn_started_at=at, runs_since=at, awaited_since=at)
                own, off = rests_of(match, "W", calendar)
                due = deadline(match.but(rests={"anna": own}))
                assert due is not None
                assert not off
                assert ran(at, due, own) == 3 * DAY, name
                assert due <= at + 8 * DAY, name
                checked += 1
    assert checked > 2_500


def test_quiet_hours_and_weekends_have_ends_at_every_change() -> None:
    for name in kinds().values():
        calendar = Calendar(zones=f"0 {name}", quiet="22-8")
        for change in changes(ZoneInfo(name)):
            for at in (change * SECOND - 1, change * SECOND, change * SECOND + HOUR):
                until = quiet_until(calendar, at)
                assert quiet_until(calendar, until) == until, name
                assert 0 <= until - at <= 12 * HOUR, name
            spans = [*weekends(ZoneInfo(name), change * SECOND - 8 * DAY, change * SECOND + 8 * DAY)]
            assert all(46 * HOUR <= end - start <= 50 * HOUR for start, end in spans), name


def test_the_leap_day_of_a_weekend_rests_too_and_is_a_day_like_any_other() -> None:
    """29 February 2032 is a Sunday; in 2028 and 2036 it lies within a week."""
    for zone in ("Europe/Berlin", "Pacific/Auckland", "America/Los_Angeles"):
        here, calendar = ZoneInfo(zone), Calendar(zones=f"0 {zone}")
        for begins, ends in (
            (datetime(2032, 2, 28, 12, tzinfo=here), datetime(2032, 3, 4, tzinfo=here)),
            (datetime(2028, 2, 28, tzinfo=here), datetime(2028, 3, 2, tzinfo=here)),
            (datetime(2036, 2, 27, tzinfo=here), datetime(2036, 3, 1, tzinfo=here)),
        ):
            at = int(begins.timestamp()) * SECOND
            match = begun(time="3d", rest="weekend").now.but(turn_started_at=at, runs_since=at, awaited_since=at)
            own, _ = rests_of(match, "W", calendar)
            assert deadline(match.but(rests={"anna": own})) == int(ends.timestamp()) * SECOND


@st.composite
def moments(draw: st.DrawFn) -> tuple[str, int]:
    """A zone, and any second from 2024 to 2040, or one around a change of its offset."""
    zone = draw(st.sampled_from(sorted(zone_names().values())))
    near = changes_of(zone)
    if draw(st.booleans()) and near:
        return zone, draw(st.sampled_from(near)) + draw(st.integers(-8 * 86_400, 3_600))
    return zone, draw(st.integers(int(FIRST.timestamp()), int(LAST.timestamp())))


@cache
def changes_of(zone: str) -> tuple[int, ...]:
    return tuple(changes(ZoneInfo(zone)))


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from(CLOCKS),
    st.sampled_from(("usual", "weekend", "none")),
    st.sampled_from(("flag", "claim")),
    moments(),
    st.lists(st.tuples(st.integers(-40, 400), st.integers(1, 30)), max_size=4),
    st.lists(st.sampled_from(("pause", "adjourn", "gift")), max_size=4),
)
def test_every_clock_has_a_last_moment_in_every_zone_whatever_rests(
    clock: str, rest: str, timeout: str, moment: tuple[str, int], away: list[tuple[int, int]], agreed: list[str]
) -> None:
    zone, at = moment[0], moment[1] * SECOND
    vacations = "\n".join(f"{at + start * DAY} {at + (start + days) * DAY}" for start, days in sorted(away))
    match = begun(time=clock, rest=rest, timeout=timeout).now.but(turn_started_at=at, runs_since=at, awaited_since=at)
    table = Table(match, at)
    for what in agreed:
        if what == "gift":
            table.says(Give("ben", 7 * DAY), after=1)
        else:
            table.says(Offer("anna", "adjourn") if what == "adjourn" else Offer("anna", "pause", "14d"), after=1)
            table.says(Answer("ben", yes=True), after=1)
    match, calendar = table.now, Calendar(zones=f"0 {zone}", vacations=vacations)
    own, off = rests_of(match, "W", calendar)
    rests = (*own, *off)
    rested = match.but(rests={"anna": rests})
    bare, due = deadline(match), deadline(rested)
    assert bare is not None
    assert due is not None
    assert due >= bare, "rests take time from nobody"
    assert due <= at + (bare - at) * 7 // 2 + 4 * ALLOWANCE + 14 * DAY
    had = match.time_left["W"] + match.turn_started_at - at  # what was given counts as begun so much later
    assert ran(at, due, merged((*rests, *match.pauses))) == had, "nobody is flagged early, nor late"
    (last,) = (one.at for one in alarms(rested) if one.kind == "flag")
    assert last == due + (UNCLAIMED if timeout == "claim" else 0)
    assert bare <= at + (60 + 60 + 3 * 14 + 30) * DAY, "a turn's longest time, an adjournment, pauses and gifts"
