"""What players do in a running match: `move`, `secret`, `call`, `ok`, `resign`, `claim`, `abort`."""

from dataclasses import replace

from bot.commands.context import NOTHING, Effect, MatchContext, apply, refused, whisper
from bot.repository import Repository
from engine.match.commands import Abort, Acknowledge, Call, Claim, Play, Reply, Resign
from engine.match.decide import decide
from engine.match.events import Refusal
from engine.text import Text


async def move(repository: Repository, context: MatchContext) -> Effect:
    """Makes a turn, or several where a side has to act twice in a row."""
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


async def secret(repository: Repository, context: MatchContext) -> Effect:
    """Answers in private what the game asks."""
    return apply(repository, context, Reply(context.who, context.parsed.rest))


async def call(repository: Repository, context: MatchContext) -> Effect:
    """Calls the standing turn out as untenable."""
    return apply(repository, context, Call(context.who, context.parsed.ply, context.parsed.rest))


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


def _second_refused(first: str, second: str, *, stands: bool) -> tuple[Text, ...]:
    """Returns the sentence about a message whose first turn was accepted and whose second is refused."""
    second = second.strip("` ")
    if stands:
        return (Text("`{second}` cannot be played.", second=second),)
    return (Text("`{second}` cannot be played, so `{first}` was not either.", second=second, first=first.strip("` ")),)
