"""What players do in a running match: `move`, `add`, `secret`, `call`, `late`, `ok`, `resign`, `claim`, `abort`."""

from dataclasses import replace

from bot.commands.context import NOTHING, Effect, MatchContext, apply, refused, whisper
from bot.messages.narrator import Draft
from bot.repository import Repository
from engine.match.commands import Abort, Acknowledge, Add, Call, CallLate, Claim, Play, Player, Reply, Resign
from engine.match.decide import decide
from engine.match.events import Refusal
from engine.match.state import Match
from engine.text import Text


async def move(repository: Repository, context: MatchContext) -> Effect:
    """Makes a turn, or several where a side has to act twice in a row; an answer that is owed in private is taken."""
    if owes_answer(context.match, context.who):
        answered = apply(repository, context, Reply(context.who, context.parsed.rest))
        if answered.decision.events:
            return _warned(context, answered)
    match, decision, ply = context.match, NOTHING, context.parsed.ply
    before = len(match.plies)
    parts = match.game.split(context.parsed.rest)
    for number, text in enumerate(parts):
        turn = Play(context.who, text.strip(), None if ply is None else ply + number)
        message = context.message
        decided = decide(match, turn, message.at, repository.dice(match), written=message.sent or None)
        if isinstance(decided, Refusal):
            # What a die has decided stands: else one could look at a throw and take it back.
            stands = any(match.game.rolls(ply.turn) for ply in match.plies[before:])
            because = _second_refused(parts[0], text, stands=stands) if number else ()
            effect = refused(replace(context, match=match), decided, *because)
            return replace(effect, decision=decision, match=match.id) if stands else effect
        decision += decided
        match = decision.after
    return Effect(decision, match=match.id)


async def add(repository: Repository, context: MatchContext) -> Effect:
    """Adds the other half to the turn just made."""
    return apply(repository, context, Add(context.who, context.parsed.rest))


async def secret(repository: Repository, context: MatchContext) -> Effect:
    """Answers in private what the game asks."""
    return apply(repository, context, Reply(context.who, context.parsed.rest))


async def call(repository: Repository, context: MatchContext) -> Effect:
    """Calls the standing turn out as untenable."""
    return apply(repository, context, Call(context.who, context.parsed.ply, context.parsed.rest))


async def late(repository: Repository, context: MatchContext) -> Effect:
    """Calls a turn out that was answered long ago."""
    number = context.parsed.rest.removesuffix(".")
    if not (number.isascii() and number.isdigit() and len(number) < 7):
        return whisper(
            context.message,
            Text("Which turn?"),
            Text("`turns` lists them; for example: `late {match} 3`.", match=context.match.id),
        )
    return apply(repository, context, CallLate(context.who, int(number)))


async def ok(repository: Repository, context: MatchContext) -> Effect:
    """Lets the end of a game stand."""
    return apply(repository, context, Acknowledge(context.who))


async def resign(repository: Repository, context: MatchContext) -> Effect:
    """Resigns, once that is confirmed."""
    match = context.match
    if match.status == "running" and not context.parsed.rest:
        return whisper(context.message, Text("Resign match {match}? Confirm: `resign {match} yes`.", match=match.id))
    return apply(repository, context, Resign(context.who))


async def claim(repository: Repository, context: MatchContext) -> Effect:
    """Claims a match against whoever could not be reached for too long."""
    return apply(repository, context, Claim(context.who))


async def abort(repository: Repository, context: MatchContext) -> Effect:
    """Calls a match off before its second turn."""
    return apply(repository, context, Abort(context.who))


def owes_answer(match: Match, player: Player) -> bool:
    """Returns whether the game awaits something of a player in private."""
    side = match.side_of(player)
    return match.status == "running" and any(ask.side == side for ask in match.game.asks(match.position))


def _warned(context: MatchContext, effect: Effect) -> Effect:
    """The same, with a word about who can read where it was written; in the web room nobody else is shown it."""
    message = context.message
    if message.receipt or message.where.platform == "web":
        return effect
    told = (
        Text("Your answer in match {match} is taken.", match=context.match.id),
        Text("If others can read where you wrote it, delete your message before they do."),
        Text("Next time write it to me alone: `secret {match} …`.", match=context.match.id),
    )
    return replace(effect, drafts=(*effect.drafts, Draft((told,), only=context.who)))


def _second_refused(first: str, second: str, *, stands: bool) -> tuple[Text, ...]:
    """Returns the sentence about a message whose first turn was accepted and whose second is refused."""
    second = second.strip("` ")
    if stands:
        return (Text("`{second}` cannot be played.", second=second),)
    return (Text("`{second}` cannot be played, so `{first}` was not either.", second=second, first=first.strip("` ")),)
