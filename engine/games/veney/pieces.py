"""The pieces of Veney, and the chart of who does what to whom."""

from typing import Final

from engine.text import Term

E, C, B, D, G, L, J, R, S, SWORD, N = range(1, 12)
"""The kinds of piece, in the order in which reserves are written. A black piece is its kind + BLACK."""

BLACK: Final = 16

FREE: Final = 32
"""The free engagement where it stands on a square; it is nobody's."""

KINDS: Final = "?eCBDGLJRS$N"
"""KINDS[kind] is the letter; R and N (Ruin, Donkey) are ours, the rulebook's list of letters forgets them."""

KIND: Final = {letter: kind for kind, letter in enumerate(KINDS) if kind}

PIECE: Final = {**KIND, "a": FREE}
"""The same, with the free engagement, which is nobody's and has no kind of its own."""

NAMES: Final[dict[str, Term]] = {
    "S": Term("Self"),
    "$": Term("Sword"),
    "e": Term("engagement"),
    "a": Term("free engagement"),
    "C": Term("Cloak"),
    "B": Term("Balance"),
    "D": Term("Dagger"),
    "G": Term("Guard"),
    "L": Term("Lantern"),
    "J": Term("Jutsu"),
    "R": Term("Ruin"),
    "N": Term("Donkey"),
}

PLURALS: Final[dict[str, Term]] = {
    "S": Term("Selves"),
    "$": Term("Swords"),
    "e": Term("engagements"),
    "C": Term("Cloaks"),
    "B": Term("Balances"),
    "D": Term("Daggers"),
    "G": Term("Guards"),
    "L": Term("Lanterns"),
    "J": Term("Jutsus"),
    "R": Term("Ruins"),
    "N": Term("Donkeys"),
}

SIDE_NAMES: Final = (Term("White"), Term("Black"))
"""White's and Black's name, by the number of the side."""

TRAY: Final = "S$eCBDGLJRN"
"""The order in which reserves and discards are written."""

BLADES: Final = frozenset({SWORD, D})

ARMAMENTS: Final = frozenset({SWORD, D, G})

PARTNERS: Final = frozenset({SWORD, D, G, L})
"""What may move in concert with the Self."""

TECHNICAL: Final = (C, B, L, J, G)

NO, FEND, TAKE, TOUCH, DISARM, CAPTURE, NEGATE = "-", "f", "t", "T", "d", "c", "b"
"""What an attack does: may not be, to reserve, to discard, mate, discard under conditions, capture, both discarded."""

MATRIX: Final = {
    #            S  $  D  G  C  B  L  J  e  a  R
    S: dict(zip("S$DGCBLJeaR", ["-", "-", "-", "-", "f", "f", "f", "f", "f", "f", "-"], strict=True)),
    SWORD: dict(zip("S$DGCBLJeaR", ["T", "d", "d", "d", "f", "f", "t", "f", "f", "f", "-"], strict=True)),
    D: dict(zip("S$DGCBLJeaR", ["T", "d", "d", "d", "f", "f", "t", "f", "f", "f", "-"], strict=True)),
    G: dict(zip("S$DGCBLJeaR", ["-", "-", "-", "-", "f", "t", "f", "f", "f", "f", "-"], strict=True)),
    C: dict(zip("S$DGCBLJeaR", ["-", "c", "c", "-", "f", "f", "t", "f", "f", "f", "-"], strict=True)),
    B: dict(zip("S$DGCBLJeaR", ["-", "-", "-", "-", "f", "f", "f", "t", "f", "f", "-"], strict=True)),
    L: dict(zip("S$DGCBLJeaR", ["-", "-", "-", "-", "t", "f", "f", "f", "f", "f", "-"], strict=True)),
    J: dict(zip("S$DGCBLJeaR", ["-", "-", "-", "t", "f", "f", "f", "b", "f", "f", "-"], strict=True)),
    E: dict(zip("S$DGCBLJeaR", ["-", "-", "-", "-", "f", "f", "f", "f", "f", "f", "-"], strict=True)),
    FREE: dict(zip("S$DGCBLJeaR", ["-", "-", "-", "-", "f", "f", "f", "f", "f", "-", "-"], strict=True)),
    R: dict(zip("S$DGCBLJeaR", ["-", "-", "-", "-", "-", "-", "-", "-", "-", "-", "-"], strict=True)),
    N: dict(zip("S$DGCBLJeaR", ["-", "-", "-", "-", "-", "-", "-", "-", "-", "-", "-"], strict=True)),
}
"""Attacker, then target (the taking and fending chart): who attacks in a row, what stands there in a column.

The Guard's dash against armaments is its deflection, a move of its own. A Donkey in a column is a Ruin.
"""

SECTION: Final = {
    S: "2.0.02",
    SWORD: "2.0.03",
    E: "2.0.04",
    FREE: "2.0.05",
    C: "2.0.06",
    B: "2.0.07",
    D: "2.0.08",
    G: "2.0.09",
    L: "2.0.10",
    J: "2.0.11",
    R: "2.0.12",
    N: "2.0.23",
}
"""Where the rulebook describes each piece."""
