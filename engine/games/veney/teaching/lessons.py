"""The course of Veney: its basics, then blades, devices, bluffs, and when to call."""

# ruff: noqa: E501 -- one sentence a line
from engine.games.veney.teaching.basics import BASICS
from engine.games.veney.teaching.drill import CALLING
from engine.teaching.lessons import Goal, Lesson, Mistake, Step
from engine.text import Term, Text

LESSONS = (
    *BASICS,
    Lesson(
        Term("Disarm"),
        (
            Step(
                "W: S@Y6 B@Z8 $@X4 e@Z5 / B: S@Y14 $@X10 e@Z12 / a: - / to: W",
                (
                    Text(
                        "Swords, Daggers and Guards are armaments. Only a blade takes one, and only if it is overextended or one of your technical pieces attacks it too."
                    ),
                    Text("Cloak, Balance, Lantern, Jutsu and Guard are technical. Who loses the last blade has lost."),
                ),
                Text("Win by taking Black's only blade."),
                "$X10",
                Text("Your Balance on Z8 attacks X10 already."),
                Goal(wins=True),
                (Mistake("BX10", Text("The Balance itself takes no armament; it only helps the Sword.")),),
            ),
            Step(
                "W: S@Y6 $@X4 e@Z5 / B: S@Y14 $@X7 e@Z12 / a: - / to: W",
                (Text("Overextended is an armament that stands outside the range of its own Self."),),
                Text("Win."),
                "$X7",
                Text("Black's Self is in its first measure, so its Sword belongs on steps 9 to 16."),
                Goal(wins=True),
            ),
        ),
    ),
    Lesson(
        Term("Blade against blade"),
        (
            Step(
                "W: S@Y8 $@X9 e@X7 / B: S@Y14 $@Y10 e@Z12 / a: - / to: W",
                (
                    Text(
                        "Cavazione: adjacent blades on the opponent's side trade places. A `~` behind a move says that it is a special one."
                    ),
                ),
                Text("Slip past Black's Sword on Y10 by cavazione."),
                "$Y10~",
                Text("Go to its square and write `~` behind it: `$Y10~`."),
                Goal(verb="cavazione"),
                (
                    Mistake(
                        "$Y10", Text("That would take the Sword, which is in its range and attacked by nobody else.")
                    ),
                ),
            ),
            Step(
                "W: S@Y3 $@X5 e@W6 / B: S@Z10 $@X7 e@Y12 / a: - / to: W",
                (Text("Opposition: with both blades in line on your own side, yours pushes the other ahead."),),
                Text("Push Black's Sword over the centre line, which lies behind step 8."),
                "$X8~",
                Text("Your Sword goes to X8, Black's is pushed one further."),
                Goal(verb="opposition", ends=("X8",)),
                (Mistake("$X7~", Text("That holds, but Black's Sword stays on X8, on your side of the line.")),),
            ),
        ),
    ),
    Lesson(
        Term("The Cloak's tricks"),
        (
            Step(
                "W: S@Y6 C@W7 $@X4 e@X8 / B: S@X12 $@X9 L@Y8 e@Z12 / a: ^XY8 / to: W",
                (
                    Text("A Cloak that leaps onto a blade captures it: it stays there, and the blade can do nothing."),
                    Text("A captured blade can be taken by your Sword, for the Cloak helps."),
                ),
                Text("Capture Black's Sword with the Cloak."),
                "CX9~",
                Text("Two steps ahead and one line to the side of W7."),
                Goal(ends=("X9",), verb="move", origin="W7"),
            ),
            Step(
                "W: S@X5 C@Y4 $@W4 e@Z5 / B: S@X13 $@Y13 e@Z12 / a: - / to: W",
                (Text("Feign: Cloak and Self next to each other trade places, as a whole turn."),),
                Text("Trade their places."),
                "CY4~SX5",
                Text("Write both with their squares and `~` between: `CY4~SX5`."),
                Goal(verb="feign"),
            ),
        ),
    ),
    Lesson(
        Term("The Guard deflects"),
        (
            Step(
                "W: S@Y5 G@Y6 $@X4 e@Z6 / B: S@X12 $@Y7 e@W11 / a: - / to: W",
                (
                    Text("The Guard goes along lines and steps, or one square diagonally, near its Self."),
                    Text(
                        "Moving onto a blade or a Guard it pushes that on, forward over the centre line if the way is free."
                    ),
                ),
                Text("Push Black's Sword away from your Self."),
                "GY7~",
                Text("Move onto it and write `~`."),
                Goal(verb="deflect"),
            ),
        ),
    ),
    Lesson(
        Term("The throw"),
        (
            Step(
                "W: S@X6 $@Z6 D@Y6 e@Y8 / B: S@Y14 $@Z14 e@Y12 / a: - / to: W",
                (
                    Text(
                        "A Dagger in line with the other Self, with nothing but engagements between, can be thrown at it."
                    ),
                    Text(
                        "Sticks fall, two and one more for each measure between the Selves: all your colour, and you have touched. Else the Dagger is lost; one off, and you may regroup."
                    ),
                ),
                Text("Throw the Dagger."),
                "DtY14~",
                Text("The Dagger, t for what it wants to take, the square and `~`: `DtY14~`."),
                Goal(verb="throw"),
            ),
            Step(
                "W: S@X6 $@Z6 D@Y6 e@Y8 / B: S@Y14 $@Z14 e@Y12 / a: - / to: W",
                (
                    Text(
                        "The nearer the Selves, the fewer sticks: now four would fall, and one throw in sixteen hits."
                    ),
                    Text("The throw may be the second half of a concert; what counts is where the Self stands then."),
                ),
                Text("Throw with better odds: bring the Self into the third measure first."),
                "SX9 DtY14~",
                Text("From the second measure it lunges three squares: `SX9 DtY14~`."),
                Goal(verb="throw", ends=("X9", "W9", "Y9")),
                (Mistake("DtY14~", Text("That holds, but four sticks fall; move the Self first.")),),
            ),
        ),
    ),
    Lesson(
        Term("Intentions, true and false"),
        (
            Step(
                "W: S@Y6 J@Y9 $@X6 e@Z7 / B: S@Y14 $@Y13 C@X10 e@Z12 / a: - / to: W",
                (
                    Text("As the last thing in your turn you may announce what a blade is to attack next: `!$tX10`."),
                    Text(
                        "On your next turn it may strike just that from where it stands, with your Jutsu on the target's measure or diagonal."
                    ),
                ),
                Text("Move an engagement, and announce that your Sword is to strike the Cloak on X10."),
                "eZ8 !$tX10",
                Text("First `eZ8`, then the intention `!$tX10`."),
                Goal(among=("eZ8 !$tX10",)),
                (Mistake("!$tX10", Text("That announces it, but without a move it is a pass.")),),
            ),
            Step(
                "W: S@Y6 J@Y9 $@X6 e@Z8 / B: S@Y14 $@Y13 C@X10 e@Z12 / a: - / to: W / flags: int=W:$tX10",
                (Text("You have announced it, the Cloak has not moved, and your Jutsu shares its measure."),),
                Text("Strike: the Cloak is fended, and your Sword stays where it is."),
                "$tX10!",
                Text("Write it once more with `!` behind it: `$tX10!`."),
                Goal(takes=("X10",), verb="strike"),
            ),
            Step(
                "W: S@Y6 $@X6 e@Z7 / B: S@Y14 $@Y13 C@X10 e@Z12 / a: - / to: W",
                (
                    Text(
                        "An intention may be a bluff: you need neither Jutsu nor reach to announce one, and nobody can call it out."
                    ),
                    Text("Whoever believes you moves the target away, and has lost a turn."),
                ),
                Text("Frighten Black: make a move, and announce an attack on its Self on Y14."),
                "eZ8 !$tY14",
                Text("Any move, and `!$tY14` behind it."),
                Goal(verb="intend"),
            ),
        ),
    ),
    Lesson(
        Term("The Lantern's glare"),
        (
            Step(
                "W: S@Y6 L@X7 $@W4 e@X10 / B: S@X13 J@W9 $@Z13 e@Z12 / a: - / to: W",
                (
                    Text(
                        "A Lantern in line with the other Self glares at it, through everything but Guards, Cloaks and your own Self."
                    ),
                    Text("As the last thing in your turn it may then fend the Jutsu, wherever that is: `LfJ~`."),
                ),
                Text("Move, and fend the Jutsu by the glare in the same turn."),
                "eX11 LfJ~",
                Text("Any move that leaves the Lantern its line X, then `LfJ~`."),
                Goal(takes=("W9",), verb="move"),
                (Mistake("LfJ~", Text("That fends the Jutsu, but it is a pass; make a move first.")),),
            ),
        ),
    ),
    Lesson(
        Term("Passing, and daring to"),
        (
            Step(
                "W: S@Y6 $@X6 e@Z7 / B: S@Y14 $@Y13 e@Z12 / a: - / to: W / flags: passes=1",
                (
                    Text(
                        "A turn without a move is a pass, `--`. The other side accepts it by moving, or refuses by passing too; then the first to pass has to move."
                    ),
                    Text("So a pass is a bluff: it says that you have time. Black has passed."),
                ),
                Text("Refuse, so that Black has to move."),
                "--",
                Text("Two hyphens are a pass."),
                Goal(among=("--",)),
            ),
            Step(
                "W: S@Y6 $@X6 e@Z7 / B: S@Y14 $@Y13 e@Z12 / a: - / to: W / flags: passes=2",
                (Text("Now it was you who passed first, and Black has refused. White has just passed once more."),),
                Text("Does that hold? Answer `call` or `ok`."),
                "call",
                Text("Who has to move after a refused pass?"),
                turn="--",
            ),
        ),
    ),
    Lesson(
        Term("The last turn"),
        (
            Step(
                "W: $@Z8 e@W6 / B: $@X5 S@Z12 e@Y11 / dW: S / a: - / to: W / flags: dying=W@X5",
                (
                    Text(
                        "Black's Sword has touched your Self on X5. You have one turn left; ranges count from where the Self fell."
                    ),
                    Text("If you touch in return, both have lost, which is better than losing alone."),
                ),
                Text("Touch in return."),
                "$Z12",
                Text("The line Z is free, and step 12 lies one measure from X5's."),
                Goal(among=("$Z12",)),
            ),
        ),
    ),
    CALLING,
)
"""From the first step to the last."""
