"""What is said about calls that do not hold: the fact, what it costs, and what is still free."""

from collections.abc import Mapping

from bot.messages.model import Person
from engine.match.events import CallFailed
from engine.match.fines import FREE_CALLS, Fine, fine
from engine.match.state import Match
from engine.text import Code, Text, plural


def call_failed(match: Match, event: CallFailed, player: Person | str, after: Match) -> tuple[Text, ...]:
    """A wrong call by somebody: `match` before it, `after` it."""
    failed = Text("{player} called out turn {number}, but it breaks no rule.", player=player, number=event.ply)
    if event.late:
        failed = Text("{player} called out turn {number} late, but it broke no rule.", player=player, number=event.ply)
    if event.reason:  # the same whether the turn breaks another rule or none
        reason = Code(event.reason.strip("` "))
        failed = Text(
            "{player} called out turn {number} for {reason}; that is not it.",
            player=player,
            number=event.ply,
            reason=reason,
        )
    price = _price(fine(match, event)) or _free_calls(after, event, player)
    return (failed, *price, GOES_ON if match.ending is None else ENDS)


def _price(price: Fine) -> tuple[Text, ...]:
    """What a wrong call costs at once, and what later."""
    told = [(FINES[price.of], price.now), (LATER[price.of], price.later)]
    return tuple(plural(text.template, text.many, count) for text, count in told if count)


def _free_calls(match: Match, event: CallFailed, player: Person | str) -> tuple[Text, ...]:
    """How many more wrong calls are free, where they are counted."""
    if match.terms["falsecall"] != "three":
        return ()
    left = max(0, FREE_CALLS - match.wrong_calls[event.by])
    if not left:
        return (Text(NONE_FREE.template, player=player),)
    return (plural(FREE_LEFT.template, FREE_LEFT.many, left, player=player),)


FREE_LEFT = plural("{player} has {count} free wrong call left.", "{player} has {count} free wrong calls left.", 0)
NONE_FREE = Text("{player} has no free wrong call left.")

FINES: Mapping[str, Text] = {
    "time": plural("The call costs a tenth of the time.", "The call costs {count} tenths of the time.", 0),
    "turn": plural("The call costs a turn.", "The call costs {count} turns.", 0),
}
LATER: Mapping[str, Text] = {
    "time": plural(
        "A tenth of the time goes off the caller's next turn.",
        "{count} tenths of the time go off the caller's next turn.",
        0,
    ),
    "turn": plural("The caller loses the next turn.", "The caller loses the next {count} turns.", 0),
}
GOES_ON = Text("Play goes on.")
ENDS = Text("The end stands.")
