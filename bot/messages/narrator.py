"""What the room is told when something happens to a match: one message wherever one will do."""

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from bot.messages.model import Choice, Picture, Strong
from bot.messages.pictures import picture
from bot.messages.sentences import (
    SENTENCES,
    Names,
    Spans,
    joined,
    listed,
    paragraphs,
    result,
    seat,
    sentence,
    spelled,
    terms_line,
    verdict,
    who,
)
from bot.messages.serialization import read_address
from engine.board import Side
from engine.game import AnyGame, NotationError, Ruling
from engine.match.alarms import deadline
from engine.match.commands import Player
from engine.match.events import (
    Agreed,
    CalledOut,
    CallFailed,
    Declined,
    Ended,
    Event,
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
)
from engine.match.evolve import evolve
from engine.match.state import Match, Ply, open_to_call, read_ply, sides_to_act
from engine.text import Code, Instant


@dataclass(frozen=True, slots=True)
class Draft:
    """Something to be said about a match, before it is known where that is."""

    text: Lines
    picture: Picture | None = None
    choices: tuple[Choice, ...] = ()
    only: Player | None = None
    """Whispered to one player; None = to everybody."""
    channel: bool = False
    """Said in the channel around the match's thread."""
    rings: tuple[Player, ...] = ()
    """Whom it is to notify."""
    opening: Lines = ()
    """What is said in a channel in which the match has had no thread so far."""
    opens: tuple[str, ...] = ()
    """The places of which that is true."""


def narrate(before: Match | None, events: tuple[Event, ...], names: Names) -> tuple[Draft, ...]:
    """What is said when these events happen to a match: one message wherever one will do."""
    said: list[Draft] = []
    lines: list[Spans] = []
    match, changed = before, False
    for event in events:
        after = evolve(match, event)
        changed |= isinstance(event, BOARD_CHANGED) or _costly(match, event)
        if isinstance(event, CalledOut):
            assert match is not None, "only a running match has turns to call"
            said.append(_callout(match, event, names))
        else:
            line = SENTENCES[type(event)](match or after, event, names)
            if line:
                lines.append(line)
        match = after
    assert match is not None, "there is at least one event"
    if match.status == "open":
        invitation = _invitation(match, lines, names)
        return (*said, invitation, *_elsewhere(match, invitation))
    if changed:
        said += _standing(match, events, [*lines, *_put_out(before, match, events, names)], names)
    elif lines and match.status != "declined":
        told = any(isinstance(event, Nudged) for event in events)
        said.append(Draft(paragraphs(lines), choices=_answers(match, events), rings=_rung(match, events, told=told)))
    news = _news(match, events[-1], names)
    return (*said, Draft(news, channel=True)) if news else tuple(said)


def refuse(refusal: Refusal, match: Match | None = None, viewer: Side | None = None) -> Draft:
    """One private answer: the fact, then the remedy; for a refused turn also where to look."""
    text: Spans = (*spelled(sentence(refusal.because)),)
    if refusal.readings:
        text = (*text, " It can mean ", *listed(tuple(Code(r) for r in refusal.readings)), ".")
    if refusal.remedy:
        text = (*text, " ", *spelled(sentence(refusal.remedy)))
    shown = None
    if refusal.rulings and match is not None:
        marks = tuple(mark for ruling in refusal.rulings for mark in ruling.marks)
        shown = picture(match.game, match.position, viewer, marks=marks, tokens=stakes(match)) if marks else None
    return Draft(text, shown)


def headline(match: Match, names: Names) -> Spans:
    """A match in one line, for lists."""
    seats = [seat(match, side, names) for side in match.seats] or [(who(p, names),) for p in match.parties]
    line: Spans = (Strong(f"{match.id}"), f" {match.game.name}: ", *joined(seats, " against "))
    if match.status == "open":
        return (*line, ", not begun")
    if match.result is not None:
        return (*line, ". ", *result(match, match.result, names))
    waiting = [(who(match.seats[side], names),) for side in sides_to_act(match)]
    due = deadline(match)
    return (*line, ". To act: ", *joined(waiting, ", "), *((", due ", Instant(due)) if due is not None else ()))


PRICES = {
    "friendly": "The turn is taken back; {offender} plays again.",
    "time": "The turn is taken back; {offender} plays again, with a tenth of the time gone.",
    "turn": "The turn is taken back and lost.",
    "piece": "The turn is taken back and lost, and the piece is gone.",
    "piece-lenient": "The turn is taken back and lost, and with it the piece, unless that would end the game.",
    "piece-absolute": "The turn is taken back and lost, and the piece is gone.",
    "sudden": "That loses the game.",
}

BOARD_CHANGED = (Started, Played, Replied, CalledOut, TakenBack, Reset, Resigned, Flagged, Ended, Agreed, PlaceLinked)
"""After these the board is shown: it has changed, or there is a room that has not seen it."""


def _put_out(before: Match | None, match: Match, events: tuple[Event, ...], names: Names) -> list[Spans]:
    """Whom the board has put out of a match, without their having gone."""
    if before is None or before.position is None:
        return []
    gone = {event.side for event in events if isinstance(event, Resigned | Flagged)}
    still = {*match.game.playing(match.position), *gone}
    return [
        (*seat(match, side, names), " is out.") for side in match.game.playing(before.position) if side not in still
    ]


def _costly(match: Match | None, event: Event) -> bool:
    """Whether this is a wrong call that changes whose turn it is, or for how long."""
    return match is not None and isinstance(event, CallFailed) and fine(match, event) != ""


# --- whole messages ---------------------------------------------------------------------------------------
def _news(match: Match, event: Event, names: Names) -> Spans:
    """What the channel around a match's thread hears of it: how it ends."""
    match event:
        case Ended():
            seats = [seat(match, side, names) for side in match.seats]
            return (
                Strong(f"Match {match.id}"),
                ", ",
                *joined(seats, " against "),
                ". ",
                *result(match, event, names),
            )
        case Declined():
            return SENTENCES[Declined](match, event, names)
        case _:
            return ()


def _invitation(match: Match, lines: list[Spans], names: Names) -> Draft:
    """A challenge, or what became of it: shown where it was made, with buttons for whoever may answer."""
    seats = len(match.game.seats(match.terms))
    missing = seats - len(match.parties)
    remark = match.game.remark(match.terms)
    terms = (f"Terms: {terms_line(match)}.{' ' + remark if remark else ''}",)
    text = paragraphs([*lines, (Strong(f"Match {match.id}"), f" · {match.game.name}: {match.game.gist}"), terms])
    expected = [player for player in match.parties if player not in match.joined]
    waiting = [(who(player, names),) for player in expected]
    if waiting:
        text = (*text, "\n", *joined(waiting, ", "), ": ", Code(f"accept {match.id}"), ", ", Code("decline"))
        text = (*text, " or propose other terms: ", Code(f"amend {match.id} time=5d"), ".")
    if missing:
        count = "One seat is" if missing == 1 else f"{missing} seats are"
        text = (*text, f"\n{count} free: ", Code(f"accept {match.id}"), ".")
    choices = tuple(Choice(word.capitalize(), f"{word} {match.id} @{match.stamp}") for word in ("accept", "decline"))
    return Draft(text, choices=choices, channel=True, rings=tuple(expected))


def _elsewhere(match: Match, invitation: Draft) -> list[Draft]:
    """The invitation for each of the invited who is on none of the platforms where the match lives."""
    here = {read_address(place).platform for place in match.places}
    away = [player for player in invitation.rings if player.partition(":")[0] not in here]
    return [replace(invitation, only=player, rings=(), channel=False) for player in away]


def _standing(match: Match, events: tuple[Event, ...], lines: list[Spans], names: Names) -> list[Draft]:
    """The board as it stands now, what has just happened, and who is to do what until when."""
    last = events[-1] if not isinstance(events[-1], Ended) else events[-2] if len(events) > 1 else events[-1]
    shown = _picture(match, last)
    opening, opens = _opening(match, events, names)
    if match.status != "running":
        return [Draft(paragraphs(lines), shown, opening=opening, opens=opens)]
    lines = [*lines, *_twice(match), _due(match, names)]
    choices = (*_turn_choices(match), *_call_choices(match), *_answers(match, events))
    rings = _rung(match, events, told=True)
    said = [Draft(paragraphs(lines), shown, choices, rings=rings, opening=opening, opens=opens)]
    said += [Draft(aside, only=e.by) for e in events if isinstance(e, Played) and (aside := _aside(match, e))]
    said += [_warning(match, e) for e in events if isinstance(e, Played) and e.broken and _warns(match)]
    for ask in match.game.asks(match.position):
        prompt = (sentence(ask.prompt), " Answer in private, for example: ", Code(f"secret {match.id} {ask.example}"))
        if isinstance(last, Started | Agreed) or not any(isinstance(e, Replied | PlaceLinked) for e in events):
            answer = Choice("Answer", f"secret {match.id}", sentence(ask.prompt))
            said.append(Draft(prompt, only=match.seats[ask.side], choices=(answer,)))
    return said


def _opening(match: Match, events: tuple[Event, ...], names: Names) -> tuple[Spans, tuple[str, ...]]:
    """What the channel hears when the match gets a thread there, and in which places that is now."""
    begun = any(isinstance(event, Started) for event in events)
    opens = match.places if begun else tuple(event.place for event in events if isinstance(event, PlaceLinked))
    if not opens:
        return (), ()
    seats = [seat(match, side, names) for side in match.seats]
    verb = " has begun: " if begun else " is played here too: "
    return (Strong(f"Match {match.id} · {match.game.name}"), verb, *joined(seats, " against "), "."), opens


def _rung(match: Match, events: tuple[Event, ...], *, told: bool) -> tuple[Player, ...]:
    """Whom the news concerns at once: those who are `told` to act, or to answer an offer; nobody for what they did."""
    acted = {by for event in events if (by := getattr(event, "by", None))}
    offered = any(isinstance(event, Offered) for event in events)
    waited_for = match.seats.values() if offered else (match.seats[s] for s in sides_to_act(match)) if told else ()
    return tuple(player for player in dict.fromkeys(waited_for) if not (offered and player in acted))


def _aside(match: Match, event: Played) -> Spans:
    """What chance has told the mover alone."""
    game, ply = match.game, match.plies[-1]
    turn = read_ply(match, ply)
    told = game.describe_luck(turn, ply.before, event.side)
    return (f"Between us: {told}.",) if told != game.describe_luck(turn, ply.before, None) else ()


def stakes(match: Match) -> tuple[tuple[Side, str], ...]:
    """What each side has staked, for its picture."""
    return tuple((side, match.tokens[player]) for side, player in match.seats.items() if player in match.tokens)


def _picture(match: Match, last: Event) -> Picture:
    over = match.status != "running"
    if isinstance(last, Played) and match.plies:
        ply = match.plies[-1]
        return picture(match.game, ply.before, None, turn=ply.text, tokens=stakes(match), over=over)
    return picture(match.game, match.position, None, tokens=stakes(match), over=over)


def _callout(match: Match, event: CalledOut, names: Names) -> Draft:
    """Why a turn was untenable, in words and in a picture of the board it was made on."""
    ply = next(ply for ply in match.plies if ply.number == event.ply)
    game = match.game
    turn = read_ply(match, ply)
    rulings: tuple[Ruling, ...] = tuple(game.judge(ply.before, turn))
    aimed = tuple(mark for mark in game.marks(turn, ply.before) if mark.kind == "moved")
    marks = (*aimed, *(mark for ruling in rulings for mark in ruling.marks))
    notation = Code(game.show(turn, ply.before, None))
    whose = "their own" if event.by == ply.by else f"{game.names[ply.side]}'s"
    offender = names[ply.by].name if ply.by in names else game.names[ply.side]
    usual = "friendly" if event.penalty == "time" and match.clock.kind == "none" else event.penalty
    price = game.penalty_text(ply.before, turn, rulings, event.penalty) or PRICES[usual].format(offender=offender)
    lines: list[Spans] = [
        (who(event.by, names), f" calls out {whose} turn {ply.number}: ", notation, " is ", Strong("untenable"), "."),
        *(spelled(f"{sentence(r.because)} ({r.rule.title}: {r.rule.gist})") for r in rulings[:3]),
        (price,),
    ]
    return Draft(paragraphs(lines), picture(game, ply.before, None, marks=marks, tokens=stakes(match)))


def _warns(match: Match) -> bool:
    return match.calling and match.terms["judge"] == "advisory"


def _warning(match: Match, event: Played) -> Draft:
    """What an advisory umpire tells the mover alone."""
    titles = {rule.ref: rule.title for rule in match.game.rules}
    broken = ", ".join(titles.get(ref, ref) for ref in event.broken)
    text = (f"Between us: that turn is untenable ({broken}). You may ", Code(f"call {match.id}"), " it out yourself.")
    return Draft(text, only=event.by)


def _due(match: Match, names: Names) -> Spans:
    """Who is awaited, for what, until when."""
    game, due = match.game, deadline(match)
    people: list[Spans] = [(who(match.seats[side], names),) for side in sides_to_act(match)]
    until: Spans = (" (", Instant(due), ")") if due is not None else ()
    if game.asks(match.position):
        return ("In private, please: ", *joined(people, " and "), *until, ".")
    outcome = match.ending
    if outcome is not None:
        choice: Spans = (": let it stand with ", Code("ok"), ", or ", Code("call"), " the last turn out", *until, ".")
        return (*verdict(game, outcome, match, names), "\n", *joined(people, ", "), *choice)
    yours = game.phrases.get("turn", "your turn")
    line: Spans = (*joined(people, ", "), f", {yours}", *until, ".")
    duty = game.duty(match.position)
    if duty:
        line = (*line, " ", *spelled(sentence(duty)))
    if not match.turns_made and "`" not in duty:
        line = (*line, " Write it here, for example ", Code(_example(game, match.position)), ".")
    return line


def _example(game: AnyGame, position: Any) -> str:
    """A turn that works here: the game's own example, unless the terms have set the board up otherwise."""
    with suppress(NotationError):
        usual = game.read(game.example, position)
        if game.tenable(position, usual):
            return game.write(usual, position)
    turn = next(game.turns(position), None)
    return game.example if turn is None else game.write(turn, position)


def _twice(match: Match) -> list[Spans]:
    """The warning before a repetition ends the game, if in this game it does."""
    game, position = match.game, match.position
    seen = match.counts.get(game.identity(position), 1)
    if seen != 2 or match.ending is not None:
        return []
    third = game.outcome(position, seen=3)
    return (
        [(f"This position stands for the second time; a third ends the game ({third.rule.title}).",)] if third else []
    )


def _turn_choices(match: Match) -> tuple[Choice, ...]:
    """A button to write a turn with, where a turn is due; what it asks for is the same whatever is tenable."""
    if match.ending is not None or match.game.asks(match.position):
        return ()
    return (Choice("Make the turn", f"move {match.id} @{match.next_number}", f"For example {match.game.example}"),)


def _call_choices(match: Match) -> tuple[Choice, ...]:
    """Buttons below a turn; the same whether it is tenable or not."""
    standing = open_to_call(match)
    if not standing:
        return ()
    ply: Ply = standing[-1]
    call = Choice("Call it out", f"call {match.id} @{ply.number}")
    return (call, Choice("Let it stand", f"ok {match.id} @{match.stamp}")) if match.ending is not None else (call,)


def _answers(match: Match, events: tuple[Event, ...]) -> tuple[Choice, ...]:
    """Buttons for an offer that has just been made."""
    return tuple(
        choice
        for event in events
        if isinstance(event, Offered)
        for choice in (
            Choice("Accept", f"accept {match.id} @{match.stamp} {event.what}"),
            Choice("Decline", f"decline {match.id} @{match.stamp} {event.what}"),
        )
    )
