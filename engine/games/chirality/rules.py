"""The rules of Chirality by the sections of its text, in our own words; "We read: …" marks a ruling of ours."""

from engine.game import Rule
from engine.text import Term, Text

THRONE_STAR = Rule("1.1", Term("The Throne"), Text("A board has a Star in its very centre; it is the Throne."))
RINGS = Rule(
    "1.2",
    Term("Two rings"),
    Text(
        "A board looks the same after a fifth of a turn, and exactly two full rings of Stars surround the "
        "Throne. We read: Stars at the same distance form a ring."
    ),
)
OPPOSING_GATES = Rule(
    "1.3",
    Term("Opposing Gates"),
    Text(
        "At least two Gates at the fringe oppose each other. We read: they do if they are more than a right "
        "angle apart, seen from the Throne."
    ),
)
WHOLE_TILES = Rule(
    "1.4",
    Term("Whole tiles"),
    Text("A board is one piece made of whole Thick and Thin rhombs, edge to edge, without gaps or overlaps."),
)
FEATURES = Rule(
    "2",
    Term("Stars, Moats and Gates"),
    Text(
        "A Star is five Thicks around a point. Its Moat is the band of Thins that touch it by an edge or a "
        "corner, reaching every outer edge. A Gate is two outward Thins at the fringe and the one to three "
        "Thicks between them."
    ),
)
PIECES = Rule(
    "3",
    Term("Pieces"),
    Text("Each player has 16 pieces, all alike: a piece on a Thick tile is Thick, a piece on a Thin tile is Thin."),
)
GARRISONS = Rule(
    "4",
    Term("Garrisons"),
    Text("Five pieces of one player on a Star are a Garrison; on a Star of the first ring, an Inner Garrison."),
)
STANDARD = Rule(
    "5.A",
    Term("Standard game"),
    Text(
        "Two players, 8 pieces on the board and 8 in reserve: each fills two Gates. We read: the first player "
        "Gates 1 and 4, the second 5 and 2, so that each has Gates on opposite sides; with `sides=together` 1 "
        "and 2 against 5 and 4."
    ),
)
QUICK = Rule(
    "5.B",
    Term("Quick game"),
    Text("Two players, each begins with a Garrison on an Inner Star and 11 in reserve. We read: I2 against I5."),
)
LONG = Rule(
    "5.C",
    Term("Long game"),
    Text("Each player has one Gate, first places one piece on any tile of it, and keeps 15 in reserve."),
)
ASSIGNMENT = Rule(
    "6",
    Term("Who has which Gate"),
    Text(
        "The first player's Gate is drawn by lot; the others follow clockwise, spread as evenly as the Gates "
        "allow. We read: play goes clockwise by Gate, and each Gate nearest to an even share is taken, the "
        "more even one if two are."
    ),
)
ONE_ACTION = Rule("7", Term("One action a turn"), Text("A turn is one Move or one Muster; nobody may pass."))
MOVEMENT = Rule(
    "8",
    Term("Movement"),
    Text(
        "A Thick piece moves to an empty Thin tile across a full edge; a Thin piece to an empty Thick tile "
        "across an edge or a corner. It is then what its new tile is. Threatened tiles may be entered."
    ),
)
MUSTERING = Rule(
    "9",
    Term("Mustering"),
    Text("Whoever stands on a tile of a Gate may put a reserve piece on any empty tile of it, whoever else is there."),
)
REMOTE = Rule(
    "10",
    Term("Remote Mustering"),
    Text(
        "Whoever holds an Inner Garrison may put a reserve piece on an empty Thick tile of a Gate on its half "
        "of the board, if no enemy stands on that Gate. We read: the half is what lies on the Inner Star's "
        "side of the Throne's centre, so that each Inner Star has the two Gates nearest to it."
    ),
)
ATTACK = Rule(
    "11",
    Term("Attack"),
    Text(
        "A piece attacks what it could move to if it were empty: Thick the Thins across an edge, Thin the "
        "Thicks across an edge or a corner. A Garrison attacks its whole Moat and nothing else."
    ),
)
CAPTURE = Rule(
    "12",
    Term("Capture"),
    Text(
        "At the end of every turn all captures happen at once, on both sides: a Thin piece falls to one enemy "
        "source, a Thick piece to two, any piece on the Throne to one. We read: two sources are two pieces, "
        "of one enemy or of two, and a piece that falls still attacks in that resolution."
    ),
)
GARRISON_RULES = Rule(
    "13",
    Term("Garrison rules"),
    Text(
        "The pieces of a Garrison cannot be captured until one of them moves away; enemies on its Moat fall, "
        "friends may stand there. We read: its pieces are safe from the moment the fifth stands."
    ),
)
ORDER = Rule(
    "14",
    Term("Order of a turn"),
    Text(
        "First the action, then a full Throne wins, then Garrisons form or break, then captures, then the "
        "next player must have an action."
    ),
)
THRONE_WIN = Rule(
    "15.1",
    Term("The Throne is taken"),
    Text("Whoever stands on all five tiles of the Throne after their own action wins."),
)
ELIMINATION = Rule(
    "15.2",
    Term("Elimination"),
    Text(
        "Whoever has no piece on the board and none in reserve after captures is out; the last one in wins. "
        "We read: the pieces of a player who is out leave the board, and play goes on among the others."
    ),
)
NO_ACTION = Rule(
    "15.3",
    Term("No action"),
    Text("Whoever has neither a Move nor a Muster at the start of their own turn is out, reserves or not."),
)
ALL_OUT = Rule(
    "15.4",
    Term("All eliminated"),
    Text("We read: if everybody who is left is eliminated in one resolution, it is a draw among them."),
)
THIRD_TIME = Rule(
    "15.5",
    Term("Third occurrence"),
    Text("We read: a position that occurs for the third time, with the same player to act, is a draw."),
)
QUIET = Rule(
    "15.6",
    Term("Sixty quiet turns"),
    Text(
        "We read: sixty turns of each player without a capture or a Muster are a draw; the count begins anew "
        "when a player is out."
    ),
)

RULES = (
    THRONE_STAR,
    RINGS,
    OPPOSING_GATES,
    WHOLE_TILES,
    FEATURES,
    PIECES,
    GARRISONS,
    STANDARD,
    QUICK,
    LONG,
    ASSIGNMENT,
    ONE_ACTION,
    MOVEMENT,
    MUSTERING,
    REMOTE,
    ATTACK,
    CAPTURE,
    GARRISON_RULES,
    ORDER,
    THRONE_WIN,
    ELIMINATION,
    NO_ACTION,
    ALL_OUT,
    THIRD_TIME,
    QUIET,
)
