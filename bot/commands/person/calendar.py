"""A person's own time: `zone`, `quiet`, `vacation`."""

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import date

from bot.commands.context import Context, Effect, whisper
from bot.commands.parser import closest
from bot.notices import waiting_for
from bot.notices.reminders import OFTEN, USUAL, WHERE, WORDS
from bot.repository import Repository, Setting
from bot.rests.calendars import (
    ALLOWANCE,
    Calendar,
    add_zone,
    allowance_left,
    hour_of_day,
    local,
    midnight,
    vacations,
    write_vacations,
    zone_at,
    zone_names,
)
from engine.game import NotationError
from engine.match.alarms import limits_of
from engine.match.clock import DAY, read_duration
from engine.match.rests import Span
from engine.match.state import Match
from engine.text import Code, Duration, Instant, Listing, Text, plural

OFF = ("off", "none")
END = ("end", "stop", "over")
DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
HOURS = re.compile(r"(\S.*?)\s*(?:-|–|to)\s*(\S.*)", re.IGNORECASE)
OFFSET = re.compile(r"(?:utc|gmt)?[+-]\d{1,2}(?::?\d\d)?", re.IGNORECASE)
"""How far a zone is from Greenwich; the database has such names too, but with the signs turned around."""


async def zone(repository: Repository, context: Context) -> Effect:
    """Shows the author's time zone, or sets it."""
    message, name = context.message, context.parsed.rest.replace(" ", "_")
    calendar = await repository.calendar(message.who.key)
    if not name:
        return whisper(message, _here(calendar, message.at), Text("`zone Europe/Berlin` sets another."))
    if OFFSET.fullmatch(name):
        why = Text("{word} does not say when clocks change.", word=Code(name))
        return whisper(message, why, Text("Name a city near you: `zone Europe/Berlin`."))
    known = zone_names().get(name.lower())
    if known is None:
        cities = {one.rpartition("/")[2]: full for one, full in zone_names().items()}
        known = cities.get(name.lower())
    if known is None:
        meant = zone_names().get(closest(name, tuple(zone_names())), "")
        remedy = (
            Text("Did you mean `zone {zone}`?", zone=meant) if meant else Text("For example: `zone Europe/Berlin`.")
        )
        return whisper(message, Text("There is no time zone {word}.", word=Code(name[:40])), remedy)
    zones = add_zone(calendar.zones, known, message.at)
    told = _here(replace(calendar, zones=zones), message.at)
    later = Text("Weekends in your matches follow it from your next turn on.")
    return _settled(context, whisper(message, told, later), ("zone", zones))


async def quiet(repository: Repository, context: Context) -> Effect:
    """Sets the hours in which no reminder comes; how often one comes, and where."""
    message, words = context.message, context.parsed.rest.lower()
    calendar = await repository.calendar(message.who.key)
    if words in REMINDED:
        key = WORDS.get(words) or USUAL[words]
        return _settled(context, whisper(message, *REMINDED[words]), (key, words if words in WORDS else ""))
    if words in OFF:
        return _settled(context, whisper(message, Text("You have no quiet hours any more.")), ("quiet", ""))
    found = HOURS.fullmatch(words)
    first, last = map(hour_of_day, found.groups()) if found else (None, None)
    if first is None or last is None or first % 24 == last % 24:
        now = Text("Your quiet hours: {hours}.", hours=Code(calendar.quiet)) if calendar.quiet else NO_QUIET
        if words:
            now = Text("{words} does not say from which hour to which.", words=Code(words[:40]))
        settled = [await repository.setting(context.accounts[0], key) for key in (OFTEN, WHERE)]
        how = [REMINDED[word][0] for word in settled if word and not words]
        rest = Text("From ten in the evening to eight: `quiet 22-8`; `quiet off` ends them.")
        return whisper(message, now, *how, rest)
    first, last = first % 24, last % 24
    hours = f"{first}-{last}"
    return _settled(
        context,
        whisper(
            message,
            Text("Between these hours no reminder pings you: {hours}.", hours=Code(hours)),
            Text("One still does when less than {span} are left.", span=Duration(4 * 3_600_000)),
            _here(calendar, message.at),
        ),
        ("quiet", hours),
    )


NO_QUIET = Text("You have no quiet hours.")
REMINDED: Mapping[str, tuple[Text, ...]] = {
    "all": (Text("All reminders of a turn ping you."),),
    "last": (Text("Of the reminders of a turn only the last pings you."), Text("`quiet all` undoes it.")),
    "never": (Text("No reminder pings you any more."), Text("`quiet all` undoes it.")),
    "open": (Text("Reminders come where the match is played."),),
    "private": (Text("Reminders come to you alone, in private."), Text("`quiet open` undoes it.")),
}
"""How often reminders come, and where."""


async def vacation(repository: Repository, context: Context) -> Effect:
    """Shows, begins or ends a vacation, in which the author's time rests."""
    message, words = context.message, context.parsed.rest.lower().split()
    calendar = await repository.calendar(message.who.key)
    if words[:1] == ["auto"] and words[1:] in (["on"], ["off"]):
        told = AUTO_ON if words[1] == "on" else AUTO_OFF
        return _settled(context, whisper(message, told), ("auto vacation", words[1] if words[1] == "on" else ""))
    known = vacations(calendar)
    if words and words[0] in END:
        return _ended(context, known)
    if not words:
        return whisper(message, *_status(calendar, message.at), Text("`vacation 7d` begins one now."))
    span = _span(calendar, context.parsed.rest.split(), message.at)
    if isinstance(span, Text):
        return whisper(message, span, Text("`vacation 7d` begins one now; `vacation 2027-07-01 2027-07-14` later."))
    since, until = span
    if any(start < until and since < end for start, end in known):
        return whisper(message, Text("You have a vacation at that time already."), Text("`vacation end` ends it."))
    left = allowance_left(calendar, since)
    if until - since > left:
        return whisper(
            message,
            Text("That is more vacation than you have left: {span}.", span=Duration(left // DAY * DAY)),
            Text("Within 365 days there are {span}.", span=Duration(ALLOWANCE)),
        )
    begun = _rests(span, message.at)
    rules = Text("This holds in matches that give a day or more, unless their terms say `rest=none`.")
    late = await _too_late(repository, context)
    stored = write_vacations(tuple(sorted((*known, span))), message.at)
    return _settled(context, whisper(message, begun, rules, *late, PLAY_ON), ("vacations", stored))


async def _too_late(repository: Repository, context: Context) -> tuple[Text, ...]:
    """In which matches the author's time was over before."""
    late = [match.id for match in await waiting_for(repository, context.accounts[0]) if _over(match, context)]
    if not late:
        return ()
    told = plural(
        "In match {matches} your time was over before, and stays over.",
        "In matches {matches} your time was over before, and stays over.",
        len(late),
        matches=Listing(tuple(late), "and"),
    )
    return (told,)


def _over(match: Match, context: Context) -> bool:
    return any(
        at < context.message.at for side, at in limits_of(match).items() if match.seats[side] in context.accounts
    )


AUTO_ON = Text("When your time would run out, a vacation begins by itself, as long as you have any left.")
AUTO_OFF = Text("No vacation begins by itself any more.")
PLAY_ON = Text("You can still make turns; `vacation end` ends the vacation.")


def _ended(context: Context, known: tuple[Span, ...]) -> Effect:
    message = context.message
    running = [(since, until) for since, until in known if until > message.at]
    if not running:
        return whisper(message, Text("You are not on vacation."), Text("`vacation 7d` begins one."))
    since = running[0][0]
    kept = tuple((begun, min(end, message.at)) if (begun, end) == running[0] else (begun, end) for begun, end in known)
    told = Text("Your vacation is over; time runs again.") if since <= message.at else Text("That vacation is off.")
    return _settled(context, whisper(message, told), ("vacations", write_vacations(kept, message.at)))


def _span(calendar: Calendar, words: list[str], at: int) -> Span | Text:
    """The vacation that somebody asks for, or why it is none."""
    if len(words) == 2 and all(DATE.fullmatch(word) for word in words):
        try:
            first, last = (date.fromisoformat(word) for word in words)
            after = date.fromordinal(last.toordinal() + 1)
        except ValueError:
            return Text("There is no such day.")
        zone = zone_at(calendar)
        since = max(at, midnight(zone, first.year, first.month, first.day))
        until = midnight(zone, after.year, after.month, after.day)
        if first > last:
            return Text("The last day comes before the first.")
        if until <= at:
            return Text("Those days are not in the future.")
        return (since, until) if since < at + 365 * DAY else Text("That is more than a year away.")
    try:
        return at, at + read_duration("".join(words))
    except NotationError as error:
        return error.because


def _status(calendar: Calendar, at: int) -> tuple[Text, ...]:
    to_come = [span for span in vacations(calendar) if span[1] > at]
    left = Text(
        "You have {span} of vacation left within this year.", span=Duration(allowance_left(calendar, at) // DAY * DAY)
    )
    return (*(_rests(span, at) for span in to_come), left, *((AUTO_ON,) if calendar.auto else ()))


def _rests(span: Span, at: int) -> Text:
    since, until = span
    if since <= at:
        return Text("Your time rests; it runs again {until}.", until=Instant(until))
    return Text("Your time will rest {since}, and run again {until}.", since=Instant(since), until=Instant(until))


def _here(calendar: Calendar, at: int) -> Text:
    zone = zone_at(calendar)
    return Text("Your time zone is {zone}: it is {time} there.", zone=zone.key, time=f"{local(zone, at):%H:%M}")


def _settled(context: Context, effect: Effect, *settings: tuple[str, str]) -> Effect:
    owner = context.accounts[0]
    stored: tuple[Setting, ...] = tuple((owner, key, value) for key, value in settings)
    return replace(effect, settings=stored)
