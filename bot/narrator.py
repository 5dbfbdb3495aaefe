"""What the room is told: events turned into sentences, each kind of event in one place."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bot.chat import Choice, Code, Person, Picture, Span, Strong, When
from bot.pictures import picture
from engine.board import Side
from engine.clock import read_clock, write_duration
from engine.decide import Refusal
from engine.dice import commitment
from engine.events import (
    Acknowledged,
    Agreed,
    Amended,
    Answered,
    CalledOut,
    CallFailed,
    Challenged,
    Credited,
    Declined,
    Ended,
    Event,
    Flagged,
    Housed,
    Joined,
    Nudged,
    Offered,
    Played,
    Player,
    Replied,
    Reset,
    Resigned,
    Started,
    TakenBack,
)
from engine.game import ABORTED, AnyGame, Outcome, Ruling
from engine.match import Match, Ply, awaited, deadline, ending, evolve, read_ply, spoils
from engine.terms import differing

Names = Mapping[Player, Person]
Spans = tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Say:
    """Something to be said about a match, before it is known where that is."""

    text: Spans
    picture: Picture | None = None
    choices: tuple[Choice, ...] = ()
    only: Player | None = None
    """Whispered to one player; None = to everybody."""
    channel: bool = False
    """Said in the channel around the match's thread."""


def narrate(before: Match | None, events: tuple[Event, ...], names: Names) -> tuple[Say, ...]:
    """What is said when these events happen to a match: one message wherever one will do."""
    said: list[Say] = []
    lines: list[Spans] = []
    match = before
    for event in events:
        after = evolve(match, event)
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
        return (*said, _invitation(match, lines, names))
    if any(isinstance(event, BOARD_CHANGED) for event in events):
        said += _standing(match, events, lines, names)
    elif lines and match.status != "declined":
        said.append(Say(_paragraphs(lines), choices=_answers(match, events)))
    news = _news(match, events[-1], names)
    return (*said, Say(news, channel=True)) if news else tuple(said)


def refuse(refusal: Refusal, match: Match | None = None, viewer: Side | None = None) -> Say:
    """One private answer: the fact, then the remedy; for a refused turn also where to look."""
    text: Spans = (*_code(_sentence(refusal.because)),)
    if refusal.readings:
        text = (*text, " It can mean ", *_listed(tuple(Code(r) for r in refusal.readings)), ".")
    if refusal.remedy:
        text = (*text, " ", *_code(_sentence(refusal.remedy)))
    shown = None
    if refusal.rulings and match is not None:
        marks = tuple(mark for ruling in refusal.rulings for mark in ruling.marks)
        shown = picture(match.game, match.position, viewer, marks=marks, tokens=stakes(match)) if marks else None
    return Say(text, shown)


def headline(match: Match, names: Names) -> Spans:
    """A match in one line, for lists."""
    seats = [_seat(match, side, names) for side in match.seats] or [(_who(p, names),) for p in match.parties]
    line: Spans = (Strong(f"{match.id}"), f" {match.game.name}: ", *_joined(seats, " against "))
    if match.status == "open":
        return (*line, ", not begun")
    if match.result is not None:
        return (*line, ". ", *_result(match, match.result, names))
    waiting = [(_who(match.seats[side], names),) for side in awaited(match)]
    due = deadline(match)
    return (*line, ". To act: ", *_joined(waiting, ", "), *((", due ", When(due)) if due is not None else ()))


def terms_line(match: Match) -> str:
    """The terms as far as they need saying."""
    clock = read_clock(match.terms["time"])
    time = {
        "none": "no time limit",
        "turn": f"{write_duration(clock.base)} a turn",
        "bank": f"{write_duration(clock.base)} in all and {write_duration(clock.extra)} more after each turn",
        "hourglass": f"an hourglass of {write_duration(clock.base)}",
    }[clock.kind]
    umpire = UMPIRES[match.terms["umpire"]]
    others = {k: v for k, v in differing(match.game, match.terms).items() if k not in TOLD_APART}
    side = f"the challenger plays {match.terms['side'].capitalize()}" if match.terms["side"] != "lot" else ""
    seats = side if match.status == "open" else ""
    start = "from a position of their own" if match.terms["start"] else ""
    return "; ".join(part for part in (time, umpire, seats, start, *(f"{k} {v}" for k, v in others.items())) if part)


TOLD_APART = ("umpire", "time", "side", "start")
"""Terms that have a sentence of their own."""

UMPIRES = {
    "refuse": "untenable turns are refused",
    "friendly": "untenable turns stand until called out, then are taken back",
    "time": "untenable turns stand until called out, then are taken back and cost time",
    "turn": "untenable turns stand until called out, then are taken back and the turn is lost",
    "piece": "untenable turns stand until called out, then cost the turn and the piece",
    "piece-lenient": "untenable turns stand until called out, then cost the turn and the piece (leniently)",
    "piece-absolute": "untenable turns stand until called out, then cost the turn and the piece (without mercy)",
    "sudden": "untenable turns stand until called out, then lose the game",
}

PRICES = {
    "friendly": "The turn is taken back; {offender} plays again.",
    "time": "The turn is taken back; {offender} plays again, with a tenth of the time gone.",
    "turn": "The turn is taken back and lost.",
    "piece": "The turn is taken back and lost, and the piece is gone.",
    "piece-lenient": "The turn is taken back and lost, and with it the piece, unless that would end the game.",
    "piece-absolute": "The turn is taken back and lost, and the piece is gone.",
    "sudden": "That loses the game.",
}

BOARD_CHANGED = (Started, Played, Replied, CalledOut, TakenBack, Reset, Resigned, Flagged, Ended, Agreed)


# --- the sentence for each event --------------------------------------------------------------------------
def _challenged(match: Match, event: Challenged, names: Names) -> Spans:
    guests: list[Spans] = [(_who(player, names),) for player in event.invited]
    to = _joined(guests, ", ") if guests else ("whoever accepts first",)
    return (_who(event.by, names), " challenges ", *to, f" to a match of {match.game.name}.")


def _amended(match: Match, event: Amended, names: Names) -> Spans:
    return (_who(event.by, names), " proposes other terms.")


def _joined_in(match: Match, event: Joined, names: Names) -> Spans:
    return (_who(event.by, names), " accepts.")


def _declined(match: Match, event: Declined, names: Names) -> Spans:
    verb = "withdraws the challenge" if event.by == match.challenger else "declines the challenge"
    return (Strong(f"Match {match.id}"), ": ", _who(event.by, names), f" {verb}.")


def _housed(match: Match, event: Housed, names: Names) -> Spans:
    return (_who(event.by, names), f" lets match {match.id} live in one more place.")


def _started(match: Match, event: Started, names: Names) -> Spans:
    game = match.game
    seats = [(_who(player, names), f" ({game.names[side]})") for side, player in event.seats.items()]
    line: Spans = (Strong(f"Match {match.id}: {game.name}"), " · ", *_joined(seats, " against "))
    line = (*line, f"\nTerms: {terms_line(match)}.")
    if match.tokens:
        staked = [(_who(player, names), " stakes ", Strong(token)) for player, token in match.tokens.items()]
        line = (*line, "\n", *_joined(staked, ", "), ".")
    if game.chance:
        line = (*line, "\nThe dice are bound to ", Code(commitment(bytes.fromhex(event.seed))), ".")
    return line


def _played(match: Match, event: Played, names: Names) -> Spans:
    game = match.game
    turn = game.read(event.text, match.position)
    shown = game.show(turn, match.position, None)
    told = " It is untenable." if event.broken and match.terms["judge"] == "open" else ""
    return (
        Strong(f"Turn {match.next_number}"),
        " · ",
        *_seat(match, event.side, names),
        " played ",
        Code(shown),
        f".{told}",
    )


def _replied(match: Match, event: Replied, names: Names) -> Spans:
    return (*_seat(match, event.side, names), " has answered in private.")


def _call_failed(match: Match, event: CallFailed, names: Names) -> Spans:
    cost = {"time": " That costs a tenth of the time.", "turn": " That costs a turn."}.get(match.terms["falsecall"], "")
    return (
        _who(event.by, names),
        f" called turn {event.ply} out, but it holds: no rule is broken.{cost} Play goes on.",
    )


def _offered(match: Match, event: Offered, names: Names) -> Spans:
    what = {
        "draw": "offers a draw",
        "takeback": "asks to take the last turn back",
        "reset": "proposes to set the board up anew",
    }[event.what]
    return (*_seat(match, match.side_of(event.by), names), f" {what}.")


def _answered(match: Match, event: Answered, names: Names) -> Spans:
    bid = next(bid for bid in match.bids if bid.what == event.what)
    if event.yes:
        return (_who(event.by, names), " agrees.")
    return (_who(event.by, names), " withdraws the offer." if event.by == bid.by else " declines.")


def _agreed(match: Match, event: Agreed, names: Names) -> Spans:
    return ("A draw is agreed; one thing is left to settle.",)


def _acknowledged(match: Match, event: Acknowledged, names: Names) -> Spans:
    return (_who(event.by, names), " lets it stand.")


def _taken_back(match: Match, event: TakenBack, names: Names) -> Spans:
    return (f"Turn {event.ply} is taken back.",)


def _reset(match: Match, event: Reset, names: Names) -> Spans:
    return ("The board is set up anew.",)


def _resigned(match: Match, event: Resigned, names: Names) -> Spans:
    return (*_seat(match, event.side, names), " resigns.")


def _nudged(match: Match, event: Nudged, names: Names) -> Spans:
    waiting: list[Spans] = [(_who(match.seats[side], names),) for side in awaited(match)]
    due = deadline(match)
    until: Spans = (" Time runs out ", When(due), ".") if due is not None else ()
    return (*_joined(waiting, ", "), f": match {match.id} waits for you.", *until)


def _flagged(match: Match, event: Flagged, names: Names) -> Spans:
    return (*_seat(match, event.side, names), " has run out of time.")


def _credited(match: Match, event: Credited, names: Names) -> Spans:
    return (f"The bot was away for {write_duration(event.span)}; nobody's time ran meanwhile.",)


def _ended(match: Match, event: Ended, names: Names) -> Spans:
    line = _result(match, event, names)
    for giver, taker, token in spoils(evolve(match, event)):
        line = (*line, "\n", _who(giver, names), "'s token ", Strong(token), " goes to ", _who(taker, names), ".")
    if match.game.chance and match.seed:
        line = (*line, "\nThe seed of the dice was ", Code(match.seed), ".")
    return line


SENTENCES: dict[type, Callable[[Match, Any, Names], Spans]] = {
    Challenged: _challenged,
    Amended: _amended,
    Joined: _joined_in,
    Declined: _declined,
    Housed: _housed,
    Started: _started,
    Played: _played,
    Replied: _replied,
    CallFailed: _call_failed,
    Offered: _offered,
    Answered: _answered,
    Agreed: _agreed,
    Acknowledged: _acknowledged,
    TakenBack: _taken_back,
    Reset: _reset,
    Resigned: _resigned,
    Nudged: _nudged,
    Flagged: _flagged,
    Credited: _credited,
    Ended: _ended,
}


# --- whole messages ---------------------------------------------------------------------------------------
def _news(match: Match, event: Event, names: Names) -> Spans:
    """What the channel around a match's thread hears of it: that it begins and how it ends."""
    seats = [_seat(match, side, names) for side in match.seats]
    match event:
        case Started():
            return (Strong(f"Match {match.id}"), " has begun: ", *_joined(seats, " against "), ".")
        case Ended():
            return (
                Strong(f"Match {match.id}"),
                ", ",
                *_joined(seats, " against "),
                ". ",
                *_result(match, event, names),
            )
        case Declined():
            return _declined(match, event, names)
        case _:
            return ()


def _invitation(match: Match, lines: list[Spans], names: Names) -> Say:
    """A challenge, or what became of it: shown where it was made, with buttons for whoever may answer."""
    seats = len(match.game.seats(match.terms))
    missing = seats - len(match.parties)
    terms = (f"Terms: {terms_line(match)}.",)
    text = _paragraphs([*lines, (Strong(f"Match {match.id}"), f" · {match.game.name}: {match.game.gist}"), terms])
    expected = [player for player in match.parties if player not in match.joined]
    waiting = [(_who(player, names),) for player in expected]
    if waiting:
        text = (*text, "\n", *_joined(waiting, ", "), ": ", Code(f"accept {match.id}"), ", ", Code("decline"))
        text = (*text, " or propose other terms: ", Code(f"amend {match.id} time=5d"), ".")
    if missing:
        count = "One seat is" if missing == 1 else f"{missing} seats are"
        text = (*text, f"\n{count} free: ", Code(f"accept {match.id}"), ".")
    choices = (Choice("Accept", f"accept {match.id}"), Choice("Decline", f"decline {match.id}"))
    return Say(text, choices=choices, channel=True)


def _standing(match: Match, events: tuple[Event, ...], lines: list[Spans], names: Names) -> list[Say]:
    """The board as it stands now, what has just happened, and who is to do what until when."""
    last = events[-1] if not isinstance(events[-1], Ended) else events[-2] if len(events) > 1 else events[-1]
    shown = _picture(match, last)
    if match.status != "running":
        return [Say(_paragraphs(lines), shown)]
    lines = [*lines, *_twice(match), _due(match, names)]
    said = [Say(_paragraphs(lines), shown, (*_call_choices(match), *_answers(match, events)))]
    said += [_warning(match, e) for e in events if isinstance(e, Played) and e.broken and _warns(match)]
    for ask in match.game.asks(match.position):
        prompt = (_sentence(ask.prompt), " Answer in private, for example: ", Code(f"secret {match.id} {ask.example}"))
        if isinstance(last, Started | Agreed) or not any(isinstance(e, Replied) for e in events):
            said.append(Say(prompt, only=match.seats[ask.side]))
    return said


def stakes(match: Match) -> tuple[tuple[Side, str], ...]:
    """What each side has staked, for its picture."""
    return tuple((side, match.tokens[player]) for side, player in match.seats.items() if player in match.tokens)


def _picture(match: Match, last: Event) -> Picture:
    over = match.status != "running"
    if isinstance(last, Played) and match.plies:
        ply = match.plies[-1]
        return picture(match.game, ply.before, None, turn=ply.text, tokens=stakes(match), over=over)
    return picture(match.game, match.position, None, tokens=stakes(match), over=over)


def _callout(match: Match, event: CalledOut, names: Names) -> Say:
    """Why a turn was untenable, in words and in a picture of the board it was made on."""
    ply = next(ply for ply in match.plies if ply.number == event.ply)
    game = match.game
    turn = read_ply(match, ply)
    rulings: tuple[Ruling, ...] = tuple(game.judge(ply.before, turn))
    aimed = tuple(mark for mark in game.marks(turn, ply.before) if mark.kind == "moved")
    marks = (*aimed, *(mark for ruling in rulings for mark in ruling.marks))
    notation = Code(game.show(turn, ply.before, None))
    whose = "the own" if event.by == ply.by else f"{game.names[ply.side]}'s"
    lines: list[Spans] = [
        (_who(event.by, names), f" calls out {whose} turn {ply.number}: ", notation, " is ", Strong("untenable"), "."),
        *((f"{_sentence(r.because)} ({r.rule.title}: {r.rule.gist})",) for r in rulings[:3]),
        (PRICES[event.penalty].format(offender=names[ply.by].name if ply.by in names else game.names[ply.side]),),
    ]
    return Say(_paragraphs(lines), picture(game, ply.before, None, marks=marks, tokens=stakes(match)))


def _warns(match: Match) -> bool:
    return match.calling and match.terms["judge"] == "advisory"


def _warning(match: Match, event: Played) -> Say:
    """What an advisory umpire tells the mover alone."""
    titles = {rule.ref: rule.title for rule in match.game.rules}
    broken = ", ".join(titles.get(ref, ref) for ref in event.broken)
    text = (f"Between us: that turn is untenable ({broken}). You may ", Code(f"call {match.id}"), " it out yourself.")
    return Say(text, only=event.by)


def _due(match: Match, names: Names) -> Spans:
    """Who is awaited, for what, until when."""
    game, due = match.game, deadline(match)
    people: list[Spans] = [(_who(match.seats[side], names),) for side in awaited(match)]
    until: Spans = (" (", When(due), ")") if due is not None else ()
    if game.asks(match.position):
        return ("In private, please: ", *_joined(people, " and "), *until, ".")
    outcome = ending(match)
    if outcome is not None:
        verdict = _verdict(game, outcome, match, names)
        return (*verdict, "\n", *_joined(people, ", "), ": let it stand with ", Code("ok"), ", or ", Code("call"),
                " the last turn out", *until, ".")  # fmt: skip
    yours = game.phrases.get("turn", "your turn")
    line: Spans = (*_joined(people, ", "), f", {yours}", *until, ".")
    duty = game.duty(match.position)
    if duty:
        line = (*line, " ", _sentence(duty))
    if not match.turns_made:
        line = (*line, " Write it here, for example ", Code(game.example), ".")
    return line


def _twice(match: Match) -> list[Spans]:
    """The warning before a repetition ends the game, if in this game it does."""
    game, position = match.game, match.position
    seen = match.counts.get(game.identity(position), 1)
    if seen != 2 or ending(match) is not None:
        return []
    third = game.outcome(position, seen=3)
    return (
        [(f"This position stands for the second time; a third ends the game ({third.rule.title}).",)] if third else []
    )


def _call_choices(match: Match) -> tuple[Choice, ...]:
    """Buttons below a turn; the same whether it is tenable or not."""
    if not match.calling or match.callable_from >= len(match.plies):
        return ()
    ply: Ply = match.plies[-1]
    call = Choice("Call it out", f"call {match.id} @{ply.number}")
    return (call, Choice("Let it stand", f"ok {match.id}")) if ending(match) is not None else (call,)


def _answers(match: Match, events: tuple[Event, ...]) -> tuple[Choice, ...]:
    """Buttons for an offer that has just been made."""
    return tuple(
        choice
        for event in events
        if isinstance(event, Offered)
        for choice in (
            Choice("Accept", f"accept {match.id} {event.what}"),
            Choice("Decline", f"decline {match.id} {event.what}"),
        )
    )


def _result(match: Match, event: Ended, names: Names) -> Spans:
    if event.rule == ABORTED.ref:
        return (Strong(f"Match {match.id} is called off."), " Nobody wins.")
    sides = tuple(match.seats)
    winners = [side for side in sides if side in event.winners]
    if not winners:
        return (Strong("Everybody has lost"), f": {event.title}.")
    if len(winners) == len(sides):
        return (Strong("Draw"), f": {event.title}.")
    people = _joined([_seat(match, side, names) for side in winners], " and ")
    return (*people, " ", Strong("wins" if len(winners) == 1 else "share the win"), f": {event.title}.")


def _verdict(game: AnyGame, outcome: Outcome, match: Match, names: Names) -> Spans:
    end = Ended(0, outcome.rule.ref, outcome.rule.title, tuple(s for s in game.sides if s in outcome.winners))
    return _result(match, end, names)


# --- words ------------------------------------------------------------------------------------------------
def _who(player: Player, names: Names) -> Span:
    return names.get(player) or player.partition(":")[2]


def _seat(match: Match, side: Side | None, names: Names) -> Spans:
    assert side is not None, "only those who sit in a match act in it"
    return (_who(match.seats[side], names), f" ({match.game.names[side]})")


def _joined(parts: Sequence[Spans], between: str) -> Spans:
    return tuple(span for i, part in enumerate(parts) for span in ((between, *part) if i else part))


def _listed(codes: tuple[Code, ...]) -> Spans:
    return _joined([(code,) for code in codes], " or ")


def _paragraphs(lines: list[Spans]) -> Spans:
    return _joined(lines, "\n")


def _sentence(text: str) -> str:
    """First letter large, full stop at the end; the rest as it is."""
    text = text.strip()
    closed = text if text.endswith((".", "!", "?", ":", ")")) else text + "."
    return closed if closed[:1] in "`" else closed[:1].upper() + closed[1:]


def _code(text: str) -> Spans:
    """Words with `notation` in back quotes, as spans."""
    parts = text.split("`")
    return tuple(Code(part) if i % 2 else part for i, part in enumerate(parts) if part)
