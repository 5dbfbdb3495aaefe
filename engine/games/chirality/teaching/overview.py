"""What Chirality is about, and how its turns are written."""

from engine.teaching.entries import Writing
from engine.text import Text

GOAL = (Text("Stand on all five tiles of the Throne in the middle, or outlast everybody else."),)
WRITINGS = (
    Writing("A50-A33", Text("The piece on A50 goes to A33.")),
    Writing("*A45", Text("A reserve piece enters on A45."), "P1: A44 / P2: B44 / res: 8 8 / to: P1 / quiet: 0"),
)
