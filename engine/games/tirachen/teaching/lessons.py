"""The course of Tirachen: deploying, each kind of piece, fort and traitor, both ways to win, and when to call."""

# ruff: noqa: E501 -- one sentence a line
from engine.teaching.lessons import Goal, Lesson, Mistake, Step
from engine.text import Term, Text

ANSWER = Text("Does that hold? Answer `call` or `ok`.")
FIELD = "R: {} / W: {} / T: {} / pR: - / pW: - / mob: RW / to: R"
"""Both sides mobilized, nothing left to deploy."""

LESSONS = (
    Lesson(
        Term("Deploying"),
        (
            Step(
                "R: G@e1 / W: G@e9 / T: e5 - / pR: F C P9 M9 / pW: F C P9 M9 / mob: - / to: R",
                (
                    Text(
                        "You are Red, at the bottom. Each turn you bring one piece from your pool to your deployment area, which is rows 1 to 3."
                    ),
                    Text(
                        "`P@d2` is a pike on d2; F is the fort, C the commander, and S, A, W are the masters of arms, spells and the hunt."
                    ),
                ),
                Text("Bring your commander to d2."),
                "C@d2",
                Text("Its letter, @, and the square: `C@d2`."),
                Goal(among=("C@d2",)),
                (
                    Mistake("C@d4", Text("Row 4 lies beyond your deployment area.")),
                    Mistake("P@d2", Text("That is a pike; the commander is C.")),
                ),
            ),
            Step(
                "R: G@e1 C@d2 F@e2 / W: G@e9 / T: e5 - / pR: P9 M9 / pW: F C P9 M9 / mob: - / to: R",
                (
                    Text(
                        "Until you mobilize, your pieces move inside the deployment area alone; afterwards what is left in the pool comes to the homeland squares d1, e1 and f1 only."
                    ),
                    Text("Mobilizing takes a whole turn."),
                ),
                Text("Mobilize."),
                "mobilize",
                Text("Write the word `mobilize`."),
                Goal(verb="mobilize"),
                (Mistake("d2-d5", Text("You are still deploying, so nobody leaves the area.")),),
            ),
        ),
    ),
    Lesson(
        Term("Masters"),
        (
            Step(
                FIELD.format("G@e1 S@d4 P@d5", "P@e6 G@e9", "x"),
                (
                    Text(
                        "The master of arms (S) goes up to three steps along rows and files and may turn on its way, never through a piece."
                    ),
                    Text("It captures what it ends on."),
                ),
                Text("Capture the pike on e6 with your master of arms."),
                "d4xe6",
                Text("To the side, then forward twice: e4, e5, e6."),
                Goal(takes=("e6",), origin="d4"),
                (Mistake("d4-e7", Text("That is four steps; it has three.")),),
            ),
            Step(
                FIELD.format("G@e1 A@d4 P@d5 P@e5", "P@f5 G@e9", "x"),
                (Text("The master of spells (A) goes one or two steps in any direction and may turn in between."),),
                Text("Capture the pike on f5."),
                "d4xf5",
                Text("First to e4, then diagonally to f5."),
                Goal(takes=("f5",)),
            ),
            Step(
                FIELD.format("G@e1 W@d4 P@e5", "P@g7 P@a7 G@e9", "x"),
                (
                    Text(
                        "The master of the hunt (W) goes up to three steps straight or diagonally, without a turn and through nobody."
                    ),
                ),
                Text("Capture a pike."),
                "d4xa7",
                Text("On the way to g7 stands your own pike."),
                Goal(takes=("a7",)),
                (Mistake("d4xg7", Text("Your own pike on e5 is in its way.")),),
            ),
        ),
    ),
    Lesson(
        Term("General, commander and pikes"),
        (
            Step(
                FIELD.format("G@e1 C@c3", "P@c8 P@h8 G@a9", "x"),
                (Text("The commander goes any distance in eight directions, the general a single step."),),
                Text("Capture the pike on h8."),
                "c3xh8",
                Text("From c3 to h8 is one diagonal."),
                Goal(takes=("h8",)),
            ),
            Step(
                FIELD.format("G@e1 P@d4", "P@d5 P@e5 G@e9", "x"),
                (
                    Text("A pike goes one step forward, backward or to a side, onto an empty square only."),
                    Text("It captures one step diagonally forward, and nowhere else."),
                ),
                Text("Capture a pike with yours."),
                "d4xe5",
                Text("Diagonally forward of d4 lie c5 and e5."),
                Goal(takes=("e5",)),
                (Mistake("d4xd5", Text("Straight ahead a pike only walks; it captures diagonally.")),),
            ),
        ),
    ),
    Lesson(
        Term("The fort"),
        (
            Step(
                FIELD.format("G@e1 C@d4", "P@g4 P@d6 F@c7 G@e9", "x"),
                (
                    Text("A fort never moves. No enemy piece may end its move on one of the eight squares around it."),
                    Text("White's fort stands on c7."),
                ),
                Text("Capture a pike."),
                "d4xg4",
                Text("One of the two pikes stands beside the fort."),
                Goal(takes=("g4",)),
                (Mistake("d4xd6", Text("The square d6 touches the fort's, so nobody of yours may stop there.")),),
            ),
            Step(
                FIELD.format("G@e1 C@h4 W@c4", "F@c7 G@e9", "x"),
                (Text("The fort itself may be captured, but whoever does it leaves the board with it."),),
                Text("Remove the fort; give your master of the hunt for it."),
                "c4xc7",
                Text("Three steps straight ahead."),
                Goal(takes=("c7",), origin="c4"),
            ),
        ),
    ),
    Lesson(
        Term("The traitor"),
        (
            Step(
                FIELD.format("G@d1 C@e1", "P@h8 G@e9", "e5 -"),
                (
                    Text(
                        "The traitor on e5 belongs to nobody. Whoever captures it either removes it, or gives up the capturing piece and controls it from now on."
                    ),
                    Text("`e1xe5` removes it; `e1xe5=T` turns it."),
                ),
                Text("Turn the traitor to your side with your commander."),
                "e1xe5=T",
                Text("Write the capture and `=T` behind it."),
                Goal(verb="turn"),
                (Mistake("e1xe5", Text("That removes the traitor; write `=T` behind it to turn it.")),),
            ),
            Step(
                FIELD.format("G@d1 C@e1", "P@h8 G@e9", "e5 -"),
                (
                    Text("The traitor that has been turned may move at once, in the same turn."),
                    Text("It goes exactly three squares straight or diagonally, or leaps like a knight, over anybody."),
                ),
                Text("Turn the traitor and capture the pike on h8 with it, in one turn."),
                "e1xe5=T e5xh8",
                Text("Behind `=T` write the traitor's own move."),
                Goal(takes=("h8",)),
                (Mistake("e1xe5=T e5-e7", Text("Two squares straight ahead is no way of the traitor's.")),),
            ),
            Step(
                FIELD.format("G@d1", "P@f6 P@g5 G@e8", "e5 R"),
                (Text("The traitor is yours now, and moves like your other pieces; giving it up costs nothing."),),
                Text("End the game."),
                "e5xe8",
                Text("White's general stands three squares ahead."),
                Goal(wins=True),
            ),
        ),
    ),
    Lesson(
        Term("Win: the general"),
        (
            Step(
                FIELD.format("G@e1 A@d7 S@b9", "P@e8 G@e9 W@a1", "x"),
                (Text("Capturing the other general wins at once; nobody has to announce a threat."),),
                Text("Win."),
                "d7xe9",
                Text("The master of spells turns on its way: d8, then e9."),
                Goal(wins=True),
            ),
        ),
    ),
    Lesson(
        Term("Win: the homeland"),
        (
            Step(
                FIELD.format("G@e1 P@d9 S@f9 C@e4", "G@a7 P@b7", "x"),
                (
                    Text(
                        "White's homeland is d9, e9 and f9. Who stands on all three with pieces of their own at the end of their turn has won."
                    ),
                ),
                Text("Win."),
                "e4-e9",
                Text("One square of the homeland is still empty."),
                Goal(wins=True),
            ),
        ),
    ),
    Lesson(
        Term("Look after your general"),
        (
            Step(
                FIELD.format("G@e1 P@d3 W@h4", "C@e7 G@e9", "x"),
                (Text("Nobody says “check”. White's commander on e7 looks down the file at your general."),),
                Text("Do not lose on the next turn."),
                "h4-e4",
                Text("Step aside out of the commander's lines, or put a piece between."),
                Goal(safe=True),
            ),
        ),
    ),
    Lesson(
        Term("Does it hold?"),
        (
            Step(
                FIELD.format("G@e1 P@e2", "P@e3 G@e9", "x"),
                (
                    Text(
                        "Under most terms a wrong turn stands until you call it. Red's pike on e2 has just captured straight ahead."
                    ),
                ),
                ANSWER,
                "call",
                Text("Where does a pike capture?"),
                turn="e2xe3",
            ),
            Step(
                FIELD.format("G@e1 P@d5 P@e6", "P@d8 G@e9", "d4 R"),
                (Text("Red's traitor has just gone from d4 to d7, over the pike on d5."),),
                ANSWER,
                "ok",
                Text("The traitor passes over anybody; does it go three squares?"),
                turn="d4-d7",
            ),
            Step(
                FIELD.format("G@e1 S@g5", "F@f8 G@e9", "x"),
                (Text("Red's master of arms has just gone from g5 to g7."),),
                ANSWER,
                "call",
                Text("Who stands on f8?"),
                turn="g5-g7",
            ),
            Step(
                FIELD.format("G@e1 A@c3 P@c4 P@d4", "P@e6 G@e9", "x"),
                (Text("Red's master of spells has just gone from c3 to e4."),),
                ANSWER,
                "ok",
                Text("It has two steps and may turn: is there a free square between?"),
                turn="c3-e4",
            ),
        ),
    ),
)
"""From the first piece on."""
