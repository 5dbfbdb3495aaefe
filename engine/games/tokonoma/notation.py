"""A turn of Tokonoma as people write it: `c7c5`, `Ac5`, `arm c7 to c5`."""

import re
from collections.abc import Mapping
from functools import cache, lru_cache

from engine.board import Side, Site
from engine.game import Move, NotationError, Turn
from engine.games.tokonoma.board import BITS, BOARD, FORWARD, HOUSES, PLACES, REACH
from engine.games.tokonoma.position import Position, lone_flats, occupied, on_top, sites_of
from engine.games.tokonoma.rules import KINDS, NAMES
from engine.text import Listing, Text

PASS = Move("pass")

_NAMED = {place: site for site, place in PLACES.items()}
AHEAD: Mapping[Side, Mapping[Site, Site]] = {
    side: {
        site: _NAMED.get((across + 4 * forward, down), BOARD.edges[site][0]) for site, (across, down) in PLACES.items()
    }
    for side, forward in FORWARD.items()
}
"""For examples: two tiles straight forward, or a neighbour where the board ends before."""

TURN = re.compile(
    r"""[\s`>]*(?:i\s+(?:move|play|take)\s+)?(?:(?:my|the)\s+)?                      # talk around it
        (?:(?P<kind>flat|arm|hand|blind|star|[fahbs])(?=\s|[a-z]\d))?  # what moves
        \s*(?:(?:from|on|at)\s+)?(?P<first>[a-z]\d+)?                                   # where it stands
        [\s,]*(?:(?:goes|moves|jumps|steps)\b\s*)?
        (?:[-‐‑‒–—−]+>?|→|(?:on)?to\b|x)?\s*(?P<second>[a-z]\d+)?                      # where it goes
        \s*\**\#?[\s.,;!`]*                                                             # tiles emptied, a win""",
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)
LONGEST = 80
REMEDY = Text("Write from where to where, like `c7c5`, or what goes where, like `Ac5`.")
ROWS = Text("Rows a to e hold 5, 6, 7, 6 and 5 tiles.")
NO_MOVE = Text("That describes no move.")


def example(position: Position) -> str:
    """A turn that can be read here: the piece in its own house, or the first of all, goes ahead or to a side."""
    own, _ = position.armies()
    side, standing = position.to_move, occupied(own)
    if not standing:
        return PASS.verb
    house = HOUSES[side]
    origin = house if standing & BITS[house] else sites_of(standing)[0]
    return f"{origin}{AHEAD[side][origin]}"


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
        fact = Text("That is longer than any move: {count} letters are the most.", count=LONGEST)
        raise NotationError(fact, REMEDY, column=LONGEST + 1)
    found = TURN.match(text)
    assert found is not None, "every part is optional"
    kind = (found["kind"] or "").upper()[:1].replace("H", "A")
    places = [group for group in ("first", "second") if found[group]]
    if found.end() < len(text) or len(places) + bool(kind) < 2:
        raise NotationError(NO_MOVE, REMEDY, column=found.end() + 1)
    for place in places:
        if found[place].lower() not in BITS:
            because = Text("There is no tile {place}.", place=found[place])
            raise NotationError(because, ROWS, column=found.start(place) + 1)
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
        because = (
            Text("The piece on {place} is not yours.", place=origin)
            if theirs
            else Text("There is no piece on {place}.", place=origin)
        )
        raise NotationError(because, _yours(sites_of(occupied(own))))
    if kind not in ("", top) and not (kind == "F" and BITS[origin] & own[0]):
        raise NotationError(
            Text(
                "The piece on {place} is no {piece} but the {standing}.",
                place=origin,
                piece=NAMES[kind],
                standing=NAMES[top],
            ),
            REMEDY,
        )
    # We read: a piece put back where it stood has not moved, so that is a pass.
    return turn_of(kind or top, origin, target) if origin != target else ()


def _what_where(kind: str, target: Site, position: Position) -> Turn:
    """The turn `Ac5`; the one piece that can go there is meant, or else the only one there is."""
    own, _ = position.armies()
    standing = lone_flats(own) or own[0] if kind == "F" else own[KINDS.index(kind)]
    origins = able(position, kind, target) or tuple(site for site in sites_of(standing) if site != target)
    if not origins:
        because = Text("There is no {piece} of yours to go to {place}.", piece=NAMES[kind], place=target)
        raise NotationError(because, REMEDY)
    if len(origins) > 1:
        readings = tuple(write(turn_of(kind, origin, target), position) for origin in origins)
        because = Text("That may be the {piece} on {places}.", piece=NAMES[kind], places=Listing(origins, "or"))
        raise NotationError(because, Text("Write `{example}`.", example=readings[0]), readings=readings)
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


def _yours(sites: tuple[Site, ...]) -> Text:
    if not sites:
        return Text("You have no pieces left; write `pass`.")
    return Text("You have pieces on {places}.", places=Listing(sites))
