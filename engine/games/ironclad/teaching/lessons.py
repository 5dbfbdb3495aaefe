"""The course of Ironclad: strings, robots, fire and cover, the two halves of a turn, and when to call."""

# ruff: noqa: E501 -- one sentence a line
from engine.teaching.lessons import Goal, Lesson, Mistake, Step
from engine.text import Term, Text

ANSWER = Text("Does that hold? Answer `call` or `ok`.")

LESSONS = (
    Lesson(
        Term("Strings of stones"),
        (
            Step(
                "rW: A1=1 / rB: F8=1 / sW: a5 b5 c5 d5 f5 g5 / sB: a7 b7 / last: - / mode: full / owner: W / half: - / to: W",
                (
                    Text("Stones lie on the crossings of lines, which are written in small letters: `d5`."),
                    Text(
                        "A string of your colour from one side of the grid to the opposite one wins; neighbours along a line count, diagonals do not."
                    ),
                ),
                Text("You are White. Win with one stone."),
                "e5",
                Text("The fifth line lacks a single stone between d5 and f5."),
                Goal(wins=True),
                (Mistake("e4", Text("From d5 to e4 the way is diagonal, and that joins nothing.")),),
            ),
            Step(
                "rW: A1=1 / rB: F8=1 / sW: c1 c2 c3 c4 c6 d6 d7 d8 d9 / sB: a7 b7 b5 / last: - / mode: full / owner: W / half: - / to: W",
                (Text("A string may bend as it likes, and any two opposite sides will do."),),
                Text("Win with one stone."),
                "c5",
                Text("From the first line to the ninth: where is the gap?"),
                Goal(wins=True),
            ),
        ),
    ),
    Lesson(
        Term("Robots walk"),
        (
            Step(
                "rW: A1=1 C4=2 / rB: F8=1 C5=1 / sW: - / sB: - / last: - / mode: full / owner: W / half: - / to: W",
                (
                    Text("Robots stand on squares, which are written in capitals: `C4-D5`."),
                    Text(
                        "A robot is a stack of one, two or three checkers on a square; each side has two of each height."
                    ),
                    Text("A robot goes one square in any direction, never onto another robot."),
                ),
                Text("Walk past the black robot on C5: bring yours from C4 to row 5."),
                "C4-D5",
                Text("Diagonal steps are allowed: B5 or D5."),
                Goal(ends=("B5", "D5")),
                (Mistake("C4-C5", Text("A robot stands there, and robots are not taken by stepping on them.")),),
            ),
            Step(
                "rW: A1=1 C7=2 / rB: B8=1 C8=3 / sW: - / sB: - / last: - / mode: full / owner: W / half: - / to: W",
                (Text("A robot on the enemy's first row wins at once: for White that is row 8."),),
                Text("Win with your robot."),
                "C7-D8",
                Text("Two squares of row 8 next to C7 are taken, the third is free."),
                Goal(wins=True),
            ),
        ),
    ),
    Lesson(
        Term("Robots fire"),
        (
            Step(
                "rW: A1=1 C4=2 D4=1 / rB: F8=1 D6=2 / sW: - / sB: - / last: - / mode: full / owner: W / half: - / to: W",
                (
                    Text("Instead of walking, all your robots in range fire at one enemy: `xD6`."),
                    Text(
                        "A robot reaches as many squares as it is high; the heights of all that reach must come to the target's height."
                    ),
                ),
                Text("Destroy the robot on D6."),
                "xD6",
                Text("The robot on C4 has height 2 and stands two squares away: that is enough by itself."),
                Goal(takes=("D6",)),
                (Mistake("xF8", Text("None of your robots reaches as far as F8.")),),
            ),
            Step(
                "rW: A1=1 B4=2 C5=1 / rB: F8=1 C6=3 E5=2 / sW: - / sB: - / last: - / mode: full / owner: W / half: - / to: W",
                (Text("Together robots are as strong as the sum of their heights, if each of them is in range."),),
                Text("Destroy an enemy robot."),
                "xC6",
                Text("On C6 stands one of height 3: B4 is two squares away, C5 is next to it."),
                Goal(takes=("C6",)),
                (Mistake("xE5", Text("E5 is three squares from B4 and two from C5: nobody reaches it.")),),
            ),
        ),
    ),
    Lesson(
        Term("Cover"),
        (
            Step(
                "rW: A1=1 C4=2 / rB: F8=1 B6=1 D6=1 / sW: d6 e7 / sB: d7 / last: - / mode: full / owner: W / half: - / to: W",
                (
                    Text("Stones of either colour on a target's corners are cover."),
                    Text(
                        "A die is thrown, and the shot is lost if it shows the number of those stones or less; without stones nothing is thrown."
                    ),
                ),
                Text("Both B6 and D6 are in range. Fire where nothing can go wrong."),
                "xB6",
                Text("D6 has stones on three of its corners."),
                Goal(takes=("B6",)),
                (
                    Mistake(
                        "xD6",
                        Text("That is allowed, but three stones stand on its corners: half of all throws are lost."),
                    ),
                ),
            ),
        ),
    ),
    Lesson(
        Term("Negation"),
        (
            Step(
                "rW: A1=1 D4=2 / rB: F8=1 / sW: a5 b5 c5 d5 f5 g5 a7 b7 d7 e7 f7 g7 / sB: a3 b3 / last: - / mode: full / owner: W / half: - / to: W",
                (
                    Text("No stone is placed on a corner of a square on which a robot stands, of whichever side."),
                    Text("The square D4 has the corners d4, e4, d5 and e5."),
                ),
                Text("Two of your strings lack one stone each. Win."),
                "c7",
                Text("Your own robot on D4 bars e5."),
                Goal(wins=True),
                (Mistake("e5", Text("Your robot on D4 bars its four corners.")),),
            ),
        ),
    ),
    Lesson(
        Term("Two halves"),
        (
            Step(
                "rW: A1=1 C4=2 / rB: F8=1 D6=2 / sW: a3 b3 / sB: a5 b5 c5 d5 f5 g5 / last: - / mode: full / owner: B / half: robots / to: W",
                (
                    Text(
                        "A turn has two halves, robots and stones. Its owner plays one of them, and the other side plays the other half for the owner."
                    ),
                    Text("Black has moved a robot. Now you, White, place Black's stone."),
                ),
                Text("Place it where it does not end the game."),
                "d2",
                Text("A black stone on e5 would make Black's string whole."),
                Goal(verb="place", goes_on=True),
            ),
            Step(
                "rW: A1=1 C4=2 / rB: F8=1 D6=2 / sW: a3 b3 / sB: a5 b5 c5 / last: - / mode: full / owner: B / half: robots / to: W",
                (
                    Text("After the other's half your own turn begins, and you choose which half of it you play."),
                    Text("Both fit into one message: `g2 / A1-A2` places Black's stone and then moves your robot."),
                ),
                Text("Place Black's stone and then fire at D6, in one message."),
                "g2 / xD6",
                Text("Write the stone first, then ` / `, then `xD6`."),
                Goal(verb="fire", takes=("D6",)),
                (Mistake("g2", Text("The stone is placed; now add your own half behind ` / `.")),),
            ),
        ),
    ),
    Lesson(
        Term("When the grid is full"),
        (
            Step(
                "rW: A1=1 B1=2 C1=3 D1=3 E1=2 F1=1 / rB: A8=1 B8=2 C8=3 D8=3 E8=2 F8=1 / sW: c1 e2 f2 a3 e3 g3 a4 b4 d4 e4 g4 d5 f5 g5 d6 g6 a7 d7 e7 f7 g7 c8 e8 g8 b9 c9 d9 e9 f9 / sB: a1 g2 b3 c3 d3 f3 c4 f4 a5 b5 c5 e5 a6 b6 c6 e6 f6 b7 c7 f8 g9 / last: c8 / mode: discourse / owner: W / half: - / to: W",
                (
                    Text(
                        "This is the discourse game: stones alone, with the robots standing still and barring lines 1, 2, 8 and 9."
                    ),
                    Text(
                        "Every open point is taken, so a stone has to slide along a line, over free points; the one that was slid last, on c8, may not."
                    ),
                ),
                Text("Win by sliding a white stone: join the first line to the ninth."),
                "c1-f1",
                Text(
                    "White's stones on f2, e2, e3, e4, d4 … lead up to d9; which white stone reaches the first line beside them?"
                ),
                Goal(wins=True),
                (Mistake("c8-b8", Text("The stone on c8 was slid last, so it stays.")),),
            ),
        ),
    ),
    Lesson(
        Term("Does it hold?"),
        (
            Step(
                "rW: A1=1 D4=2 / rB: F8=1 / sW: c5 / sB: a3 b3 / last: - / mode: full / owner: W / half: - / to: W",
                (
                    Text(
                        "Under most terms nobody refuses a wrong turn: you have to call it. White has just placed a stone on e5."
                    ),
                ),
                ANSWER,
                "call",
                Text("Which corners has the square D4?"),
                turn="e5",
            ),
            Step(
                "rW: A1=1 C3=3 C4=1 / rB: F8=1 C6=2 / sW: - / sB: - / last: - / mode: full / owner: W / half: - / to: W",
                (Text("White has just fired at C6, over the white robot on C4."),),
                ANSWER,
                "ok",
                Text("Fire passes over robots and stones; does the height suffice?"),
                turn="xC6",
            ),
            Step(
                "rW: A1=1 C4=1 D3=1 / rB: F8=1 C5=2 / sW: - / sB: - / last: - / mode: full / owner: W / half: - / to: W",
                (Text("White has just fired at C5 with its two robots of height 1."),),
                ANSWER,
                "call",
                Text("How far is D3 from C5?"),
                turn="xC5",
            ),
            Step(
                "rW: A1=1 C4=3 / rB: F8=1 / sW: - / sB: - / last: - / mode: full / owner: W / half: - / to: W",
                (Text("White has just moved the robot of height 3 from C4 to C6."),),
                ANSWER,
                "call",
                Text("Height is range for firing; how far does a robot walk?"),
                turn="C4-C6",
            ),
        ),
    ),
)
"""From the first stone on."""
