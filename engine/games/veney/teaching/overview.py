"""What Veney is about, and how its turns are written."""

from engine.teaching.entries import Writing
from engine.text import Text

GOAL = (
    Text("Touch the opposing Self with a blade, or take the last blade of the other side."),
    Text("A turn that breaks a rule stands until somebody calls it out."),
)
WRITINGS = (
    Writing("SX12", Text("The Self goes to X12; `$` is the Sword, `e` an engagement, else its first letter.")),
    Writing("$W12", Text("The Sword steps on its engagement on W12.")),
    Writing("SX12 $Z12", Text("Two moves of one turn, in their order.")),
    Writing("G*Y14", Text("A piece in reserve is placed; `*G` withdraws it.")),
    Writing("aw", Text("The free engagement is shifted by one point: `aw`, `az`, `a+` or `a-`.")),
    Writing("!$tX4", Text("An intention: what the Sword is to strike next turn.")),
    Writing("--", Text("A pass.")),
)
