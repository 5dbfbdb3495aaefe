"""Conditional lines: answers that somebody has prepared, kept private, and made when what they wait for happens."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Any

import msgspec

from bot.commands.context import (
    Context,
    Effect,
    MatchContext,
    decided_by_luck,
    line_example,
    not_begun,
    refused,
    whisper,
    whisper_lines,
)
from bot.commands.parser import is_notation
from bot.commands.spec.parts import OFFERS
from bot.messages.narrator import Draft
from bot.repository import Repository, Setting
from engine.board import Side
from engine.game import NotationError, Turn
from engine.match.commands import Answer, Call, Command, Play, Player, Resign
from engine.match.decide import decide
from engine.match.events import Answered, Event, Offered, Played, Refusal, digest
from engine.match.events.time import Paused, PauseEnded, TermsChanged, TimeGiven
from engine.match.evolve import Decision
from engine.match.state import Match
from engine.reading.limits import LONGEST_TURN
from engine.text import Code, Text
from engine.value import value

MOST_LINES, LONGEST_LINE = 40, 20
"""Lines of one player in a match, and turns in one."""
THEN = re.compile(r"\s+then\s+|\s*>\s*", re.IGNORECASE)
LAST = ("call", "resign", "accept", "decline")
"""Answers with which a line ends."""
OFF = "off"


@value(frozen=True, slots=True)
class Line:
    """What has to happen in which position, and what follows, in turn."""

    number: int
    """Of the turn that it waits for."""
    position: str
    """The digest of the position in which it waits."""
    steps: tuple[str, ...]
    """What somebody else does, the answer to it, and so on."""


@value(frozen=True, slots=True)
class Fired:
    """What lines have led to: events, what is said, and the lines that are left."""

    decision: Decision
    drafts: tuple[Draft, ...] = ()
    settings: tuple[Setting, ...] = ()


async def if_(repository: Repository, context: MatchContext) -> Effect:
    """Keeps a line, lists those of a match, or forgets them."""
    match, owner, message = context.match, context.accounts[0], context.message
    if match.position is None:
        return not_begun(context)
    known = _standing(match, await _lines(repository, context.who, match))
    rest = context.parsed.rest
    if not rest:
        return _listed(context, match, known)
    if rest.lower() == OFF:
        told = Text("Your lines in match {match} are forgotten.", match=match.id)
        return replace(whisper(message, told), settings=((owner, key_of(match), ""),))
    steps = tuple(re.sub(r"^if\s+", "", step.strip(), flags=re.IGNORECASE) for step in THEN.split(rest))
    try:
        line = _read(match, context.who, steps)
    except NotationError as error:
        meant = is_notation(steps[0]) or steps[0].lower() in (*OFFERS, *LAST, "pass")
        if not (context.parsed.match or message.addressed or meant):
            return Effect()  # "if you want, then let us play on Sunday"
        return refused(context, Refusal(error.because, error.remedy))
    kept = [one for one in known if one.steps[: len(steps)] != steps and steps[: len(one.steps)] != one.steps]
    if len(kept) >= MOST_LINES:
        return whisper(message, Text("You keep 40 lines in this match already."), Text("`if off` forgets them."))
    told = Text("Kept, for you alone: {line}.", line=_shown(line))
    later = Text(
        "Your answer is made as soon as that is played; only then do the rules look at it. `if off` forgets it."
    )
    return replace(whisper(message, told, later), settings=((owner, key_of(match), _write([*kept, line])),))


def key_of(match: Match) -> str:
    """The setting that holds somebody's lines in a match."""
    return f"lines {match.id}"


async def fire(repository: Repository, decision: Decision) -> Fired:
    """Returns a decision with what lines answer to it: each that fires is a turn of its own, made at once."""
    fired = Fired(decision)
    kept: dict[Player, tuple[Line, ...]] = {}
    done: list[Played | Offered] = []
    for _ in range(2 * LONGEST_LINE):
        event, match = _to_answer(fired.decision, done), fired.decision.after
        if event is None or match.status != "running":
            break
        done.append(event)
        answered = await _answered(repository, match, event, kept)
        if answered is not None:
            fired = replace(fired, decision=fired.decision + answered[0], drafts=(*fired.drafts, *answered[1]))
    if not kept:
        return fired
    match = fired.decision.after
    settings = [
        ((await repository.accounts(player))[0], key_of(match), _write(lines)) for player, lines in kept.items()
    ]
    return replace(fired, settings=tuple(settings))


def _to_answer(decision: Decision, done: Sequence[Played | Offered]) -> Played | Offered | None:
    """What lines may answer next: an offer for as long as it stands, then the last turn, on which offers may ride."""
    standing = [offer.what for offer in decision.after.offers]
    offered = [event for event in reversed(decision.events) if isinstance(event, Offered) and event.what in standing]
    last = next((event for event in reversed(decision.events) if not isinstance(event, LEAVES_THE_TURN)), None)
    found = (*offered, *((last,) if isinstance(last, Played) else ()))
    return next((event for event in found if not any(event is one for one in done)), None)


LEAVES_THE_TURN = (Offered, Answered, Paused, PauseEnded, TimeGiven, TermsChanged)
"""What can happen behind a turn and leaves it to be answered."""


async def _answered(
    repository: Repository,
    match: Match,
    event: Played | Offered,
    kept: dict[Player, tuple[Line, ...]],
) -> tuple[Decision, tuple[Draft, ...]] | None:
    """What the lines of the others answer to an event; those that it has left are void.

    A call comes before a turn, which would close its window; else whoever sits first answers first.
    """
    answers: list[tuple[Player, list[Line]]] = []
    for player in dict.fromkeys(match.seats.values()):
        lines = kept[player] if player in kept else await _lines(repository, player, match)
        if not lines or _has_spoken(match, player, event):
            continue
        fitting = [line for line in lines if _fits(match, event, line)]
        answering = [line for line in fitting if _is_own(match, player, line.steps[1])]
        if isinstance(event, Played):
            waiting = [_later(match, line, 1) for line in fitting if line not in answering]
            kept[player] = (*(line for line in lines if line.steps[0] in OFFERS), *waiting)
        if answering:
            answers.append((player, answering))
    made, drafts = Decision(), tuple[Draft, ...]()
    for player, answering in sorted(answers, key=lambda answer: answer[1][0].steps[1] != "call"):
        now, step = made.after if made.events else match, answering[0].steps[1]
        if not _stands(match, now, event):
            break
        decided = decide(now, _command(player, step, event), event.at, match.dice)
        if isinstance(decided, Refusal):
            void = Text("Your line in match {match} is void: `{step}` cannot be made.", match=match.id, step=step)
            drafts = (*drafts, Draft(((void, decided.because),), only=player))
            continue
        if not decided.events:
            continue
        if isinstance(event, Played) and decided.after.status == "running":
            going_on = [line for line in answering if line.steps[1] == step and len(line.steps) > 2]
            kept[player] = (*kept[player], *(_later(decided.after, line, 2) for line in going_on))
        told = Text("Your line in match {match} has answered: `{step}`.", match=match.id, step=step)
        made, drafts = made + decided, (*drafts, Draft(((told,),), only=player))
    return (made, drafts) if drafts else None


def _is_own(match: Match, player: Player, step: str) -> bool:
    """Whether a step is its owner's to make now; among several players, others may come first."""
    return step in LAST or match.side_of(player) == match.game.to_act(match.position)


def _stands(match: Match, now: Match, event: Played | Offered) -> bool:
    """Whether what is to be answered still stands: a wrong call leaves a turn as it is, a right one takes it back."""
    if isinstance(event, Offered):
        return any(offer.what == event.what for offer in now.offers)
    return now.status == "running" and _where(now) == _where(match)


def _has_spoken(match: Match, player: Player, event: Played | Offered) -> bool:
    """Whether what has happened is somebody's own, or has their answer."""
    agreed = (offer.agreed for offer in match.offers if isinstance(event, Offered) and offer.what == event.what)
    return player == event.by or any(player in people for people in agreed)


def _fits(match: Match, event: Played | Offered, line: Line) -> bool:
    """Whether what a line waits for is what has just happened."""
    condition = line.steps[0]
    if isinstance(event, Offered):
        return condition == event.what and len(line.steps) > 1
    ply = match.plies[-1]
    if ply.number != line.number or digest(match.game.encode(ply.before)) != line.position:
        return False
    try:
        return bool(match.game.read(condition, ply.before) == ply.turn)
    except NotationError:
        return False


def _command(player: Player, step: str, event: Event) -> Command:
    """What an answer says in the match."""
    match step:
        case "call":
            return Call(player)
        case "resign":
            return Resign(player)
        case "accept" | "decline":
            return Answer(player, step == "accept", event.what if isinstance(event, Offered) else None)
        case _:
            return Play(player, f"{step} sure")


def _later(match: Match, line: Line, made: int) -> Line:
    """What is left of a line once so many of its steps were made."""
    return Line(*_where(match), line.steps[made:])


def _where(match: Match) -> tuple[int, str]:
    """Where a line waits: for which turn, and in which position."""
    return match.next_number, digest(match.game.encode(match.position))


def _read(match: Match, player: Player, steps: tuple[str, ...]) -> Line:
    """A line, read as notation from turn to turn; what is tenable is asked of nothing. Raises NotationError."""
    side = match.side_of(player)
    if side is None or (match.status == "running" and side not in match.game.playing(match.position)):
        raise NotationError(Text("You do not play in this match."), Text("`matches` lists yours."))
    if match.status != "running":
        again = Text("`challenge {game}` begins another.", game=match.game.key)
        raise NotationError(Text("This match is over."), again)
    if not 1 < len(steps) <= LONGEST_LINE or not all(steps) or any(len(step) > LONGEST_TURN for step in steps):
        raise NotationError(ANSWERS, _example(match))
    ends = [number for number, step in enumerate(steps) if step.lower() in LAST]
    if any(number != len(steps) - 1 for number in ends):
        raise NotationError(Text("Nothing can follow {step} in a line.", step=Code(steps[ends[0]])), _example(match))
    steps = tuple(step.lower() if step.lower() in (*LAST, *OFFERS) else step for step in steps)
    if steps[0] in OFFERS:
        if len(steps) != 2 or steps[1] not in ("accept", "decline"):
            raise NotationError(Text("An offer is accepted or declined."), Text("For example: `if draw then accept`."))
        return Line(0, "", steps)
    if side in match.sides_to_act:
        raise NotationError(
            Text("The match waits for you, and a line begins with what somebody else plays."),
            Text("Make your turn first."),
        )
    by = [actor for actor, _ in followed(match, match.position, steps)]
    if (by[-1] == side) == (steps[-1] in LAST):
        raise NotationError(AMONG_SEVERAL if len(match.seats) > 2 else ANSWERS, _example(match))
    return Line(*_where(match), steps)


ANSWERS = Text("A line says what is played and what you answer.")
AMONG_SEVERAL = Text("Among several a line says what everybody plays, in order, and ends with what you do.")


def followed(match: Match, position: Any, steps: Sequence[str]) -> Iterator[tuple[Side, Any]]:
    """Yields who plays each turn of a line, tenable or not, and the position after it.

    Raises NotationError for what no line can hold.
    """
    for step in takewhile(lambda one: one not in LAST, steps):
        if match.game.asks(position):
            raise NotationError(Text("A line ends where somebody answers in private."), _example(match))
        turn: Turn = match.game.read(step, position)
        if decided_by_luck(match, position, turn):
            raise NotationError(Text("A line ends where luck decides: {step}.", step=Code(step)), _example(match))
        by, position = match.game.to_act(position), match.game.play(position, turn)
        yield by, position


def prepares(match: Match, side: Side | None) -> bool:
    """Whether a side can prepare a line now: while it waits for what somebody else plays."""
    if match.status != "running" or side is None or side not in match.game.playing(match.position):
        return False
    return side not in match.sides_to_act and match.ending is None and not match.game.asks(match.position)


def _example(match: Match) -> Text:
    turn = match.game.example(match.position)
    if decided_by_luck(match, match.position, match.game.read(turn, match.position)):
        return Text("For example: `if draw then accept`.")
    return Text("For example: `if {turn} then resign`.", turn=turn)


def _standing(match: Match, lines: Sequence[Line]) -> list[Line]:
    """The lines that can still fire."""
    here = _where(match)
    return [line for line in lines if line.steps[0] in OFFERS or (line.number, line.position) == here]


def _listed(context: Context, match: Match, lines: Sequence[Line]) -> Effect:
    if not lines:
        how = Text(
            "`{line}` answers a turn as soon as it is played; `if draw then accept` an offer.",
            line=f"if {line_example(match)}",
        )
        return whisper(context.message, Text("You keep no lines in this match."), how)
    title = Text("Only you see these lines.")
    return whisper_lines(context.message, ((title,), *((Text("{line}", line=_shown(line)),) for line in lines)))


def _shown(line: Line) -> Code:
    return Code("if " + " then ".join(line.steps))


async def _lines(repository: Repository, player: Player, match: Match) -> tuple[Line, ...]:
    stored = await repository.setting((await repository.accounts(player))[0], key_of(match))
    return tuple(msgspec.json.decode(stored, type=list[Line])) if stored else ()


def _write(lines: Sequence[Line]) -> str:
    return msgspec.json.encode(lines).decode() if lines else ""
