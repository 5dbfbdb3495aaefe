"""How a game of Chirality begins: the terms, who has which Gate, and where the first pieces stand."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from engine.dice import Dice
from engine.game import NotationError, Option
from engine.games.chirality.board.boards import DEFAULT, PLANS, PREFIX, board_named
from engine.games.chirality.board.rosette import Rosette
from engine.games.chirality.play import is_stuck, remove_player
from engine.games.chirality.position import PIECES_EACH, SIDES, Position, decode
from engine.text import Text, plural

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
        Text("How many play; three or more begin further apart on `board=275`, which has ten Gates."),
        "2",
        low=2,
    ),
    Option(
        "sides",
        Text("Standard game: each player's Gates lie on opposite sides of the board, or on one side together."),
        "opposite",
        ("opposite", "together"),
        idle_with=(("setup", "long"), ("setup", "quick")),
    ),
    Option("first", Text("Who acts first: agreed, or drawn by lot."), "red", ("red", "blue", "drawn")),
    Option(
        "board",
        Text("The board, by its tiles: 275 has ten Gates, the others five."),
        DEFAULT.removeprefix(PREFIX),
        tuple(name.removeprefix(PREFIX) for name in PLANS),
    ),
    Option("gates", Text("Long game: the Gates at which players may begin, as `gates=1,3,4`; empty: any."), ""),
)
_UNEVEN: Mapping[str, Text] = {
    "3": Text(
        "Five Gates cannot be shared evenly among three: two begin side by side, the third further off; "
        "with `board=275` nobody begins beside anybody."
    ),
    "4": Text(
        "Five Gates cannot be shared evenly among four: two begin between close neighbours, two beside only one; "
        "with `board=275` nobody begins beside anybody."
    ),
    "5": Text("On five Gates all five begin between close neighbours; with `board=275` nobody begins beside anybody."),
}
"""By the number of players, on a board with five Gates."""

_FOR_TWO: Mapping[str, Text] = {
    "standard": Text("The standard game is for two players."),
    "quick": Text("The quick game is for two players."),
}
_DEFAULTS = {option.key: option.default for option in OPTIONS}


def remark(options: Mapping[str, str]) -> Text | None:
    """What everybody should know of these terms before a match."""
    terms = _DEFAULTS | dict(options)
    if terms.get("start") or terms["gates"] or len(_board(terms).gates) != 5:
        return None
    return _UNEVEN.get(terms["players"])


def players(options: Mapping[str, str]) -> int:
    """How many play under these terms. Raises NotationError where they cannot."""
    terms = _DEFAULTS | dict(options)
    if terms.get("start"):  # a position to begin from names its players itself
        return len(decode(terms["start"]).men)
    count = int(terms["players"]) if terms["players"].isdecimal() else 0
    gates = len(_board(terms).gates)
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
    board = _board(terms)
    plan = PLANS[board.name]
    form = terms["setup"] if terms["setup"] != "auto" else "standard" if count == 2 else "long"
    if form != "standard" and terms["sides"] != _DEFAULTS["sides"]:
        raise NotationError(
            Text("Only in the standard game has each player two Gates, on opposite sides or together."),
            Text("Write `setup=standard`, or leave `sides=` as it is."),
        )
    if form != "long" and terms["gates"]:
        raise NotationError(
            Text("Only in the long game is each player given a Gate."),
            Text("Write `setup=long`, or leave `gates=` empty."),
        )
    men: tuple[int, ...] = (0,) * count
    gates: tuple[int, ...] = ()
    if form == "standard":
        pairs = plan.together if terms["sides"] == "together" else plan.standard
        men = tuple(sum(board.gates[number - 1].tiles for number in pair) for pair in pairs)
    elif form == "quick":
        stars = {star.name: star.tiles for star in board.stars}
        men = tuple(stars[name] for name in plan.quick)
    else:
        chosen = _chosen(terms["gates"], len(board.gates), count)
        gates = assigned(count, len(board.gates), chosen[dice.roll(len(chosen))], chosen)
    reserves = tuple(PIECES_EACH - tiles.bit_count() for tiles in men)
    to = dice.roll(count) if terms["first"] == "drawn" else int(terms["first"] == "blue")
    return Position(board, men, reserves, to, quiet=0, gates=gates)


def under(position: Position) -> Position:
    """A position that players begin from: quiet turns are counted from it, where its text tells no count.

    Of several, who cannot act is out, as at the start of every own turn.
    """
    begun = position._replace(quiet=position.quiet or 0)
    return remove_player(begun, begun.to) if len(begun.left()) > 2 and is_stuck(begun) else begun


def _board(terms: Mapping[str, str]) -> Rosette:
    return board_named(PREFIX + terms["board"].removeprefix(PREFIX))


def _chosen(text: str, gates: int, players: int) -> tuple[int, ...]:
    """The Gates at which players may begin. Raises NotationError."""
    words = text.replace(",", " ").split()
    if not words:
        return tuple(range(1, gates + 1))
    known = {str(gate): gate for gate in range(1, gates + 1)}
    if not set(words) <= set(known):
        raise NotationError(
            Text("The board has the Gates 1 to {gates}.", gates=gates), Text("Write them like this: `gates=1,3,4`.")
        )
    chosen = tuple(sorted({known[word] for word in words}))
    if len(chosen) < players:
        raise NotationError(
            plural("{count} Gate is too few.", "{count} Gates are too few.", len(chosen)),
            Text("Name {players} or more, one for each player.", players=players),
        )
    return chosen


def assigned(players: int, gates: int, first: int, chosen: Sequence[int] = ()) -> tuple[int, ...]:
    """The Gate of each player, clockwise from the first one's (section 6).

    The share of each is gates / players; the nearest unassigned Gate is taken, and of two equally near the one that
    leaves the more even gaps, and else the one that comes first. `chosen`: the only ones at which players may begin.
    """
    open_to = [(gate - first) % gates for gate in chosen] or range(gates)
    taken = [0]
    for player in range(1, players):

        def merit(gate: int, share: int = player * gates) -> tuple[int, int, int]:
            ring = sorted([*taken, gate, gates])
            gaps = sum((end - start) ** 2 for start, end in pairwise(ring))
            return (abs(gate * players - share), gaps, gate)

        taken.append(min((gate for gate in open_to if gate not in taken), key=merit))
    return tuple((first - 1 + gate) % gates + 1 for gate in sorted(taken))
