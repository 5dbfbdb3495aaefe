"""What Ironclad is about, and how its turns are written."""

from engine.teaching.entries import Writing
from engine.text import Text

GOAL = (Text("Join any two opposite sides of the grid with your stones, or bring a robot to the enemy's first row."),)
WRITINGS = (
    Writing("d5", Text("A stone is placed on d5: small letters are intersections.")),
    Writing("C1-C2", Text("The robot on C1 goes to C2: capitals are squares.")),
    Writing(
        "xD6",
        Text("All robots within range fire on D6."),
        "rW: A1=1 C4=2 / rB: A8=1 D6=2 / sW: - / sB: - / last: - / mode: full / owner: W / half: - / to: W",
    ),
    Writing("d5 / C1-C2", Text("The other half of the opponent's turn, then the first half of your own.")),
)
