"""A position of Chirality: who stands where, who acts, and the one line of text that says so."""

from collections.abc import Hashable
from typing import NamedTuple

from engine.board import Side
from engine.game import NotationError
from engine.games.chirality.board.boards import DEFAULT, PLANS, PREFIX, board_named
from engine.games.chirality.board.captures import Men
from engine.games.chirality.board.rosette import Rosette
from engine.text import Listing, Term, Text

SIDES: tuple[Side, ...] = ("P1", "P2", "P3", "P4", "P5")
NAMES = (Term("Red"), Term("Blue"), Term("Gold"), Term("Green"), Term("Violet"))
THICK, THIN = Term("Thick"), Term("Thin")
PIECES_EACH = 16
QUIET_TURNS = 60
"""Of each player, without a capture or a Muster."""


class Position(NamedTuple):
    """Where everybody stands, and who acts; players are counted from 0. A tuple, because replays make many."""

    board: Rosette
    men: Men
    """Of each player: the tiles where the pieces stand."""
    reserves: tuple[int, ...]
    to: int
    out: int = 0
    """The players who are out of the game, as a set of bits."""
    quiet: int | None = None
    """Turns since the last capture or Muster; None = a text without a count was read, and none is kept."""
    gates: tuple[int, ...] = ()
    """Of each player in a Long game's first round: the number of the own Gate until the first piece stands, then 0."""

    def left(self) -> tuple[int, ...]:
        """The players who are still in."""
        return tuple(player for player in range(len(self.men)) if not self.out >> player & 1)

    def gate(self) -> int:
        """The Gate where the player to act still has to place the first piece, or 0."""
        return self.gates[self.to] if self.gates else 0

    def mine(self) -> int:
        """The tiles of the player to act."""
        return self.men[self.to]

    def empty(self) -> int:
        """The tiles where nobody stands."""
        return self.board.all ^ sum(self.men)


def owner_of(position: Position, tile: int) -> int | None:
    """The player whose piece stands on a tile."""
    return next((player for player, men in enumerate(position.men) if men >> tile & 1), None)


def lead(position: Position, player: int) -> int:
    """How many pieces, on the board and in reserve, a player has more than all the others together."""
    have = [men.bit_count() + left for men, left in zip(position.men, position.reserves, strict=True)]
    return 2 * have[player] - sum(have)


def kind_of(position: Position, tile: int) -> Term:
    """What the tile makes of a piece on it."""
    return THICK if position.board.thick >> tile & 1 else THIN


def identity(position: Position) -> Hashable:
    """What is equal for positions that count as repeated: all but the count of quiet turns."""
    return (position.board.name, position.men, position.reserves, position.to, position.out, position.gates)


def encode(position: Position) -> str:
    """The position as one line of text."""
    board = position.board
    fields = []
    for player, tiles in enumerate(position.men):
        stand = "out" if position.out >> player & 1 else " ".join(board.sites(tiles)) or "-"
        fields.append(f"{SIDES[player]}: {stand}")
    fields.append(f"res: {' '.join(map(str, position.reserves))}")
    fields.append(f"to: {SIDES[position.to]}")
    if position.quiet is not None:
        fields.append(f"quiet: {position.quiet}")
    if position.gates:
        fields.append(f"gates: {' '.join(str(gate or '-') for gate in position.gates)}")
    if board.name != DEFAULT:
        fields.append(f"board: {board.name}")
    return " / ".join(fields)


def decode(text: str) -> Position:
    """Read a position text. Raises NotationError."""
    fields = {}
    for part in text.split("/"):
        key, colon, value = part.partition(":")
        if not colon or key.strip() in fields:
            raise NotationError(Text("`{field}` is no field of a position.", field=part.strip()), _EXAMPLE)
        fields[key.strip()] = value.split()
    said = " ".join(fields.pop("board", [DEFAULT]))
    name = PREFIX + said.removeprefix(PREFIX)
    if name not in PLANS:
        boards = Listing(tuple(PLANS), "or")
        raise NotationError(
            Text("There is no board {board}.", board=said), Text("The board is {boards}.", boards=boards)
        )
    board = board_named(name)
    players = sum(side in fields for side in SIDES)
    missing = [key for key in (*SIDES[: max(players, 2)], "res", "to") if key not in fields]
    if missing:
        raise NotationError(Text("The position has no `{field}:`.", field=missing[0]), _EXAMPLE)
    out, men = _read_men(board, [fields.pop(side) for side in SIDES[:players]])
    reserves = tuple(_number(word) for word in fields.pop("res"))
    to = fields.pop("to")
    quiet = [_number(word) for word in fields.pop("quiet", [])]
    gates = tuple(0 if word == "-" else _number(word) for word in fields.pop("gates", []))
    if fields:
        raise NotationError(Text("`{field}:` is no field of a position.", field=next(iter(fields))), _EXAMPLE)
    if len(reserves) != players or (gates and len(gates) != players) or len(quiet) > 1:
        raise NotationError(Text("`res:` and `gates:` have one number for each player, `quiet:` has one."), _EXAMPLE)
    if len(to) != 1 or to[0] not in SIDES[:players]:
        raise NotationError(Text("`to:` names the player to act."), _EXAMPLE)
    if any(gate > len(board.gates) for gate in gates):
        raise NotationError(Text("The board has {gates} Gates.", gates=len(board.gates)), _EXAMPLE)
    actor = SIDES.index(to[0])
    if out >> actor & 1 and out != (1 << players) - 1:
        raise NotationError(Text("{side} is out and cannot be the one to act.", side=to[0]), _EXAMPLE)
    return Position(board, men, reserves, actor, out, quiet[0] if quiet else None, gates if any(gates) else ())


_EXAMPLE = Text("A position looks like `P1: A44 A45 / P2: C44 D3 / res: 8 8 / to: P1`.")


def _read_men(board: Rosette, rows: list[list[str]]) -> tuple[int, Men]:
    """Who is out, and where everybody stands."""
    out, men, everyone = 0, [], 0
    for player, words in enumerate(rows):
        out |= (words == ["out"]) << player
        tiles = _read_tiles(board, words, everyone) if words not in (["out"], ["-"]) else 0
        everyone |= tiles
        men.append(tiles)
    return out, tuple(men)


def _read_tiles(board: Rosette, words: list[str], taken: int) -> int:
    try:
        tiles = sum([board.bit[word] for word in words])
    except KeyError as unknown:
        raise NotationError(Text("There is no tile {place} on this board.", place=unknown.args[0]), _EXAMPLE) from None
    if tiles & taken or tiles.bit_count() < len(words):
        twice = next(word for word in words if words.count(word) > 1 or taken & board.bit[word])
        raise NotationError(Text("Two pieces stand on {place}.", place=twice), _EXAMPLE)
    return tiles


def _number(word: str) -> int:
    if not (word.isascii() and word.isdigit() and len(word) < 7):
        raise NotationError(Text("`{word}` is not a number.", word=word), _EXAMPLE)
    return int(word)
