"""The rules of Tirachen by name, in the rulebook's order, and its pieces as a table."""

from collections.abc import Mapping
from typing import NamedTuple

from engine.game import Rule


class Kind(NamedTuple):
    """A row of the rulebook's list of pieces."""

    letter: str
    name: str
    way: str
    """How it goes, to follow "a pike"."""


KINDS: Mapping[str, Kind] = {
    kind.letter: kind
    for kind in (
        Kind("G", "general", "goes one step in any direction"),
        Kind("F", "fort", "never moves"),
        Kind("C", "commander", "goes any distance in a straight line, over open squares"),
        Kind("S", "master of arms", "goes up to three steps along ranks and files, turning at will, over open squares"),
        Kind("A", "master of spells", "goes one or two steps in any directions, turning at will, over open squares"),
        Kind("W", "master of the hunt", "goes up to three steps in a straight line, over open squares"),
        Kind(
            "P",
            "pike",
            "goes one step along a rank or file to an open square, and captures one step diagonally forward",
        ),
        Kind("T", "traitor", "goes exactly three squares in a straight line, or two and then one around a corner"),
    )
}

POOL = Rule(
    "pool",
    "The pool",
    "Each side brings a fort, a commander, nine pikes and nine masters of any kinds; the captured never return.",
)
GENERAL = Rule("general", "The general", "A side without its general has lost.")
HOMELAND = Rule(
    "homeland",
    "The homeland",
    "A side that ends its turn with its own pieces on all three squares of the other homeland has won.",
)
MOVEMENT = Rule("movement", "How the pieces move", "Each kind goes its own way; only the traitor passes over pieces.")
CAPTURE = Rule("capture", "Capturing", "A piece captures by moving onto an opposing piece, never onto one of its own.")
FORT = Rule(
    "fort",
    "The fort",
    "No piece ends its move beside an enemy fort; whoever captures the fort leaves the board with it.",
)
TRAITOR = Rule(
    "traitor",
    "The traitor",
    "Its captor removes it, or is given up to control it, and may then move it once, at once.",
)
DEPLOYING = Rule(
    "deploying",
    "The deployment phase",
    "One moves within one's deployment area, places a piece on an open square of it, or mobilizes.",
)
MOBILIZED = Rule(
    "mobilized",
    "The mobilized phase",
    "One moves a piece, brings the unplaced fort to one's deployment area, or any other to one's homeland.",
)
STUCK = Rule("stuck", "No turn left", "A player whose turn it is and who has none loses.")
QUIET = Rule("quiet", "A hundred quiet turns", "A hundred turns in a row without a capture or a placement are a draw.")
REPETITION = Rule("repetition", "Repetition", "The third occurrence of a position, same player to move, is a draw.")

RULES = (
    *(POOL, GENERAL, HOMELAND, MOVEMENT, CAPTURE, FORT, TRAITOR, DEPLOYING, MOBILIZED),
    *(STUCK, QUIET, REPETITION),
)
