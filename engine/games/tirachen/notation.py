"""How a turn of Tirachen is written, and the many ways in which people type one."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from engine.board import Site
from engine.game import Move, NotationError, Turn
from engine.games.tirachen.board import BESIDE, INDEX, SITES, squares
from engine.games.tirachen.position import EMPTY, NEUTRAL, POOL_SLOT, Position, kind_of, letter, own, owner_of
from engine.games.tirachen.rules import KINDS, NAMES
from engine.text import Listing, Term, Text

MOBILIZE: Turn = (Move("mobilize"),)

HELP = Text("Write `P@d2` to bring a pike to d2, `Ge1-e2` to move, `Ce1xe5=T` to turn the traitor, or `mobilize`.")
LEAVE_OUT = Text("Leave the name out.")
ALONE = Text("Mobilizing is the whole turn."), Text("Write `mobilize` alone.")
ONE_PIECE = Text("One piece is brought at a time.")
MASTER, PIECE = Term("master"), Term("piece")


def write(turn: Turn, position: Position) -> str:
    """The canonical notation: `P@d2`, `Ce1-e2`, `Ce1xe5=T e5-h8`, `mobilize`."""
    first = turn[0]
    if first.verb == "mobilize":
        return "mobilize"
    if first.verb == "place":
        return f"{first.piece}@{first.target}"
    taken = position.board[INDEX[first.target]] != EMPTY
    text = f"{first.piece}{first.origin}{'x' if taken else '-'}{first.target}{'=T' if first.verb == 'turn' else ''}"
    for then in turn[1:]:
        named = "" if then.origin == first.target else then.piece
        taken = position.board[INDEX[then.target]] != EMPTY and then.target != first.origin
        text += f" {named}{then.origin}{'x' if taken else '-'}{then.target}"
    return text


def example(position: Position) -> str:
    """A turn that can be read here: a pike is brought, or the first piece on the board goes to a square beside it."""
    if position.pools[position.mover][POOL_SLOT["P"]]:
        return "P@d8" if position.mover else "P@d2"
    return _step(position)


def _step(position: Position) -> str:
    standing = squares(own(position.board, position.mover))
    if not standing:
        return MOBILIZE[0].verb
    origin = standing[0]
    kind, target = kind_of(position.board[origin]), squares(BESIDE[origin])[0]
    return write((Move("move", kind, SITES[origin], SITES[target]),), position)


# --- reading ----------------------------------------------------------------------------------------------


class Token(NamedTuple):
    """A word of a turn that means something."""

    what: str
    """square, kind, place, take, turn, remove or mobilize; link for what only stands between others."""
    value: str
    """The square; the letters of the kinds that the word may mean."""
    column: int


_MEANINGS: tuple[tuple[str, str, str], ...] = (
    ("mobilize", "", "mobilize mobilizes mobilizing mobilized mobilise mobilises mobilising mobilised"),
    ("place", "", "place places placing put deploy deploys deploying bring brings bringing drop drops @"),
    ("take", "", "take takes taking capture captures capturing"),
    ("turn", "", "turn turns turning sacrifice sacrifices control convert"),
    ("remove", "", "remove removes removing"),
    ("kind", "G", "g general"),
    ("kind", "F", "f fort"),
    ("kind", "C", "c commander"),
    ("kind", "S", "s arms"),
    ("kind", "A", "a spells"),
    ("kind", "W", "w hunt"),
    ("kind", "P", "p pike pikes pikeman"),
    ("kind", "T", "t traitor"),
    ("kind", "SAW", "m master"),
    ("link", "", "- x × > -> : move moves go goes to from on onto in into at by with and then"),
    ("", "", "it the my i am an of piece square extra declare declares that"),
)
_WORDS: Mapping[str, tuple[str, str]] = {
    word: (what, value) for what, value, words in _MEANINGS for word in words.split()
}
"""What a word means: a kind of token, or nothing at all."""

_TOKEN = re.compile(
    r"(?P<square>[a-i][1-9])(?![0-9])|(?P<off>[a-z][0-9]+)|(?P<word>[a-z]+?(?=[^a-z]|$|[a-z][0-9]))"
    r"|(?P<turn>=\s*t(?:raitor)?(?=[^a-z]|$|[a-z][0-9]))|(?P<sign>->|[-@=x×>:])|(?P<space>[\s,.;!`]+)|(?P<other>.)"
)
_CANONICAL = re.compile(
    r"(?P<brought>[FCPSAW])@(?P<square>[a-i][1-9])"
    r"|(?P<kind>[GFCSAWPT])(?P<origin>[a-i][1-9])[-x](?P<target>[a-i][1-9])"
    r"(?P<turned>=T(?: (?P<start>[a-i][1-9])[-x](?P<extra>[a-i][1-9]))?)?"
)
_DASHES = str.maketrans("‐‑‒–—−→", "-------")


def read(text: str, position: Position) -> Turn:
    """The turn that a text describes, tenable or not."""
    turn = _canonical(text) if len(text) < 20 else None
    if turn is not None and _is_possible(turn[0], position):
        return turn
    return _read_words(text, position)


@lru_cache(1 << 13)
def _canonical(text: str) -> Turn | None:
    """What `write` wrote, recognised at once: stored games are read over and over."""
    found = _CANONICAL.fullmatch(text)
    if found is None:
        return None
    if found["brought"]:
        return (Move("place", found["brought"], "", found["square"]),)
    kind, origin, target, extra = found["kind"], found["origin"], found["target"], found["extra"]
    if target in (origin, extra) or (extra and found["start"] != target):
        return None
    first = Move("turn" if found["turned"] else "move", kind, origin, target)
    return (first, Move("move", "T", target, extra)) if extra else (first,)


def _is_possible(move: Move, position: Position) -> bool:
    if not move.origin:
        return position.pools[position.mover][POOL_SLOT[move.piece]] > 0
    if position.board[INDEX[move.origin]] != letter(move.piece, position.mover):
        return False
    return move.verb == "move" or kind_of(position.board[INDEX[move.target]]) == "T"


def _read_words(text: str, position: Position) -> Turn:
    tokens = _joined(list(_tokens(text)))
    if not tokens:
        raise NotationError(Text("That says nothing."), HELP)
    said = next((token for token in tokens if token.what == "mobilize"), None)
    if said:
        if len(tokens) > 1:
            column = max(said.column, tokens[1].column)
            raise NotationError(*ALONE, column)
        return MOBILIZE
    sites = [token for token in tokens if token.what == "square"]
    if len(sites) > 1 and not _says(tokens, "place"):
        return _read_moves(tokens, sites, position)
    if len(sites) == 1:
        return _read_single(tokens, sites[0], position)
    raise NotationError(ONE_PIECE if sites else Text("That names no square."), HELP)


def _tokens(text: str) -> Iterator[Token]:
    low = text.lower().translate(_DASHES)
    for found in _TOKEN.finditer(low):
        kind, word = found.lastgroup, found.group()
        column = found.start() + 1
        if kind == "square":
            yield Token("square", word, column)
        elif kind == "off":
            raise NotationError(
                Text("There is no square {place}.", place=word[:40]),
                Text("Files run from a to i, ranks from 1 to 9."),
                column,
            )
        elif kind == "turn":
            yield Token("turn", "", column)
        elif word == "a" and _is_article(low[found.end() :]):
            continue
        elif kind in ("word", "sign"):
            if word not in _WORDS:
                raise _unknown(word, column)
            what, value = _WORDS[word]
            if what:
                yield Token(what, value, column)
        elif kind == "other":
            raise _unknown(word, column)


def _is_article(rest: str) -> bool:
    """Whether an `a` is the English word: a kind of piece follows it, spelt out."""
    following = re.match(r"\s+([a-z]{2,})", rest)
    return following is not None and _WORDS.get(following[1], ("", ""))[0] == "kind"


def _joined(tokens: list[Token]) -> list[Token]:
    """Two words for one piece made one: "master of arms" is no other master, as it is in "master takes arms"."""
    kept: list[Token] = []
    for token in tokens:
        if kept and kept[-1].what == token.what == "kind" and token.value in kept[-1].value:
            kept[-1] = token
        elif not (kept and kept[-1].what == token.what == "kind" and kept[-1].value in token.value):
            kept.append(token)
    return [token for token in kept if token.what != "link"]


def _says(tokens: list[Token], what: str) -> bool:
    return any(token.what == what for token in tokens)


def _is_unsure(tokens: list[Token], site: Token, position: Position) -> bool:
    """Whether a traitor named behind its square leaves open if it is removed or turned: `a5xe5 T`."""
    named = any(token.what == "kind" and token.value == "T" and token.column > site.column for token in tokens)
    return named and _is_traitor(position, site.value) and not _says(tokens, "turn") and not _says(tokens, "remove")


def _ambiguous(readings: list[Turn], position: Position) -> NotationError:
    texts = tuple(write(turn, position) for turn in readings)
    return NotationError(Text("That can mean more than one turn."), Text("Choose one."), readings=texts)


# --- one square: a piece is brought, or moves there from wherever it stands ---------------------------------


def _read_single(tokens: list[Token], site: Token, position: Position) -> Turn:
    called = [token for token in tokens if token.what == "kind"]
    placing, turning, removing = _says(tokens, "place"), _says(tokens, "turn"), _says(tokens, "remove")
    for token in tokens:
        if placing and token.what in ("take", "turn", "remove"):
            remedy = Text("Write `P@d2` to bring a pike to d2, and no more.")
            raise NotationError(Text("A piece that is brought takes nothing."), remedy, token.column)
    if placing and len(called) > 1:
        raise NotationError(ONE_PIECE, HELP, called[1].column)
    for victim in called[1:]:
        _demand_standing(victim, site, position)
    first = called[0] if called and (placing or called[0].column < site.column) else None
    kinds = first.value if first else ""
    if not kinds and not placing:
        raise NotationError(Text("{place} says where, but not what.", place=site.value), HELP, site.column)
    mover = position.mover
    named = [kind for kind in POOL_SLOT if kind in (kinds or "FCPSAW")]
    brought: list[Turn] = [
        (Move("place", kind, "", site.value),) for kind in named if position.pools[mover][POOL_SLOT[kind]]
    ]
    moved: list[Turn] = []
    if not placing:
        ways = (False, True) if _is_unsure(tokens, site, position) else (turning,)
        moved = [
            _captor_turn(position, SITES[square], site.value, way)
            for square in squares(own(position.board, mover))
            if kind_of(position.board[square]) in kinds and SITES[square] != site.value
            for way in ways
        ]
    capturing = turning or removing or _says(tokens, "take") or len(called) > 1
    readings = moved if capturing else [*moved, *brought]
    if len(readings) == 1:
        return readings[0]
    if readings:
        raise _ambiguous(readings, position)
    lacking = {"side": NAMES[mover], "piece": _called(kinds)}
    if placing:
        raise NotationError(Text("{side} has no {piece} left to bring.", **lacking), HELP)
    if capturing:
        raise NotationError(Text("{side} has no {piece} on the board.", **lacking), HELP)
    raise NotationError(Text("{side} has no {piece} on the board or left to bring.", **lacking), HELP)


def _captor_turn(position: Position, origin: Site, target: Site, turning: bool) -> Turn:
    kind = kind_of(position.board[INDEX[origin]])
    if turning:
        _demand_traitor(position, target)
    return (Move("turn" if turning else "move", kind, origin, target),)


# --- two squares or more: a move, and perhaps the traitor's extra one ---------------------------------------


def _read_moves(tokens: list[Token], sites: list[Token], position: Position) -> Turn:
    origin, target, *rest = sites
    _demand_kind(tokens, None, origin, position)
    _demand_own(origin, position)
    _demand_kind(tokens, origin, target, position)
    _demand_apart(origin, target)
    kind = kind_of(position.board[INDEX[origin.value]])
    turning, removing = _says(tokens, "turn"), _says(tokens, "remove")
    if turning and removing:
        raise NotationError(Text("The traitor is either removed or turned."), HELP)
    if len(rest) == 2 and rest[0].value == target.value and _is_traitor(position, target.value) and not removing:
        turning = True
    _demand_last_kind(tokens, sites, "T" if turning else "", position)
    if not turning:
        if rest:
            raise NotationError(
                Text("One turn is one action."),
                Text("Only a traitor just turned moves on: `Ce1xe5=T e5-h8`."),
                rest[0].column,
            )
        taking = (Move("move", kind, origin.value, target.value),)
        if _is_unsure(tokens, target, position):
            raise _ambiguous([taking, (Move("turn", kind, origin.value, target.value),)], position)
        return taking
    _demand_traitor(position, target.value)
    first = Move("turn", kind, origin.value, target.value)
    if not rest:
        return (first,)
    if len(rest) > 2:
        raise NotationError(Text("There is one extra move, not more."), HELP, rest[2].column)
    start, end = (target, rest[0]) if len(rest) == 1 else rest
    if start is not target:
        _demand_kind(tokens, target, start, position)
    _demand_kind(tokens, start, end, position, "T" if start is target else "")
    _demand_apart(start, end)
    if start.value == target.value:
        return (first, Move("move", "T", start.value, end.value))
    if start.value == origin.value:
        raise NotationError(Text("The captor on {place} has been given up.", place=start.value), HELP, start.column)
    _demand_own(start, position)
    return (first, Move("move", kind_of(position.board[INDEX[start.value]]), start.value, end.value))


def _demand_kind(tokens: list[Token], after: Token | None, site: Token, position: Position, besides: str = "") -> None:
    """A piece named right before a square must be the one that stands there, or one of `besides`."""
    start = after.column if after else 0
    named = [token for token in tokens if token.what == "kind" and start < token.column < site.column]
    if named and named[-1].value != besides:
        _demand_standing(named[-1], site, position)


def _demand_standing(named: Token, site: Token, position: Position) -> None:
    """A piece of another name than the one that stands there is a slip, no turn."""
    standing = kind_of(position.board[INDEX[site.value]])
    if standing not in named.value or not standing:
        remedy = Text("Leave the name out, or begin with `{piece}`.", piece=f"{standing}{site.value}")
        fact = _standing(site.value, position, _called(named.value))
        raise NotationError(fact, remedy if standing else HELP, named.column)


def _demand_last_kind(tokens: list[Token], sites: list[Token], besides: str, position: Position) -> None:
    """A piece named at the end ("e1-e2 with the general") must stand on one of the squares, or be one of `besides`."""
    standing = {besides, *(kind_of(position.board[INDEX[site.value]]) for site in sites)} - {""}
    for token in tokens:
        if token.what == "kind" and token.column > sites[-1].column and standing.isdisjoint(token.value):
            where = Listing(tuple(site.value for site in sites), "or")
            fact = Text("No {piece} stands on {places}.", piece=_called(token.value), places=where)
            raise NotationError(fact, LEAVE_OUT, token.column)


def _called(kinds: str) -> Term:
    """A piece in words, as far as its letters tell it."""
    return KINDS[kinds] if len(kinds) == 1 else MASTER if kinds else PIECE


def _demand_own(site: Token, position: Position) -> None:
    byte = position.board[INDEX[site.value]]
    if owner_of(byte) != position.mover:
        remedy = Text(
            "Move one of {side}'s pieces, as in `{example}`.", side=NAMES[position.mover], example=_step(position)
        )
        raise NotationError(_standing(site.value, position), remedy, site.column)


def _demand_apart(origin: Token, target: Token) -> None:
    if origin.value == target.value:
        fact = Text("The piece stands on {place} already.", place=origin.value)
        raise NotationError(fact, HELP, target.column)


def _demand_traitor(position: Position, site: Site) -> None:
    if not _is_traitor(position, site):
        fact = Text("The traitor does not stand on {place}.", place=site)
        raise NotationError(fact, Text("Leave `=T` out to capture or move."))


def _is_traitor(position: Position, site: Site) -> bool:
    return kind_of(position.board[INDEX[site]]) == "T"


def _standing(site: Site, position: Position, instead: Term | None = None) -> Text:
    """Who stands on a square, and not what somebody said stands there."""
    byte = position.board[INDEX[site]]
    owner = owner_of(byte)
    if owner is not None:
        said = {"side": NAMES[owner], "piece": KINDS[kind_of(byte)], "place": site}
        if instead is None:
            return Text("{side}'s {piece} stands on {place}.", **said)
        return Text("{side}'s {piece} stands on {place}, not a {instead}.", instead=instead, **said)
    if byte == NEUTRAL:
        if instead is None:
            return Text("The traitor on {place} is nobody's.", place=site)
        return Text("The traitor on {place} is nobody's, not a {instead}.", place=site, instead=instead)
    if instead is None:
        return Text("Nothing stands on {place}.", place=site)
    return Text("Nothing stands on {place}, so no {instead} does.", place=site, instead=instead)


def _unknown(word: str, column: int) -> NotationError:
    return NotationError(Text('I can\'t read "{word}" as a turn.', word=word[:40]), HELP, column)
