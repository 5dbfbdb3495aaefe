"""A turn of Tokonoma as people write it: `c7c5`, `Ac5`, `arm c7 to c5`."""

import re
from functools import cache, lru_cache

from engine.board import Site
from engine.game import Move, NotationError, Turn
from engine.games.tokonoma.board import BITS
from engine.games.tokonoma.pieces import KINDS, NAMES, REACH
from engine.games.tokonoma.position import Position, lone_flats, occupied, on_top, sites_of

PASS = Move("pass")

TURN = re.compile(
    r"""[\s`>]*(?:the\s+)?(?:(?P<kind>flat|arm|hand|blind|star|[fahbs])(?=\s|[a-z]\d))?  # what moves
        \s*(?:(?:from|on|at)\s+)?(?P<first>[a-z]\d+)?                                   # where it stands
        [\s,]*(?:[-‐‑‒–—−]+>?|→|to\b|x)?\s*(?P<second>[a-z]\d+)?                        # where it goes
        \s*\**\#?[\s.,;!`]*                                                             # tiles emptied, a win""",
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)
LONGEST = 80
REMEDY = "Write from where to where, like `c7c5`, or what goes where, like `Ac5`."


def read(text: str, position: Position) -> Turn:
    """The turn that a text describes, whether or not the rules allow it. Raises NotationError."""
    kind, origin, target = _parsed(text)
    if not target:
        return ()
    return _from_to(kind, origin, target, position) if origin else _what_where(kind, target, position)


@lru_cache(maxsize=1 << 12)
def _parsed(text: str) -> tuple[str, Site, Site]:
    """The letter, the start tile and the end tile that a text names; "" for what it leaves out, all "" for a pass."""
    if text.strip("`.! \t\n").lower() == PASS.verb:
        return "", "", ""
    if len(text) > LONGEST:
        raise NotationError(f"that is longer than any move ({LONGEST} letters)", REMEDY, column=LONGEST + 1)
    found = TURN.match(text)
    assert found is not None, "every part is optional"
    kind = (found["kind"] or "").upper()[:1].replace("H", "A")
    places = [group for group in ("first", "second") if found[group]]
    if found.end() < len(text) or len(places) + bool(kind) < 2:
        raise NotationError("that describes no move", REMEDY, column=found.end() + 1)
    for place in places:
        if found[place].lower() not in BITS:
            because = f"there is no tile {found[place]}"
            raise NotationError(because, "Rows a to e hold 5, 6, 7, 6 and 5 tiles.", column=found.start(place) + 1)
    *origin, target = (found[place].lower() for place in places)
    return kind, "".join(origin), target


def write(turn: Turn, position: Position) -> str:
    """`c7c5`, with a letter only for a Flat that is pulled from under its tall: `Fc7c6`."""
    if not turn:
        return PASS.verb
    (move,) = turn
    own, _ = position.armies()
    letter = "" if move.piece == on_top(own, move.origin) else move.piece
    return f"{letter}{move.origin}{move.target}"


def _from_to(kind: str, origin: Site, target: Site, position: Position) -> Turn:
    """The turn `c7c5`; a letter before it must fit what stands there."""
    own, enemy = position.armies()
    top = on_top(own, origin)
    if not top:
        theirs = BITS[origin] & occupied(enemy)
        because = f"the piece on {origin} is not yours" if theirs else f"there is no piece on {origin}"
        raise NotationError(because, f"You have pieces on {spoken(sites_of(occupied(own)))}.")
    if kind not in ("", top) and not (kind == "F" and BITS[origin] & own[0]):
        raise NotationError(f"the piece on {origin} is no {NAMES[kind]} but the {NAMES[top]}", REMEDY)
    # We read: a piece put back where it stood has not moved, so that is a pass.
    return turn_of(kind or top, origin, target) if origin != target else ()


def _what_where(kind: str, target: Site, position: Position) -> Turn:
    """The turn `Ac5`; the one piece that can go there is meant, or else the only one there is."""
    own, _ = position.armies()
    standing = lone_flats(own) or own[0] if kind == "F" else own[KINDS.index(kind)]
    origins = able(position, kind, target) or tuple(site for site in sites_of(standing) if site != target)
    if not origins:
        raise NotationError(f"there is no {NAMES[kind]} of yours to go to {target}", REMEDY)
    if len(origins) > 1:
        readings = tuple(write(turn_of(kind, origin, target), position) for origin in origins)
        which = spoken(origins, "or")
        raise NotationError(f"that may be the {NAMES[kind]} on {which}", f"Write `{readings[0]}`.", readings=readings)
    return turn_of(kind, origins[0], target)


def able(position: Position, kind: str, target: Site) -> tuple[Site, ...]:
    """Where the pieces of a kind stand that have a tile within reach."""
    own, _ = position.armies()
    reach = REACH[position.to_move][KINDS.index(kind)]
    standing = lone_flats(own) if kind == "F" else own[KINDS.index(kind)]
    return tuple(site for site in sites_of(standing) if reach[BITS[site]] & BITS[target])


@cache
def turn_of(kind: str, origin: Site, target: Site) -> Turn:
    """The one object for a turn, shared by whoever speaks of it."""
    return (Move("move", kind, origin, target),)


def spoken(sites: tuple[Site, ...], last: str = "and") -> str:
    """ "a3, b4 and c5"."""
    return f" {last} ".join(filter(None, (", ".join(sites[:-1]), *sites[-1:]))) or "no tile"
