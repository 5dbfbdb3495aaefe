"""What a match that is over shows of its calls: who was right how often, and what nobody called."""

from typing import Any

from bot.messages.people_text import Names, who
from engine.game import Ruling
from engine.match.state import Match, Ply
from engine.text import Text, plural


def uncalled(match: Match) -> list[tuple[Ply, tuple[Ruling[Any], ...]]]:
    """The turns that stand though they break a rule, and what each breaks."""
    judged = [(ply, tuple(match.game.judge(ply.before, ply.turn))) for ply in match.plies if ply.kind == "turn"]
    return [(ply, rulings) for ply, rulings in judged if rulings]


def tallies(match: Match, names: Names) -> tuple[tuple[Text, ...], ...]:
    """How many calls of each player were upheld and were wrong, a line each; nothing where nothing can be called."""
    if not match.calling:
        return ()
    return tuple(
        (
            plural(
                "{player}: {count} call upheld, {wrong} wrong.",
                "{player}: {count} calls upheld, {wrong} wrong.",
                match.right_calls.get(player, 0),
                player=who(player, names),
                wrong=match.wrong_calls.get(player, 0),
            ),
        )
        for player in match.seats.values()
    )
