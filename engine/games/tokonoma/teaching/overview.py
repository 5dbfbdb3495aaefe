"""What Tokonoma is about, and how its turns are written."""

from engine.teaching.entries import Writing
from engine.text import Text

GOAL = (Text("Bring a Flat into the other side's house, or leave the other side without a move."),)
WRITINGS = (
    Writing("c7c5", Text("From where to where.")),
    Writing("Ac5", Text("What goes where: F, A, B, S.")),
    Writing("arm c7 to c5", Text("The same in words.")),
)
