"""The words of Tirachen's rulebook, in our own words; reach is drawn from the positions given here."""

# ruff: noqa: E501 -- one sentence a line
from engine.teaching.entries import Entry, Scene, listed
from engine.text import Term, Text

OPEN = "R: G@e1 {} / W: G@e9 {} / T: {} / pR: - / pW: - / mob: RW / to: R"
"""A position in which both sides are mobilized."""

ENTRIES = (
    # --- pieces -------------------------------------------------------------------------------------------
    Entry(
        "pieces",
        Term("general"),
        (
            Text("The general goes one step in any of the eight directions."),
            Text("A side that loses its general has lost the game."),
        ),
        ("king", "g"),
        Scene("R: G@e4 / W: G@e9 P@f5 / T: x / pR: - / pW: - / mob: RW / to: R", "e4?", "e4"),
        "general",
        about=("check", "checkmate", "mate"),
    ),
    Entry(
        "pieces",
        Term("fort"),
        (
            Text("The fort never moves: it is placed on an open square of its deployment area, in either phase."),
            Text("No enemy may end a move on the eight squares around it."),
            Text("Whoever captures it leaves the board together with it."),
        ),
        ("castle", "f", "tower"),
        Scene(
            OPEN.format("W@c4", "F@e6 P@c7", "x"),
            "c4?",
            "c4",
        ),
        "fort",
        about=listed("guard, protected, protected square, undeployed, adjacent, sacrifice, protection, recapture"),
    ),
    Entry(
        "pieces",
        Term("commander"),
        (
            Text("The commander goes any distance in a straight line, in all eight directions, over open squares."),
            Text("It captures by ending there on an enemy piece."),
        ),
        ("queen", "c"),
        Scene(OPEN.format("C@d4 P@d6", "P@g4", "e5 -"), "d4?", "d4"),
        "movement",
        about=("straight line", "rook", "bishop"),
    ),
    Entry(
        "pieces",
        Term("master of arms"),
        (
            Text("The master of arms goes up to three steps along ranks and files, turning as it likes."),
            Text("Every square on the way must be open."),
        ),
        listed("arms, soldier, s, warrior, fighter, swordsman"),
        Scene(OPEN.format("S@d4 P@d5", "P@f4", "x"), "d4?", "d4"),
        "movement",
    ),
    Entry(
        "pieces",
        Term("master of spells"),
        (
            Text("The master of spells goes one or two steps in any directions, turning as it likes."),
            Text("The square between must be open, so it walks around what stands in its way."),
        ),
        ("spells", "mage", "wizard", "adept"),
        Scene(OPEN.format("A@d4 P@d5", "P@f4", "x"), "d4?", "d4"),
        "movement",
    ),
    Entry(
        "pieces",
        Term("master of the hunt"),
        (
            Text("The master of the hunt goes up to three steps in one straight line, in all eight directions."),
            Text("Every square on the way must be open."),
        ),
        listed("hunt, hunter, woodsman, w, archer"),
        Scene(OPEN.format("W@d4 P@d6", "P@f4", "x"), "d4?", "d4"),
        "movement",
    ),
    Entry(
        "pieces",
        Term("pike"),
        (
            Text("The pike goes one step along its rank or file, forward, back or sideways, to an open square."),
            Text("It captures only one step diagonally forward."),
        ),
        listed("pikeman, pikemen, pawn, p, spear, spearman"),
        Scene(OPEN.format("P@d4", "P@e5 P@d5", "x"), "d4?", "d4"),
        "movement",
        about=("forward", "diagonally forward", "promotion", "en passant"),
    ),
    Entry(
        "pieces",
        Term("traitor"),
        (
            Text("The traitor begins in the middle and is nobody's; only whoever has turned it may move it."),
            Text(
                "It goes exactly three squares in a straight line, or two along a rank or file and one around the corner."
            ),
            Text("Its captor removes it, or is given up itself to turn it, and may then move it once, at once."),
        ),
        ("turncoat", "t", "knight"),
        Scene(OPEN.format("P@e5", "P@f6 P@e8", "d4 R"), "d4?", "d4"),
        "traitor",
        about=listed(
            "turn, turned, control, other, jump, leap, extra move, sacrificed, gain control, centre, center, "
            "l shape, exactly three, ignores pieces, ignores"
        ),
    ),
    Entry(
        "pieces",
        Term("master"),
        (
            Text("There are masters of arms, of spells and of the hunt."),
            Text("A side brings nine in all and says of which kind each is only when it places it."),
        ),
        ("masters",),
        section="pool",
    ),
    # --- play ---------------------------------------------------------------------------------------------
    Entry(
        "play",
        Term("How the pieces move"),
        (
            Text("The general goes one step anywhere, the commander any distance in a line, the fort nowhere."),
            Text(
                "Masters go up to three steps along ranks and files (arms), two in any directions (spells) or three in one line (hunt)."
            ),
            Text(
                "A pike goes one step along rank or file and captures diagonally forward; only the traitor passes over pieces."
            ),
        ),
        listed(
            "movement, move, moving, way, step, occupied, open square, straight, pass, passing, skip, "
            "who plays first, first player, plays first, castling"
        ),
        Scene(OPEN.format("A@d4 P@d5 P@e5", "P@e3", "x"), "d4?", "d4"),
        section="movement",
    ),
    Entry(
        "play",
        Term("Capturing"),
        (
            Text("A piece captures by moving onto an opposing one, never onto one of its own side."),
            Text("What was captured never comes back."),
        ),
        ("capture", "take", "taking", "captures", "captured"),
        scene=Scene("R: G@e1 P@d4 / W: G@e9 W@e5 / T: x / pR: - / pW: - / mob: RW / to: R", "Pd4xe5"),
        section="capture",
    ),
    Entry(
        "play",
        Term("The pool"),
        (
            Text("Beside its general each side brings a fort, a commander, nine pikes and nine masters of any kinds."),
            Text("They wait in the pool until they are placed; the captured never return to it."),
        ),
        listed(
            "reserve, place, placing, placement, deploy, setup, start, patches, undeployed piece, rotation, "
            "army, army composition, number of pieces, unit, side, player, unplaced, composition"
        ),
        section="pool",
    ),
    Entry(
        "play",
        Term("The deployment phase"),
        (
            Text(
                "Whoever still deploys moves within the own three rows, places a piece on an open square of them, or mobilizes."
            ),
            Text("Placing the last piece of the pool mobilizes at once."),
        ),
        ("deploying", "deployment", "deployment area", "area"),
        Scene("R: G@e1 P@d3 / W: G@e9 / T: e5 - / pR: F C P8 M9 / pW: F C P9 M9 / mob: - / to: R", "C@?"),
        "deploying",
    ),
    Entry(
        "play",
        Term("The mobilized phase"),
        (
            Text("Whoever is mobilized moves a piece anywhere, or brings one from the pool."),
            Text("The fort still comes to the deployment area, every other piece to an open square of the homeland."),
        ),
        listed(
            "mobilized, mobilize, mobilizing, mobilise, mobilised, declare, last piece, declaring, bring in, "
            "enter, reinforcement, bring"
        ),
        Scene("R: G@e2 P@d1 / W: G@e9 / T: e5 - / pR: C P8 M9 / pW: - / mob: RW / to: R", "C@?"),
        "mobilized",
    ),
    Entry(
        "play",
        Term("No man's land"),
        (
            Text("The middle three rows are nobody's; each side's nearest three are its deployment area."),
            Text("The nine rows are of nine squares; Red sits at row 1, White at row 9."),
        ),
        listed(
            "middle, board, centre row, rank, file, square, green, grey, red, white, colour, color, "
            "alternating colour, alternating color, three rows, homeland square, center homeland square, "
            "centre homeland square"
        ),
        scene=Scene(),
    ),
    # --- ends ---------------------------------------------------------------------------------------------
    Entry(
        "ends",
        Term("The homeland"),
        (
            Text("A homeland is the three middle squares of a side's first row."),
            Text("A side that ends its turn with its own pieces on all three squares of the other homeland has won."),
        ),
        listed("home, win, winning, goal, objective, victory, occupying, occupy, three homeland squares"),
        scene=Scene("R: G@e1 C@d5 S@e9 W@f9 / W: G@a9 / T: x / pR: - / pW: P9 / mob: RW / to: R", "Cd5-d9"),
        section="homeland",
    ),
    Entry(
        "ends",
        Term("No turn left"),
        (
            Text("A player whose turn it is and who has none loses."),
            Text("Otherwise one loses only by the general or the homeland."),
        ),
        ("stuck", "stalemate", "lose", "losing", "lost"),
        section="stuck",
    ),
    Entry(
        "ends",
        Term("Draw"),
        (
            Text("The third occurrence of a position, same player to move, is a draw."),
            Text("So are a hundred turns in a row without a capture or a placement."),
        ),
        listed("repetition, quiet, quiet turns, threefold, three-fold, stall"),
        section="repetition",
    ),
)
