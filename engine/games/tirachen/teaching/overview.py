"""What Tirachen is about, and how its turns are written."""

from engine.teaching.entries import Writing
from engine.text import Text

GOAL = (Text("Capture the other general, or hold all three squares of the other homeland at the end of your turn."),)
WRITINGS = (
    Writing("P@d2", Text("Bring a pike from the pool to d2; F, C, S (arms), A (spells), W (hunt).")),
    Writing("e1-e2", Text("What stands on e1 goes to e2.")),
    Writing("mobilize", Text("You are mobilized from now on.")),
    Writing(
        "Ce1xe5",
        Text("The commander captures; the traitor is removed."),
        "R: G@d1 C@e1 / W: G@e9 / T: e5 - / pR: - / pW: - / mob: RW / to: R",
    ),
    Writing(
        "Ce1xe5=T e5-h8",
        Text("It is given up, the traitor turned, and goes on to h8."),
        "R: G@d1 C@e1 / W: G@e9 / T: e5 - / pR: - / pW: - / mob: RW / to: R",
    ),
)
