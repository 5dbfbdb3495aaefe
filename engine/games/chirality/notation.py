"""How turns of Chirality are written, `A50-A33` and `*A45`, and read from whatever people type."""

import re
from itertools import islice

from engine.game import Move, NotationError, Turn
from engine.games.chirality.position import NAMES, Position, actions

_TOKEN = re.compile(r"(?P<tile>[A-Za-z]\s?[0-9]+)|(?P<word>[^\W\d_]+)|(?P<digits>\w+)|(?P<sign>[^\w\s])")
_MUSTER = frozenset(("*", "+", "muster", "musters", "mustering", "place", "places", "put", "enter", "drop", "reserve"))
_PASS = frozenset(("pass", "skip", "--"))
_FILLING = frozenset(
    (
        *("-", "–", "—", "→", "➔", ">", ".", ",", ":", "!", "`"),
        *("move", "moves", "goes", "from", "to", "on", "onto", "at", "in", "into"),
        *("a", "the", "my", "piece", "thick", "thin", "remote", "remotely", "gate"),
    )
)


def read(text: str, position: Position) -> Turn:
    """The turn that a text describes, tenable or not. Raises NotationError if it describes none."""
    if text.strip().strip("`").lower() in _PASS:
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
            raise NotationError(f"`{token.group()[:20]}` is no part of a turn", _remedy(position), column)
    if not tiles:
        raise NotationError("a turn names the tiles that it is about", _remedy(position))
    if len(tiles) > (1 if muster else 2):
        raise NotationError(
            "a turn is one action: a Muster names one tile, a Move two", _remedy(position), tiles[-1][1]
        )
    if len(tiles) == 2:
        return _move(position, *tiles)
    if not muster and not position.gate():
        raise _unclear(position, tiles[0][0])
    return _muster(position, tiles[0])


def write(turn: Turn) -> str:
    """The canonical text of a turn."""
    if not turn:
        return "pass"
    return " ".join(f"{a.origin}-{a.target}" if a.verb == "move" else f"*{a.target}" for a in turn)


def example(position: Position) -> str:
    """A turn that works here."""
    return next((write(turn) for turn, _, _ in actions(position)), "A50-A33")


def _tile(word: str, position: Position, column: int) -> int:
    names = position.ground.names
    name = word[0].upper() + (word[1:].strip().lstrip("0") or "0")
    tile = position.ground.index.get(name)
    if tile is None:
        raise NotationError(
            f"there is no tile {name[:8]} on this board",
            f"Tiles are {names[0]} to {names[-1]}: a letter A to E and a number. {_remedy(position)}",
            column,
        )
    return tile


def _move(position: Position, start: tuple[int, int], end: tuple[int, int]) -> Turn:
    here, (origin, column) = position.ground, start
    name = here.names[origin]
    if not position.mine() >> origin & 1:
        owner = next((NAMES[player] for player, men in enumerate(position.men) if men >> origin & 1), None)
        because = f"the piece on {name} is {owner}'s" if owner else f"no piece stands on {name}"
        own = here.sites(position.mine())
        yours = f"{NAMES[position.to]} stands on {', '.join(own)}. " if own else ""
        raise NotationError(because, yours + _remedy(position), column)
    _require_empty(position, end)
    return (Move("move", "", name, here.names[end[0]]),)


def _muster(position: Position, end: tuple[int, int]) -> Turn:
    if not position.reserves[position.to]:
        raise NotationError(f"{NAMES[position.to]} has no piece in reserve", _remedy(position), end[1])
    _require_empty(position, end)
    return position.ground.musters[end[0]]


def _require_empty(position: Position, end: tuple[int, int]) -> None:
    tile, column = end
    if not position.empty() >> tile & 1:
        owner = next(NAMES[player] for player, men in enumerate(position.men) if men >> tile & 1)
        because = f"a piece of {owner} stands on {position.ground.names[tile]}, and a tile holds one piece"
        raise NotationError(because, _remedy(position), column)


def _unclear(position: Position, tile: int) -> NotationError:
    """One tile alone: what it may mean, going by what touches it and not by what is tenable."""
    here = position.ground
    name = here.names[tile]
    if position.mine() >> tile & 1:
        near = (here.edge[tile] | here.corner[tile]) & position.empty()
        readings = [f"{name}-{site}" for site in here.sites(near)]
        return NotationError(
            f"{name} alone does not say where its piece goes", _remedy(position), None, tuple(readings)
        )
    near = (here.edge[tile] | here.corner[tile]) & position.mine() if position.empty() >> tile & 1 else 0
    readings = [f"{site}-{name}" for site in here.sites(near)]
    if position.reserves[position.to] and position.empty() >> tile & 1:
        readings.append(f"*{name}")
    return NotationError(f"{name} alone does not say who goes there", _remedy(position), None, tuple(readings))


def _remedy(position: Position) -> str:
    known = list(islice(actions(position), 60))
    move = next((write(turn) for turn, gone, _ in known if gone >= 0), None)
    muster = next((write(turn) for turn, gone, _ in known if gone < 0), None)
    ways = [f"`{move}` moves" if move else "", f"`{muster}` Musters" if muster else ""]
    return f"Write a turn like this: {' and '.join(filter(None, ways)) or '`A50-A33`'}."
