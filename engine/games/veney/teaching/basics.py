"""The first lessons of Veney: its pieces, linked moves, the reserve."""

# ruff: noqa: E501 -- one sentence a line
from engine.teaching.lessons import Goal, Lesson, Mistake, Step
from engine.text import Term, Text

BASICS = (
    Lesson(
        Term("The Self"),
        (
            Step(
                "W: S@Y4 $@X4 e@W5 / B: S@X13 $@Y13 C@Y7 / a: ^XY8 / to: W",
                (
                    Text(
                        "You are White and go up the board. The Self (S) is your life; it goes one square anywhere, or lunges."
                    ),
                    Text(
                        "From your own first measure, steps 1 to 4, it lunges up to four squares forward, with at most one square to the side."
                    ),
                ),
                Text("Fend the black Cloak on Y7 with your Self: it goes back to Black's reserve."),
                "SY7",
                Text("Write the piece and the square: `SY7`."),
                Goal(takes=("Y7",), piece="S"),
                (Mistake("SY9", Text("That is further than four squares, and over the Cloak.")),),
            ),
            Step(
                "W: S@Y9 $@X9 e@W10 / B: S@X14 $@Y13 e@Z12 / a: ^XY8 / to: W",
                (
                    Text(
                        "The further you have come, the shorter you lunge forward and the longer back: from the third measure, steps 9 to 12, two forward and three back."
                    ),
                ),
                Text("Retreat with your Self as far as you can."),
                "SY6",
                Text("Three squares straight or diagonally back."),
                Goal(ends=("X6", "Y6", "Z6"), origin="Y9"),
                (Mistake("SY5", Text("From the third measure it goes three squares back at most.")),),
            ),
        ),
    ),
    Lesson(
        Term("The Sword and its range"),
        (
            Step(
                "W: S@Y6 $@X4 e@W9 / B: S@X13 $@Y13 C@X10 L@Z6 / a: ^XY8 / to: W",
                (
                    Text("The Sword ($) goes any distance along lines, steps and diagonals."),
                    Text(
                        "It has to end in its Self's measure or one next to it; your Self is in the second measure, so steps 1 to 12 are in range."
                    ),
                ),
                Text("Fend the Cloak on X10 with your Sword."),
                "$X10",
                Text("The line X is free between X4 and X10."),
                Goal(takes=("X10",), piece="$"),
                (Mistake("$X13", Text("The Cloak is in the way, and the fourth measure is out of range.")),),
            ),
        ),
    ),
    Lesson(
        Term("Engagements"),
        (
            Step(
                "W: S@Y4 $@X4 e@X5 e@W9 / B: S@X13 $@Y13 C@W6 / a: ^XY8 / to: W",
                (
                    Text(
                        "An engagement (e) goes one square straight ahead, or up to three inside your own second measure."
                    ),
                    Text(
                        "It fends one square diagonally ahead, and is itself never lost: fended, it comes back from your reserve."
                    ),
                ),
                Text("Fend the Cloak with an engagement."),
                "eW6",
                Text("The Cloak on W6 stands diagonally ahead of X5."),
                Goal(takes=("W6",), piece="e"),
            ),
            Step(
                "W: S@Y4 $@X4 e@X5 e@W9 / B: S@X13 $@Y13 C@W6 / a: ^XY8 / to: W",
                (
                    Text(
                        "It carries your Sword forward too: a step with an own engagement on it is in the Sword's range if it lies further ahead."
                    ),
                ),
                Text("Bring the engagement on X5 to the end of your second measure at once."),
                "eX8",
                Text("The second measure ends with step 8."),
                Goal(ends=("X8",), piece="e"),
                (Mistake("eX9", Text("Step 9 lies in the third measure; only inside the second it goes so far.")),),
            ),
        ),
    ),
    Lesson(
        Term("Touch"),
        (
            Step(
                "W: S@X10 $@Z9 e@W9 / B: S@Z13 $@W13 e@Y11 / a: - / to: W",
                (
                    Text(
                        "A blade that takes the other Self has touched, and that wins. There is no check: nobody has to see it coming."
                    ),
                    Text("The touched side has one last turn, in which it can touch in return; then both have lost."),
                ),
                Text("Touch Black's Self."),
                "$Z13",
                Text("Your Sword looks along the line Z, and the fourth measure is in range of your Self on X10."),
                Goal(among=("$Z13",)),
            ),
        ),
    ),
    Lesson(
        Term("Concert"),
        (
            Step(
                "W: S@Y4 $@X4 e@Y5 e@W8 / B: S@X13 $@Y13 C@X9 e@W12 / a: ^XY8 / to: W",
                (
                    Text(
                        "When the Self moves, Sword, Dagger, Guard or Lantern may move with it in the same turn: a concert."
                    ),
                    Text("First the Self goes; the range of its partner is that of the Self's new square."),
                ),
                Text("Fend the Cloak on X9 with the Sword."),
                "SY5 $X9",
                Text(
                    "From the second measure the Sword's range would include step 9: bring the Self there first, `SY5 $X9`."
                ),
                Goal(takes=("X9",), piece="$"),
                (Mistake("$X9", Text("From the first measure your Sword reaches step 8 at most.")),),
            ),
        ),
    ),
    Lesson(
        Term("Stepping stones"),
        (
            Step(
                "W: S@Y6 $@X4 e@X8 / B: S@X12 $@Y13 B@Z10 e@Z12 / a: ^XY8 / to: W",
                (
                    Text(
                        "A piece that moves onto your own engagement sends it to your reserve, and may move once more from there."
                    ),
                    Text(
                        "Two moves a turn are the most, and they have to be linked: by a stone, by a concert, or by a device."
                    ),
                ),
                Text("Fend the Balance on Z10 with the Sword, over your engagement."),
                "$X8 $Z10",
                Text("First to X8, then along the diagonal: `$X8 $Z10`."),
                Goal(takes=("Z10",)),
                (Mistake("$Z10", Text("No straight way leads there from X4; take the stone.")),),
            ),
        ),
    ),
    Lesson(
        Term("Who fends, who takes"),
        (
            Step(
                "W: S@Y6 B@Y7 $@X4 e@X8 / B: S@X12 $@X13 J@W9 e@Z12 / a: ^XY8 / to: W",
                (
                    Text(
                        "Most attacks only fend, but three pieces take each other for good: Guard takes Balance, Balance takes Jutsu, Jutsu takes Guard."
                    ),
                    Text("The Balance (B) goes any distance diagonally and leaps everything."),
                ),
                Text("Take Black's Jutsu."),
                "BW9",
                Text("From Y7 the diagonal leads over your own engagement."),
                Goal(takes=("W9",), piece="B"),
            ),
            Step(
                "W: S@Y6 C@W7 $@X4 e@X8 / B: S@X12 $@X13 L@Y8 e@Z12 / a: ^XY8 / to: W",
                (
                    Text(
                        "Cloak and Lantern take each other; blades take the Lantern too. The Cloak (C) leaps like a knight."
                    ),
                ),
                Text("Take the Lantern with your Cloak."),
                "CY8",
                Text("Two lines to the side and one step ahead of W7."),
                Goal(takes=("Y8",), piece="C"),
            ),
        ),
    ),
    Lesson(
        Term("Out of the reserve"),
        (
            Step(
                "W: S@Y6 $@X6 e@X8 / B: S@X12 $@Y13 e@Z12 / rW: G / a: ^XY8 / to: W",
                (
                    Text(
                        "What was fended waits in your reserve, and so do Dagger, Guard, Lantern, Jutsu and Ruin at first."
                    ),
                    Text(
                        "To place a piece on an empty square next to your Self is a whole turn: the letter, a star, the square."
                    ),
                ),
                Text("Place your Guard right in front of your Self."),
                "G*Y7",
                Text("In front of Y6 lies Y7: `G*Y7`."),
                Goal(ends=("Y7",), verb="place"),
                (Mistake("G*W6", Text("That square is not next to your Self.")),),
            ),
        ),
    ),
    Lesson(
        Term("The free engagement"),
        (
            Step(
                "W: S@Y4 $@X4 e@Y5 / B: S@X13 $@Y13 e@Y12 / a: ^XY8 / to: W",
                (
                    Text(
                        "One engagement (a) belongs to both. At first it lies on a point between squares, out of play."
                    ),
                    Text(
                        "Before anything else in a turn you may shift it by one point: `a+` up-step, `a-` down-step, `aw` or `az` to a side."
                    ),
                ),
                Text("Shift it up-step, and move your engagement to Y6 in the same turn."),
                "a+ eY6",
                Text("The shift comes first: `a+ eY6`."),
                Goal(among=("a+ eY6",)),
                (
                    Mistake("eY6 a+", Text("The shift comes before anything else.")),
                    Mistake("a+", Text("A shift alone is a pass; the engagement is to move as well.")),
                ),
            ),
            Step(
                "W: S@Y4 $@X4 e@Y7 / B: S@X13 $@Y13 C@Y9 e@W10 / a: X8 / to: W",
                (
                    Text("In play it is White's on light squares and Black's on dark ones; X8 is light."),
                    Text("Whoever possesses it moves it one square anywhere, or fends with it diagonally forward."),
                ),
                Text("Fend the Cloak with the free engagement."),
                "aY9",
                Text("The Cloak on Y9 stands diagonally forward of X8."),
                Goal(takes=("Y9",), piece="a"),
            ),
        ),
    ),
)
