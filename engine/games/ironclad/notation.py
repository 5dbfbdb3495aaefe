"""How an action of Ironclad is written, and the many ways in which people type one."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from engine.game import NotationError
from engine.games.ironclad.action import Action, Turn
from engine.games.ironclad.board import BIT, COLUMNS, INDEX, POINTS, SQUARES, STEP, beside, members
from engine.games.ironclad.position import NAMES, SUPPLY, Position, cover, owner_of, robots
from engine.text import Text

CASES = Text("Squares are written in capitals, intersections in small letters.")
HELP = Text("Write `d5` to place a stone, `d5-d9` to slide one, `C4-C5` to move a robot, `xD6` to fire on one.")


def write(turn: Turn) -> str:
    """The canonical notation: `C4-C5`, `xD6`, `xD6(4)`, `d5`, `d5-d9`, `swap`."""
    (move,) = turn
    if move.verb == "swap":
        return move.verb
    if move.verb == "fire":
        return f"x{move.target}({move.roll})" if move.roll else f"x{move.target}"
    return f"{move.origin}-{move.target}" if move.origin else move.target


def split(text: str) -> tuple[str, ...]:
    """The actions in one message: the other half of the opponent's turn, then the first half of one's own."""
    parts = tuple(part.strip() for part in re.split(r"[/;\n]+|\bthen\b", text, flags=re.IGNORECASE))
    return tuple(part for part in parts if part) or (text,)


def example(position: Position) -> str:
    """A text that describes an action of the half that is due.

    What stands where it ends is not asked: an example must not tell whether an action is tenable.
    """
    mine = sum(position.squads[position.owner])
    if position.half == "stones" and mine:
        robot = members(mine)[0]
        return f"{SQUARES[robot]}-{SQUARES[members(STEP[robot])[-1 if position.owner == 0 else 0]]}"
    if position.stones[position.owner].bit_count() < SUPPLY:
        return "d5"
    stone = members(sum(position.stones))[0]
    return f"{POINTS[stone]}-{POINTS[members(beside(BIT[stone]))[0]]}"


# --- reading ----------------------------------------------------------------------------------------------


class Token(NamedTuple):
    """A word of an action that means something."""

    what: str
    """place, robot, stone, fire, swap or roll."""
    value: str
    column: int


_MEANINGS: tuple[tuple[str, str], ...] = (
    ("robot", "robot robots checker checkers"),
    ("stone", "stone stones slide slides place places put"),
    ("swap", "swap swaps"),
    ("fire", "fire fires shoot shoots attack attacks hit hits kill kills blast destroy take takes capture x ×"),
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
        return (Action("fire", "R", "", found["shot"], int(found["roll"] or 0)),)
    if found["point"]:
        return (Action("place", "S", "", found["point"]),)
    is_robot = found["start"][0] in COLUMNS
    return (Action("robot" if is_robot else "slide", "R" if is_robot else "S", found["start"], found["end"]),)


def _is_possible(move: Action, position: Position) -> bool:
    white, black = position.stones
    if move.verb == "fire":
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
    if "swap" in whats:
        return _read_swap(tokens, position)
    if not sites:
        raise NotationError(Text("That names no place."), HELP)
    if len(sites) > 2:
        remedy = Text("One half is one action; a message with two halves parts them: `d5 / C4-C5`.")
        raise NotationError(Text("That names more than two places."), remedy, sites[2].column)
    if "fire" in whats:
        if "stone" in whats or len(sites) > 1:
            remedy = Text("Write `{shot}`.", shot=f"x{sites[-1].value.upper()}")
            raise NotationError(Text("Every robot in range fires on one square."), remedy, sites[0].column)
        return _read_fire(sites[0], rolls, position)
    if rolls:
        raise NotationError(Text("Only a shot throws a die."), HELP, rolls[0].column)
    if {"robot", "stone"} <= whats:
        raise NotationError(Text("A half is played with robots or with stones."), HELP)
    if len(sites) == 1:
        if "robot" in whats:
            because = Text("That does not say where the robot on {place} goes.", place=sites[0].value.upper())
            raise NotationError(because, HELP)
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
            raise NotationError(
                Text("There is no place {place}.", place=word),
                Text("Squares are A1 to F8, intersections a1 to g9."),
                column,
            )
        elif kind == "roll":
            yield Token("roll", found["roll"], column)
        elif kind in ("word", "sign"):
            if word.lower() not in _WORDS:
                raise NotationError(_unknown(word), HELP, column)
            if _WORDS[word.lower()]:
                yield Token(_WORDS[word.lower()], "", column)
        elif kind == "other":
            raise NotationError(_unknown(word), HELP, column)


def _unknown(word: str) -> Text:
    return Text("I can't read `{word}` as part of a turn.", word=word)


def _read_either(origin: Token, target: Token, position: Position) -> Turn:
    """Capitals are squares and small letters intersections; what is neither is what the board allows it to be."""
    readings: dict[bool, Turn] = {}
    errors: dict[bool, NotationError] = {}
    for capitals, reader in ((True, _read_robot), (False, _read_slide)):
        try:
            readings[capitals] = reader(origin, target, position)
        except NotationError as error:
            errors[capitals] = error
    texts = tuple(write(turn) for turn in readings.values())
    wanted = origin.value[0].isupper()
    if not readings:
        raise errors[wanted]
    if wanted == target.value[0].isupper():
        if wanted in readings:
            return readings[wanted]
        if wanted and origin.value in INDEX:  # nobody writes capitals by chance, so another robot may be meant
            raise NotationError(errors[wanted].because, CASES, errors[wanted].column, texts)
    if len(readings) > 1:
        raise NotationError(
            Text("That can mean a robot or a stone."), Text("Choose one of the two."), origin.column, texts
        )
    return next(iter(readings.values()))


def _square(site: Token) -> str:
    name = site.value.upper()
    if name not in INDEX or name[0] not in COLUMNS:
        raise NotationError(Text("There is no square {place}.", place=name), Text("Squares are A1 to F8."), site.column)
    return name


def _read_robot(origin: Token, target: Token, position: Position) -> Turn:
    start, end = _square(origin), _square(target)
    side = owner_of(position, INDEX[start])
    if side is None:
        raise NotationError(Text("No robot stands on {place}.", place=start), HELP, origin.column)
    if side != position.owner:
        raise NotationError(
            Text(
                "The robot on {place} is {side}'s, and the turn is {owner}'s.",
                place=start,
                side=NAMES[side],
                owner=NAMES[position.owner],
            ),
            Text("Move one of {side}'s robots.", side=NAMES[position.owner]),
            origin.column,
        )
    if start == end:
        raise NotationError(Text("The robot stands on {place} already.", place=start), HELP, target.column)
    return (Action("robot", "R", start, end),)


def _read_swap(tokens: list[Token], position: Position) -> Turn:
    if not position.discourse:
        raise NotationError(Text("Only the discourse game knows a swap."), HELP)
    if len(tokens) > 1:
        raise NotationError(Text("A swap is a whole turn."), Text("Write `swap` alone."), tokens[1].column)
    return (Action("swap"),)


def _read_fire(target: Token, rolls: list[Token], position: Position) -> Turn:
    name = _square(target)
    if not robots(position) & BIT[INDEX[name]]:
        raise NotationError(Text("No robot stands on {place}.", place=name), HELP, target.column)
    if not rolls:
        return (Action("fire", "R", "", name),)
    if len(rolls) > 1 or rolls[0].value not in "123456":
        raise NotationError(Text("One die shows 1 to 6."), HELP, rolls[0].column)
    if not cover(position, INDEX[name]):
        because = Text("{place} has no cover, so no die is thrown.", place=name)
        raise NotationError(because, Text("Write `{shot}`.", shot=f"x{name}"), rolls[0].column)
    return (Action("fire", "R", "", name, int(rolls[0].value)),)


def _read_placing(target: Token, position: Position) -> Turn:
    if position.stones[position.owner].bit_count() >= SUPPLY:
        raise NotationError(
            Text("{side} has no stone left to place.", side=NAMES[position.owner]),
            Text("Slide one instead: `d5-d9`."),
            target.column,
        )
    return (Action("place", "S", "", target.value.lower()),)


def _read_slide(origin: Token, target: Token, position: Position) -> Turn:
    start, end = origin.value.lower(), target.value.lower()
    white, black = position.stones
    if not (white | black) & BIT[INDEX[start]]:
        raise NotationError(Text("No stone lies on {place}.", place=start), HELP, origin.column)
    if start == end:
        raise NotationError(Text("The stone lies on {place} already.", place=start), HELP, target.column)
    return (Action("slide", "S", start, end),)
