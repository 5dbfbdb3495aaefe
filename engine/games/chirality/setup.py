"""How a game of Chirality begins: the terms, who has which Gate, and where the first pieces stand."""

from collections.abc import Mapping
from itertools import pairwise

from engine.dice import Dice
from engine.game import NotationError, Option
from engine.games.chirality.board.boards import DEFAULT, PLANS, board_named
from engine.games.chirality.play import is_stuck, remove_player
from engine.games.chirality.position import PIECES_EACH, SIDES, Position, decode
from engine.text import Text

OPTIONS = (
    Option(
        "setup",
        Text(
            "`standard`: two Gates each; `quick`: a Garrison each; `long`: one piece each; `auto`: standard for two, "
            "long for more."
        ),
        "auto",
        ("auto", "standard", "quick", "long"),
    ),
    Option(
        "players",
        Text("How many play; three or four cannot share the five Gates evenly."),
        "2",
        low=2,
    ),
    Option(
        "sides",
        Text("Standard game: each player's Gates lie on opposite sides of the board, or on one side together."),
        "opposite",
        ("opposite", "together"),
    ),
    Option("first", Text("Who acts first: agreed, or drawn by lot."), "red", ("red", "blue", "drawn")),
    Option("board", Text("The board: 255 tiles, or 265 with ten more at the fringe."), DEFAULT, tuple(PLANS)),
)
_UNEVEN: Mapping[str, Text] = {
    "3": Text("Five Gates cannot be shared evenly among three: two begin side by side, the third further off."),
    "4": Text(
        "Five Gates cannot be shared evenly among four: two begin between close neighbours, two beside only one."
    ),
}
"""By the number of players."""

_FOR_TWO: Mapping[str, Text] = {
    "standard": Text("The standard game is for two players."),
    "quick": Text("The quick game is for two players."),
}
_DEFAULTS = {option.key: option.default for option in OPTIONS}


def remark(options: Mapping[str, str]) -> Text | None:
    """What everybody should know of these terms before a match."""
    return None if options.get("start") else _UNEVEN.get(options.get("players", ""))


def players(options: Mapping[str, str]) -> int:
    """How many play under these terms. Raises NotationError where they cannot."""
    terms = _DEFAULTS | dict(options)
    if terms.get("start"):  # a position to begin from names its players itself
        return len(decode(terms["start"]).men)
    count = int(terms["players"]) if terms["players"].isdecimal() else 0
    gates = len(board_named(terms["board"]).gates)
    if count < 2:
        raise NotationError(Text("Chirality is for two players or more."), Text("Write `players=2`."))
    if count > min(gates, len(SIDES)):
        raise NotationError(
            Text("{players} players need {players} Gates, and the board has {gates}.", players=count, gates=gates),
            Text("Write `players={gates}` or fewer.", gates=gates),
        )
    if count > 2 and terms["setup"] in _FOR_TWO:
        remedy = Text("Write `players={players} setup=long`, or `players=2`.", players=count)
        raise NotationError(_FOR_TWO[terms["setup"]], remedy)
    return count


def setup(options: Mapping[str, str], dice: Dice) -> Position:
    """The position at the start under these terms."""
    terms, count = _DEFAULTS | dict(options), players(options)
    if terms["players"] not in (_DEFAULTS["players"], str(count)):
        raise NotationError(
            Text("The position to begin from is for {players} players.", players=count),
            Text("Write `players={players}`.", players=count),
        )
    board, plan = board_named(terms["board"]), PLANS[terms["board"]]
    form = terms["setup"] if terms["setup"] != "auto" else "standard" if count == 2 else "long"
    men: tuple[int, ...] = (0,) * count
    gates: tuple[int, ...] = ()
    if form == "standard":
        pairs = plan.together if terms["sides"] == "together" else plan.standard
        men = tuple(sum(board.gates[number - 1].tiles for number in pair) for pair in pairs)
    elif form == "quick":
        stars = {star.name: star.tiles for star in board.stars}
        men = tuple(stars[name] for name in plan.quick)
    else:
        gates = assigned(count, len(board.gates), dice.roll(len(board.gates)) + 1)
    reserves = tuple(PIECES_EACH - tiles.bit_count() for tiles in men)
    to = dice.roll(count) if terms["first"] == "drawn" else int(terms["first"] == "blue")
    return Position(board, men, reserves, to, quiet=0, gates=gates)


def under(position: Position) -> Position:
    """A position that players begin from: of several, who cannot act is out, as at the start of every own turn."""
    return remove_player(position, position.to) if len(position.left()) > 2 and is_stuck(position) else position


def assigned(players: int, gates: int, first: int) -> tuple[int, ...]:
    """The Gate of each player, clockwise from the first one's (section 6).

    The share of each is gates / players; the nearest unassigned Gate is taken, and of two equally near the one that
    leaves the more even gaps, and else the one that comes first.
    """
    taken = [0]
    for player in range(1, players):

        def merit(gate: int, share: int = player * gates) -> tuple[int, int, int]:
            ring = sorted([*taken, gate, gates])
            gaps = sum((end - start) ** 2 for start, end in pairwise(ring))
            return (abs(gate * players - share), gaps, gate)

        taken.append(min((gate for gate in range(gates) if gate not in taken), key=merit))
    return tuple((first - 1 + gate) % gates + 1 for gate in sorted(taken))
