"""What a side of Veney is asked in private, composed of picks: a layout, a hand, a token, a guess."""

from collections.abc import Callable, Mapping
from typing import Final

from engine.board import Site
from engine.composition import Choice, Menu, Pick, Shift
from engine.diagram import Figure
from engine.games.veney.board.squares import SQUARES
from engine.games.veney.luck.guessing import on_paper, pattern, top
from engine.games.veney.pieces import NAMES
from engine.games.veney.play.reset import BASELINE, BEHIND
from engine.games.veney.position import SIDES, Position, owed
from engine.games.veney.setup.hands import HANDS
from engine.games.veney.setup.surplus import NONE
from engine.text import Term, Text

SENT: Final = Text("The answer is composed.")
EMPTY: Final = Choice("-", Term("Nothing"))
ENOUGH: Final = Choice(NONE, Term("No more"))
_HUG: Final = (Choice("hug", Term("Hug")), Choice("betray", Term("Betray")))
_WORDS: Final = {
    "odd": Term("odd"),
    "even": Term("even"),
    "wx": Term("WX"),
    "yz": Term("YZ"),
    "white": Term("White's side"),
    "black": Term("Black's side"),
}

_LETTERED: Final = {"wx": Term("AB"), "yz": Term("CD")}
"""With A to D at the lines."""


def answer_menu(position: Position, side: str, key: str, picks: tuple[Pick, ...]) -> Menu:
    """What may be picked next: all that could be answered, in a fixed order."""
    return _MENUS[key](position, side, picks)


def _layout(position: Position, side: str, picks: tuple[Pick, ...]) -> Menu:
    """The baseline from the owner's left, then a step of the second measure for each line."""
    number, starting = SIDES.index(side), owed(position, "set" + side)
    line, steps = picks[:4], picks[4:]
    shifts = [
        _standing(side, letter[1:], SQUARES[BASELINE[number][at]])
        for at, letter in enumerate(line)
        if letter != EMPTY.key
    ]
    shifts += [_standing(side, "e", site) for site in steps if site != EMPTY.key]
    letters = "".join(letter[-1] for letter in line)
    text = f"{letters} {''.join(map(_step(side), steps))}".strip()
    if len(line) < 4:
        prompt = Text("Which piece stands on {place}?", place=SQUARES[BASELINE[number][len(line)]])
        return Menu(prompt, choices=_baseline(side, starting, letters), text=text, shifts=tuple(shifts))
    if len(steps) < 4:
        sites, choices = _second(number, starting.count("e"), steps)
        prompt = Text("Where does the next engagement stand?")
        return Menu(prompt, sites, choices, text, shifts=tuple(shifts))
    return Menu(SENT, text=text, complete=True, shifts=tuple(shifts))


def _baseline(side: str, starting: str, taken: str) -> tuple[Choice, ...]:
    """The pieces that are left: with the Self on the last place there is room for, and no gap that pieces must fill."""
    left = [letter for letter in starting if letter != "e"]
    gaps = 4 - min(4, len(left)) - taken.count("-")
    for letter in taken.replace("-", ""):
        left.remove(letter)
    rooms = 4 - len(taken) - gaps
    if "S" in left and rooms == 1:
        left = ["S"]
    pieces = tuple(Choice(f"*{letter}", NAMES[letter], letter, side) for letter in dict.fromkeys(left) if rooms)
    return (*pieces, *((EMPTY,) if gaps else ()))


def _second(number: int, count: int, steps: tuple[Pick, ...]) -> tuple[tuple[Site, ...], tuple[Choice, ...]]:
    """The squares of the next line from the owner's left, and whether it may stay without an engagement."""
    placed = sum(step != EMPTY.key for step in steps)
    gaps = 4 - count - (len(steps) - placed)
    squares = [(step - 1) * 4 + len(steps) for step in range(5, 9)]
    sites = tuple(SQUARES[at] for at in sorted(at if number == 0 else 63 - at for at in squares))
    return (sites if placed < count else ()), ((EMPTY,) if gaps else ())


def _step(side: str) -> Callable[[Pick], str]:
    """The step of a square as its owner counts."""
    return lambda site: site if site == EMPTY.key else str(int(site[1:]) if side == SIDES[0] else 17 - int(site[1:]))


def _surplus(position: Position, side: str, picks: tuple[Pick, ...]) -> Menu:
    """Pieces that go a step behind the baseline, one after the other from the left."""
    left, number = owed(position, "surplus" + side), SIDES.index(side)
    named = [pick[1:] for pick in picks if pick != ENOUGH.key]
    free = [at for at in BEHIND[number] if not position.cells[at]]
    shifts = tuple(_standing(side, letter, SQUARES[at]) for letter, at in zip(named, free, strict=False))
    for letter in named:
        left = left.replace(letter, "", 1)
    text = "".join(named) or NONE
    if ENOUGH.key in picks or not left or len(named) == len(free):
        return Menu(SENT, text=text, complete=True, shifts=shifts)
    prompt = Text("Which piece goes one step behind your baseline? The others go to reserve.")
    pieces = tuple(Choice(f"*{letter}", NAMES[letter], letter, side) for letter in dict.fromkeys(left))
    return Menu(prompt, choices=(*pieces, ENOUGH), text="".join(named), complete=bool(named), shifts=shifts)


def _hidden(position: Position, side: str, picks: tuple[Pick, ...]) -> Menu:
    """A token on a square, or a number."""
    if picks:
        shifts = () if on_paper(position) else (Shift(picks[0]),)
        return Menu(SENT, text=picks[0], complete=True, shifts=shifts)
    if on_paper(position):
        return Menu(Text("Which number do you write?"), choices=_numbers(1, top(position)))
    return Menu(Text("On which square do you hide the token?"), SQUARES)


def _guessed(position: Position, side: str, picks: tuple[Pick, ...]) -> Menu:
    """A number; or a measure, a step, a half, as many words as the throw asks for."""
    if on_paper(position):
        wanted = [_numbers(1, top(position))]
    else:
        wanted = [_words(part, position) for part in pattern(position, "guessed").split(" ")]
    text = " ".join(picks)
    if len(picks) == len(wanted):
        return Menu(SENT, text=text, complete=True)
    return Menu(Text("What do you guess?"), choices=wanted[len(picks)], text=text)


def _words(part: str, position: Position) -> tuple[Choice, ...]:
    if part[0] in "[\\":
        return _numbers(1, 4 if part[0] == "[" else 16)
    names = _WORDS | _LETTERED if position.terms.abcd else _WORDS
    return tuple(Choice(word, names[word]) for word in part.strip("()").split("|"))


def _numbers(first: int, last: int) -> tuple[Choice, ...]:
    return tuple(Choice(str(number), Term(str(number))) for number in range(first, last + 1))


def _chosen(*choices: Choice) -> Callable[[Position, str, tuple[Pick, ...]], Menu]:
    """One of a few words."""

    def menu(position: Position, side: str, picks: tuple[Pick, ...]) -> Menu:
        if picks:
            return Menu(SENT, text=picks[0], complete=True)
        return Menu(Text("What do you answer?"), choices=choices)

    return menu


def _standing(side: str, letter: str, site: Site) -> Shift:
    return Shift(target=site, figure=Figure(site, side, letter, NAMES[letter]))


_MENUS: Final[Mapping[str, Callable[[Position, str, tuple[Pick, ...]], Menu]]] = {
    "layout": _layout,
    "surplus": _surplus,
    "hands": _chosen(*(Choice(hand, name) for hand, name in HANDS.items())),
    "hug": _chosen(*_HUG),
    "hidden": _hidden,
    "guessed": _guessed,
}
