"""The sentences for each kind of event."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bot.messages.events import rulings, time
from bot.messages.events.calls import call_failed
from bot.messages.model import Lines
from bot.messages.opening_texts import amended, challenged, declined, expired, joined, sealed, seat_freed
from bot.messages.people_text import Names, one_line, opponents, people, seat, seats, who
from bot.messages.terms_text import terms_line
from engine.game import ABORTED, AGREED, RESIGNED, RULED, SUDDEN, TIMEOUT, Outcome
from engine.match.alarms import PATIENCE, claim_opens, deadline
from engine.match.challenge import uses_luck
from engine.match.ends import plays_on, shared_token, token_transfers
from engine.match.events import (
    Acknowledged,
    Agreed,
    Amended,
    Answered,
    CallFailed,
    Challenged,
    Claimed,
    ClaimOpened,
    ContactFound,
    ContactLost,
    Credited,
    Declined,
    Delivered,
    Ended,
    Expired,
    Flagged,
    Joined,
    Nudged,
    Offered,
    PlaceLinked,
    Played,
    Replied,
    Reset,
    Resigned,
    SeatFreed,
    Started,
    TakenBack,
    TurnLost,
)
from engine.match.events.time import ClaimMade, Overrun, Paused, PauseEnded, Rested, TermsChanged, TimeGiven
from engine.match.offers import turns_back
from engine.match.state import Match, takeback_ply
from engine.text import Duration, Instant, Term, Text, Value


# --- results ----------------------------------------------------------------------------------------------
def result(match: Match, event: Ended, names: Names) -> tuple[Text, ...]:
    """How a match ended; where somebody has won by a rule of the game, what the rule says."""
    winners = [side for side in match.seats if side in event.winners]
    rule = next((rule for rule in match.game.rules if rule.ref == event.rule), None)
    told = _result(match, event, winners, rule.title if rule else Term(event.title), names)  # as it is called now
    return (told, rule.gist) if rule and len(winners) == 1 and event.rule not in WINS else (told,)


def _result(match: Match, event: Ended, winners: Sequence[str], title: Term, names: Names) -> Text:
    if event.rule == ABORTED.ref:
        return Text("**Called off** by {player}; nobody wins.", player=who(event.by, names)) if event.by else CALLED_OFF
    if not winners:
        return Text("**Everybody has lost**: {title}.", title=title)
    if len(winners) == len(match.seats):
        return DRAWS.get(event.rule) or Text("**Draw**: {title}.", title=title)
    if len(winners) > 1:
        drawn = SHARED.get(event.rule, DRAWN)
        return Text(drawn.template, winners=seats(match, winners, names), title=title)
    return Text(WINS.get(event.rule, WON).template, **seat(match, winners[0], names), title=title)


CALLED_OFF = Text("**Called off**; nobody wins.")

DRAWS: Mapping[str, Text] = {
    AGREED.ref: Text("**Draw** by agreement."),
    RULED.ref: Text("**Draw** by an arbiter's ruling."),
}

SHARED: Mapping[str, Text] = {AGREED.ref: Text("**Draw** by agreement between {winners}.")}
"""Of several sides, when others are out."""
DRAWN = Text("**Draw** between {winners}: {title}.")

WINS: Mapping[str, Text] = {
    RESIGNED.ref: Text("{player} ({side}) **wins** by resignation."),
    TIMEOUT.ref: Text("{player} ({side}) **wins** on time."),
    RULED.ref: Text("{player} ({side}) **wins** by an arbiter's ruling."),
    SUDDEN.ref: Text("{player} ({side}) **wins**: an untenable turn was called out."),
}
WON = Text("{player} ({side}) **wins**: {title}.")


def verdict(match: Match, outcome: Outcome, names: Names) -> tuple[Text, ...]:
    """How it will end if nobody objects."""
    winners = tuple(side for side in match.game.sides if side in outcome.winners)
    return result(match, Ended(0, outcome.rule.ref, outcome.rule.title, winners), names)


# --- events -----------------------------------------------------------------------------------------------
def _linked(match: Match, event: PlaceLinked, names: Names, after: Match) -> Lines:
    return one_line(
        Text("{player} links match {match} to one more place.", player=who(event.by, names), match=match.id)
    )


def _started(match: Match, event: Started, names: Names, after: Match) -> Lines:
    game = after.game
    heading = Text(
        "**Match {match}: {game}** · {seats}.", match=after.id, game=game.name, seats=opponents(after, names)
    )
    staked = tuple(
        Text("{player} stakes **{token}**.", player=who(player, names), token=token)
        for player, token in after.tokens.items()
    )
    if token := shared_token(after):
        staked = (*staked, Text("**{token}** is on the board too, and stays nobody's.", token=token))
    bound = sealed(after, "", "", names) if event.seed else None  # else it was said with the challenge
    return tuple(line for line in ((heading,), terms_line(after), staked, (bound,) if bound else ()) if line)


def _played(match: Match, event: Played, names: Names, after: Match) -> Lines:
    game, ply = match.game, after.plies[-1]
    before = ply.before
    player = seat(match, event.side, names)
    template = COMPLETED if event.extends else PLAYED
    made = Text(template.template, number=ply.number, turn=game.show(ply.turn, before, None), **player)
    told = (UNTENABLE,) if event.broken and match.terms["judge"] == "open" else ()
    return one_line(made, *game.describe_luck(ply.turn, before, None, ply.after), *told)


PLAYED = Text("**Turn {number}** · {player} ({side}) played `{turn}`.")
COMPLETED = Text("**Turn {number}** · {player} ({side}) adds to it: `{turn}`.")
UNTENABLE = Text("That turn is untenable.")


def _replied(match: Match, event: Replied, names: Names, after: Match) -> Lines:
    ask = next(ask for ask in match.game.asks(match.position) if ask.side == event.side)
    revealed = match.game.reveal_text(match.position, ask, event.text)
    template = _SILENT if event.assumed else _ANSWERED
    return one_line(Text(template.template, **seat(match, event.side, names)), revealed)


_ANSWERED = Text("{player} ({side}) has answered privately.")
_SILENT = Text("{player} ({side}) has not answered in time.")


def _call_failed(match: Match, event: CallFailed, names: Names, after: Match) -> Lines:
    return one_line(*call_failed(match, event, who(event.by, names), after))


def _turn_lost(match: Match, event: TurnLost, names: Names, after: Match) -> Lines:
    return one_line(Text("{player} ({side}) loses a turn for a wrong call.", **seat(match, event.side, names)))


def _offered(match: Match, event: Offered, names: Names, after: Match) -> Lines:
    side = match.side_of(event.by)
    assert side is not None, "only those who sit in a match offer anything"
    player = seat(match, side, names)
    if (later := time.offered_later(match, event, side, names)) is not None:
        return one_line(later)
    if event.what == "draw":
        return one_line(Text("{player} ({side}) offers a draw.", **player))
    if event.what == "nocontest":
        claims = Text("{player} ({side}) claims a draw for want of a contest.", **player)
        return one_line(claims, Text("`accept` it, or `contest` it: three turns to take, fend or place."))
    if event.what == "reset":
        return one_line(Text("{player} ({side}) proposes to set up the board again.", **player))
    number = takeback_ply(match, event.by, turns_back(event.value)) or 0
    return one_line(_about_turns(match, number, ASKED_BACK, **player))


def _about_turns(match: Match, number: int, templates: Mapping[int, Text], **values: Value) -> Text:
    """A sentence about the turns that fall with one: one of them, two, or more."""
    numbers = [ply.number for ply in match.plies if ply.number >= number and ply.kind == "turn"]
    values |= {"first": number}
    if len(numbers) > 1:
        values |= {"last": numbers[-1]}
    return Text(templates[min(max(len(numbers), 1), 3)].template, **values)


ASKED_BACK: Mapping[int, Text] = {
    1: Text("{player} ({side}) asks to take back turn {first}."),
    2: Text("{player} ({side}) asks to take back turns {first} and {last}."),
    3: Text("{player} ({side}) asks to take back turns {first} to {last}."),
}
TAKEN_BACK: Mapping[int, Text] = {
    1: Text("Turn {first} is taken back."),
    2: Text("Turns {first} and {last} are taken back."),
    3: Text("Turns {first} to {last} are taken back."),
}


TAKES_BACK: Mapping[int, Text] = {
    1: Text("{player} takes back turn {first}."),
    2: Text("{player} takes back turns {first} and {last}."),
    3: Text("{player} takes back turns {first} to {last}."),
}


def _answered(match: Match, event: Answered, names: Names, after: Match) -> Lines:
    offer = next(offer for offer in match.offers if offer.what == event.what)
    reply = "accepted" if event.yes else "withdrawn" if event.by == offer.by else "declined"
    return one_line(Text(ANSWERS[event.what, reply].template, player=who(event.by, names)))


ANSWERS: Mapping[tuple[str, str], Text] = {
    ("draw", "accepted"): Text("{player} accepts the draw."),
    ("draw", "declined"): Text("{player} declines the draw."),
    ("draw", "withdrawn"): Text("{player} withdraws the offer of a draw."),
    ("takeback", "accepted"): Text("{player} agrees to the takeback."),
    ("takeback", "declined"): Text("{player} declines the takeback."),
    ("takeback", "withdrawn"): Text("{player} withdraws the request for a takeback."),
    ("nocontest", "accepted"): Text("{player} accepts that there is no contest."),
    ("nocontest", "declined"): Text("{player} contests that, and has three turns in which to take, fend or place."),
    ("nocontest", "withdrawn"): Text("{player} withdraws the claim."),
    ("reset", "accepted"): Text("{player} agrees to set up the board again."),
    ("reset", "declined"): Text("{player} declines to set up the board again."),
    ("reset", "withdrawn"): Text("{player} withdraws the proposal to set up the board again."),
    **time.ANSWERS,
}


def _agreed(match: Match, event: Agreed, names: Names, after: Match) -> Lines:
    return one_line(Text("The draw is agreed; one more thing must be settled first."))


def _acknowledged(match: Match, event: Acknowledged, names: Names, after: Match) -> Lines:
    return one_line(Text("{player} lets the end stand.", player=who(event.by, names)))


def _taken_back(match: Match, event: TakenBack, names: Names, after: Match) -> Lines:
    if event.by:
        return one_line(_about_turns(match, event.ply, TAKES_BACK, player=who(event.by, names)))
    return one_line(_about_turns(match, event.ply, TAKEN_BACK))


def _reset(match: Match, event: Reset, names: Names, after: Match) -> Lines:
    return one_line(Text("The board is set up again."))


def _resigned(match: Match, event: Resigned, names: Names, after: Match) -> Lines:
    return one_line(Text("{player} ({side}) resigns.", **seat(match, event.side, names)))


def _nudged(match: Match, event: Nudged, names: Names, after: Match) -> Lines:
    awaited = people((match.seats[side] for side in match.sides_to_act), names)
    due = deadline(match)
    until = None if due is None else Text("Time runs out {due}.", due=Instant(due))
    waits = Text("{players}: match {match} waits for you.", players=awaited, match=match.id)
    return one_line(waits, until, time.needed(match))


def _flagged(match: Match, event: Flagged, names: Names, after: Match) -> Lines:
    return one_line(Text("{player} ({side}) has run out of time.", **seat(match, event.side, names)))


def _contact_lost(match: Match, event: ContactLost, names: Names, after: Match) -> Lines:
    lost = Text("No message reaches {player} any more.", player=who(event.player, names))
    opens = claim_opens(after)
    if opens is None:
        return one_line(lost)
    rest = Text("Nobody's time runs meanwhile; the match can be claimed {time}.", time=Instant(opens))
    return one_line(lost, rest)


def _contact_found(match: Match, event: ContactFound, names: Names, after: Match) -> Lines:
    runs = TIME_RUNS if claim_opens(match) is not None and deadline(after) is not None else None
    return one_line(Text("{player} can be reached again.", player=who(event.player, names)), runs)


TIME_RUNS = Text("Time runs again.")


def _claim_opened(match: Match, event: ClaimOpened, names: Names, after: Match) -> Lines:
    sides = [side for side in match.sides_to_act if match.seats[side] in match.unreached]
    absent = people((match.seats[side] for side in sides), names)
    told = Text("{players} could not be reached for {span} in all.", players=absent, span=Duration(PATIENCE))
    if plays_on(match, sides):
        out = Text("`claim {match}` takes them out of the match, and the rest play on; or wait on.", match=match.id)
        return one_line(told, out)
    return one_line(told, Text("`claim {match}` wins the match; or wait on.", match=match.id))


def _claimed(match: Match, event: Claimed, names: Names, after: Match) -> Lines:
    absent = seat(match, event.side, names)
    said = DROPPED if plays_on(match, (event.side,)) else CLAIMS
    return one_line(Text(said[event.why].template, claimant=who(event.by, names), **absent))


CLAIMS: Mapping[str, Text] = {
    "": Text("{claimant} claims the match: {player} ({side}) could not be reached."),
    "time": Text("{claimant} claims the match: {player} ({side}) has run out of time."),
}
"""By why a match is claimed."""
DROPPED: Mapping[str, Text] = {
    "": Text("{claimant} makes a claim: {player} ({side}) could not be reached and is out of the match."),
    "time": Text("{claimant} makes a claim: {player} ({side}) has run out of time and is out of the match."),
}
"""The same where the others play on."""


def _ended(match: Match, event: Ended, names: Names, after: Match) -> Lines:
    lost = tuple(
        Text("{giver}'s token **{token}** goes to {taker}.", giver=who(old, names), token=token, taker=who(new, names))
        for old, new, token in token_transfers(after)
    )
    seed = Text("The seed of the dice was `{seed}`.", seed=match.seed) if match.seed and uses_luck(match) else None
    called = Text(CALLS.template, match=match.id) if match.calling and match.turns_made else None
    lines = (one_line(*result(match, event, names)), one_line(*lost), one_line(called), one_line(seed))
    return tuple(line for (line,) in lines if line)


CALLS = Text("`calls {match}` tells what was called, and what nobody called.")


SENTENCES: Mapping[type, Callable[[Match, Any, Names, Match], Lines]] = {
    Challenged: challenged,
    Amended: amended,
    Joined: joined,
    Declined: declined,
    Expired: expired,
    SeatFreed: seat_freed,
    PlaceLinked: _linked,
    Started: _started,
    Played: _played,
    Replied: _replied,
    CallFailed: _call_failed,
    TurnLost: _turn_lost,
    Offered: _offered,
    Answered: _answered,
    Agreed: _agreed,
    Acknowledged: _acknowledged,
    TakenBack: _taken_back,
    Reset: _reset,
    Resigned: _resigned,
    Nudged: _nudged,
    Flagged: _flagged,
    Credited: lambda match, event, names, after: (),  # whoever sees the match again sees when it is due
    ContactLost: _contact_lost,
    Delivered: lambda match, event, names, after: (),
    ContactFound: _contact_found,
    ClaimOpened: _claim_opened,
    Claimed: _claimed,
    Rested: lambda match, event, names, after: (),
    Paused: time.paused,
    PauseEnded: time.pause_ended,
    TimeGiven: time.time_given,
    Overrun: time.overrun,
    ClaimMade: time.claim_made,
    TermsChanged: time.terms_changed,
    **rulings.SENTENCES,
    Ended: _ended,
}
"""From the match before an event, the event, the names and the match after it to lines of sentences."""
