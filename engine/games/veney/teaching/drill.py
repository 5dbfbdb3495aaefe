"""The last lesson of Veney: turns to call out or to let stand."""

# ruff: noqa: E501 -- one sentence a line
from engine.teaching.lessons import Lesson, Step
from engine.text import Term, Text

ANSWER = Text("Does that hold? Answer `call` or `ok`.")

CALLING = Lesson(
    Term("When to call"),
    (
        Step(
            "W: S@Y4 $@X4 e@Y5 e@W8 / B: S@X13 $@Y13 C@X9 e@W12 / a: ^XY8 / to: W",
            (
                Text(
                    "A turn that breaks a rule stands until somebody calls it out, and you may do so until you have made your own turn."
                ),
                Text("White's Sword has just fended the Cloak on X9; White's Self stands on Y4."),
            ),
            ANSWER,
            "call",
            Text("How far does the Sword reach while its Self is in the first measure?"),
            turn="$X9",
        ),
        Step(
            "W: S@Y4 $@X4 e@Y5 e@W8 / B: S@X13 $@Y13 C@X9 e@W12 / a: ^XY8 / to: W",
            (
                Text(
                    "The same, but in concert: the Self went to Y5, the Sword to X9. A wrong call costs you something, so look twice."
                ),
            ),
            ANSWER,
            "ok",
            Text("In which measure is Y5?"),
            turn="SY5 $X9",
        ),
        Step(
            "W: S@Y6 B@Z8 $@X4 e@Z5 / B: S@Y14 $@X10 e@Z12 / a: - / to: W",
            (Text("White's Balance has just fended the Sword on X10."),),
            ANSWER,
            "call",
            Text("Whom may a Balance attack?"),
            turn="BX10",
        ),
        Step(
            "W: S@Y6 $@X6 e@Z7 / B: S@Y14 $@Y13 C@X10 e@Z12 / a: - / to: W",
            (
                Text(
                    "White has moved an engagement and announced an attack on your Self, which the Sword cannot reach."
                ),
            ),
            ANSWER,
            "ok",
            Text("Does an intention have to be true?"),
            turn="eZ8 !$tY14",
        ),
        Step(
            "W: S@Y4 $@X4 e@X5 e@W9 / B: S@X13 $@Y13 C@W6 / a: ^XY8 / to: W",
            (Text("White's engagement has just gone from X5 to X9."),),
            ANSWER,
            "call",
            Text("How far does an engagement go, and where?"),
            turn="eX9",
        ),
        Step(
            "W: S@X6 $@Z6 D@Y6 e@Y8 / B: S@Y14 $@Z14 C@Y13 e@Z12 / a: - / to: W",
            (Text("White has just thrown the Dagger from Y6 at your Self on Y14, with a Cloak on Y13."),),
            ANSWER,
            "call",
            Text("What may stand between a Dagger and its target?"),
            turn="DtY14~",
        ),
    ),
)
