"""The course of Chirality: Thick and Thin, mustering, captures, Garrisons, the Throne, and when to call."""

# ruff: noqa: E501 -- one sentence a line
from engine.teaching.lessons import Goal, Lesson, Mistake, Step
from engine.text import Term, Text

ANSWER = Text("Does that hold? Answer `call` or `ok`.")

LESSONS = (
    Lesson(
        Term("Thick and Thin"),
        (
            Step(
                "P1: A10 A44 / P2: B44 C44 / res: 8 8 / to: P1 / quiet: 0",
                (
                    Text("All pieces are alike: on a wide rhomb a piece is Thick, on a slender one it is Thin."),
                    Text("A Thick piece moves to a Thin tile across a full edge."),
                ),
                Text("Move your piece from A10 to A8."),
                "A10-A8",
                Text("Write from where to where: `A10-A8`. The names of the places: `look A10`."),
                Goal(ends=("A8",)),
                (Mistake("A10-A11", Text("Both tiles are Thick; every move leads from one shape to the other.")),),
            ),
            Step(
                "P1: A8 A44 / P2: B44 C44 / res: 8 8 / to: P1 / quiet: 0",
                (Text("A Thin piece moves to a Thick tile across an edge or a mere corner, so it gets further."),),
                Text("Move your piece from A8 across a corner to A15."),
                "A8-A15",
                Text("The tile A15 meets A8 in a corner."),
                Goal(ends=("A15",)),
                (Mistake("A8-A17", Text("Both tiles are Thin; every move leads from one shape to the other.")),),
            ),
        ),
    ),
    Lesson(
        Term("Mustering"),
        (
            Step(
                "P1: A10 A44 / P2: B44 C44 / res: 8 8 / to: P1 / quiet: 0",
                (
                    Text("Instead of moving you may bring in a piece from your reserve: a Muster."),
                    Text(
                        "You must stand on a tile of a Gate; the new piece comes onto an empty tile of the same Gate, with a star before its name."
                    ),
                ),
                Text("Muster a piece."),
                "*A45",
                Text("You stand on A44, in Gate 1, whose other tiles are A45, A50 and A51."),
                Goal(verb="muster"),
                (Mistake("*D45", Text("You have nobody in that Gate.")),),
            ),
            Step(
                "P1: A10 A44 / P2: A51 C44 / res: 8 8 / to: P1 / quiet: 0",
                (
                    Text("It does not matter who else stands in the Gate, and the new piece attacks at once."),
                    Text("A Thin piece falls to a single enemy piece that could move onto it."),
                ),
                Text("Take the piece on A51."),
                "*A45",
                Text("A Thick piece attacks the Thin tiles along its edges; A45 lies beside A51."),
                Goal(takes=("A51",)),
                (Mistake("*A51", Text("That tile is not empty.")),),
            ),
        ),
    ),
    Lesson(
        Term("A Thin piece falls to one"),
        (
            Step(
                "P1: A6 A44 / P2: A8 B44 / res: 8 8 / to: P1 / quiet: 0",
                (
                    Text("Nobody moves onto an enemy. After every turn all captures happen at once, on both sides."),
                    Text("A Thin piece falls if one Thick enemy stands at one of its edges."),
                ),
                Text("Take the Thin piece on A8."),
                "A6-A10",
                Text("Tiles at the edges of A8 are A10, A11 and A13."),
                Goal(takes=("A8",)),
                (Mistake("A6-A3", Text("From A3 your piece meets A8 only in a corner.")),),
            ),
        ),
    ),
    Lesson(
        Term("A Thick piece falls to two"),
        (
            Step(
                "P1: A12 A17 A44 / P2: A11 B44 / res: 8 8 / to: P1 / quiet: 0",
                (
                    Text("A Thick piece falls only if two Thin enemies attack it, across an edge or a corner."),
                    Text("Your piece on A17 attacks A11 already."),
                ),
                Text("Take the Thick piece on A11."),
                "A12-A7",
                Text("Of the Thin tiles beside A12, one meets A11 in a corner."),
                Goal(takes=("A11",)),
                (Mistake("A12-A9", Text("The tile A9 does not touch A11.")),),
            ),
        ),
    ),
    Lesson(
        Term("Garrisons"),
        (
            Step(
                "P1: A8 A13 A19 A44 E14 E20 / P2: A6 B44 / res: 8 8 / to: P1 / quiet: 0",
                (
                    Text("Five of your pieces on a Star are a Garrison: nobody can capture them until one leaves."),
                    Text("And it attacks its whole Moat, the Thin tiles around it."),
                ),
                Text("Complete the Garrison on Star I1, so that the piece on A6 falls."),
                "A8-A10",
                Text("The Star I1 consists of A10, A13, A19, E14 and E20."),
                Goal(takes=("A6",), ends=("A10",)),
            ),
        ),
    ),
    Lesson(
        Term("Remote Mustering"),
        (
            Step(
                "P1: A14 A20 B10 B13 B19 / P2: C44 / res: 11 8 / to: P1 / quiet: 0",
                (
                    Text(
                        "With a Garrison on an inner Star you may muster from afar: onto a Thick tile of a Gate on its half of the board, if no enemy stands in that Gate."
                    ),
                    Text("The Garrison on I2 reaches Gates 1 and 2."),
                ),
                Text("Muster in Gate 2."),
                "*B44",
                Text("The Thick tiles of Gate 2 are B44 and B45."),
                Goal(among=("*B44", "*B45")),
                (
                    Mistake("*B50", Text("From afar only Thick tiles will do.")),
                    Mistake("*C45", Text("Gate 3 lies on the other half, and an enemy stands there.")),
                ),
            ),
        ),
    ),
    Lesson(
        Term("The Throne"),
        (
            Step(
                "P1: A1 A44 B1 C1 D1 E2 / P2: B44 / res: 8 8 / to: P1 / quiet: 0",
                (
                    Text(
                        "The five tiles in the middle are the Throne. Who stands on all of them at the end of their own turn has won, before anything is captured."
                    ),
                    Text(
                        "Whoever has no piece on the board and none in reserve after captures is out; the last one in wins."
                    ),
                ),
                Text("Win."),
                "E2-E1",
                Text("The tile E1 is the one still missing."),
                Goal(wins=True),
            ),
            Step(
                "P1: A3 A44 / P2: A1 B1 B44 C1 D1 E2 / res: 8 8 / to: P1 / quiet: 0",
                (
                    Text("On the Throne a piece falls to a single enemy, as a Thin one does."),
                    Text("Your opponent needs one tile more."),
                ),
                Text("Do not lose on the next turn."),
                "A3-A2",
                Text("The tile A2 touches two tiles of the Throne; what is lost in exchange does not matter here."),
                Goal(safe=True),
            ),
        ),
    ),
    Lesson(
        Term("Does it hold?"),
        (
            Step(
                "P1: A10 A44 / P2: B44 C44 / res: 8 8 / to: P1 / quiet: 0",
                (
                    Text(
                        "Under most terms a wrong turn stands until you call it. A piece has just gone from A10 to A6."
                    ),
                ),
                ANSWER,
                "call",
                Text("Does a Thick piece move across a corner?"),
                turn="A10-A6",
            ),
            Step(
                "P1: A8 A44 / P2: B44 C44 / res: 8 8 / to: P1 / quiet: 0",
                (Text("A piece has just gone from A8 to A15."),),
                ANSWER,
                "ok",
                Text("A8 is Thin: what does it need to share with A15?"),
                turn="A8-A15",
            ),
            Step(
                "P1: A10 A44 / P2: B44 C44 / res: 8 8 / to: P1 / quiet: 0",
                (Text("A piece has just been mustered on E45."),),
                ANSWER,
                "call",
                Text("Who stands in Gate 5?"),
                turn="*E45",
            ),
            Step(
                "P1: A6 A44 / P2: A8 B44 / res: 8 8 / to: P1 / quiet: 0",
                (Text("A piece has just gone from A6 to A11, right beside an enemy."),),
                ANSWER,
                "ok",
                Text("A tile that is attacked may be entered."),
                turn="A6-A11",
            ),
        ),
    ),
)
"""From the first step on."""
