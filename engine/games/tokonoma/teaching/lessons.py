"""The course of Tokonoma: how pieces go, how two of them take, how one wins, and when to call."""

from engine.teaching.lessons import Goal, Lesson, Mistake, Step
from engine.text import Term, Text

LESSONS = (
    Lesson(
        Term("How the pieces go"),
        (
            Step(
                "f4/6/3F3/6/5 w",
                (
                    Text("You are White; forward is away from you, toward Black's house on c1."),
                    Text("A Flat goes one tile forward, straight or to either side."),
                ),
                Text("Move your Flat straight toward Black's house."),
                "c4c3",
                Text("Write from where to where: your Flat stands on c4, and before it lies c3."),
                Goal(ends=("c3",)),
                (Mistake("c4c5", Text("That is backward, and Flats never go back.")),),
            ),
            Step(
                "f4/6/2fA3/6/5 w",
                (
                    Text("The Arm goes two tiles straight forward, or one back, straight or to a side."),
                    Text("Whatever goes two tiles jumps over what stands between."),
                ),
                Text("Jump over the black Flat with your Arm."),
                "Ac2",
                Text("Two tiles straight forward of c4 lies c2; `Ac2` says what goes where."),
                Goal(ends=("c2",)),
                (
                    Mistake("c4c3", Text("Nobody moves onto an enemy; that is not how pieces are taken here.")),
                    Mistake("c4b3", Text("To the side the Arm goes only backward.")),
                ),
            ),
            Step(
                "f4/6/3B3/6/5 w",
                (
                    Text("The Blind goes two tiles forward to either side, two straight back, or one back to a side."),
                    Text("Each of its moves leads to another tone."),
                ),
                Text("Bring your Blind to the far side of the board, to a2 or e2."),
                "c4a2",
                Text("Two tiles forward to the side: up or down the slanted rows."),
                Goal(ends=("a2", "e2")),
                (Mistake("c4c2", Text("Straight forward is the Arm's way, not the Blind's.")),),
            ),
            Step(
                "f4/6/3S3/6/5 w",
                (
                    Text(
                        "The Star goes to one of the six nearest tiles of its own tone, along the edges between tiles."
                    ),
                    Text("So it never comes to stand beside where it was."),
                ),
                Text("Move your Star forward."),
                "c4b2",
                Text("The two tiles of its tone that lie forward of c4 are b2 and d2."),
                Goal(ends=("b2", "d2")),
                (
                    Mistake("c4c3", Text("The tile c3 is of another tone; a Star keeps to its own.")),
                    Mistake("c4a3", Text("That holds, but a3 lies straight to the side.")),
                ),
            ),
        ),
    ),
    Lesson(
        Term("Two empty a tile"),
        (
            Step(
                "f4/6/2fF1S1/6/5 w",
                (
                    Text("After your move all your pieces attack at once, wherever they stand."),
                    Text("A tile that two of them could move to is emptied; one alone does nothing."),
                ),
                Text("Your Flat attacks c3 already. Take the black Flat there."),
                "Sb4",
                Text("Move the Star to where it could go to c3 on its next move."),
                Goal(takes=("c3",)),
                (Mistake("c4c3", Text("A piece never moves onto an enemy: it attacks from where it stands.")),),
            ),
            Step(
                "f4/6/3f1F1/2A3/5 w",
                (Text("A piece attacks wherever it could go, backward too: your Arm on d3 attacks c4."),),
                Text("Take the black Flat on c4."),
                "c6c5",
                Text("Your Flat can come to stand right behind c4."),
                Goal(takes=("c4",)),
            ),
            Step(
                "f4/6/1b+F1S2/3F2/5 w",
                (Text("A stack is as weak as a lone piece: both are taken together."),),
                Text("Take the Blind on c2 and the Flat beneath it."),
                "c5b3",
                Text("Your Flat on c3 attacks c2 already; the Star reaches c2 from two tiles."),
                Goal(takes=("c2",)),
            ),
        ),
    ),
    Lesson(
        Term("Stacks"),
        (
            Step(
                "f4/6/1F1A3/6/5 w",
                (
                    Text("A tall, which is an Arm, a Blind or a Star, may move onto a lone Flat of its own side."),
                    Text("Beneath it the Flat neither moves nor attacks until the tall has left."),
                ),
                Text("Put your Arm on your Flat."),
                "Ac2",
                Text("The Flat stands on c2, two tiles forward."),
                Goal(ends=("c2",)),
                (Mistake("c2c1", Text("That wins, which is better still, but here the Arm is to go.")),),
            ),
            Step(
                "5/6/2fA+3/6/4f w",
                (
                    Text("When a tall leaves, its Flat attacks at once."),
                    Text("Here the Arm stands on a Flat on c4."),
                ),
                Text("Uncover the Flat so that c3 is emptied."),
                "Ac2",
                Text("The Flat attacks c3 from c4; the Arm attacks it from behind."),
                Goal(takes=("c3",)),
            ),
        ),
    ),
    Lesson(
        Term("Into the house"),
        (
            Step(
                "f4/6/1F5/6/4f w",
                (
                    Text("A lone Flat in the other side's house wins at once; Black's house is c1."),
                    Text("A side that cannot move when its turn begins has lost."),
                ),
                Text("Win."),
                "c2c1",
                Text("Your Flat stands right before the house."),
                Goal(wins=True),
            ),
            Step(
                "f4/6/1A+5/6/2F1f w",
                (Text("A tall in the house does nothing, and a Flat beneath a tall cannot move."),),
                Text("Make way: next turn your Flat is to step into the house."),
                "c2b2",
                Text("The Arm has to leave c2; Black can neither take the Flat nor block c1."),
                Goal(origin="c2"),
                (Mistake("Fc2c1", Text("The Flat lies beneath the Arm and cannot move.")),),
            ),
        ),
    ),
    Lesson(
        Term("Guard your own house"),
        (
            Step(
                "5/5f/5A1/6/f4 w",
                (
                    Text("Black's Flat on b6 stands before your house on c7."),
                    Text("An occupied house cannot be entered."),
                ),
                Text("Do not lose on the next turn."),
                "c6c7",
                Text("To empty b6 takes two attackers, and you have one piece: so block c7."),
                Goal(safe=True),
            ),
        ),
    ),
    Lesson(
        Term("Does it hold?"),
        (
            Step(
                "f4/6/2fA3/6/5 w",
                (
                    Text("In many matches a turn that breaks a rule stands until somebody calls it out."),
                    Text("So watch what the others do: White has just played the Arm from c4 to c2."),
                ),
                Text("Does that hold? Answer `call` or `ok`."),
                "ok",
                Text("How does an Arm go, and what do pieces do that go two tiles?"),
                turn="c4c2",
            ),
            Step(
                "f4/6/3S3/6/5 w",
                (Text("White has just played the Star from c4 to c3."),),
                Text("Does that hold? Answer `call` or `ok`."),
                "call",
                Text("Look at the tones of c4 and c3."),
                turn="c4c3",
            ),
            Step(
                "f4/6/1A+5/6/4f w",
                (Text("White has just pulled the Flat from under the Arm on c2, into Black's house."),),
                Text("Does that hold? Answer `call` or `ok`."),
                "call",
                Text("What may a Flat do beneath a tall?"),
                turn="Fc2c1",
            ),
            Step(
                "f4/6/3B3/6/5 w",
                (
                    Text("White has just played the Blind from c4 to c6, two tiles back."),
                    Text("A wrong call costs something in most matches, so be sure."),
                ),
                Text("Does that hold? Answer `call` or `ok`."),
                "ok",
                Text("Two straight back is one of the Blind's ways."),
                turn="c4c6",
            ),
        ),
    ),
)
"""From the first move on."""
