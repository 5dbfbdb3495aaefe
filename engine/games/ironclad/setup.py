"""How a game of Ironclad begins: the start, or a position of the players' own, in either mode."""

from collections.abc import Mapping

from engine.game import NotationError, Option
from engine.games.ironclad.generate import can_use_robots
from engine.games.ironclad.play import pass_turn
from engine.games.ironclad.position import START, Position, Squad, decode
from engine.text import Text

OPTIONS = (
    Option(
        "mode",
        Text("Both games at once, or the stones alone among robots that stand still."),
        "full",
        ("full", "discourse"),
    ),
    Option(
        "swap",
        Text("Discourse: whether the second player may take over the first stone by `swap` instead of moving."),
        "on",
        ("on", "off"),
        idle_with=(("mode", "full"),),
    ),
    Option(
        "board",
        Text("Discourse: robots that negate their corners, or `open`: none, and all 63 intersections are free."),
        "robots",
        ("robots", "open"),
    ),
)

_NO_ROBOTS: tuple[Squad, Squad] = ((0, 0, 0), (0, 0, 0))


def setup(options: Mapping[str, str]) -> Position:
    """The position at the start under these terms. Raises NotationError."""
    start = options.get("start")
    full = options.get("mode") == "full" and not (start and decode(start).discourse)
    if options.get("board") == "open" and full:
        raise NotationError(
            Text("Without robots there is no full game."), Text("Write `mode=discourse board=open`, or `board=robots`.")
        )
    return under(decode(START), options)


def under(position: Position, options: Mapping[str, str]) -> Position:
    """We read: as in play, a half that the owner's robots can do nothing in is skipped; so is any in discourse."""
    if position.discourse or options.get("mode") == "discourse" or options.get("board") == "open":
        swap = (position.swap or ("" if any(position.stones) else "later")) if options.get("swap") != "off" else ""
        squads = _NO_ROBOTS if options.get("board") == "open" else position.squads
        return position._replace(squads=squads, discourse=True, half="", swap=swap)
    idle = position.half == "stones" and not can_use_robots(position)
    return pass_turn(position) if idle else position
