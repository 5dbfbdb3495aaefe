"""Riposte's own seat: what is due of it in a match, and what its decisions lead to."""

import hashlib
from collections.abc import Mapping, Sequence

import structlog

from bot.commands.context import NOTHING, Effect
from bot.messages.model import PARTNER
from bot.messages.narrator import Draft
from bot.repository import Repository
from bot.repository.people import MOST
from bot.service.cause import Cause
from bot.service.transaction import Transactions
from engine.appraisal import USUAL, Appraising
from engine.board import Side
from engine.dice import Dice
from engine.game import Outcome
from engine.match.commands import Acknowledge, Answer, Call, Command, Decline, Join, Offer, Play, Reply, Resign
from engine.match.decide import decide
from engine.match.events import Refusal
from engine.match.state import Match, StandingOffer, open_to_call
from engine.search.job import LONG, Decided, Job, Mood
from engine.search.partner import EVEN
from engine.text import Text

log = structlog.get_logger(__name__)

LATELY = 16
"""Positions that stood lately: coming back to one of them is thought of as a draw."""
WORDS: Mapping[Mood, tuple[Text, ...]] = {
    "ahead": (Text("{side}: I like how I stand."), Text("{side}: This goes well for me, I think.")),
    "even": (Text("{side}: I can't tell who stands better."), Text("{side}: Nothing is decided yet.")),
    "behind": (Text("{side}: I have stood better."), Text("{side}: This is getting hard for me.")),
}
"""What Riposte says now and then of the match it plays."""


class Seat:
    """What takes long is left to a `Job`, which follows from the match as it is stored."""

    def __init__(self, repository: Repository, transactions: Transactions) -> None:
        self._repository = repository
        self._transactions = transactions

    async def matches(self) -> Sequence[str]:
        """The matches that Riposte takes part in and that are not over."""
        store = self._repository.store
        found = [await store.matches(player=PARTNER, status=status, limit=MOST) for status in ("open", "running")]
        return [summary.match for page in found for summary in page]

    async def job(self, number: str, at: int) -> Job | None:
        """What has to be thought about in a match; what needs no thought is done at once."""
        while (match := await self._repository.match(number)) is not None:
            command = at_once(match, self._repository)
            if command is None:
                return job_of(match)
            if not await self._act(match, command, at):
                return None
        return None

    async def decided(self, job: Job, decided: Decided, at: int) -> None:
        """Do what was decided, unless the match has changed meanwhile: then there is another job."""
        match = await self._repository.match(job.match)
        if match is None or match.length != job.length:
            return
        command = command_of(match, job, decided)
        plays = isinstance(command, Play)
        said = word(decided, job, match) if plays else None
        offer = plays and decided.draw and may_draw(match)
        if not await self._act(match, command, at, said, offer=offer):
            log.warning("Riposte's own turn is refused", match=job.match, turn=decided.turn)

    async def _act(
        self, match: Match, command: Command, at: int, said: Text | None = None, *, offer: bool = False
    ) -> bool:
        """Carry a command of Riposte's out, once for each moment of a match. Returns whether anything came of it."""

        async def acted() -> Effect:
            current = await self._repository.match(match.id)
            if current is None or current.length != match.length:
                return Effect()
            dice = self._repository.dice(current)
            decision = decide(current, command, at, dice)
            if isinstance(decision, Refusal):
                return Effect(NOTHING, match=match.id)
            if offer and decision.after.status == "running":
                offered = decide(decision.after, Offer(PARTNER, "draw"), at, dice)
                decision += NOTHING if isinstance(offered, Refusal) else offered
            drafts = (Draft(((said,),)),) if said else ()
            return Effect(decision, drafts, match=match.id)

        await self._transactions.run(Cause(f"partner:{match.id}:{match.length}", at, match=match.id), acted)
        after = await self._repository.match(match.id)
        return after is not None and after.length > match.length


def at_once(match: Match, repository: Repository) -> Command | None:
    """What is due of Riposte that needs no search: to join, to answer an offer, to answer in private."""
    if match.status == "open":
        if PARTNER in match.joined:
            return None
        return Decline(PARTNER) if refuses(match) else Join(PARTNER, share=repository.seed()[:16].hex())
    side = match.side_of(PARTNER)
    game = match.game
    if match.status != "running" or side is None or not isinstance(game, Appraising):
        return None
    if side in game.playing(match.position):
        offer = next((offer for offer in match.offers if PARTNER not in offer.agreed), None)
        if offer is not None:
            return Answer(PARTNER, welcome(match, side, offer), offer.what)
    ask = next((ask for ask in game.asks(match.position) if ask.side == side), None)
    if ask is None:
        return None
    seen = game.seen_by(match.position, side)
    return Reply(PARTNER, game.secret(seen, ask, Dice(bytes.fromhex(seed_of(match)))))


def refuses(match: Match) -> bool:
    """Whether Riposte cannot play on these terms: it stakes nothing, and knows only some games."""
    return match.game.for_keeps(match.terms) or not isinstance(match.game, Appraising)


ALWAYS_WELCOME = ("takeback", "reset", "pause", "adjourn", "resume", "time", "terms")


def welcome(match: Match, side: Side, offer: StandingOffer) -> bool:
    """Whether Riposte agrees: to whatever teaches somebody, and to a draw unless it stands better."""
    game = match.game
    assert isinstance(game, Appraising), "others have no partner"
    if offer.what in ALWAYS_WELCOME:
        return True
    if not may_draw(match):
        return False
    ahead = game.evaluate(game.seen_by(match.position, side), side)
    return ahead < (EVEN if match.turns_made >= LONG else -EVEN)


def may_draw(match: Match) -> bool:
    """Whether an agreed draw is one: in Veney's Shima both would have lost."""
    agreed = match.game.agree(match.position)
    return not isinstance(agreed, Outcome) or bool(agreed.winners)


def word(decided: Decided, job: Job, match: Match) -> Text | None:
    """What Riposte says with its turn; None = nothing."""
    said = WORDS.get(decided.mood)
    if not said:
        return None
    return Text(said[int(job.seed[-2:], 16) % len(said)].template, side=match.game.names[job.side])


def job_of(match: Match) -> Job | None:
    """What Riposte has to think about now, from what its seat may see; None where it is not to act."""
    side, game = match.side_of(PARTNER), match.game
    if match.status != "running" or side is None or side not in match.sides_to_act or not isinstance(game, Appraising):
        return None
    standing = [ply for ply in open_to_call(match) if ply.by != PARTNER]
    lately = match.plies[-LATELY:]
    return Job(
        match.id,
        match.length,
        game.key,
        side,
        game.encode(game.seen_by(match.position, side)),
        seed_of(match),
        int(match.terms.get("level", USUAL)),
        tuple(game.encode(game.seen_by(ply.before, side)) for ply in lately),
        tuple((game.encode(game.seen_by(ply.before, side)), ply.text) for ply in standing),
        match.terms.get("slips") == "on" and match.calling,
        match.turns_made,
        due=match.ending is None,
    )


def command_of(match: Match, job: Job, decided: Decided) -> Command:
    """What a decision says in a match."""
    if decided.call:
        return Call(PARTNER, reason=decided.call if match.terms["callfor"] == "reason" else "")
    if not job.due:
        return Acknowledge(PARTNER)
    if decided.resigns or not decided.turn:
        return Resign(PARTNER)
    return Play(PARTNER, f"{decided.turn} sure", match.next_number)


def seed_of(match: Match) -> str:
    """What Riposte's luck at a moment of a match is drawn from; the dice of the match are others."""
    return hashlib.sha256(f"partner|{match.seed}|{match.stamp}".encode()).hexdigest()
