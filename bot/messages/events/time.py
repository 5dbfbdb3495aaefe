"""The sentences for what happens to a match's time and terms: pauses, gifts, claims, other terms."""

from collections.abc import Mapping

from bot.messages.model import Lines
from bot.messages.people_text import Names, one_line, people, seat, who
from bot.messages.terms_text import changed_terms
from engine.board import Side
from engine.match.alarms import deadline, limits_of
from engine.match.clock import read_duration
from engine.match.ends import plays_on
from engine.match.events import Offered
from engine.match.events.time import ClaimMade, Overrun, Paused, PauseEnded, TermsChanged, TimeGiven
from engine.match.offers import PAUSES, USUAL_PAUSE
from engine.match.state import Match
from engine.match.terms import in_mid_match
from engine.text import Duration, Instant, Text, Value


def offered_later(match: Match, event: Offered, side: Side, names: Names) -> Text | None:
    """An offer about the match's time or terms; None = it is about something else."""
    template = OFFERED.get(event.what)
    if template is None:
        return None
    values: dict[str, Value] = dict(seat(match, side, names))
    if event.what in ("pause", "time"):
        values["span"] = Duration(read_duration(event.value or USUAL_PAUSE))
    elif event.what == "adjourn":
        values["span"] = Duration(PAUSES["adjourn"][1])
    elif event.what == "terms":
        new = in_mid_match(match.game, match.terms, event.value)
        values["changes"] = changed_terms(match.game, match.terms, new)
    return Text(template.template, **values)


OFFERED: Mapping[str, Text] = {
    "pause": Text("{player} ({side}) proposes a pause of {span}."),
    "adjourn": Text("{player} ({side}) proposes to adjourn the match until both want to go on, {span} at most."),
    "resume": Text("{player} ({side}) proposes to go on now."),
    "time": Text("{player} ({side}) asks for {span} more."),
    "terms": Text("{player} ({side}) proposes other terms from the next turn on: {changes}."),
    "ruling": Text("{player} ({side}) asks that an arbiter rule in this match."),
}

ANSWERS: Mapping[tuple[str, str], Text] = {
    ("pause", "accepted"): Text("{player} agrees to the pause."),
    ("pause", "declined"): Text("{player} declines the pause."),
    ("pause", "withdrawn"): Text("{player} withdraws the proposal of a pause."),
    ("adjourn", "accepted"): Text("{player} agrees to adjourn."),
    ("adjourn", "declined"): Text("{player} declines to adjourn."),
    ("adjourn", "withdrawn"): Text("{player} withdraws the proposal to adjourn."),
    ("resume", "accepted"): Text("{player} agrees to go on."),
    ("resume", "declined"): Text("{player} would rather keep the pause."),
    ("resume", "withdrawn"): Text("{player} withdraws the proposal to go on."),
    ("time", "accepted"): Text("{player} agrees to more time."),
    ("time", "declined"): Text("{player} declines to give more time."),
    ("time", "withdrawn"): Text("{player} withdraws the request for more time."),
    ("terms", "accepted"): Text("{player} agrees to the other terms."),
    ("terms", "declined"): Text("{player} declines the other terms."),
    ("terms", "withdrawn"): Text("{player} withdraws the proposal of other terms."),
    ("ruling", "accepted"): Text("{player} agrees that an arbiter rule."),
    ("ruling", "declined"): Text("{player} would rather have no ruling."),
    ("ruling", "withdrawn"): Text("{player} withdraws the request for a ruling."),
}


def paused(match: Match, event: Paused, names: Names, after: Match) -> Lines:
    if event.why == "ruling":
        asked = Text("The arbiters are told; until one of them rules nobody's time runs.")
        return one_line(asked, Text("Without a ruling it runs again {time}.", time=Instant(event.until)))
    stands = Text("Nobody's time runs now; it runs again {time}.", time=Instant(event.until))
    return one_line(stands, Text("Turns can be made meanwhile; `resume` proposes to go on at once."))


def pause_ended(match: Match, event: PauseEnded, names: Names, after: Match) -> Lines:
    return one_line(Text("Time runs again."), _until(after, names))


def time_given(match: Match, event: TimeGiven, names: Names, after: Match) -> Lines:
    gift = Text(
        "{giver} gives {player} ({side}) {span} more.",
        giver=who(event.by, names),
        span=Duration(event.span),
        **seat(match, event.side, names),
    )
    return one_line(gift, _until(after, names) if event.side in after.sides_to_act else None)


def overrun(match: Match, event: Overrun, names: Names, after: Match) -> Lines:
    late = [side for side, limit in limits_of(match).items() if limit < event.at]
    out = people((match.seats[side] for side in late), names)
    told = Text("{players}: the time is over; until somebody claims the match, a turn still counts.", players=out)
    others = people((match.seats[side] for side in match.game.playing(match.position) if side not in late), names)
    claims = Text("{players}: `claim {match}` wins the match.", players=others, match=match.id)
    if plays_on(match, late):
        claims = Text(
            "{players}: `claim {match}` takes {late} out of the match, and the rest play on.",
            players=others,
            match=match.id,
            late=out,
        )
    return one_line(told, claims if others.items else None)


def claim_made(match: Match, event: ClaimMade, names: Names, after: Match) -> Lines:
    awaited = people((match.seats[side] for side in match.sides_to_act), names)
    claim = Text("{player} claims match {match}, which has no clock.", player=who(event.by, names), match=match.id)
    due = deadline(after)
    if due is None:
        return one_line(claim)
    return one_line(claim, Text("{players}: act in time, or it is lost; due {due}.", players=awaited, due=Instant(due)))


def terms_changed(match: Match, event: TermsChanged, names: Names, after: Match) -> Lines:
    changes = changed_terms(match.game, match.terms, event.terms)
    held = Text("From the next turn on: {changes}.", changes=changes)
    return one_line(held, Text("What stands is judged by the terms it was played on."))


def needed(match: Match) -> Text | None:
    """What exactly those who are awaited have to do, where that is not simply to make a turn; as the last news said."""
    asks = match.game.asks(match.position)
    if asks:
        return ASKED.get(asks[0].key, ASKED[""])
    return match.game.duty(match.position) if match.ending is None else None


ASKED: Mapping[str, Text] = {
    "layout": Text("Your layout is awaited; send it privately."),
    "": Text("A private answer of yours is awaited."),
}
"""By what a game asks for."""


def _until(match: Match, names: Names) -> Text | None:
    due = deadline(match)
    if due is None:
        return None
    awaited = people((match.seats[side] for side in match.sides_to_act), names)
    return Text("{players}: due {due}.", players=awaited, due=Instant(due))
