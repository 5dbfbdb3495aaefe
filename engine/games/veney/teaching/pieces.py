"""The pieces of Veney in our own words; reach is drawn from the positions given here."""

# ruff: noqa: E501 -- one sentence a line
from engine.teaching.entries import Entry, Scene, listed
from engine.text import Term, Text

PIECES = (
    Entry(
        "pieces",
        Term("Self"),
        (
            Text("The Self is your life: a blade that takes it has touched."),
            Text(
                "It goes one square in any direction, or lunges: 4, 3, 2 or 1 forward and 1, 2, 3 or 4 back from its own 1st, 2nd, 3rd or 4th measure."
            ),
            Text("It fends and takes nothing; blades, Guard, Lantern and Ruin are tied to where it stands."),
        ),
        listed("king, fighter, fencer, fool, devil, lunge, s, raddoppio, balestra, patinando"),
        Scene("W: S@Y4 $@X4 e@W5 / B: S@X13 $@Y13 C@Y7 / a: ^XY8 / to: W", "S?", "Y4"),
        "2.0.02",
        about=("lunging", "4 3 2 1"),
    ),
    Entry(
        "pieces",
        Term("Sword"),
        (
            Text("The Sword goes along lines, steps and diagonals and leaps its own pieces except the Self."),
            Text(
                "It ends at most one measure from its Self, or on a step further ahead that carries an own engagement."
            ),
            Text("It touches the Self, takes the Lantern and disarms; most others it fends."),
        ),
        ("$", "dollar", "queen"),
        Scene("W: S@Y6 $@X4 e@W9 / B: S@X13 $@Y13 C@X10 L@Z6 / a: ^XY8 / to: W", "$?", "X4"),
        "2.0.03",
        about=("extension",),
    ),
    Entry(
        "pieces",
        Term("engagement"),
        (
            Text(
                "An engagement goes one square straight ahead, two or three inside its own second measure, and fends diagonally ahead."
            ),
            Text("It is never lost, carries the Sword's range forward, and is a stepping stone for your other pieces."),
            Text("It never turns into another piece."),
        ),
        ("pawn", "engagements", "e"),
        Scene("W: S@Y4 $@X4 e@X5 e@W9 / B: S@X13 $@Y13 C@W6 / a: ^XY8 / to: W", "eX5?", "X5"),
        "2.0.04",
        about=("promotion", "virtual piece", "rank of pawns"),
    ),
    Entry(
        "pieces",
        Term("free engagement"),
        (
            Text(
                "It belongs to both: out of play it lies on a point and may be shifted by one point before anything else in a turn."
            ),
            Text(
                "In play it is White's on light squares and Black's on dark ones: one square anywhere, fending diagonally forward."
            ),
        ),
        ("free", "fe", "shared pawn", "shared piece"),
        Scene("W: S@Y4 $@X4 e@Y7 / B: S@X13 $@Y13 C@Y9 e@W10 / a: X8 / to: W", "a?", "X8"),
        "2.0.05",
        about=listed(
            "possession, meta-move, meta move, center point, centre point, intersection, interstice, "
            "point of the grid, meta, aw, az"
        ),
    ),
    Entry(
        "pieces",
        Term("Cloak"),
        (
            Text("The Cloak leaps like a knight, without range."),
            Text(
                "Landing on an opposing Sword or Dagger it captures that blade; beside its Self it can trade places with it."
            ),
        ),
        ("knight", "c"),
        Scene("W: S@Y6 C@W7 $@X4 e@X8 / B: S@X12 $@X9 L@Y8 e@Z12 / a: ^XY8 / to: W", "C?", "W7"),
        "2.0.06",
        about=("blade capture",),
    ),
    Entry(
        "pieces",
        Term("Balance"),
        (
            Text("The Balance, also called Shadow, goes any distance diagonally and leaps everything, without range."),
            Text(
                "It takes the Jutsu, controls the measure it shares with its Self, and can shift places with an own blade."
            ),
        ),
        ("shadow", "bishop", "b"),
        Scene("W: S@Y6 B@Y7 $@X4 e@X8 / B: S@X12 $@X13 J@W9 e@Z12 / a: ^XY8 / to: W", "B?", "Y7"),
        "2.0.07",
    ),
    Entry(
        "pieces",
        Term("Dagger"),
        (
            Text(
                "The Dagger goes as the Sword does, but leaps only the free engagement in its possession, and stays within one measure of its Self."
            ),
            Text("It can be thrown at the opposing Self; on the board it lets you fight on when the Sword is lost."),
        ),
        ("d", "off-hand"),
        Scene("W: S@Y6 D@X5 $@W4 e@X8 / B: S@X12 $@X13 C@Z7 e@Z12 / a: ^XY8 / to: W", "D?", "X5"),
        "2.0.08",
    ),
    Entry(
        "pieces",
        Term("Guard"),
        (
            Text(
                "The Guard, also called Ward, goes along lines and steps, or one square diagonally, and leaps nothing."
            ),
            Text("It ends in its Self's measure or one step outside it; moving onto an armament it pushes that away."),
        ),
        ("ward", "shield", "g", "rook", "dragon king", "buckler"),
        Scene("W: S@Y6 G@X6 $@W4 e@X8 / B: S@X12 $@X13 B@X7 e@Z12 / a: ^WX8 / to: W", "G?", "X6"),
        "2.0.09",
    ),
    Entry(
        "pieces",
        Term("Lantern"),
        (
            Text("The Lantern goes along lines, steps and diagonals, never fewer than two squares."),
            Text(
                "In its Self's measure it stays there; from outside it flails into that measure or the next one beyond."
            ),
            Text("It takes the Cloak, and in line with the opposing Self its glare fends the Jutsu."),
        ),
        ("lamp", "light", "l"),
        Scene("W: S@Y5 L@X6 $@W4 e@W8 / B: S@X12 $@X13 C@Z8 e@Z12 / a: ^XY8 / to: W", "L?", "X6"),
        "2.0.10",
        about=("pendulum", "momentum", "swing", "swinging"),
    ),
    Entry(
        "pieces",
        Term("Jutsu"),
        (
            Text(
                "The Jutsu goes one or two squares straight or diagonally, or blinks to the same square of another measure, leaping, without range."
            ),
            Text(
                "It takes the Guard; with it on the board your blade may strike what you announced on the turn before."
            ),
        ),
        ("blink", "j"),
        Scene("W: S@Y6 J@X6 $@W4 e@X8 / B: S@X12 $@X13 G@X10 e@Z12 / a: ^XY8 / to: W", "J?", "X6"),
        "2.0.11",
        about=("corresponding square",),
    ),
    Entry(
        "pieces",
        Term("Ruin"),
        (
            Text(
                "The Ruin, or Rien, goes to any open square of its Self's measure or one next to it, but not into the opposing Self's."
            ),
            Text("It attacks nothing and nothing attacks it: it stands in the way."),
        ),
        listed("rien, r, runestone, waystone, floating ruin"),
        Scene("W: S@Y6 R@X6 $@W4 e@X8 / B: S@X12 $@X13 e@Z12 / a: ^WX8 / to: W", "R?", "X6"),
        "2.0.12",
        about=("nothing", "inert", "blocking piece"),
    ),
    Entry(
        "pieces",
        Term("Donkey"),
        (
            Text(
                "An extra: it is placed on any open square and then strays by the sticks after each turn of its placer."
            ),
            Text("It cannot be attacked, leapt or withdrawn."),
        ),
        ("n", "stray"),
        Scene("W: S@X1 $@X2 B@X7 N@Y8 / B: S@Z16 / a: - / to: W / flags: donkey=each", "B?", "X7"),
        "2.0.23",
    ),
    Entry(
        "pieces",
        Term("Armament"),
        (
            Text("Sword and Dagger are blades; the blades and the Guard are armaments, which are lost only by disarm."),
            Text("Cloak, Balance, Lantern, Jutsu and Guard are technical pieces; Self and last blade are critical."),
            Text(
                "All but Self and Ruin are fighting pieces; Self, Sword, Cloak, Balance and engagements start on the board, the others in reserve."
            ),
        ),
        ("armaments", "blades"),
        about=listed(
            "technical, technical piece, critical, critical piece, major, middle, minor, virtual, "
            "lesser armament, fighting piece, starting piece, reserve piece"
        ),
    ),
)
