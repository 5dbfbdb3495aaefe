"""How an action of Ironclad is written, and the many ways in which people type one."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from engine.game import Move, NotationError, Turn
from engine.games.ironclad.grid import BIT, COLUMNS, INDEX
from engine.games.ironclad.position import SUPPLY, Position, cover, robots
from engine.games.ironclad.turns import NAMES, Fire, owner_of

HELP = "Write `d5` to place a stone, `d5-d9` to slide one, `C4-C5` to move a robot, `xD6` to fire on one."


def write(turn: Turn, position: Position) -> str:
    """The canonical notation: `C4-C5`, `xD6`, `xD6(4)`, `d5`, `d5-d9`."""
    (move,) = turn
    if isinstance(move, Fire):
        return f"x{move.target}({move.roll})" if move.roll else f"x{move.target}"
    return f"{move.origin}-{move.target}" if move.origin else move.target


def split(text: str) -> tuple[str, ...]:
    """The actions in one message: the other half of the opponent's turn, then the first half of one's own."""
    parts = tuple(part.strip() for part in re.split(r"[/;\n]+|\bthen\b", text, flags=re.IGNORECASE))
    return tuple(part for part in parts if part) or (text,)


# --- reading ----------------------------------------------------------------------------------------------


class Token(NamedTuple):
    """A word of an action that means something."""

    what: str
    """place, robot, stone, fire or roll."""
    value: str
    column: int


_MEANINGS: tuple[tuple[str, str], ...] = (
    ("robot", "robot robots checker checkers"),
    ("stone", "stone stones slide slides place places put"),
    ("fire", "fire fires shoot shoots attack attacks x ×"),
    ("", "- > -> : move moves go goes to at on onto from the a an my with by in all piece and"),
)
_WORDS: Mapping[str, str] = {word: what for what, words in _MEANINGS for word in words.split()}
"""What a word means: a kind of token, or nothing at all."""

_TOKEN = re.compile(
    r"(?P<site>[a-gA-G][1-9])(?![0-9])|(?P<off>[a-zA-Z][0-9]+)"
    r"|(?P<word>[a-zA-Z]+?(?=[^a-zA-Z]|$|[a-gA-G][1-9](?![0-9])))"
    r"|\(\s*(?P<roll>[0-9]+)\s*\)|(?P<sign>->|[-×>:])|(?P<space>[\s,.!`]+)|(?P<other>.)",
    re.DOTALL,
)
_CANONICAL = re.compile(
    r"x(?P<shot>[A-F][1-8])(?:\((?P<roll>[1-6])\))?|(?P<point>[a-g][1-9])"
    r"|(?=[A-F][1-8]-[A-F][1-8]|[a-g][1-9]-[a-g][1-9])(?P<start>..)-(?P<end>..)"
)
_DASHES = str.maketrans("‐‑‒–—−", "------")


def read(text: str, position: Position) -> Turn:
    """The action that a text describes, tenable or not."""
    turn = _canonical(text) if len(text) < 10 else None
    if turn is not None and _is_possible(turn[0], position):
        return turn
    return _read_words(text, position)


@lru_cache(1 << 13)
def _canonical(text: str) -> Turn | None:
    """What `write` wrote, recognised at once: stored games are read over and over."""
    found = _CANONICAL.fullmatch(text)
    if found is None or (found["start"] is not None and found["start"] == found["end"]):
        return None
    if found["shot"]:
        return (Fire("fire", "R", "", found["shot"], int(found["roll"] or 0)),)
    if found["point"]:
        return (Move("place", "S", "", found["point"]),)
    is_robot = found["start"][0] in COLUMNS
    return (Move("robot" if is_robot else "slide", "R" if is_robot else "S", found["start"], found["end"]),)


def _is_possible(move: Move, position: Position) -> bool:
    white, black = position.stones
    if isinstance(move, Fire):
        target = INDEX[move.target]
        return bool(robots(position) & BIT[target]) and not (move.roll and not cover(position, target))
    if move.verb == "place":
        return position.stones[position.owner].bit_count() < SUPPLY
    origin = BIT[INDEX[move.origin]]
    if move.verb == "slide":
        return bool((white | black) & origin)
    ones, twos, threes = position.squads[position.owner]
    return bool((ones | twos | threes) & origin)


def _read_words(text: str, position: Position) -> Turn:
    tokens = list(_tokens(text))
    whats = {token.what for token in tokens}
    sites = [token for token in tokens if token.what == "site"]
    rolls = [token for token in tokens if token.what == "roll"]
    if not sites:
        raise NotationError("that names no place", HELP)
    if len(sites) > 2:
        remedy = "One half is one action; a message with two halves parts them: `d5 / C4-C5`."
        raise NotationError("that names more than two places", remedy, sites[2].column)
    if "fire" in whats:
        if "stone" in whats or len(sites) > 1:
            raise NotationError(
                "every robot in range fires on one square", f"Write `x{sites[-1].value.upper()}`.", sites[0].column
            )
        return _read_fire(sites[0], rolls, position)
    if rolls:
        raise NotationError("only a shot throws a die", HELP, rolls[0].column)
    if {"robot", "stone"} <= whats:
        raise NotationError("a half is played with robots or with stones", HELP)
    if len(sites) == 1:
        if "robot" in whats:
            raise NotationError(f"that does not say where the robot on {sites[0].value.upper()} goes", HELP)
        return _read_placing(sites[0], position)
    origin, target = sites
    if "robot" in whats:
        return _read_robot(origin, target, position)
    if "stone" in whats:
        return _read_slide(origin, target, position)
    return _read_either(origin, target, position)


def _tokens(text: str) -> Iterator[Token]:
    for found in _TOKEN.finditer(text.translate(_DASHES)):
        kind, word = found.lastgroup, found.group()
        column = found.start() + 1
        if kind == "site":
            yield Token("site", word, column)
        elif kind == "off":
            raise NotationError(f"there is no place {word}", "Squares are A1 to F8, intersections a1 to g9.", column)
        elif kind == "roll":
            yield Token("roll", found["roll"], column)
        elif kind in ("word", "sign"):
            if word.lower() not in _WORDS:
                raise NotationError(f"`{word}` is no word of this game", HELP, column)
            if _WORDS[word.lower()]:
                yield Token(_WORDS[word.lower()], "", column)
        elif kind == "other":
            raise NotationError(f"`{word}` means nothing here", HELP, column)


def _read_either(origin: Token, target: Token, position: Position) -> Turn:
    """Capitals are squares and small letters intersections; what is neither is what the board allows it to be."""
    readings: dict[bool, Turn] = {}
    errors: dict[bool, NotationError] = {}
    for capitals, reader in ((True, _read_robot), (False, _read_slide)):
        try:
            readings[capitals] = reader(origin, target, position)
        except NotationError as error:
            errors[capitals] = error
    texts = tuple(write(turn, position) for turn in readings.values())
    wanted = origin.value[0].isupper()
    if wanted == target.value[0].isupper():
        if wanted in readings:
            return readings[wanted]
        remedy = "Squares are written in capitals, intersections in small letters." if texts else errors[wanted].remedy
        raise NotationError(errors[wanted].because, remedy, errors[wanted].column, texts)
    if not readings:
        raise errors[wanted]
    if len(readings) > 1:
        raise NotationError("that can mean a robot or a stone", "Choose one.", origin.column, texts)
    return next(iter(readings.values()))


def _square(site: Token) -> str:
    name = site.value.upper()
    if name not in INDEX or name[0] not in COLUMNS:
        raise NotationError(f"there is no square {name}", "Squares are A1 to F8.", site.column)
    return name


def _read_robot(origin: Token, target: Token, position: Position) -> Turn:
    start, end = _square(origin), _square(target)
    side = owner_of(position, INDEX[start])
    if side is None:
        raise NotationError(f"no robot stands on {start}", HELP, origin.column)
    if side != position.owner:
        raise NotationError(
            f"the robot on {start} is {NAMES[side]}'s, and the turn is {NAMES[position.owner]}'s",
            f"Move one of {NAMES[position.owner]}'s robots.",
            origin.column,
        )
    if start == end:
        raise NotationError(f"the robot stands on {start} already", HELP, target.column)
    return (Move("robot", "R", start, end),)


def _read_fire(target: Token, rolls: list[Token], position: Position) -> Turn:
    name = _square(target)
    if not robots(position) & BIT[INDEX[name]]:
        raise NotationError(f"no robot stands on {name}", HELP, target.column)
    if not rolls:
        return (Fire("fire", "R", "", name),)
    if len(rolls) > 1 or rolls[0].value not in "123456":
        raise NotationError("one die shows 1 to 6", HELP, rolls[0].column)
    if not cover(position, INDEX[name]):
        raise NotationError(f"{name} has no cover, so no die is thrown", f"Write `x{name}`.", rolls[0].column)
    return (Fire("fire", "R", "", name, int(rolls[0].value)),)


def _read_placing(target: Token, position: Position) -> Turn:
    if position.stones[position.owner].bit_count() >= SUPPLY:
        raise NotationError(
            f"{NAMES[position.owner]} has no stone left to place", "Slide one instead: `d5-d9`.", target.column
        )
    return (Move("place", "S", "", target.value.lower()),)


def _read_slide(origin: Token, target: Token, position: Position) -> Turn:
    start, end = origin.value.lower(), target.value.lower()
    white, black = position.stones
    if not (white | black) & BIT[INDEX[start]]:
        raise NotationError(f"no stone lies on {start}", HELP, origin.column)
    if start == end:
        raise NotationError(f"the stone lies on {start} already", HELP, target.column)
    return (Move("slide", "S", start, end),)
