"""The terms of a match in sentences."""

from collections.abc import Mapping

from engine.game import AnyGame
from engine.match.clock import read_clock
from engine.match.state import Match
from engine.match.terms import differing, sheet
from engine.text import Code, Duration, Listing, Phrase, Text, Value


def terms_line(match: Match) -> tuple[Text, ...]:
    """The terms as far as they need saying: those agreed on, then what becomes of untenable turns."""
    terms: list[Value] = [_time(match.terms["time"])]
    if match.status == "open" and match.terms["side"] != "lot":
        names = {name.lower(): name for name in match.game.names.values()}
        terms.append(Phrase("{side} for the challenger", side=names[match.terms["side"]]))
    if match.terms["start"]:
        terms.append(OWN_POSITION)
    others = differing(match.game, match.terms).items()
    terms += [Code(f"{key}={value}") for key, value in others if key not in TOLD_APART]
    return (Text("Terms: {terms}.", terms=Listing(tuple(terms), "unit")), UMPIRES[_umpire(match.terms)])


def changed_terms(game: AnyGame, before: Mapping[str, str], after: Mapping[str, str]) -> Listing:
    """What other terms change, term by term: "`time` 3d → 5d"."""
    changes: list[Value] = []
    for option in sheet(game):
        old, new = before.get(option.key, option.default), after.get(option.key, option.default)
        if old == new:
            continue
        if option.key == "start":
            changes.append(START_CHANGED if new else START_USUAL)
        else:
            changes.append(Phrase("`{term}` {old} → {new}", term=option.key, old=old or NOTHING, new=new or NOTHING))
    return Listing(tuple(changes), "unit")


FROM_A_START = Text("Matches from a given start change nobody's rating.")
START_CHANGED = Phrase("another starting position")
START_USUAL = Phrase("the usual starting position")
NOTHING = Phrase("nothing")


def _umpire(terms: Mapping[str, str]) -> str:
    return "time-plus" if terms["umpire"] == "time" and terms.get("timepenalty") == "plus" else terms["umpire"]


TOLD_APART = ("umpire", "timepenalty", "time", "side", "start")
"""Terms that have words of their own."""

OWN_POSITION = Phrase("a custom starting position")
NO_LIMIT = Phrase("no time limit")

UMPIRES: Mapping[str, Text] = {
    "refuse": Text("Untenable turns are refused."),
    "friendly": Text("Untenable turns stand until called out; then they are taken back."),
    "time": Text("Untenable turns stand until called out; then they are taken back and cost time."),
    "time-plus": Text("Untenable turns stand until called out; then they are taken back, and the opponent gains time."),
    "turn": Text("Untenable turns stand until called out; then they are taken back and lost."),
    "piece": Text("Untenable turns stand until called out; then the turn is lost and the piece discarded."),
    "piece-lenient": Text(
        "Untenable turns stand until called out; "
        "then the turn is lost and the piece discarded, unless that would end the game."
    ),
    "piece-absolute": Text(
        "Untenable turns stand until called out; "
        "then the turn is lost and the piece discarded, even if that ends the game."
    ),
    "sudden": Text("Untenable turns stand until called out; then they lose the game."),
}


def _time(term: str) -> Phrase:
    clock = read_clock(term)
    base = Duration(clock.base)
    match clock.kind:
        case "none":
            return NO_LIMIT
        case "canadian":
            return Phrase("{count} turns in each {span}", count=clock.turns, span=base)
        case "bank" if clock.cap:
            held = {"extra": Duration(clock.extra), "cap": Duration(clock.cap)}
            return Phrase("{span} in all and {extra} more after each turn, at most {cap}", span=base, **held)
        case "turn":
            return Phrase("{span} a turn", span=base)
        case "bank":
            return Phrase("{span} in all and {extra} more after each turn", span=base, extra=Duration(clock.extra))
        case "hourglass":
            return Phrase("an hourglass of {span}, half of it for each at the start", span=base)
