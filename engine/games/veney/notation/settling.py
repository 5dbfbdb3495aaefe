"""What settles something pending in Veney, composed of picks: a throw, a distraction, chaos, a setup by turns."""

from engine.composition import PASS, Choice, Menu, Pick, Shift
from engine.diagram import Figure
from engine.games.veney.board.squares import SQUARES
from engine.games.veney.notation.choices import ALLOW, NOTHING, PREVENT
from engine.games.veney.pieces import KIND, NAMES, TRAY
from engine.games.veney.play.working_board import WorkingBoard
from engine.games.veney.position import SIDES, Position
from engine.games.veney.setup.by_turns import allowed, waiting
from engine.text import Text


def settling(position: Position, what: str, picks: tuple[Pick, ...]) -> Menu:
    """What may be picked next to settle it."""
    if what == "throw":
        return _throw(picks)
    return _set_up(position, picks) if what == "setup" else _put_elsewhere(position, picks)


def _throw(picks: tuple[Pick, ...]) -> Menu:
    if not picks:
        return Menu(Text("May the Dagger be thrown?"), choices=(ALLOW, PREVENT))
    return Menu(Text("The answer is composed."), text=picks[0], complete=True)


def _set_up(position: Position, picks: tuple[Pick, ...]) -> Menu:
    side = SIDES[position.to]
    if not picks:
        left = waiting(position, position.to)
        choices = tuple(Choice(f"*{letter}", NAMES[letter], letter, side) for letter in TRAY if letter in left)
        return Menu(Text("Which piece is put down?"), choices=choices)
    letter = picks[0][1:]
    if len(picks) == 1:
        sites = tuple(SQUARES[at] for at in allowed(position, position.to, letter))
        return Menu(Text("Where is the {piece} placed?", piece=NAMES[letter]), sites, text=f"{letter}*")
    return Menu(
        Text("The {piece} is put down on {place}.", piece=NAMES[letter], place=picks[1]),
        text=f"{letter}*{picks[1]}",
        complete=True,
        shifts=(Shift(target=picks[1], figure=Figure(picks[1], side, letter, NAMES[letter])),),
    )


def _put_elsewhere(position: Position, picks: tuple[Pick, ...]) -> Menu:
    if picks == (PASS.key,):
        return Menu(Text("All stays where it is."), text=NOTHING, complete=True)
    side, board = position.to, WorkingBoard(position)
    stands = {letter: at for letter in "S$D" if (at := board.find(side, KIND[letter])) >= 0}
    pairs = tuple(zip(picks[::2], picks[1::2], strict=False))
    shifts = tuple(
        Shift(SQUARES[stands.pop(letter)], target, Figure(target, SIDES[side], letter, NAMES[letter]))
        for letter, target in pairs
    )
    text = " ".join(letter + target for letter, target in pairs)
    if len(picks) % 2:
        return Menu(Text("Where is the {piece} put?", piece=NAMES[picks[-1]]), SQUARES, text=text, shifts=shifts)
    choices = tuple(Choice(letter, NAMES[letter], letter, SIDES[side]) for letter in stands)
    stays = () if pairs else (PASS,)
    return Menu(Text("What is put elsewhere?"), (), (*choices, *stays), text, bool(pairs), shifts)
