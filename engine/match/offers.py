"""Offers: what everybody has to agree to; made, answered, carried out."""

from collections.abc import Callable, Mapping

from engine.game import NotationError, Outcome
from engine.match.alarms import deadline
from engine.match.clock import DAY, read_duration
from engine.match.commands import Answer, Offer, Offering, Player
from engine.match.ends import ended
from engine.match.events import Agreed, Answered, Event, Offered, Refusal, Reset, TakenBack
from engine.match.events.time import Paused, PauseEnded, TermsChanged, TimeGiven
from engine.match.evolve import Decision, follow
from engine.match.state import Match, Ply, StandingOffer, contest_left, takeback_ply
from engine.match.terms import in_mid_match
from engine.text import Duration, Term, Text, plural

PLAY_ON = Text("Play on, or offer a `draw`.")
NO_TAKEBACKS = Refusal(Text("The terms of this match allow no takebacks."), PLAY_ON)
NO_TURN = Refusal(Text("You have no turn that could be taken back."), PLAY_ON)
NO_TURNS = Refusal(Text("You have not so many turns that could be taken back."), Text("Ask for one: `takeback`."))
NO_RESET = Refusal(
    Text("The board can't be reset as this match stands."), Text("Offer a `draw`, or ask for a `takeback`.")
)
OFFERED_ALREADY = Refusal(
    Text("That offer has been made already."), Text("It stands until it is answered or a turn is made.")
)
ASKED_BY_ANOTHER = Refusal(
    Text("Somebody else asks to take a turn back."), Text("Answer that first: `accept` or `decline`.")
)
ANOTHER_STANDS = Refusal(
    Text("Somebody else has proposed something else of that kind."), Text("Answer that first: `accept` or `decline`.")
)
NOTHING_OFFERED = Refusal(Text("Nothing is on offer."), Text("Offer a `draw`, or ask for a `takeback`."))
NO_SUCH_CLAIM = Refusal(Text("In this match nobody can claim that there is no contest."), PLAY_ON)
NOTHING_CLAIMED = Refusal(
    Text("Nobody claims that there is no contest."),
    Text("`contest` answers such a claim; `nocontest` makes one."),
)
AGREED_ALREADY = Refusal(Text("You have agreed to that already."), Text("The others have yet to answer."))
ASKED_OFTEN = Refusal(
    Text("You have offered that three times since the last turn."), Text("Offer it again after the next one.")
)
MOST_ASKED = 3
"""Times that one player may offer the same kind of thing until the next turn."""
MOST_TAKEN_BACK = 2
"""Turns of one's own that can be taken back at once."""

PAUSES: Mapping[str, tuple[int, int]] = {"pause": (3, 14 * DAY), "adjourn": (1, 60 * DAY), "ruling": (1, 14 * DAY)}
"""How often a match can be paused, by what for, and for how long at most."""
USUAL_PAUSE = "3d"
MOST_GIVEN, MOST_GIVEN_IN_ALL = 7 * DAY, 30 * DAY
"""Time that can be given at once, and in a whole match."""


def offer(match: Match, command: Offer, at: int) -> Decision | Refusal:
    """What an offer leads to; offering what is offered already is agreeing."""
    what, value = command.what, command.value
    if what in CHECKS:
        refused = CHECKS[what](match, command, at)
        if refused is not None:
            return refused
    if what == "takeback" and (freely := _last_of_one_s_own(match, command)) is not None:
        spent = freely.spent if match.clock.kind == "turn" else 0  # else it is off the bank already
        return follow(match, TakenBack(at, freely.number, command.by, spent))
    standing = next((offer for offer in match.offers if offer.what == what), None)
    if standing is None:
        if match.asked.get((what, command.by), 0) >= MOST_ASKED:
            return ASKED_OFTEN
        return follow(match, Offered(at, command.by, what, value))
    if command.by in standing.agreed:
        return OFFERED_ALREADY
    if what == "takeback":
        return ASKED_BY_ANOTHER
    if what == "time" or value not in ("", standing.value):
        return ANOTHER_STANDS
    return answer(match, Answer(command.by, True, what), at)


def answer(match: Match, command: Answer, at: int) -> Decision | Refusal:
    """What an answer to an offer leads to: once everybody agrees, it is carried out."""
    offers = [offer for offer in match.offers if command.what in (None, offer.what)]
    if not offers:
        return _nothing_claimed(match) if command.what == "nocontest" else NOTHING_OFFERED
    offers = [offer for offer in offers if command.by not in offer.agreed] or offers  # rather others' than one's own
    if len(offers) > 1:
        word = "accept" if command.yes else "decline"
        return Refusal(
            Text("Several things are on offer."),
            Text("Say which: `{command} {offer}`.", command=word, offer=offers[0].what),
        )
    standing = offers[0]
    if command.yes and command.by in standing.agreed:
        return AGREED_ALREADY
    answered = Answered(at, command.by, standing.what, command.yes)
    playing = {match.seats[side] for side in match.game.playing(match.position)}
    if not command.yes or playing - standing.agreed - {command.by}:
        return follow(match, answered)
    return follow(match, answered, *DONE[standing.what](match, standing, at))


def _nothing_claimed(match: Match) -> Refusal:
    """Why there is no claim of no contest to answer."""
    claimable = match.terms.get("nocontest", "0") != "0" or match.game.stalled(match.position) is not None
    return NOTHING_CLAIMED if claimable else NO_SUCH_CLAIM


def give(match: Match, by: Player, span: int, at: int) -> Decision | Refusal:
    """What a gift of time to everybody else who plays leads to."""
    refused = _no_gift(match, span)
    if refused is not None:
        return refused
    others = [side for side in match.game.playing(match.position) if match.seats[side] != by]
    return follow(match, *(TimeGiven(at, by, side, span) for side in others))


# --- whether it can be offered ----------------------------------------------------------------------------
def _no_claim(match: Match, command: Offer, at: int) -> Refusal | None:
    """Why it cannot be claimed now that there is no contest."""
    left = contest_left(match)
    if left is not None:
        return Refusal(
            Text("The last claim is contested."),
            plural("The contest has {count} turn left.", "The contest has {count} turns left.", left),
        )
    if match.game.stalled(match.position) is not None:
        return None
    turns = match.terms.get("nocontest", "0")
    if turns == "0":
        return NO_SUCH_CLAIM
    return Refusal(
        plural(
            "That can be claimed after {count} turn of each side without attack, placement or a Self going forward.",
            "That can be claimed after {count} turns of each side without attack, placement or a Self going forward.",
            int(turns),
        ),
        PLAY_ON,
    )


def _no_takeback(match: Match, command: Offer, at: int) -> Refusal | None:
    """Why somebody may not take turns back, or ask to."""
    how, one = _takebacks(match)
    if how == "none":
        return NO_TAKEBACKS
    sides = {match.game.names[side].lower(): side for side in match.seats}
    if one and (one not in sides or match.seats[sides[one]] != command.by):
        name = next(name for name in match.game.names.values() if name.lower() == one)
        return Refusal(Text("The terms of this match allow takebacks to {side} only.", side=Term(name)), PLAY_ON)
    if takeback_ply(match, command.by) is None:
        return NO_TURN
    return NO_TURNS if takeback_ply(match, command.by, turns_back(command.value)) is None else None


def _no_pause(match: Match, command: Offer, at: int) -> Refusal | None:
    """Why a match cannot be paused, or not for so long."""
    if deadline(match) is None and command.what != "ruling":
        return Refusal(Text("No time runs in this match, so there is nothing to pause."), PLAY_ON)
    if paused_until(match, at):
        return Refusal(Text("The match is paused already."), Text("To go on before its end: `resume`."))
    often, most = PAUSES[command.what]
    if match.paused.get(command.what, 0) >= often:
        told = plural(
            "A match is paused in that way {count} time at most.",
            "A match is paused in that way {count} times at most.",
            often,
        )
        return Refusal(told, PLAY_ON)
    if command.what != "pause":
        return None
    return _too_long(command.value or USUAL_PAUSE, most, "pause 5d")


def _no_resumption(match: Match, command: Offer, at: int) -> Refusal | None:
    if paused_until(match, at):
        return None
    return Refusal(Text("The match is not paused."), Text("`pause 5d` proposes a pause."))


def _no_more_time(match: Match, command: Offer, at: int) -> Refusal | None:
    return _too_long(command.value, MOST_GIVEN, "moretime 2d") or _no_gift(match, read_duration(command.value))


def _no_gift(match: Match, span: int) -> Refusal | None:
    """Why nobody can be given so much time."""
    if match.clock.kind in ("none", "hourglass"):
        return Refusal(Text("No time can be added to the clock of this match."), PLAY_ON)
    if span > MOST_GIVEN:
        return Refusal(
            Text("That is too much at once: at most {span}.", span=Duration(MOST_GIVEN)),
            Text("For example: `gift {match} 1d`.", match=match.id),
        )
    if match.given + span > MOST_GIVEN_IN_ALL:
        return Refusal(
            Text("In one match at most {span} can be given in all.", span=Duration(MOST_GIVEN_IN_ALL)), PLAY_ON
        )
    return None


def _no_terms(match: Match, command: Offer, at: int) -> Refusal | None:
    """Why those terms cannot be had from the next turn on."""
    standing = next((offer for offer in match.offers if offer.what == "terms"), None)
    if not command.value and standing is not None:
        return None
    try:
        in_mid_match(match.game, match.terms, command.value)
    except NotationError as error:
        return Refusal(error.because, error.remedy)
    return None


def _too_long(value: str, most: int, example: str) -> Refusal | None:
    """Why a length of time cannot be had."""
    try:
        span = read_duration(value)
    except NotationError as error:
        return Refusal(error.because, Text("For example: `{example}`.", example=example))
    if span <= most:
        return None
    return Refusal(Text("That is too long: at most {span}.", span=Duration(most)), _example(example))


def _example(line: str) -> Text:
    return Text("For example: `{example}`.", example=line)


def _no_reset(match: Match, command: Offer, at: int) -> Refusal | None:
    return NO_RESET if match.game.reset(match.position) is None else None


CHECKS: Mapping[Offering, Callable[[Match, Offer, int], Refusal | None]] = {
    "takeback": _no_takeback,
    "nocontest": _no_claim,
    "reset": _no_reset,
    "pause": _no_pause,
    "adjourn": _no_pause,
    "ruling": _no_pause,
    "resume": _no_resumption,
    "time": _no_more_time,
    "terms": _no_terms,
}
"""Why something cannot be offered now."""


# --- what follows once everybody wants it -----------------------------------------------------------------
def _draw(match: Match, offer: StandingOffer, at: int) -> tuple[Event, ...]:
    agreed = match.game.agree(match.position)
    return (ended(agreed, match.game, at) if isinstance(agreed, Outcome) else Agreed(at),)


def _take_back(match: Match, offer: StandingOffer, at: int) -> tuple[Event, ...]:
    number = takeback_ply(match, offer.by, turns_back(offer.value))
    assert number is not None, "an offer to take back falls when there is nothing left to take back"
    return (TakenBack(at, number),)


def _stop(match: Match, offer: StandingOffer, at: int) -> tuple[Event, ...]:
    outcome = match.game.stalled(match.position)
    assert outcome is not None, "a claim falls when it can no longer be made"
    return (ended(outcome, match.game, at),)


def _pause(match: Match, offer: StandingOffer, at: int) -> tuple[Event, ...]:
    most = PAUSES[offer.what][1]
    span = read_duration(offer.value or USUAL_PAUSE) if offer.what == "pause" else most
    return (Paused(at, at + span, offer.what),)


def _give_time(match: Match, offer: StandingOffer, at: int) -> tuple[Event, ...]:
    side = match.side_of(offer.by)
    assert side is not None, "only those who sit in a match offer anything"
    giver = next((player for player in match.seats.values() if player != offer.by), offer.by)
    return (TimeGiven(at, giver, side, read_duration(offer.value)),)


DONE: Mapping[Offering, Callable[[Match, StandingOffer, int], tuple[Event, ...]]] = {
    "draw": _draw,
    "takeback": _take_back,
    "reset": lambda match, offer, at: (Reset(at),),
    "nocontest": _stop,
    "pause": _pause,
    "adjourn": _pause,
    "ruling": _pause,
    "resume": lambda match, offer, at: (PauseEnded(at),),
    "time": _give_time,
    "terms": lambda match, offer, at: (TermsChanged(at, in_mid_match(match.game, match.terms, offer.value)),),
}
"""What an offer brings about."""


def paused_until(match: Match, at: int) -> int:
    """The end of the pause that a match is in; 0 = it is in none."""
    return next((end for start, end in match.pauses if start <= at < end), 0)


def turns_back(value: str) -> int:
    """How many turns of one's own an offer to take back is about."""
    return int(value) if value.isascii() and value.isdigit() and 1 <= int(value) <= MOST_TAKEN_BACK else 1


def _takebacks(match: Match) -> tuple[str, str]:
    """How turns are taken back, `none`, `consent` or `free`, and by which side alone, "" for all."""
    allowed = match.terms["takeback"]
    if allowed == "usual":
        return ("consent" if match.terms["umpire"] == "friendly" else "none"), ""
    how, _, one = allowed.partition("-")
    return (how, one) if how in ("none", "consent", "free") else ("consent", how)


def _last_of_one_s_own(match: Match, command: Offer) -> Ply | None:
    """The turn that somebody may take back without asking: their last, while nobody else has acted since."""
    number = takeback_ply(match, command.by)
    if _takebacks(match)[0] != "free" or number is None or turns_back(command.value) > 1:
        return None
    since = [ply for ply in match.plies if ply.number >= number]
    return since[0] if all(ply.by == command.by for ply in since) else None
