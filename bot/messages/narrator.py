"""What the room is told when something happens to a match: one message wherever one will do."""

from collections.abc import Mapping
from dataclasses import replace

from bot.messages.callout_text import Found, callout, reached, rule_text
from bot.messages.model import Choice, Lines, Picture
from bot.messages.opening_texts import remarks
from bot.messages.people_text import Names, each_line, opponents, people, seat
from bot.messages.prompts import (
    ANSWER,
    answer_choices,
    awaited_players,
    call_choices,
    callable_now,
    challenge_choices,
    claim_choices,
    contest_notice,
    due,
    offer_choices,
    rematch_choices,
    repetition_warning,
    rung,
    turn_choices,
)
from bot.messages.sentences import SENTENCES, result
from bot.messages.serialization import read_address
from bot.messages.showing.match_pictures import after_event, seated
from bot.messages.showing.pictures import picture
from bot.messages.terms_text import terms_line
from engine.board import Side
from engine.match.alarms import deadline
from engine.match.commands import Player
from engine.match.events import (
    Agreed,
    CalledOut,
    CallFailed,
    Claimed,
    Declined,
    Ended,
    Event,
    Expired,
    Flagged,
    Nudged,
    Offered,
    PlaceLinked,
    Played,
    Refusal,
    Replied,
    Reset,
    Resigned,
    Started,
    TakenBack,
    TurnLost,
)
from engine.match.events.rulings import Lifted, PlaceMoved, SeatHanded
from engine.match.events.time import ClaimMade
from engine.match.evolve import Decision
from engine.match.fines import fine
from engine.match.state import Match, encoded
from engine.text import Code, Instant, Listing, Term, Text, plural, sentences
from engine.value import value


@value(frozen=True, slots=True)
class Draft:
    """Something to be said about a match, before it is known where that is."""

    text: Lines
    picture: Picture | None = None
    choices: tuple[Choice, ...] = ()
    only: Player | None = None
    """Whispered to one player; None = to everybody."""
    harmless: bool = False
    """Private only to spare the others, not because it is secret."""
    channel: bool = False
    """Said in the channel around the match's thread."""
    rings: tuple[Player, ...] = ()
    """Whom it is to notify."""
    opening: Lines = ()
    """What is said in a channel in which the match has had no thread so far."""
    opens: tuple[str, ...] = ()
    """The places of which that is true."""
    place: str = ""
    """The address of the only place, in the match's thread there, where it is said; "" = wherever the match lives."""
    file: str = ""
    """The name under which its block of code is a file, where there are files."""
    gallery: tuple[Player, ...] = ()
    """Told only in the spectators' thread, to which these players are added."""
    language: str = ""
    """In which it is told; "" = its readers'."""


def narrate(
    before: Match | None,
    decision: Decision,
    names: Names,
    called_off: Mapping[Player, int] | None = None,
    overdue: Mapping[Player, int] | None = None,
) -> tuple[Draft, ...]:
    """What is said when these events happen to a match: one message wherever one will do.

    `called_off`: how many matches each of its players has called off so far, once the lots were drawn; `overdue`: in
    how many whoever challenges has let their time run out, if that is to be told.
    """
    events = decision.events
    said: list[Draft] = []
    lines: Lines = ()
    found: Found | None = None
    match, changed = before, False
    for number, (event, after) in enumerate(zip(events, decision.states, strict=True)):
        changed |= isinstance(event, BOARD_CHANGED) or _costly(match, event)
        if isinstance(event, CalledOut):
            assert match is not None, "only a running match has turns to call"
            led_to = reached(match, event, after, events[number + 1 :])
            why, found = callout(match, decision.after, event, led_to, names)
            lines += why
        else:
            lines += SENTENCES[type(event)](match or after, event, names, after)
        match = after
    assert match is not None, "there is at least one event"
    if match.status == "open":
        invitation = _invitation(match, lines, names, called_off or {}, overdue or {})
        if before is not None and before.status == "running":
            said.append(Draft(lines))  # in its thread, too
        return (*said, invitation, *_elsewhere(match, invitation))
    said += _moved_away(before, match, lines) if any(isinstance(event, PlaceMoved) for event in events) else []
    if changed:
        said += _standing(before, decision, lines + _put_out(before, match, events, names), names, found)
    elif lines and match.status != "declined":
        if told := any(isinstance(event, Nudged | ClaimMade) for event in events):
            lines += each_line(callable_now(match))
        shown = after_event(match, names, events[-1], None) if told else None
        acting = (*turn_choices(match), *answer_choices(match), *call_choices(match)) if told else ()
        choices = (*acting, *offer_choices(match, events), *claim_choices(match, events))
        said.append(Draft(lines, shown, choices, rings=rung(match, events, told=told)))
    news = _news(match, events[-1], names)
    return (*said, Draft(news, channel=True)) if news else tuple(said)


def reopened(match: Match, names: Names, here: Text) -> Draft:
    """Where a match stands, for whoever has not heard of it for a while; `here` says why."""
    at = seated(match, names, over=match.result is not None)
    shown = picture(match.game, match.position, None, text=encoded(match), seated=at)
    if match.status != "running":
        return Draft(((here,), headline(match, names)), shown)
    lines = ((here,), *due(match, names))
    choices = (*turn_choices(match), *answer_choices(match), *call_choices(match))
    return Draft(lines, shown, choices, rings=awaited_players(match))


def refuse(refusal: Refusal, match: Match | None = None, viewer: Side | None = None) -> Draft:
    """One private answer: the fact, then the remedy; for a refused turn also where to look."""
    meant = None
    if refusal.readings:
        readings = Listing(tuple(Code(reading) for reading in refusal.readings), "or")
        meant = Text("It can mean {readings}.", readings=readings)
    shown = None
    if refusal.rulings and match is not None:
        marks, at = tuple(mark for ruling in refusal.rulings for mark in ruling.marks), seated(match, {}, over=False)
        shown = (
            picture(match.game, match.position, viewer, text=encoded(match), marks=marks, seated=at) if marks else None
        )
    rule = rule_text(refusal.rulings[0]) if refusal.rulings else None
    return Draft((tuple(sentences((refusal.because, meant, rule, refusal.remedy))),), shown)


def headline(match: Match, names: Names) -> tuple[Text, ...]:
    """A match in one line, for lists."""
    playing = opponents(match, names)
    title = Text("**{match}** {game}: {players}.", match=match.id, game=match.game.name, players=playing)
    if match.status == "open":
        return title, NOT_BEGUN
    if match.result is not None:
        return title, *result(match, match.result, names)
    awaited, at = people(awaited_players(match), names), deadline(match)
    if at is None:
        return title, Text("To act: {players}.", players=awaited)
    return title, Text("To act: {players}; due {due}.", players=awaited, due=Instant(at))


NOT_BEGUN = Text("Not begun.")

GONE = (Resigned, Flagged, Claimed)
BOARD_CHANGED = (
    *(Started, Played, Replied, CalledOut, TakenBack, Reset, *GONE, Ended, Agreed, PlaceLinked, TurnLost),
    *(Lifted, PlaceMoved, SeatHanded),
)
"""After these the board is shown: it has changed, or there is a room that has not seen it."""


def _put_out(before: Match | None, match: Match, events: tuple[Event, ...], names: Names) -> Lines:
    """The sides that were put out on the board, rather than by leaving the match."""
    if before is None or before.position is None:
        return ()
    gone = {event.side for event in events if isinstance(event, GONE)}
    still = {*match.game.playing(match.position), *gone}
    out = (side for side in match.game.playing(before.position) if side not in still)
    return tuple((Text("{player} ({side}) is out.", **seat(match, side, names)),) for side in out)


def _costly(match: Match | None, event: Event) -> bool:
    """Whether this is a wrong call that changes whose turn it is, or for how long."""
    return match is not None and isinstance(event, CallFailed) and fine(match, event).now > 0


# --- whole messages ---------------------------------------------------------------------------------------
def _news(match: Match, event: Event, names: Names) -> Lines:
    """What the channel around a match's thread hears of it: how it ends."""
    match event:
        case Ended():
            title = Text("**Match {match}**: {players}.", match=match.id, players=opponents(match, names))
            return ((title, *result(match, event, names)),)
        case Declined() | Expired():
            return SENTENCES[type(event)](match, event, names, match)
        case _:
            return ()


def _invitation(
    match: Match, lines: Lines, names: Names, called_off: Mapping[Player, int], overdue: Mapping[Player, int]
) -> Draft:
    """A challenge, or what became of it: shown where it was made, with buttons for whoever may answer."""
    missing = len(match.game.seats(match.terms)) - len(match.parties)
    expected = tuple(player for player in match.parties if player not in match.joined)
    title = Text("**Match {match}** · {game}.", match=match.id, game=match.game.name)
    terms = tuple(sentences((*terms_line(match), match.game.remark(match.terms))))
    lines = (*lines, (title, match.game.gist), terms)
    lines = (*lines, *remarks(called_off, overdue, names))
    if expected:
        awaited = Text(
            "{players}: `accept {match}`, `decline {match}`, or `counter {match} time=5d` to propose other terms.",
            players=people(expected, names),
            match=match.id,
        )
        lines = (*lines, (awaited,))
    if missing:
        free = plural(
            "{count} seat is free: `accept {match}`.",
            "{count} seats are free: `accept {match}`.",
            missing,
            match=match.id,
        )
        lines = (*lines, (free,))
    if match.expires:
        lines = (*lines, (Text("Without an answer it is off {due}.", due=Instant(match.expires)),))
    start = match.terms["start"]
    shown = picture(match.game, match.game.decode(start), None, text=start) if start else None
    return Draft(lines, shown, challenge_choices(match), channel=True, rings=expected)


def _moved_away(before: Match | None, match: Match, lines: Lines) -> list[Draft]:
    """What is said where a match was played before."""
    left = [place for place in (before.places if before else ()) if place not in match.places]
    return [Draft(lines, place=place) for place in left]


def _elsewhere(match: Match, invitation: Draft) -> list[Draft]:
    """The invitation for each of the invited who is on none of the platforms where the match lives."""
    here = {read_address(place).platform for place in match.places}
    away = [player for player in invitation.rings if player.partition(":")[0] not in here]
    return [replace(invitation, only=player, rings=(), channel=False) for player in away]


def _standing(before: Match | None, decision: Decision, lines: Lines, names: Names, found: Found | None) -> list[Draft]:
    """The board as it stands now, what has just happened, and who is to do what until when; `found`: by a callout."""
    match, events = decision.after, decision.events
    nth = next((n for n, e in reversed([*enumerate(events)]) if not isinstance(e, Ended | Offered)), len(events) - 1)
    last = events[nth]
    shown = found.board if found else after_event(match, names, last, decision.states[nth - 1] if nth else before)
    if found and not found.goes_on:
        now = after_event(match, names, last, None)
        shown = replace(now, sheet=(found.board, now))
    opening, opens = _opening(match, events, names)
    if match.status != "running":
        return [Draft(lines, shown, rematch_choices(match), opening=opening, opens=opens)]
    twice = repetition_warning(match)
    told = tuple((text,) for text in (twice, contest_notice(match)) if text is not None)
    lines = (*lines, *told, *due(match, names))
    choices = (*turn_choices(match), *answer_choices(match), *call_choices(match), *offer_choices(match, events))
    rings = rung(match, events, told=True)
    said = [Draft(lines, shown, choices, rings=rings, opening=opening, opens=opens)]
    said += [aside for event in events if isinstance(event, Played) and (aside := _aside(match, event))]
    said += [_warning(match, e) for e in events if isinstance(e, Played) and e.broken and _warns(match)]
    if isinstance(last, Started | Agreed) or not any(isinstance(e, Replied | PlaceLinked) for e in events):
        said += _questions(match)
    return said


def _questions(match: Match) -> list[Draft]:
    """What the game asks of each side in private."""
    said = []
    for ask in match.game.asks(match.position):
        how = Text("Answer privately, for example: `secret {match} {example}`.", match=match.id, example=ask.example)
        answer = Choice(ANSWER, f"secret {match.id}", ask.prompt)
        said.append(Draft(((ask.prompt, how),), only=match.seats[ask.side], choices=(answer,)))
    return said


def _opening(match: Match, events: tuple[Event, ...], names: Names) -> tuple[Lines, tuple[str, ...]]:
    """What the channel hears when the match gets a thread there, and in which places that is now."""
    begun = any(isinstance(event, Started) for event in events)
    known = {place for ruling in match.rulings for place in ruling.places}  # where it was, its thread still is
    moved = [place for event in events if isinstance(event, PlaceMoved) for place in event.places if place not in known]
    linked = [event.place for event in events if isinstance(event, PlaceLinked)]
    opens = match.places if begun else (*linked, *moved)
    if not opens:
        return (), ()
    title = {"match": match.id, "game": match.game.name, "players": opponents(match, names)}
    if begun:
        return ((Text("**Match {match} · {game}** has begun: {players}.", **title),),), opens
    return ((Text("**Match {match} · {game}** is played here too: {players}.", **title),),), opens


def _aside(match: Match, event: Played) -> Draft | None:
    """What luck has told the mover alone."""
    game, ply = match.game, match.plies[-1]
    told = game.describe_luck(ply.turn, ply.before, event.side, ply.after)
    if told == game.describe_luck(ply.turn, ply.before, None, ply.after):
        return None
    return Draft(((ALONE, *told),), only=event.by)


ALONE = Text("Only you see this.")


def _warns(match: Match) -> bool:
    return match.calling and match.terms["judge"] == "advisory"


def _warning(match: Match, event: Played) -> Draft:
    """What an advisory umpire tells the mover alone."""
    titles = {rule.ref: rule.title for rule in match.game.rules}
    broken = Listing(tuple(dict.fromkeys(titles.get(ref, Term(ref)) for ref in event.broken)))
    breaks = Text("That turn breaks: {rules}.", rules=broken)
    call = Text("You can call it out yourself: `call {match}`.", match=match.id)
    return Draft(((ALONE, breaks, call),), only=event.by)
