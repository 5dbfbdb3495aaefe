"""How turns of Chirality are written, `A50-A33` and `*A45`, and read from whatever people type."""

import re
from functools import lru_cache

from engine.game import Move, NotationError, Turn
from engine.games.chirality.ground import Ground, bits
from engine.games.chirality.position import NAMES, Position, actions

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


def read(text: str, position: Position) -> Turn:
    """The turn that a text describes, tenable or not. Raises NotationError if it describes none."""
    known = _canonical(text, position.ground) if len(text) < 10 else None
    if known is not None:
        turn, leaves = known
        if not leaves or position.men[position.to] & leaves:
            return turn
    return _read_words(text, position)


@lru_cache(1 << 13)
def _canonical(text: str, here: Ground) -> tuple[Turn, int] | None:
    """What `write` wrote, and the tile that a piece leaves, recognised at once: stored games are read over and over."""
    start, _, end = text.partition("-")
    if start != end and start in here.index and end in here.index:
        return (Move("move", "", start, end),), here.bit[start]
    if text[:1] == "*" and text[1:] in here.index:
        return here.musters[here.index[text[1:]]][0], 0
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
    return position.ground.musters[tiles[0][0]][0]


def write(turn: Turn) -> str:
    """The canonical text of a turn."""
    if not turn:
        return "pass"
    return " ".join(f"{a.origin}-{a.target}" if a.verb == "move" else f"*{a.target}" for a in turn)


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
    if origin == end[0]:
        raise NotationError(f"the piece is on {name} already", _remedy(position), end[1])
    return (Move("move", "", name, here.names[end[0]]),)


def _unclear(position: Position, tile: int) -> NotationError:
    """One tile alone: what it may mean, going by what touches it and not by what is tenable."""
    here = position.ground
    name, near = here.names[tile], here.edge[tile] | here.corner[tile]
    if position.mine() >> tile & 1:
        readings = [f"{name}-{site}" for site in here.sites(near & position.empty())]
        return NotationError(
            f"{name} alone does not say where its piece goes", _remedy(position), None, tuple(readings)
        )
    readings = [*(f"{site}-{name}" for site in here.sites(near & position.mine())), f"*{name}"]
    return NotationError(f"{name} alone does not say who goes there", _remedy(position), None, tuple(readings))


def _remedy(position: Position) -> str:
    """What turns look like: the Muster is any, so that nobody learns here whether there is a tenable one."""
    here = position.ground
    move = next((write(turn) for turn, gone, _ in actions(position) if gone >= 0), None)
    tile = here.names[next(bits(here.gates[max(position.gate(), 1) - 1].tiles))]
    ways = [f"`{move}` moves" if move else "", f"`*{tile}` Musters" if position.reserves[position.to] else ""]
    return f"Write a turn like this: {' and '.join(filter(None, ways)) or '`A50-A33`'}."
