"""How turns of Chirality are written, `A50-A33` and `*A45`, and read from whatever people type."""

import re
from functools import lru_cache

from engine.game import Move, NotationError, Turn
from engine.games.chirality.board.rosette import Rosette, bits
from engine.games.chirality.position import NAMES, Position, owner_of
from engine.text import Listing, Text

_TOKEN = re.compile(r"(?P<tile>[A-Za-z]\s?[0-9]+)|(?P<word>[^\W\d_]+)|(?P<digits>\w+)|(?P<sign>[^\w\s])")
_MUSTER = frozenset(
    (
        *("*", "+", "muster", "musters", "mustering", "remote", "remotely"),
        *("place", "places", "put", "enter", "drop", "reserve"),
    )
)
_PASS = frozenset(("pass", "skip", "--"))
_FILLING = frozenset(
    (
        *("-", "‐", "‑", "‒", "–", "—", "−", "→", "➔", ">", ".", ",", ":", "!", "`"),
        *("move", "moves", "goes", "from", "to", "on", "onto", "at", "in", "into"),
        *("a", "the", "my", "piece", "thick", "thin", "gate"),
    )
)


def write(turn: Turn) -> str:
    """The canonical text of a turn."""
    if not turn:
        return "pass"
    return " ".join(f"{a.origin}-{a.target}" if a.verb == "move" else f"*{a.target}" for a in turn)


def example(position: Position) -> str:
    """A text that describes a turn here: a Move of a piece to a tile that it reaches, or a Muster onto a Gate.

    Who stands where that ends is not asked: an example must not tell whether a turn is tenable.
    """
    move = "" if position.gate() else _move_example(position)
    return move or _muster_example(position)


def read(text: str, position: Position) -> Turn:
    """The turn that a text describes, tenable or not. Raises NotationError if it describes none."""
    known = _canonical(text, position.board) if len(text) < 10 else None
    if known is not None:
        turn, leaves = known
        if not leaves or position.men[position.to] & leaves:
            return turn
    return _read_words(text, position)


@lru_cache(1 << 13)
def _canonical(text: str, board: Rosette) -> tuple[Turn, int] | None:
    """What `write` wrote, and the tile that a piece leaves, recognised at once: stored games are read over and over."""
    start, _, end = text.partition("-")
    if start != end and start in board.index and end in board.index:
        return (Move("move", "", start, end),), board.bit[start]
    if text[:1] == "*" and text[1:] in board.index:
        return board.musters[board.index[text[1:]]][0], 0
    return None


def _read_words(text: str, position: Position) -> Turn:
    if text.strip().strip(" `.!").lower() in _PASS:
        return ()
    tiles: list[tuple[int, int]] = []
    muster = False
    for token in _TOKEN.finditer(text):
        word, column = token.group().lower(), token.start() + 1
        if token.lastgroup == "tile":
            tiles.append((_tile(word, position, column), column))
        elif word in _MUSTER:
            muster = True
        elif word not in _FILLING:
            because = Text("`{word}` is no part of a turn.", word=token.group()[:20])
            raise NotationError(because, _remedy(position), column)
    if not tiles:
        raise NotationError(Text("A turn names the tiles that it is about."), _remedy(position))
    if len(tiles) > (1 if muster else 2):
        because = Text("A turn is one action: a Muster names one tile, a Move two.")
        raise NotationError(because, _remedy(position), tiles[-1][1])
    if len(tiles) == 2:
        return _move(position, *tiles)
    if not muster and not position.gate():
        raise _unclear(position, tiles[0][0])
    return position.board.musters[tiles[0][0]][0]


def _tile(word: str, position: Position, column: int) -> int:
    board = position.board
    name = word[0].upper() + (word[1:].strip().lstrip("0") or "0")
    tile = board.index.get(name)
    if tile is None:
        remedy = Text(
            "Tiles are {first} to {last}, a letter A to E and a number: write a turn like `{example}`.",
            first=board.names[0],
            last=board.names[-1],
            example=example(position),
        )
        raise NotationError(Text("There is no tile {place} on this board.", place=name[:8]), remedy, column)
    return tile


def _move(position: Position, start: tuple[int, int], end: tuple[int, int]) -> Turn:
    board, (origin, column) = position.board, start
    name = board.names[origin]
    if not position.mine() >> origin & 1:
        raise NotationError(_not_own(position, origin), _own(position), column)
    if origin == end[0]:
        raise NotationError(Text("The piece is on {place} already.", place=name), _remedy(position), end[1])
    return (Move("move", "", name, board.names[end[0]]),)


def _not_own(position: Position, tile: int) -> Text:
    name, owner = position.board.names[tile], owner_of(position, tile)
    if owner is None:
        return Text("No piece stands on {place}.", place=name)
    return Text("The piece on {place} is {side}'s.", place=name, side=NAMES[owner])


def _own(position: Position) -> Text:
    """Where the player's pieces stand, with an example."""
    own = position.board.sites(position.mine())
    if not own:
        return _remedy(position)
    return Text(
        "{side} stands on {places}: write a turn like `{example}`.",
        side=NAMES[position.to],
        places=Listing(own),
        example=example(position),
    )


def _unclear(position: Position, tile: int) -> NotationError:
    """One tile alone: what it may mean, going by what touches it and not by what is tenable."""
    board = position.board
    name, near = board.names[tile], board.edge[tile] | board.corner[tile]
    if position.mine() >> tile & 1:
        readings = [f"{name}-{site}" for site in board.sites(near & position.empty())]
        because = Text("{place} alone does not say where its piece goes.", place=name)
    else:
        readings = [*(f"{site}-{name}" for site in board.sites(near & position.mine())), f"*{name}"]
        because = Text("{place} alone does not say who goes there.", place=name)
    return NotationError(because, _remedy(position), None, tuple(readings))


def _remedy(position: Position) -> Text:
    """What turns look like here: a Move where a piece stands, a Muster where there are reserves."""
    move, muster = "" if position.gate() else _move_example(position), _muster_example(position)
    if not move:
        return Text("Write `{muster}` to Muster a piece.", muster=muster)
    if not position.reserves[position.to]:
        return Text("Write `{move}` to move a piece.", move=move)
    return Text("Write `{move}` to move a piece or `{muster}` to Muster one.", move=move, muster=muster)


def _move_example(position: Position) -> str:
    """The first Thin piece, or else the first one, to the first tile that it reaches; "" without a piece."""
    board, mine = position.board, position.mine()
    piece = next(bits(mine & board.thin or mine), None)
    return "" if piece is None else f"{board.names[piece]}-{board.names[next(bits(board.reach[piece]))]}"


def _muster_example(position: Position) -> str:
    """The first tile of the Gate where the first piece is due, or of any."""
    board = position.board
    return f"*{board.names[next(bits(board.gates[max(position.gate(), 1) - 1].tiles))]}"
