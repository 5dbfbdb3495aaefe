"""The rules of Tirachen by name, in the rulebook's order, what its pieces are called and how they go."""

from collections.abc import Mapping

from engine.board import Site
from engine.game import Rule
from engine.text import Term, Text

KINDS: Mapping[str, Term] = {
    "G": Term("general"),
    "F": Term("fort"),
    "C": Term("commander"),
    "S": Term("master of arms"),
    "A": Term("master of spells"),
    "W": Term("master of the hunt"),
    "P": Term("pike"),
    "T": Term("traitor"),
}
"""By its letter, what each kind of piece is called."""

POOL = Rule(
    "pool",
    Term("The pool"),
    Text("Each side brings a fort, a commander, nine pikes and nine masters of any kinds; the captured never return."),
)
GENERAL = Rule("general", Term("The general"), Text("A side without its general has lost."))
HOMELAND = Rule(
    "homeland",
    Term("The homeland"),
    Text("A side that ends its turn with its own pieces on all three squares of the other homeland has won."),
)
MOVEMENT = Rule(
    "movement", Term("How the pieces move"), Text("Each kind goes its own way; only the traitor passes over pieces.")
)
CAPTURE = Rule(
    "capture", Term("Capturing"), Text("A piece captures by moving onto an opposing piece, never onto one of its own.")
)
FORT = Rule(
    "fort",
    Term("The fort"),
    Text("No piece ends its move beside an enemy fort; whoever captures the fort leaves the board with it."),
)
TRAITOR = Rule(
    "traitor",
    Term("The traitor"),
    Text("Its captor removes it, or is given up to control it, and may then move it once, at once."),
)
DEPLOYING = Rule(
    "deploying",
    Term("The deployment phase"),
    Text("A side moves within its deployment area, places a piece on an open square of it, or mobilizes."),
)
MOBILIZED = Rule(
    "mobilized",
    Term("The mobilized phase"),
    Text("A side moves a piece, brings its unplaced fort to its deployment area, or any other piece to its homeland."),
)
STUCK = Rule("stuck", Term("No turn left"), Text("A player whose turn it is and who has none loses."))
QUIET = Rule(
    "quiet",
    Term("A hundred quiet turns"),
    Text("A hundred turns in a row without a capture or a placement are a draw."),
)
REPETITION = Rule(
    "repetition", Term("Repetition"), Text("The third occurrence of a position, same player to move, is a draw.")
)

RULES = (
    *(POOL, GENERAL, HOMELAND, MOVEMENT, CAPTURE, FORT, TRAITOR, DEPLOYING, MOBILIZED),
    *(STUCK, QUIET, REPETITION),
)

NAMES = (Term("Red"), Term("White"))
"""The sides; inside this game a side is 0 or 1."""
QUIET_LIMIT = 100
"""Turns in a row without a capture or a placement that make a draw."""


def way(kind: str, origin: Site, target: Site) -> Text:
    """The rulebook's list of pieces: how a kind goes, told of one that was to go elsewhere."""
    said = {"origin": origin, "target": target}
    match kind:
        case "G":
            return Text("A general goes one step in any direction, so not from {origin} to {target}.", **said)
        case "F":
            return Text("A fort never moves.")
        case "C":
            return Text(
                "A commander goes any distance in a straight line, over open squares, "
                "so not from {origin} to {target}.",
                **said,
            )
        case "S":
            return Text(
                "A master of arms goes up to three steps along ranks and files, turning at will, over open squares, "
                "so not from {origin} to {target}.",
                **said,
            )
        case "A":
            return Text(
                "A master of spells goes one or two steps in any directions, turning at will, over open squares, "
                "so not from {origin} to {target}.",
                **said,
            )
        case "W":
            return Text(
                "A master of the hunt goes up to three steps in a straight line, over open squares, "
                "so not from {origin} to {target}.",
                **said,
            )
        case "P":
            return Text(
                "A pike goes one step along a rank or file to an open square, and captures one step diagonally "
                "forward, so not from {origin} to {target}.",
                **said,
            )
        case _:
            return Text(
                "A traitor goes exactly three squares in a straight line, or two and then one around a corner, "
                "so not from {origin} to {target}.",
                **said,
            )
