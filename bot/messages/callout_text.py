"""Why a turn was called out, in words and on a board: the rules that it breaks, and what that costs."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from bot.messages.model import Lines, Picture
from bot.messages.people_text import Names, who
from bot.messages.showing.match_pictures import after_callout, pointed, position_of
from engine.game import RESIGNED, SUDDEN, Outcome, Ruling
from engine.match.events import CalledOut, Ended, Event
from engine.match.state import Match, Ply, at_fault
from engine.text import Text

LATE = Text("The board is reset as by a retreat; the offender's opponent moves next.")

PRICES: Mapping[str, Text] = {
    "friendly": Text("The turn is taken back; {offender} plays again."),
    "time-minus": Text("The turn is taken back; {offender} plays again, with a tenth of the time gone."),
    "time-plus": Text(
        "The turn is taken back; {offender} plays again, and the opponent gets a tenth of the time more."
    ),
    "turn": Text("The turn is taken back and lost."),
    "piece": Text("The turn is lost and the piece discarded."),
    "piece-lenient": Text("The turn is lost and the piece discarded, unless that would end the game."),
    "piece-absolute": Text("The turn is lost and the piece discarded."),
    "sudden": Text("That loses the game."),
}


class Found(NamedTuple):
    """The board on which a callout shows what was at fault."""

    board: Picture
    goes_on: bool
    """Whether that is the board to go on from, too, or the one on which the turn was made."""


def reached(match: Match, event: CalledOut, after: Match, later: tuple[Event, ...]) -> object:
    """What a callout has led to: a position, or the Outcome where its price ends the game."""
    ended = next((e for e in later if isinstance(e, Ended)), None)
    if ended is None or after.position != _called(match, event).before:
        return after.position
    rule = next((rule for rule in (*match.game.rules, SUDDEN, RESIGNED) if rule.ref == ended.rule), SUDDEN)
    return Outcome(rule, frozenset(ended.winners))


def _called(match: Match, event: CalledOut) -> Ply:
    return next(ply for ply in match.plies if ply.number == event.ply)


def callout(match: Match, now: Match, event: CalledOut, reached: object, names: Names) -> tuple[Lines, Found]:
    """Why a turn was untenable, in words and on a board."""
    ply, game = _called(match, event), match.game
    part, rulings = at_fault(match, ply)
    marks = pointed(game, part, rulings)
    template = OWN_TURN if event.by == ply.by else LONG_AGO if event.late else THEIR_TURN
    called = Text(
        template.template,
        player=who(event.by, names),
        side=game.names[ply.side],
        number=part.number,
        turn=game.show(part.turn, part.before, None),
    )
    usual: str = event.penalty
    if usual == "time":
        usual = "friendly" if match.clock.kind == "none" else f"time-{match.terms['timepenalty']}"
    price = LATE if event.late else game.penalty_text(ply.before, ply.turn, rulings, event.penalty, reached)
    if price is None:
        price = Text(PRICES[usual].template, offender=who(ply.by, names))
    lines = ((called,), *(_broken(ruling) for ruling in rulings[:3]), (price,))
    found = after_callout(now, names, part.before, marks)
    if found is not None:
        return lines, Found(found, goes_on=True)
    return lines, Found(position_of(match, names, part.before, None, marks), goes_on=False)


OWN_TURN = Text("{player} calls out their own turn {number}: `{turn}` is **untenable**.")
LONG_AGO = Text("{player} calls out {side}'s turn {number} late: `{turn}` was **untenable**.")
THEIR_TURN = Text("{player} calls out {side}'s turn {number}: `{turn}` is **untenable**.")


def _broken(ruling: Ruling[Any]) -> tuple[Text, ...]:
    """The fact, then the rule."""
    return ruling.because, rule_text(ruling), ruling.rule.gist


def rule_text(ruling: Ruling[Any]) -> Text:
    return Text("Rule: {title}.", title=ruling.rule.title)
