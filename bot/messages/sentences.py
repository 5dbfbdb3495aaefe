"""The sentence for each kind of event, and the words that all messages are made of."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from bot.messages.model import Person, Span, Strong
from engine.board import Side
from engine.dice import commitment
from engine.game import ABORTED, AnyGame, Outcome
from engine.match.alarms import deadline
from engine.match.clock import read_clock, write_duration
from engine.match.commands import Player
from engine.match.events import (
    Acknowledged,
    Agreed,
    Amended,
    Answered,
    CallFailed,
    Challenged,
    Credited,
    Declined,
    Ended,
    Flagged,
    Joined,
    Nudged,
    Offered,
    PlaceLinked,
    Played,
    Replied,
    Reset,
    Resigned,
    Started,
    TakenBack,
)
from engine.match.evolve import evolve
from engine.match.state import Match, sides_to_act, takeback_ply
from engine.match.terms import differing
from engine.text import Code, Instant

Names: TypeAlias = Mapping[Player, Person]
Spans: TypeAlias = tuple[Span, ...]


# --- terms and results -----------------------------------------------------------------------------------
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


def result(match: Match, event: Ended, names: Names) -> Spans:
    """How a match ended, in a sentence."""
    if event.rule == ABORTED.ref:
        by: Spans = (" by ", who(event.by, names)) if event.by else ()
        return (Strong("Called off"), *by, ": nobody wins.")
    sides = tuple(match.seats)
    winners = [side for side in sides if side in event.winners]
    if not winners:
        return (Strong("Everybody has lost"), f": {event.title}.")
    if len(winners) == len(sides):
        return (Strong("Draw"), f": {event.title}.")
    people = joined([seat(match, side, names) for side in winners], " and ")
    if len(winners) > 1:
        return (Strong("Draw"), " between ", *people, f": {event.title}.")
    return (*people, " ", Strong("wins"), f": {event.title}.")


def verdict(game: AnyGame, outcome: Outcome, match: Match, names: Names) -> Spans:
    """How it will end if nobody objects."""
    end = Ended(0, outcome.rule.ref, outcome.rule.title, tuple(s for s in game.sides if s in outcome.winners))
    return result(match, end, names)


# --- events -----------------------------------------------------------------------------------------------
def _challenged(match: Match, event: Challenged, names: Names) -> Spans:
    guests: list[Spans] = [(who(player, names),) for player in event.invited]
    to = joined(guests, ", ") if guests else ("whoever accepts first",)
    return (who(event.by, names), " challenges ", *to, f" to a match of {match.game.name}.")


def _amended(match: Match, event: Amended, names: Names) -> Spans:
    return (who(event.by, names), " proposes other terms.")


def _joined_in(match: Match, event: Joined, names: Names) -> Spans:
    return (who(event.by, names), " accepts.")


def _declined(match: Match, event: Declined, names: Names) -> Spans:
    verb = "withdraws the challenge" if event.by == match.challenger else "declines the challenge"
    return (Strong(f"Match {match.id}"), ": ", who(event.by, names), f" {verb}.")


def _housed(match: Match, event: PlaceLinked, names: Names) -> Spans:
    return (who(event.by, names), f" lets match {match.id} live in one more place.")


def _started(match: Match, event: Started, names: Names) -> Spans:
    game = match.game
    seats = [(who(player, names), f" ({game.names[side]})") for side, player in event.seats.items()]
    line: Spans = (Strong(f"Match {match.id}: {game.name}"), " · ", *joined(seats, " against "))
    line = (*line, f"\nTerms: {terms_line(match)}.")
    if match.tokens:
        staked = [(who(player, names), " stakes ", Strong(token)) for player, token in match.tokens.items()]
        line = (*line, "\n", *joined(staked, ", "), ".")
    if game.chance:
        line = (*line, "\nThe dice are bound to ", Code(commitment(bytes.fromhex(event.seed))), ".")
    return line


def _played(match: Match, event: Played, names: Names) -> Spans:
    game = match.game
    turn = game.read(event.text, match.position)
    shown = game.show(turn, match.position, None)
    told = game.describe_luck(turn, match.position, None)
    told = f" {told}" if told else ""
    if event.broken and match.terms["judge"] == "open":
        told += " It is untenable."
    return (
        Strong(f"Turn {match.next_number}"),
        " · ",
        *seat(match, event.side, names),
        " played ",
        Code(shown),
        f".{told}",
    )


def _replied(match: Match, event: Replied, names: Names) -> Spans:
    ask = next(ask for ask in match.game.asks(match.position) if ask.side == event.side)
    told = match.game.reveal_text(match.position, ask, event.text)
    return (*seat(match, event.side, names), " has answered in private.", f" {told}" if told else "")


def _call_failed(match: Match, event: CallFailed, names: Names) -> Spans:
    goes_on = "Play goes on." if match.ending is None else "The end stands."
    price = {"time": " That costs a tenth of the time.", "turn": " That costs a turn."}.get(fine(match, event), "")
    return (
        who(event.by, names),
        f" called turn {event.ply} out, but it holds: no rule is broken.{price} {goes_on}",
    )


def _offered(match: Match, event: Offered, names: Names) -> Spans:
    what = {
        "draw": "offers a draw",
        "takeback": f"asks to take {_turns_from(match, takeback_ply(match, event.by) or 0)} back",
        "reset": "proposes to set the board up anew",
    }[event.what]
    return (*seat(match, match.side_of(event.by), names), f" {what}.")


def _turns_from(match: Match, number: int) -> str:
    """The turns that fall with one: `turn 3`, `turns 3 and 4`, `turns 3 to 5`."""
    numbers = [ply.number for ply in match.plies if ply.number >= number and ply.kind == "turn"]
    if len(numbers) < 2:
        return f"turn {number}"
    return f"turns {number} {'and' if len(numbers) == 2 else 'to'} {numbers[-1]}"


def _answered(match: Match, event: Answered, names: Names) -> Spans:
    bid = next(bid for bid in match.offers if bid.what == event.what)
    if event.yes:
        return (who(event.by, names), " agrees.")
    return (who(event.by, names), " withdraws the offer." if event.by == bid.by else " declines.")


def _agreed(match: Match, event: Agreed, names: Names) -> Spans:
    return ("A draw is agreed; one thing is left to settle.",)


def _acknowledged(match: Match, event: Acknowledged, names: Names) -> Spans:
    return (who(event.by, names), " lets it stand.")


def _taken_back(match: Match, event: TakenBack, names: Names) -> Spans:
    turns = _turns_from(match, event.ply)
    return (f"{turns.capitalize()} {'are' if turns.startswith('turns') else 'is'} taken back.",)


def _reset(match: Match, event: Reset, names: Names) -> Spans:
    return ("The board is set up anew.",)


def _resigned(match: Match, event: Resigned, names: Names) -> Spans:
    return (*seat(match, event.side, names), " resigns.")


def _nudged(match: Match, event: Nudged, names: Names) -> Spans:
    waiting: list[Spans] = [(who(match.seats[side], names),) for side in sides_to_act(match)]
    due = deadline(match)
    until: Spans = (" Time runs out ", Instant(due), ".") if due is not None else ()
    return (*joined(waiting, ", "), f": match {match.id} waits for you.", *until)


def _flagged(match: Match, event: Flagged, names: Names) -> Spans:
    return (*seat(match, event.side, names), " has run out of time.")


def _credited(match: Match, event: Credited, names: Names) -> Spans:
    return (f"The bot was away for {write_duration(event.span)}; nobody's time ran meanwhile.",)


def _ended(match: Match, event: Ended, names: Names) -> Spans:
    line = result(match, event, names)
    for giver, taker, token in spoils(evolve(match, event)):
        line = (*line, "\n", who(giver, names), "'s token ", Strong(token), " goes to ", who(taker, names), ".")
    if match.game.chance and match.seed:
        line = (*line, "\nThe seed of the dice was ", Code(match.seed), ".")
    return line


SENTENCES: dict[type, Callable[[Match, Any, Names], Spans]] = {
    Challenged: _challenged,
    Amended: _amended,
    Joined: _joined_in,
    Declined: _declined,
    PlaceLinked: _housed,
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


# --- words ------------------------------------------------------------------------------------------------
def who(player: Player, names: Names) -> Span:
    """Somebody, by name where we know it."""
    return names.get(player) or player.partition(":")[2]


def seat(match: Match, side: Side | None, names: Names) -> Spans:
    """Somebody and the side they play."""
    assert side is not None, "only those who sit in a match act in it"
    return (who(match.seats[side], names), f" ({match.game.names[side]})")


def joined(parts: Sequence[Spans], between: str) -> Spans:
    """Parts with something between them."""
    return tuple(span for i, part in enumerate(parts) for span in ((between, *part) if i else part))


def listed(codes: tuple[Code, ...]) -> Spans:
    """This or that."""
    return joined([(code,) for code in codes], " or ")


def paragraphs(lines: list[Spans]) -> Spans:
    """Each on a line of its own."""
    return joined(lines, "\n")


def sentence(text: str) -> str:
    """First letter large, full stop at the end; the rest as it is, and so is a place: c2 and C2 may be two."""
    text = text.strip()
    closed = text if text.endswith((".", "!", "?", ":", ")")) else text + "."
    return closed if closed[:1] in "`" or closed[1:2].isdigit() else closed[:1].upper() + closed[1:]


def spelled(text: str) -> Spans:
    """Words with `notation` in back quotes, as spans."""
    parts = text.split("`")
    return tuple(Code(part) if i % 2 else part for i, part in enumerate(parts) if part)
