"""What players do in a running match: `move`, `add`, `secret`, `call`, `late`, `ok`, `resign`, `claim`, `abort`."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from bot.commands.club.effects import BOARD
from bot.commands.context import NOTHING, Effect, MatchContext, apply, not_begun, refused, whisper
from bot.commands.parser import is_notation
from bot.commands.spec.parts import CONFIRMATIONS
from bot.messages.model import Choice
from bot.messages.narrator import Draft
from bot.messages.prompts import turn_choices
from bot.notices import match_key
from bot.repository import Repository
from engine.game import NotationError, Turn
from engine.match.commands import (
    Abort,
    Acknowledge,
    Add,
    Call,
    CallLate,
    Claim,
    Offer,
    Offering,
    Play,
    Player,
    Reply,
    Resign,
)
from engine.match.decide import decide
from engine.match.events import Refusal
from engine.match.fines import LATE, call_costs
from engine.match.state import Match, open_to_call
from engine.reading.limits import LONGEST_TURN
from engine.reading.typed import understood
from engine.text import Text


async def move(repository: Repository, context: MatchContext) -> Effect:
    """Makes a turn, or several where a side has to act twice in a row; an answer that is owed in private is taken."""
    if context.match.position is None:
        return not_begun(context)
    if owes_answer(context.match, context.who):
        answered = apply(repository, context, Reply(context.who, context.parsed.rest))
        if answered.decision.events:
            return _warned(context, answered)
    rest, riding = riders(context.parsed.rest)
    if riding:
        context = replace(context, parsed=replace(context.parsed, rest=rest))
    match, decision, ply = context.match, NOTHING, _ply(context)
    before = len(match.plies)
    first, *others = _pasted(match, context.parsed.rest, pair=context.parsed.number is not None)
    parts = match.game.split(first)
    for number, text in enumerate(parts):
        turn = Play(context.who, text.strip(), None if ply is None else ply + number)
        message = context.message
        decided = decide(match, turn, message.at, repository.dice(match), written=context.given)
        if isinstance(decided, Refusal):
            # What a die has decided stands: else one could look at a throw and take it back.
            stands = any(match.game.rolls(ply.turn) for ply in match.plies[before:])
            because = _second_refused(parts[0], text, stands=stands) if number else ()
            effect = refused(replace(context, match=match), decided, *because)
            effect = _again(effect, match, context)
            return replace(effect, decision=decision, match=match.id) if stands else effect
        decision += decided
        match = decision.after
    drafts = _what_else(context, first, others[0]) if others else ()
    for what, value in riding:
        offered = decide(match, Offer(context.who, what, value), context.message.at, repository.dice(match))
        if isinstance(offered, Refusal):
            drafts += refused(replace(context, match=match), offered, Text("Your turn is made.")).drafts
        else:
            decision += offered
            match = decision.after
    return Effect(decision, drafts, match=match.id)


RIDERS: Mapping[str, Offering] = {
    "draw": "draw",
    "takeback": "takeback",
    "anew": "reset",
    "pause": "pause",
    "adjourn": "adjourn",
    "moretime": "time",
    "propose": "terms",
}
"""What can be offered with a turn, by the word that offers it alone."""
RIDER = re.compile(rf"\s({'|'.join(RIDERS)})((?:\s+[\w+/<]+(?:=[\w+/<]+)?)?)\s*\?$", re.IGNORECASE)


def riders(text: str) -> tuple[str, list[tuple[Offering, str]]]:
    """Returns a turn and the offers behind it, as in `c7c5 moretime 2d? draw?`."""
    found: list[tuple[Offering, str]] = []
    while rider := RIDER.search(text.rstrip()):
        found.insert(0, (RIDERS[rider[1].lower()], rider[2].strip()))
        text = text[: rider.start()]
    return text.strip(), found


async def add(repository: Repository, context: MatchContext) -> Effect:
    """Adds the other half to the turn just made."""
    return apply(repository, context, Add(context.who, context.parsed.rest))


async def secret(repository: Repository, context: MatchContext) -> Effect:
    """Answers in private what the game asks."""
    if context.match.position is None:
        return not_begun(context)
    effect = apply(repository, context, Reply(context.who, context.parsed.rest))
    match, text = context.match, context.parsed.rest
    ask = next((ask for ask in match.game.asks(match.position) if match.seats[ask.side] == context.who), None)
    if effect.decision.events or ask is None or not text:
        return effect
    return _with(effect, Choice(CHANGE, f"secret {match.id}", ask.prompt, text))


async def call(repository: Repository, context: MatchContext) -> Effect:
    """Calls the standing turn out as untenable, once that is confirmed where it may cost whoever calls something."""
    match, ply = context.match, context.parsed.ply
    reason, sure = _confirmed(context.parsed.rest)
    decided = apply(repository, context, Call(context.who, ply, reason))
    if sure or not decided.decision.events or not (price := _price(match, context.who)):
        return decided
    standing = open_to_call(match)[-1].number
    words = f"{reason} yes".strip()
    return _asked(context, price, CALL, f"call {match.id} @{standing} {words}", f"call {match.id} {words}")


async def late(repository: Repository, context: MatchContext) -> Effect:
    """Calls a turn out that was answered long ago, once that is confirmed where it may cost whoever calls something."""
    match = context.match
    rest, sure = _confirmed(context.parsed.rest)
    number = rest.removesuffix(".")
    if not (number.isascii() and number.isdigit() and len(number) < 7):
        return whisper(
            context.message,
            Text("Which turn?"),
            Text("`turns` lists them; for example: `late {match} 3`.", match=match.id),
        )
    decided = apply(repository, context, CallLate(context.who, int(number)))
    if sure or not decided.decision.events or not call_costs(match, context.who, LATE):
        return decided
    line = f"late {match.id} {number} yes"
    return _asked(context, Text(IF_TENABLE.template, number=number), CALL, line, line)


async def ok(repository: Repository, context: MatchContext) -> Effect:
    """Lets the end of a game stand."""
    return apply(repository, context, Acknowledge(context.who))


async def resign(repository: Repository, context: MatchContext) -> Effect:
    """Resigns, once that is confirmed."""
    match, decided = context.match, apply(repository, context, Resign(context.who))
    if match.status == "running" and not context.parsed.rest and decided.decision.events:
        line = f"resign {match.id} yes"
        return _asked(context, Text("Resign match {match}?", match=match.id), RESIGN, line, line)
    return decided


async def claim(repository: Repository, context: MatchContext) -> Effect:
    """Claims a match against whoever could not be reached for too long."""
    return apply(repository, context, Claim(context.who))


async def abort(repository: Repository, context: MatchContext) -> Effect:
    """Calls a match off before its second turn, once that is confirmed."""
    match, decided = context.match, apply(repository, context, Abort(context.who))
    if match.status == "running" and not context.parsed.rest and decided.decision.events:
        line = f"abort {match.id} yes"
        question = Text("Call match {match} off?", match=match.id)
        lost = (LOST_THERE,) if await repository.setting(match_key(match.id), BOARD) else ()
        return _asked(context, question, ABORT, line, line, *lost)
    return decided


CHANGE = Text("Change it")
CALL = Text("Call it out")
RESIGN = Text("Resign")
ABORT = Text("Call it off")
LOST_THERE = Text("In the tournament it counts as lost for you.")
IF_TENABLE = Text("Call turn {number} out? If it is tenable, the call costs you what the terms say.")
FREE = ("friendly", "")


def _again(effect: Effect, match: Match, context: MatchContext) -> Effect:
    """A refused turn that came by a form, with a button that opens the form again, filled in."""
    text, choices = context.parsed.rest, turn_choices(match)
    side = match.side_of(context.who)
    if context.parsed.ply is None or not text or not choices or side not in match.sides_to_act:
        return effect
    return _with(effect, replace(choices[0], label=CHANGE, given=text))


def _with(effect: Effect, choice: Choice) -> Effect:
    return replace(effect, drafts=tuple(replace(draft, choices=(choice,)) for draft in effect.drafts))


def _asked(context: MatchContext, question: Text, label: Text, line: str, typed: str, *more: Text) -> Effect:
    """A question before something that cannot be undone, with the button and the words that confirm it."""
    confirm = Text("Confirm: `{command}`.", command=typed)
    draft = Draft(((question, *more, confirm),), choices=(Choice(label, line),), only=context.message.who.key)
    return Effect(drafts=(draft,))


def _confirmed(rest: str) -> tuple[str, bool]:
    """What was said with a call, and whether it was confirmed."""
    words = rest.split()
    return (" ".join(words[:-1]), True) if words and words[-1].lower() in CONFIRMATIONS else (rest, False)


def _price(match: Match, who: Player) -> Text | None:
    """What a call may cost whoever makes it: known before, and the same whether the turn is tenable or not."""
    last, costs = open_to_call(match)[-1], bool(call_costs(match, who))
    if last.by == who and match.terms["umpire"] not in FREE:
        return OWN[costs]
    return Text(IF_TENABLE.template, number=last.number) if costs else None


OWN = (
    Text("Call your own turn out? If it is untenable, you pay for it as the terms say."),
    Text("Call your own turn out? Either way it costs you what the terms say."),
)
"""By whether a wrong call would cost something too."""


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


# --- several turns in one message -------------------------------------------------------------------------
def _ply(context: MatchContext) -> int | None:
    """Returns the ply that a turn is meant for; a typed number may count plies, or pairs of turns."""
    match, number = context.match, context.parsed.number
    if number is None or context.parsed.ply is not None:
        return context.parsed.ply
    pair = match.turns_made // 2 + 1 if len(match.seats) == 2 else None
    return match.next_number if number == pair else number


SEPARATORS = re.compile(r"\s*[,;\n]+\s*|\s+(?=\d{1,6}\.+\s)")
NUMBER = re.compile(r"\d{1,6}\.+\s*")


def _pasted(match: Match, text: str, *, pair: bool) -> list[str]:
    """Returns the turns that a pasted line holds, the one to play first.

    Behind a number, what ends with a semicolon is a `pair` of both players' turns, though a game may read its comma as
    a blank. Where the first is the turn that stands already, as in `6. a5, b7;` written by the second player, it is
    left out.
    """
    whole = len(text) > LONGEST_TURN or len(match.game.split(text)) > 1
    pair = pair and text.rstrip().endswith(";")
    if whole or not SEPARATORS.search(text) or not (pair or _read(match, text, match.position) is None):
        return [text]
    parts = [part for found in SEPARATORS.split(text) if (part := NUMBER.sub("", found, count=1).strip("` "))]
    if not parts or not all(is_notation(part) or _read(match, part, match.position) is not None for part in parts[1:]):
        return [text]
    last = match.plies[-1] if match.plies else None
    stands = last is not None and last.kind == "turn" and _read(match, parts[0], last.before) == last.turn
    if len(parts) > 1 and stands and _read(match, parts[1], match.position) is not None:
        return parts[1:]
    return [text] if _read(match, parts[0], match.position) is None else parts


def _read(match: Match, text: str, position: Any) -> Turn | None:
    """Returns the turn that a text describes in a position, None if it is none."""
    try:
        return understood(match.game, text, position)
    except NotationError:
        return None


def _what_else(context: MatchContext, turn: str, other: str) -> tuple[Draft, ...]:
    """Returns the question about what was pasted behind a turn."""
    asked = Text("`{turn}` was taken as your turn. What is `{other}`?", turn=turn, other=other[:60])
    return whisper(context.message, asked, Text("One turn is made at a time.")).drafts


def _second_refused(first: str, second: str, *, stands: bool) -> tuple[Text, ...]:
    """Returns the sentence about a message whose first turn was accepted and whose second is refused."""
    second = second.strip("` ")
    if stands:
        return (Text("`{second}` cannot be played.", second=second),)
    return (Text("`{second}` cannot be played, so `{first}` was not either.", second=second, first=first.strip("` ")),)
