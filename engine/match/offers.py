"""Offers: a draw, a takeback, a reset of the board; made, answered, carried out."""

from engine.game import Outcome
from engine.match.commands import Answer, Offer, Player
from engine.match.ends import ended
from engine.match.events import Agreed, Answered, Offered, Refusal, Reset, TakenBack
from engine.match.evolve import Decision, follow
from engine.match.state import Match, Ply, contest_left, takeback_ply
from engine.text import Term, Text, plural

PLAY_ON = Text("Play on, or offer a `draw`.")
NO_TAKEBACKS = Refusal(Text("The terms of this match allow no takebacks."), PLAY_ON)
NO_TURN = Refusal(Text("You have no turn that could be taken back."), Text("Your next one will be the first."))
NO_RESET = Refusal(
    Text("The board can't be reset as this match stands."), Text("Offer a `draw`, or ask for a `takeback`.")
)
OFFERED_ALREADY = Refusal(
    Text("That offer has been made already."), Text("It stands until it is answered or a turn is made.")
)
ASKED_BY_ANOTHER = Refusal(
    Text("Somebody else asks to take a turn back."), Text("Answer that first: `accept` or `decline`.")
)
NOTHING_OFFERED = Refusal(Text("Nothing is on offer."), Text("Offer a `draw`, or ask for a `takeback`."))
AGREED_ALREADY = Refusal(Text("You have agreed to that already."), Text("The others have yet to answer."))


def offer(match: Match, command: Offer, at: int) -> Decision | Refusal:
    """What an offer leads to; offering what is offered already is agreeing."""
    if command.what == "takeback":
        refused = _no_takeback(match, command.by)
        if refused is not None:
            return refused
        if (freely := _last_of_one_s_own(match, command.by)) is not None:
            spent = freely.spent if match.clock.kind == "turn" else 0  # else it is off the bank already
            return follow(match, TakenBack(at, freely.number, command.by, spent))
    if command.what == "nocontest" and (refused := _no_claim(match)) is not None:
        return refused
    if command.what == "reset" and match.game.reset(match.position) is None:
        return NO_RESET
    standing = next((offer for offer in match.offers if offer.what == command.what), None)
    if standing is None:
        return follow(match, Offered(at, command.by, command.what))
    if command.by in standing.agreed:
        return OFFERED_ALREADY
    if command.what != "takeback":
        return answer(match, Answer(command.by, True, command.what), at)
    return ASKED_BY_ANOTHER


def answer(match: Match, command: Answer, at: int) -> Decision | Refusal:
    """What an answer to an offer leads to: once everybody agrees, it is carried out."""
    offers = [offer for offer in match.offers if command.what in (None, offer.what)]
    if not offers:
        return NOTHING_OFFERED
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
    if standing.what == "takeback":
        number = takeback_ply(match, standing.by)
        assert number is not None, "an offer to take back falls when there is nothing left to take back"
        return follow(match, answered, TakenBack(at, number))
    if standing.what == "reset":
        return follow(match, answered, Reset(at))
    if standing.what == "nocontest":
        outcome = match.game.stalled(match.position)
        assert outcome is not None, "a claim falls when it can no longer be made"
        return follow(match, answered, ended(outcome, match.game, at))
    agreed = match.game.agree(match.position)
    end = ended(agreed, match.game, at) if isinstance(agreed, Outcome) else Agreed(at)
    return follow(match, answered, end)


def _no_claim(match: Match) -> Refusal | None:
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
        return Refusal(Text("In this match nobody can claim that there is no contest."), PLAY_ON)
    return Refusal(
        plural(
            "That can be claimed after {count} turn of each side without attack, placement or a Self going forward.",
            "That can be claimed after {count} turns of each side without attack, placement or a Self going forward.",
            int(turns),
        ),
        PLAY_ON,
    )


def _no_takeback(match: Match, by: Player) -> Refusal | None:
    """Why somebody may not take a turn back, or ask to."""
    how, one = _takebacks(match)
    if how == "none":
        return NO_TAKEBACKS
    sides = {match.game.names[side].lower(): side for side in match.seats}
    if one and (one not in sides or match.seats[sides[one]] != by):
        name = next(name for name in match.game.names.values() if name.lower() == one)
        return Refusal(Text("The terms of this match allow takebacks to {side} only.", side=Term(name)), PLAY_ON)
    return NO_TURN if takeback_ply(match, by) is None else None


def _takebacks(match: Match) -> tuple[str, str]:
    """How turns are taken back, `none`, `consent` or `free`, and by which side alone, "" for all."""
    allowed = match.terms["takeback"]
    if allowed == "usual":
        return ("consent" if match.terms["umpire"] == "friendly" else "none"), ""
    how, _, one = allowed.partition("-")
    return (how, one) if how in ("none", "consent", "free") else ("consent", how)


def _last_of_one_s_own(match: Match, by: Player) -> Ply | None:
    """The turn that somebody may take back without asking: their last, while nobody else has acted since."""
    number = takeback_ply(match, by)
    if _takebacks(match)[0] != "free" or number is None:
        return None
    since = [ply for ply in match.plies if ply.number >= number]
    return since[0] if all(ply.by == by for ply in since) else None
