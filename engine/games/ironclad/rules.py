"""The rules of Ironclad by name: whose half is due, then the text's own on the stones, then those on the robots."""

from engine.game import Rule
from engine.text import Term, Text

HALVES = Rule(
    "halves",
    Term("Two halves"),
    Text("The owner of the turn plays one half, robots or stones; the opponent plays the other half for the owner."),
)
STRING = Rule(
    "string",
    Term("The object"),
    Text("A string of one colour from any side of the grid to the opposite one wins for that colour."),
)
PLACING = Rule("placing", Term("Placing"), Text("A stone of the turn owner's colour goes onto any free intersection."))
NEGATION = Rule(
    "negation", Term("the Rule of Negation"), Text("No stone is placed on a corner of a square that holds a robot.")
)
MOVEMENT = Rule(
    "movement",
    Term("Sliding"),
    Text(
        "Only a player who cannot place slides a stone of either colour along a line, over free intersections, as "
        "far as wished."
    ),
)
CIRCULARITY = Rule(
    "circularity", Term("the Rule of Circularity"), Text("The stone that was slid last is not slid again.")
)
FORFEIT = Rule("forfeit", Term("Forfeit"), Text("Whoever owes a stone action and can neither place nor slide loses."))
ROBOTS = Rule(
    "robots", Term("Moving robots"), Text("A robot goes one square in any direction, never onto another robot.")
)
FIRE = Rule(
    "fire",
    Term("Firing"),
    Text("All robots within range fire together on one enemy; the sum of their heights must reach its height."),
)
COVER = Rule(
    "cover",
    Term("Cover"),
    Text("With stones on the target's corners a die is thrown: their number or less, and the shot is lost."),
)
SWAP = Rule(
    "swap",
    Term("Swap"),
    Text("In the discourse game the second player may take the first turn's stone over instead of moving."),
)
BREAKTHROUGH = Rule("breakthrough", Term("Breakthrough"), Text("A robot on the enemy's first row wins at once."))
QUIET = Rule(
    "quiet", Term("Fifty quiet turns"), Text("Fifty turns without a placed stone or a destroyed robot are a draw.")
)
REPETITION = Rule("repetition", Term("Repetition"), Text("The third occurrence of a position is a draw."))

RULES = (
    *(HALVES, STRING, PLACING, NEGATION, MOVEMENT, CIRCULARITY, FORFEIT),
    *(SWAP, ROBOTS, FIRE, COVER, BREAKTHROUGH, QUIET, REPETITION),
)
