"""Offers and their answers: `accept`, `decline`, `draw`, `takeback`, `pause`, `propose` and more."""

from dataclasses import replace

from bot.commands.challenges import take_share
from bot.commands.community import wrong_channel
from bot.commands.context import Effect, MatchContext, apply, not_begun, refused, whisper
from bot.commands.learning.under_way import begins_under_way
from bot.commands.parser import read_proposal
from bot.commands.people.blocks import blocked_by, not_wanted
from bot.commands.people.limits import not_allowed
from bot.commands.spec.parts import OFFERS
from bot.messages.model import PARTNER
from bot.messages.serialization import channel_address, read_address
from bot.repository import Repository
from engine.game import NotationError
from engine.match.clock import read_duration
from engine.match.commands import Answer, Decline, Give, Join, LinkPlace, Offer, Offering
from engine.match.decide import decide
from engine.match.events import Offered, Refusal
from engine.match.evolve import Decision, follow
from engine.text import Text


async def accept(repository: Repository, context: MatchContext) -> Effect:
    """Accepts a challenge or an offer."""
    if not _answers_challenge(context):
        return apply(repository, context, Answer(context.who, True, _offering(context)))
    token = await repository.setting(context.accounts[0], "token")
    share, _ = take_share(repository, read_proposal(context.parsed.rest, ()).terms)
    if isinstance(share, Refusal):
        return refused(context, share)
    if refusal := await not_allowed(repository, context, context.match.game.key, accepts=context.match.id):
        return refusal
    if (unwilling := await blocked_by(repository, context.accounts, context.match.parties)) is not None:
        return refused(context, await not_wanted(repository, unwilling))
    if PARTNER in context.match.parties:
        begins = await begins_under_way(repository, context, context.match.game, context.match.terms)
        if begins is not None:
            return begins
    joined = apply(repository, context, Join(context.who, token, share))
    return await _linked_here(repository, context, joined)


async def decline(repository: Repository, context: MatchContext) -> Effect:
    """Declines a challenge or an offer."""
    offering, reason = _offering(context), context.parsed.rest
    if context.match.status == "open" and reason.lower() != offering:
        return apply(repository, context, Decline(context.who, reason))
    if context.match.position is None:  # declined, withdrawn or expired by now
        return not_begun(context)
    if reason and reason.lower() != offering:
        return whisper(
            context.message,
            Text("Only a challenge is declined with a reason, so nothing was declined."),
            Text("To decline what is on offer: `decline {match}`.", match=context.match.id),
        )
    return apply(repository, context, Answer(context.who, False, _offering(context)))


async def offer(repository: Repository, context: MatchContext, wanted: Offer) -> Effect:
    """Offers something, unless somebody in the match has blocked the author; agreeing is no offer, nor is a right."""
    effect = apply(repository, context, wanted)
    if wanted.what == "nocontest" or not any(isinstance(event, Offered) for event in effect.decision.events):
        return effect
    if (unwilling := await blocked_by(repository, context.accounts, tuple(context.match.seats.values()))) is not None:
        return refused(context, await not_wanted(repository, unwilling))
    return effect


async def draw(repository: Repository, context: MatchContext) -> Effect:
    """Offers a draw, or agrees to one."""
    return await offer(repository, context, Offer(context.who, "draw"))


async def nocontest(repository: Repository, context: MatchContext) -> Effect:
    """Claims that there is no contest."""
    return await offer(repository, context, Offer(context.who, "nocontest"))


async def contest(repository: Repository, context: MatchContext) -> Effect:
    """Contests such a claim."""
    return apply(repository, context, Answer(context.who, False, "nocontest"))


async def takeback(repository: Repository, context: MatchContext) -> Effect:
    """Asks to take one's last turn back."""
    count = next((word for word in context.parsed.words if word.isdigit()), "")
    return await offer(repository, context, Offer(context.who, "takeback", "" if count == "1" else count))


async def pause(repository: Repository, context: MatchContext) -> Effect:
    """Proposes that nobody's time runs for a while, or to adjourn."""
    if ADJOURN in (*context.parsed.words, *context.message.text.lower().split()):
        return await offer(repository, context, Offer(context.who, ADJOURN))
    return await offer(repository, context, Offer(context.who, "pause", context.parsed.rest))


ADJOURN: Offering = "adjourn"


async def resume(repository: Repository, context: MatchContext) -> Effect:
    """Proposes to go on before a pause is over."""
    return await offer(repository, context, Offer(context.who, "resume"))


async def moretime(repository: Repository, context: MatchContext) -> Effect:
    """Asks for more time."""
    return await offer(repository, context, Offer(context.who, "time", context.parsed.rest))


async def propose(repository: Repository, context: MatchContext) -> Effect:
    """Proposes other terms from the next turn on."""
    given = read_proposal(context.parsed.rest, ()).terms
    line = " ".join(f"{key}={value}" for key, value in given.items())
    return await offer(repository, context, Offer(context.who, "terms", line))


async def gift(repository: Repository, context: MatchContext) -> Effect:
    """Gives the others more time."""
    try:
        span = read_duration(context.parsed.rest)
    except NotationError as error:
        example = Text("For example: `gift {match} 1d`.", match=context.match.id)
        return refused(context, Refusal(error.because, example))
    return apply(repository, context, Give(context.who, span))


async def anew(repository: Repository, context: MatchContext) -> Effect:
    """Proposes to set the board up anew."""
    return await offer(repository, context, Offer(context.who, "reset"))


async def _linked_here(repository: Repository, context: MatchContext, joined: Effect) -> Effect:
    """Returns what accepting leads to, with the match linked to this place if it has none on this platform yet."""
    match, where = context.match, context.message.where
    events, states = joined.decision.events, joined.decision.states
    if not (events and where.channel) or any(read_address(place).platform == where.platform for place in match.places):
        return joined
    if refusal := await wrong_channel(repository, context.message):
        return refusal
    place = LinkPlace(context.who, channel_address(where))
    linked = decide(states[0], place, context.message.at, repository.dice(match))
    if isinstance(linked, Refusal):
        return joined
    # The start comes last: it is told wherever the match is by then.
    return replace(joined, decision=Decision(events[:1], states[:1]) + linked + follow(linked.after, *events[1:]))


def _answers_challenge(context: MatchContext) -> bool:
    return context.match.status == "open" and _offering(context) is None


def _offering(context: MatchContext) -> Offering | None:
    return next((offering for offering in OFFERS if offering in context.parsed.rest.lower().split()), None)
