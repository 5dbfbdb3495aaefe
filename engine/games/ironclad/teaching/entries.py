"""The words of Ironclad's rulebook, in our own words; reach is drawn from the positions given here."""

from engine.teaching.entries import Entry, Scene, listed
from engine.text import Term, Text

FIELD = "rW: A1=1 C4=2 D4=1 / rB: A8=1 D6=2 / sW: d5 d6 / sB: - / last: - / mode: full / owner: W / half: - / to: W"
"""A robot of each side in range of the other's, and cover between them."""
FULL = (
    "rW: A1=1 / rB: F7=1 "
    "/ sW: c1 e1 g1 b2 d2 f2 a3 c3 e3 g3 b4 d4 f4 a5 c5 e5 g5 b6 d6 f6 a7 c7 e7 g7 b8 d8 f8 a9 c9 e9 g9 "
    "/ sB: d1 f1 a2 c2 e2 g2 b3 d3 f3 a4 c4 e4 g4 b5 d5 f5 a6 c6 e6 g6 b7 d7 f7 a8 c8 e8 g8 b9 d9 f9 "
    "/ last: {} / mode: full / owner: W / half: - / to: W"
)
"""All stones are placed but one place, so that they slide."""
STONES = "rW: A1=1 / rB: A8=1 / sW: d5 / sB: d8 / last: - / mode: full / owner: W / half: - / to: W"

ENTRIES = (
    # --- pieces -------------------------------------------------------------------------------------------
    Entry(
        "pieces",
        Term("Robot"),
        (
            Text("A robot is a stack of one, two or three checkers on a square; each side has two of each height."),
            Text("It goes one square in any of eight directions, never onto another robot."),
            Text("A robot on the enemy's first row wins at once."),
        ),
        listed("robots, checker, stack, robot of height 1, robot of height 2, robot of height 3"),
        Scene(FIELD, "C4-?", "C4"),
        "robots",
        about=listed("height, march, walk, step, moving robots, stacking, jump, tallest, capture, path"),
    ),
    Entry(
        "pieces",
        Term("Stone"),
        (
            Text("Stones lie on the intersections, small letters; each side has thirty-two."),
            Text("They join into strings, block slides, and give robots cover."),
        ),
        ("stones", "statement", "piece", "proposition"),
        Scene(STONES, "stone ?"),
        "placing",
        about=listed(
            "supply, intersection, open intersection, black, white, colour, color, grid, edge, square, crossing, "
            "line, point, unoccupied, adjacent, next to"
        ),
    ),
    # --- play ---------------------------------------------------------------------------------------------
    Entry(
        "play",
        Term("Two halves"),
        (
            Text("A turn has two halves, one with robots and one with stones."),
            Text("The owner of the turn plays one; the opponent then plays the other one for the owner."),
        ),
        listed("halves, half, turn, owner, other half, pass, passing, two games, full game, full"),
        section="halves",
    ),
    Entry(
        "play",
        Term("Placing"),
        (
            Text("A stone of the turn owner's colour goes onto any free intersection, the rim included."),
            Text("No stone is placed on a corner of a square that holds a robot."),
        ),
        listed("place, placement, put, no room, unoccupied intersection"),
        Scene(STONES, "stone ?"),
        "placing",
    ),
    Entry(
        "play",
        Term("Negation"),
        (
            Text("No stone is placed on a corner of a square that holds a robot, of whichever side."),
            Text("Sliding does not mind."),
        ),
        ("rule of negation", "negated", "dots", "corner"),
        Scene(STONES, "stone ?"),
        "negation",
    ),
    Entry(
        "play",
        Term("Sliding"),
        (
            Text("Only a player who cannot place slides a stone of either colour."),
            Text("It goes along a line over free intersections as far as wished, at least one."),
        ),
        listed(
            "slide, movement, moving a stone, move, last stone, blocked, blocking, direction, diagonal, "
            "as far as you want, far"
        ),
        scene=Scene(
            FULL.format("-"),
            "c1-a1",
        ),
        section="movement",
    ),
    Entry(
        "play",
        Term("Circularity"),
        (
            Text("The stone that was slid last in the game is not slid again, however many are placed meanwhile."),
            Text("Pictures bar it with a cross."),
        ),
        ("rule of circularity", "barred", "cross", "last stone moved"),
        scene=Scene(
            FULL.format("c1"),
            "c1-b1",
        ),
        section="circularity",
    ),
    Entry(
        "play",
        Term("Firing"),
        (
            Text("Instead of moving, all robots within range fire together on one enemy robot."),
            Text("A robot fires as far as it is high; the heights of those in range must sum up to the target's."),
        ),
        listed("fire, shot, shoot, shooting, range, firepower, attack, kill, destroy, destroyed, target, shooter"),
        Scene(FIELD, "x?"),
        "fire",
    ),
    Entry(
        "play",
        Term("Cover"),
        (
            Text("Stones of either colour on the corners of the target's square are cover."),
            Text("A die is thrown then: their number or less, and the shot is lost; more, and the robot is destroyed."),
        ),
        listed("die, dice, roll, d6, odds, chance, hit, miss, luck"),
        scene=Scene(
            "rW: A1=1 C4=2 / rB: A8=1 E6=2 / sW: c4 d5 / sB: c5 d4 / last: - / mode: full / owner: B / half: - / to: B",
            "xC4",
        ),
        section="cover",
    ),
    Entry(
        "play",
        Term("Discourse"),
        (
            Text("In the discourse game the stones are played alone, and only a string wins."),
            Text("The robots stand still and negate their corners, or are left out with `board=open`."),
        ),
        listed(
            "discourse game, stones alone, scholars, scholarly discourse, setup, argument, axiom, truth, "
            "philosophy, laws of inference, disputation, formal system, constellation"
        ),
        section="swap",
    ),
    Entry(
        "play",
        Term("Swap"),
        (
            Text("In the discourse game the second player may take the first turn's stone over instead of moving."),
            Text("Then the first player moves again."),
        ),
        ("take over", "pie", "pie rule"),
        scene=Scene(options=(("mode", "discourse"),), before=("d5",), way="swap"),
        section="swap",
    ),
    # --- ends ---------------------------------------------------------------------------------------------
    Entry(
        "ends",
        Term("String"),
        (
            Text(
                "An unbroken string of one colour from any side of the grid to the opposite one wins for that colour."
            ),
            Text("Stones are joined along lines, not across squares."),
        ),
        listed(
            "object, goal, win, connection, chain, winning position, opposite side, unbroken, connecting, "
            "connect, path, top, bottom, north, south, line up, objective, aim"
        ),
        scene=Scene(
            "rW: A1=1 / rB: F8=1 / sW: c1 c2 c3 d3 d4 d5 d6 d7 d8 / sB: c4 c5 e5 / last: - / mode: full "
            "/ owner: W / half: - / to: W",
            "d9",
        ),
        section="string",
    ),
    Entry(
        "ends",
        Term("Breakthrough"),
        (
            Text("A robot on the enemy's first row wins at once."),
            Text("Whoever played that half, the robot's side has won."),
        ),
        listed("first row, goal row, home row"),
        scene=Scene(
            "rW: C7=1 / rB: F8=1 / sW: c4 / sB: e5 / last: - / mode: full / owner: W / half: - / to: W", "C7-C8"
        ),
        section="breakthrough",
    ),
    Entry(
        "ends",
        Term("Forfeit"),
        (
            Text("Whoever owes a stone action and can neither place nor slide loses."),
            Text("It does not matter how the robots stand."),
        ),
        listed("stuck, stalemate, lose, losing, lost, opponent wins, forfeiture"),
        section="forfeit",
    ),
    Entry(
        "ends",
        Term("Draw"),
        (
            Text("The third occurrence of a position is a draw."),
            Text("So are fifty turns without a placed stone or a destroyed robot."),
        ),
        ("repetition", "quiet", "quiet turns"),
        section="quiet",
    ),
)
