"""The beginning of a game of Veney: the term sheet, the three ways to set up, and who goes first."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Final

from engine.dice import Dice
from engine.game import Ask, NotationError, Option
from engine.games.veney.piste import BIT, LINE, MEASURES, SQUARES, START_POINT, STEP
from engine.games.veney.position import SIDES, STANDARD, Pending, Position, Terms, in_tray
from engine.games.veney.reset import BASELINE, home
from engine.games.veney.rulebook import BLACK, KIND, KINDS, NAMES, E


@dataclass(frozen=True, slots=True)
class Army:
    """The pieces of one side."""

    starting: str = "S$CBeeee"
    reserve: str = "DGLJR"
    touch: str = ""
    """Pieces other than blades that touch the Self."""
    cap: int = 0
    """Daggers on the board at a time; 0 = no limit."""


ARMIES: Final = {
    "full": Army(),
    "assassin": Army("Seeee", "DDDDRRRRR", cap=2),
    "aristocrat": Army("S$CBeeee", "D"),
    "guard": Army("S$Ceeee", "CGGLRR"),
    "illusionist": Army("SCBeeee", "DGLJR", touch="CLJ"),
}
"""The rulebook's asymmetrical sets by name; any side may also leave pieces out, such as `-J -L`."""

DEVICES: Final = ("shadow", "hirakamae", "deathspell", "cast-lantern", "cast-cloak", "cast-dagger")

THROWS: Final = ("sticks", "coins", "d6", "d8", "d10", "d12", "d20", "guess", "guess-side")
"""What decides a thrown Dagger, besides a number on paper."""

OPTIONS: Final = (
    Option(
        "takeback",
        "Who may take a turn back if the other agrees: nobody, both, or one side; usual: both in a friendly game.",
        "usual",
        ("usual", "none", "consent", "white", "black"),
    ),
    Option(
        "delayed_reset",
        "Whether both may agree to reset the board for an untenable turn of long ago; never in sudden death.",
        "on",
        ("on", "off"),
    ),
    Option("lines", "The letters of the four lines.", "wxyz", ("wxyz", "abcd")),
    Option("touchmove", "For over the board; a turn sent here is final either way.", "off", ("off", "on")),
    Option("formality", "Casual, or formal: for keeps, each Self a token at stake.", "casual", ("casual", "formal")),
    Option("retreats", "How often each side may retreat: a number, `unlimited`, or two such as `1,2`.", "1"),
    Option(
        "setup",
        "The standard array, or each side's own: concealed, or piece by piece in turns.",
        "standard",
        ("standard", "concealed", "turns"),
    ),
    Option(
        "first",
        "Who goes first; usual: the lot decides over the standard array, the initiative over one's own.",
        "usual",
        ("usual", "random", "white", "black", "initiative"),
    ),
    Option(
        "whiteset",
        "White's set: full, assassin, aristocrat, guard, illusionist, or left-out pieces like `-J-L`.",
        "full",
    ),
    Option("blackset", "Black's set, in the same words.", "full"),
    Option("ruin", "Whether each side has a Ruin in reserve.", "on", ("on", "off")),
    Option("devices", "All, none, or those that are not played, like `-shadow -cast-cloak`.", "all"),
    Option(
        "throw",
        f"What decides a thrown Dagger: {', '.join(THROWS)}, or a number on paper: paper6, or any up to paper99.",
        "sticks",
    ),
    Option(
        "draw", "A draw by agreement, or settled with a hug that may be betrayed.", "agreement", ("agreement", "hug")
    ),
    Option(
        "nocontest",
        "Turns of each side without attack, placement or step forward, after which a draw is for want of a contest.",
        "30",
        low=0,
        high=999,
    ),
    Option(
        "cast",
        "Where a cast piece falls: scattered around its aim, or anywhere in the measure.",
        "scatter",
        ("scatter", "uniform16"),
    ),
    Option(
        "donkey",
        "The Donkey: none, one for each side, or one that is shared; with + it comes back from off the board.",
        "off",
        ("off", "each", "each+", "shared", "shared+"),
    ),
    Option("dyingtime", "Seconds for the turn after a touch.", "86400", low=10, high=604800),
    Option(
        "disarm",
        "What may be the second attacker of a disarm (house term).",
        "technical",
        ("technical", "technical+dagger"),
        aliases=("disarm_support",),
    ),
)


def _chosen(options: Mapping[str, str], key: str) -> str:
    option = next(one for one in OPTIONS if one.key == key)
    return options.get(key, next((options[alias] for alias in option.aliases if alias in options), option.default))


def army(text: str, ruin: bool) -> Army:
    """The set that a term names."""
    name, *changes = re.split(r"[\s,]+|(?=[-+])", text.strip()) if text.strip() else ["full"]
    words = [word for word in (name, *changes) if word]
    base = ARMIES["full"]
    if words and words[0] in ARMIES:
        base, words = ARMIES[words[0]], words[1:]
    starting, reserve = base.starting, base.reserve
    for word in words:
        letter = word[1:2]
        if word[:1] not in "-+" or len(word) != 2 or letter not in KIND or letter in "SN":
            raise NotationError(
                f"“{text}” names no set", "Write `full`, `aristocrat`, or what is left out, like `-J-L`."
            )
        if word[0] == "+":
            reserve += letter
        elif letter in reserve:
            reserve = reserve.replace(letter, "", 1)
        else:
            starting = starting.replace(letter, "", 1)
    if not ruin:
        reserve = reserve.replace("R", "")
    return replace(base, starting=starting, reserve=in_tray(reserve))


def _retreats(text: str) -> tuple[int, int]:
    words = [word.strip() for word in text.split(",")]
    if not 1 <= len(words) <= 2 or not all(re.fullmatch(r"\d{1,3}|unlimited", word) for word in words):
        raise NotationError(
            f"“{text}” is no number of retreats", "Write `1`, `unlimited`, or `1,2` for White and Black."
        )
    counts = [-1 if word == "unlimited" else int(word) for word in words]
    return counts[0], counts[-1]


def _throw(text: str) -> str:
    how = text.strip().lower()
    if how not in THROWS and not re.fullmatch(r"paper([2-9]|[1-9]\d)", how):
        raise NotationError(
            f"“{text}” decides no throw", f"It can be {', '.join(THROWS)}, or paper with a number: `throw=paper6`."
        )
    return how


def _devices_off(text: str, formal: bool) -> frozenset[str]:
    if text.strip() == "none":
        return frozenset(DEVICES)
    named = frozenset(re.findall(r"(?<![\w])-([a-z][a-z-]*)", text))
    if (text.strip() != "all" and not named) or not named <= set(DEVICES):
        raise NotationError(f"“{text}” names no devices", f"Write `all`, `none`, or leave some out: `-{DEVICES[0]}`.")
    return named


def _terms(options: Mapping[str, str], armies: tuple[Army, Army]) -> Terms:
    formal = _chosen(options, "formality") == "formal"
    return Terms(
        retreats=_retreats(_chosen(options, "retreats")),
        formal=formal,
        off=_devices_off(_chosen(options, "devices"), formal),
        support=_chosen(options, "disarm") == "technical+dagger",
        uniform=_chosen(options, "cast") == "uniform16",
        throw=_throw(_chosen(options, "throw")),
        touch=(armies[0].touch, armies[1].touch),
        cap=(armies[0].cap, armies[1].cap),
        dying=int(_chosen(options, "dyingtime")),
        hug=_chosen(options, "draw") == "hug",
        abcd=_chosen(options, "lines") == "abcd",
        reset=_chosen(options, "delayed_reset") == "on" and options.get("umpire") != "sudden",
        nocontest=int(_chosen(options, "nocontest")),
        asked=True,
        donkey="" if _chosen(options, "donkey") == "off" else _chosen(options, "donkey"),
    )


def begin(options: Mapping[str, str], dice: Dice) -> Position:
    """The position at the start under these terms."""
    ruin = _chosen(options, "ruin") == "on"
    armies = (army(_chosen(options, "whiteset"), ruin), army(_chosen(options, "blackset"), ruin))
    terms = _terms(options, armies)
    style = _chosen(options, "setup")
    first = _chosen(options, "first")
    if first == "usual":
        first = "random" if style == "standard" else "initiative"
    lot = dice.roll(2)
    to = {"white": 0, "black": 1}.get(first, lot)
    donkey = "N" * bool(terms.donkey)
    reserve = (in_tray(armies[0].reserve + donkey), in_tray(armies[1].reserve + donkey))
    position = Position(bytes(64), to, point=START_POINT, reserve=reserve, terms=terms)
    if style == "standard":
        homes = [_present(home("", side), armies[side].starting) for side in (0, 1)]
        position = _arrayed(position, homes)
        return replace(position, to=_starter(position, lot)) if first == "initiative" else position
    choice = first if first in ("white", "black") else "lot" if first == "random" else "initiative"
    owed = (("first", f"{choice},{SIDES[lot]}"), ("setW", armies[0].starting), ("setB", armies[1].starting))
    if style == "turns":
        return replace(position, to=lot, owed=owed, pending=Pending("setup", lot))
    return replace(position, owed=(*owed, ("style", "concealed")))


def under(position: Position, options: Mapping[str, str]) -> Position:
    """A given position with these options in force, except where its own text says something else."""
    ruin = _chosen(options, "ruin") == "on"
    armies = (army(_chosen(options, "whiteset"), ruin), army(_chosen(options, "blackset"), ruin))
    own = {
        one.name: said
        for one in fields(Terms)
        if (said := getattr(position.terms, one.name)) != getattr(STANDARD, one.name)
    }
    return replace(position, terms=replace(_terms(options, armies), **own))


def _present(layout: tuple[tuple[int, int], ...], starting: str) -> tuple[tuple[int, int], ...]:
    left = list(starting)
    placed = []
    for kind, at in layout:
        if KINDS[kind] in left:
            left.remove(KINDS[kind])
            placed.append((kind, at))
    return tuple(placed)


def _arrayed(position: Position, homes: list[tuple[tuple[int, int], ...]]) -> Position:
    cells = bytearray(position.cells)
    for side, layout in enumerate(homes):
        for kind, at in layout:
            cells[at] = kind + BLACK * side
    return replace(position, cells=bytes(cells))


# --- own layouts ----------------------------------------------------------------------------------------


def owed(position: Position, key: str) -> str:
    """A text handed in or noted during the setup; "" if there is none."""
    return next((text for what, text in position.owed if what == key), "")


def asks(position: Position) -> tuple[Ask, ...]:
    """The layouts that are still to be sent in private."""
    if owed(position, "style") != "concealed":
        return ()
    return tuple(
        Ask(
            SIDES[side],
            "layout",
            "send your layout: your baseline from the left, then a step of your second measure for each engagement",
            "C$SB 5555" if side == 0 else "C$SB 5678",
        )
        for side in (0, 1)
        if not owed(position, "layout" + SIDES[side])
    )


def answer(position: Position, side: int, text: str) -> Position:
    """The position once one side has sent its layout; with both, the pieces stand."""
    layout = ",".join(
        f"{KINDS[kind]}@{SQUARES[at]}" for kind, at in read_layout(text, side, owed(position, "set" + SIDES[side]))
    )
    position = replace(position, owed=(*position.owed, ("layout" + SIDES[side], layout)))
    texts = [owed(position, "layout" + letter) for letter in SIDES]
    if not all(texts):
        return position
    homes = [home(text, side) for side, text in enumerate(texts)]
    return settled(_arrayed(position, homes))


def settled(position: Position) -> Position:
    """Everything stands: remember the layouts for resets, and let the starter begin."""
    layouts = []
    for side in (0, 1):
        men = [(code & 15, at) for at, code in enumerate(position.cells) if code and code >> 4 == side]
        layouts.append(",".join(f"{KINDS[kind]}@{SQUARES[at]}" for kind, at in men))
    choice, _, lot = owed(position, "first").partition(",")
    number = SIDES.index(lot)
    to = {"white": 0, "black": 1, "lot": number}.get(choice, -1)
    terms = replace(position.terms, home=(layouts[0], layouts[1]))
    position = replace(position, owed=(), pending=None, terms=terms)
    return replace(position, to=to if to >= 0 else _starter(position, number))


def read_layout(text: str, side: int, starting: str) -> tuple[tuple[int, int], ...]:
    """A layout such as `C$SB 5678`: the baseline from the owner's left, a step of the second measure for each line.

    Steps count from the owner, 5 to 8 for both sides; a dash leaves a place empty.
    """
    example = "Write your baseline and four steps from your left, like `C$SB 5678`."
    words = text.split()
    if len(words) != 2 or len(words[0]) != 4 or len(words[1]) != 4:
        raise NotationError("that is no layout", example)
    line = "".join("e" if letter in "eE" else letter.upper() for letter in words[0])
    pieces = sorted(letter for letter in line if letter != "-")
    if pieces != sorted(letter for letter in starting if letter != "e"):
        wanted = ", ".join(NAMES[letter] for letter in starting if letter != "e")
        raise NotationError(f"the baseline holds exactly: {wanted}", example)
    steps = words[1]
    if not set(steps) <= set("5678-") or len(steps.replace("-", "")) != starting.count("e"):
        raise NotationError("each engagement stands on a step of your second measure, 5 to 8", example)
    placed = [(KIND[letter], BASELINE[side][at]) for at, letter in enumerate(line) if letter != "-"]
    for at, step in enumerate(steps):
        if step != "-":
            number = (int(step) - 1) * 4 + at
            placed.append((E, number if side == 0 else 63 - number))
    return tuple(placed)


def allowed(position: Position, side: int, letter: str) -> tuple[int, ...]:
    """In a setup by turns: where a piece may be placed now."""
    cells = position.cells
    if letter != "e":
        return tuple(at for at in BASELINE[side] if not cells[at])
    used = {LINE[at] for at, code in enumerate(cells) if code == E + BLACK * side}
    second = MEASURES[2] if side == 0 else MEASURES[3]
    return tuple(at for at in range(64) if second & BIT[at] and LINE[at] not in used)


def waiting(position: Position, side: int) -> str:
    """In a setup by turns: the pieces a side has yet to place."""
    left = list(owed(position, "set" + SIDES[side]))
    for code in position.cells:
        if code and code >> 4 == side:
            left.remove(KINDS[code & 15])
    return "".join(left)


def duty(position: Position) -> str:
    """In a setup by turns: what is left to place, with an example."""
    left = tuple(dict.fromkeys(waiting(position, position.to)))
    site = SQUARES[allowed(position, position.to, left[0])[0]]
    return f"Place one of your pieces ({', '.join(NAMES[letter] for letter in left)}), like `{left[0]}*{site}`."


def placed(position: Position, letter: str, at: int) -> Position:
    """In a setup by turns: one piece put down, and the other side's turn to place."""
    side = position.to
    cells = bytearray(position.cells)
    cells[at] = KIND[letter] + BLACK * side
    position = replace(position, cells=bytes(cells))
    due = 1 - side if waiting(position, 1 - side) else side
    if not waiting(position, due):
        return settled(position)
    return replace(position, to=due, pending=Pending("setup", due))


# --- initiative -----------------------------------------------------------------------------------------


def initiative(position: Position) -> int:
    """The side that starts by initiative; -1 if lots must be drawn.

    3, 2, 1 or 0 points for an engagement on the own step 8, 7, 6 or 5; then the engagement nearest the centre.
    """
    pawns = [[at for at, code in enumerate(position.cells) if code == E + BLACK * side] for side in (0, 1)]
    points = [sum(max(0, _own_step(side, at) - 5) for at in pawns[side] if _own_step(side, at) <= 8) for side in (0, 1)]
    if points[0] != points[1]:
        return int(points[1] > points[0])
    # Distances to the exact centre, squared and in half squares: whole numbers compare exactly.
    near = [
        min(((2 * LINE[at] - 3) ** 2 + (2 * STEP[at] - 17) ** 2 for at in pawns[side]), default=10**6)
        for side in (0, 1)
    ]
    return -1 if near[0] == near[1] else int(near[1] < near[0])


def _own_step(side: int, at: int) -> int:
    return STEP[at] if side == 0 else 17 - STEP[at]


def _starter(position: Position, lot: int) -> int:
    first = initiative(position)
    return lot if first < 0 else first
