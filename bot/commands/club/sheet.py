"""From what somebody typed to what a tournament is to be: form, game, name, its own terms and those of its matches."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date

from bot.club.events import FORMS, Form, Sheet
from bot.commands.parser import read_proposal
from bot.commands.spec import BY_NAME
from bot.rests.calendars import Calendar, midnight, zone_at
from engine.game import NotationError
from engine.games import GAMES
from engine.match.clock import DAY, read_clock, read_duration
from engine.match.events import Refusal
from engine.match.terms import settled
from engine.match.terms import sheet as terms_of
from engine.text import Code, Listing, Text

ALIASES: Mapping[str, Form] = {
    "roundrobin": "round-robin",
    "robin": "round-robin",
    "all": "round-robin",
    "single": "knockout",
    "knock-out": "knockout",
    "elimination": "knockout",
    "team": "teams",
    "season": "ladder",
}
LONGEST_NAME = 60
SEASON = 90 * DAY
"""How long a ladder's season is unless something else is said."""
LATEST = 400 * DAY
"""How far off a beginning or an end may be."""
BOUNDS: Mapping[str, tuple[int, int]] = {"seats": (2, 64), "rounds": (1, 15), "games": (1, 4), "atonce": (1, 15)}
"""The least and the most of each number."""
USUAL: Mapping[Form, Mapping[str, int]] = {
    "round-robin": {"seats": 6, "atonce": 2},
    "swiss": {"seats": 16},
    "knockout": {"seats": 8},
    "double": {"seats": 8},
    "teams": {"seats": 4},
    "ladder": {"seats": 64},
}
MOST_OF_ALL = 16
"""Seats where everybody meets everybody."""
OWN = (*BOUNDS, "begins", "ends", "name")
"""The terms of a tournament; all others are its matches'."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What somebody wants to set up."""

    form: Form
    game: str
    name: str
    sheet: Sheet
    terms: dict[str, str]


def read_plan(text: str, calendar: Calendar, at: int, defaults: Callable[[str], Mapping[str, str]]) -> Plan | Refusal:
    """Returns the tournament that a text describes, or why it cannot be; `defaults`: the room's terms of a game."""
    example = Text("For example: `{example}`.", example=BY_NAME["tournament"].example)
    proposal = read_proposal(text, tuple(GAMES))
    formed = next((word for word in proposal.stray if _form(word)), "")
    form = _form(formed)
    words = [word for word in text.split() if "=" not in word and '"' not in word]  # with those that challenges skip
    for taken in (formed, next((word for word in words if word.lower() == proposal.game), "")):
        words.remove(taken) if taken else None
    if form is None:
        forms = Listing(tuple(Code(one) for one in FORMS), "or")
        return Refusal(Text("How is it to be played: {forms}?", forms=forms), example)
    if not proposal.game:
        return Refusal(Text("Which game?"), example)
    if proposal.names:
        return Refusal(Text("People join a tournament by themselves."), Text("Announce it without names."))
    given = dict(proposal.terms)
    name = " ".join((given.pop("name", "") or " ".join(words)).split())[:LONGEST_NAME]
    own = {key: given.pop(key) for key in list(given) if key in OWN}
    sheet = _sheet(form, own, calendar, at)
    if isinstance(sheet, Refusal):
        return sheet
    game = GAMES[proposal.game]
    known = {key for option in terms_of(game) for key in (option.key, *option.aliases)}
    if unknown := next((key for key in given if key.lower() not in known), ""):
        return Refusal(
            Text("No tournament of {game} has a term called {word}.", game=game.name, word=Code(unknown[:40])),
            Text(
                "Its own are {terms}; `terms {key}` lists those of its matches.",
                terms=Listing(tuple(Code(f"{key}=") for key in OWN)),
                key=game.key,
            ),
        )
    try:
        terms, sides = settled(game, {**defaults(game.key), **given})
    except NotationError as error:
        return Refusal(error.because, error.remedy)
    if read_clock(terms["time"]).kind == "none":
        return Refusal(Text("Without a clock a tournament need not end."), Text("Agree on one, such as `time=3d`."))
    if game.for_keeps(terms):
        return Refusal(Text("No tournament is played for keeps."), Text("Leave `formality=formal` out."))
    if len(sides) > 2 and form != "swiss":
        return Refusal(
            Text("Matches of three and more are played in Swiss rounds, table by table."),
            Text("Write it like this: `tournament swiss chirality players=3`."),
        )
    return Plan(form, game.key, name or str(game.name), sheet, terms)


def _form(word: str) -> Form | None:
    low = word.lower()
    return next((form for form in FORMS if form == low), ALIASES.get(low))


def _sheet(form: Form, given: Mapping[str, str], calendar: Calendar, at: int) -> Sheet | Refusal:
    numbers = {"rounds": 0, "games": 1, "atonce": 0, **USUAL[form]}
    for key, (low, high) in BOUNDS.items():
        most = MOST_OF_ALL if key == "seats" and form == "round-robin" else high
        if key in given:
            typed = given[key]
            if not (typed.isascii() and typed.isdigit() and len(typed) < 4 and low <= int(typed) <= most):
                return Refusal(
                    Text("{term} is a number from {low} to {high}.", term=Code(key), low=low, high=most),
                    Text("For example: `{example}`.", example=f"{key}={max(low, min(4, most))}"),
                )
            numbers[key] = int(typed)
    if form == "swiss" and not numbers["rounds"]:
        numbers["rounds"] = max(3, (numbers["seats"] - 1).bit_length() + 1)
    begins = _instant(given.get("begins", ""), calendar, at)
    ends = _instant(given.get("ends", ""), calendar, at)
    for found in (begins, ends):
        if isinstance(found, Refusal):
            return found
    assert isinstance(begins, int)
    assert isinstance(ends, int)
    if form == "ladder":
        ends = ends or at + SEASON
    return Sheet(numbers["seats"], numbers["rounds"], numbers["games"], numbers["atonce"], begins, ends)


def _instant(typed: str, calendar: Calendar, at: int) -> int | Refusal:
    """An instant typed as a day or a length of time from now; 0 for none."""
    wrong = Refusal(
        Text("{word} is no day to come within a year.", word=Code(typed[:40])),
        Text("Write a day, such as `begins=2027-09-01`, or a length of time, such as `begins=7d`."),
    )
    if typed.lower() in ("", "full"):
        return 0
    try:
        day = date.fromisoformat(typed)
        found = midnight(zone_at(calendar), day.year, day.month, day.day)
    except ValueError:
        try:
            found = at + read_duration(typed)
        except NotationError:
            return wrong
    return found if at < found <= at + LATEST else wrong
