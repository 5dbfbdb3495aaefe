"""Tokonoma's rules by name, in the order in which a turn meets them, and what its pieces are called."""

from collections.abc import Mapping

from engine.game import Rule
from engine.text import Term, Text

KINDS = "FABS"
NAMES: Mapping[str, Term] = {"F": Term("Flat"), "A": Term("Arm"), "B": Term("Blind"), "S": Term("Star")}
QUIET_LIMIT = 100
"""Plies in a row without a Flat's move or an emptied tile that make a draw."""

FLAT = Rule("flat", Term("the Flat's movement"), Text("A Flat goes one tile forward, straight or to either side."))
ARM = Rule(
    "arm",
    Term("the Arm's movement"),
    Text("An Arm goes two tiles straight forward, one straight back, or one back to either side."),
)
BLIND = Rule(
    "blind",
    Term("the Blind's movement"),
    Text("A Blind goes two tiles forward to either side, two straight back, or one back to either side."),
)
STAR = Rule("star", Term("the Star's movement"), Text("A Star goes to one of the six nearest tiles of its own tone."))
STACKING = Rule(
    "stacking", Term("Stacking"), Text("The only way to join an own piece is a tall moving onto a lone Flat.")
)
COVERED = Rule("covered", Term("Covered Flats"), Text("A Flat under a tall neither moves nor attacks."))
MOVEMENT = Rule("movement", Term("Movement"), Text("A side must move one of its pieces; there is no passing."))
OCCUPIED = Rule("occupied", Term("Occupied tiles"), Text("No piece ends its move on an enemy piece."))
ATTACK = Rule(
    "attack",
    Term("Attack"),
    Text("After a move, every enemy tile hit by two or more of the mover's pieces is emptied."),
)
HOUSE = Rule("house", Term("House capture"), Text("A side whose Flat stands alone in the other side's house has won."))
STALEMATE = Rule("stalemate", Term("Stalemate"), Text("A side that cannot move when its turn begins has lost."))
REPETITION = Rule("repetition", Term("Repetition"), Text("The third occurrence of a position is a draw."))
QUIET = Rule(
    "quiet",
    Term("A hundred quiet plies"),
    Text("A hundred plies without a Flat's move or an emptied tile are a draw."),
)
OVER = Rule("over", Term("The end"), Text("Nobody moves once the game is over."))

PATTERNS = (FLAT, ARM, BLIND, STAR)
"""How each kind goes, in the order of `KINDS`."""
RULES = (
    *PATTERNS,
    *(STACKING, COVERED, MOVEMENT, OCCUPIED, ATTACK),
    *(HOUSE, STALEMATE, REPETITION, QUIET, OVER),
)
