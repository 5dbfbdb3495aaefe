"""How a game of Ironclad begins: the start, or a position of the players' own, in either mode."""

from collections.abc import Mapping

from engine.game import Option
from engine.games.ironclad.generate import can_use_robots
from engine.games.ironclad.play import pass_turn
from engine.games.ironclad.position import START, Position, decode
from engine.text import Text

OPTIONS = (
    Option(
        "mode",
        Text("Both games at once, or the stones alone among robots that stand still."),
        "full",
        ("full", "discourse"),
    ),
)


def setup(options: Mapping[str, str]) -> Position:
    """The position at the start under these terms."""
    return decode(START)._replace(discourse=options.get("mode", "full") == "discourse")


def under(position: Position, options: Mapping[str, str]) -> Position:
    """We read: as in play, a half that the owner's robots can do nothing in is skipped; so is any in discourse."""
    if options.get("mode") == "discourse":
        return position._replace(discourse=True, half="")
    idle = position.half == "stones" and not can_use_robots(position)
    return pass_turn(position) if idle else position
