"""The words of Tokonoma's rulebook, in our own words; reach is drawn from the positions given here."""

from engine.teaching.entries import Entry, Scene, listed
from engine.text import Term, Text

ENTRIES = (
    # --- pieces -------------------------------------------------------------------------------------------
    Entry(
        "pieces",
        Term("Flat"),
        (
            Text("A Flat goes one tile forward, straight or to either side, and never back."),
            Text("It alone wins: a Flat that stands in the other side's house ends the game."),
        ),
        ("slab", "pawn", "flats"),
        Scene("5/6/3F3/6/5 w", "c4?", "c4"),
        "flat",
        about=("short",),
    ),
    Entry(
        "pieces",
        Term("Arm"),
        (
            Text("The Arm goes two tiles straight forward, one straight back, or one back to either side."),
            Text("Where it goes two tiles it jumps over whatever stands between."),
        ),
        ("hand",),
        Scene("5/6/3A3/6/5 w", "c4?", "c4"),
        "arm",
    ),
    Entry(
        "pieces",
        Term("Blind"),
        (
            Text("The Blind goes two tiles forward to either side, two straight back, or one back to either side."),
            Text(
                "All its ways lead to tiles of one tone: White's from middle to light to dark, Black's the other way."
            ),
        ),
        ("eye", "closed eye"),
        Scene("5/6/3B3/6/5 w", "c4?", "c4"),
        "blind",
        about=("cycle",),
    ),
    Entry(
        "pieces",
        Term("Star"),
        (
            Text("The Star goes to one of the six nearest tiles of its own tone, along the edges between tiles."),
            Text("So White's Star stays on dark tiles for ever, and Black's on light ones."),
        ),
        (),
        Scene("5/6/3S3/6/5 w", "c4?", "c4"),
        "star",
        about=("six directions", "diagonal", "diagonally"),
    ),
    Entry(
        "pieces",
        Term("Tall"),
        (
            Text("The talls are two Arms, two Blinds and a Star of each side, at first each on a Flat."),
            Text("Only a tall may step onto another piece: onto a lone Flat of its own side."),
        ),
        ("tall piece", "tall pieces", "piece", "pieces"),
        about=listed("setup, start, starting position, layout, unstack"),
    ),
    # --- play ---------------------------------------------------------------------------------------------
    Entry(
        "play",
        Term("Movement"),
        (
            Text("A turn is one move of one piece; there is no passing."),
            Text("Whatever goes two tiles jumps; no piece ends its move on an enemy piece."),
        ),
        listed(
            "move, moving, turn, jump, jumping, pass, occupied, obstacle, pattern, passing, stage, leap, first, "
            "path, way"
        ),
        Scene("5/3F2/2FAf2/6/5 w", "c4?", "c4"),
        section="movement",
    ),
    Entry(
        "play",
        Term("Attack"),
        (
            Text("After each move all the mover's pieces attack at once, wherever they stand."),
            Text("A tile is hit by every piece that could move there; what is hit by two or more is taken off."),
            Text("The other side does not hit back until it has moved itself."),
        ),
        listed(
            "capture, capturing, take, taking, hit, emptied, two attackers, attacked, attacking, "
            "attacking piece, captured, two pieces, counter-attack, under attack, multiple targets, automatic, "
            "removed from play, removed"
        ),
        scene=Scene("4f/1fF3/3F3/1fF2S/2A2 w", "Fc4c3"),
        section="attack",
    ),
    Entry(
        "play",
        Term("Stacking"),
        (
            Text("A tall may move onto a lone Flat of its own side, and later off it again."),
            Text("Beneath a tall a Flat neither moves nor attacks, and both are taken together."),
        ),
        listed("stack, stacks, stacked, join, on a flat, die together, unstacking"),
        Scene("5/6/1F1A3/6/5 w", "c4?", "c4"),
        "stacking",
    ),
    Entry(
        "play",
        Term("Covered Flat"),
        (
            Text("A Flat beneath a tall neither moves nor attacks until the tall has left."),
            Text("A tall never slips under a Flat, and a Flat never under a tall."),
        ),
        ("covered", "cover", "under", "inactive"),
        scene=Scene("4f/6/3A+3/6/5 w", "Fc4c3"),
        section="covered",
    ),
    Entry(
        "play",
        Term("Forward"),
        (
            Text("Forward is toward the other side's house: left for White, right for Black."),
            Text("White begins on the right and moves first."),
        ),
        ("direction", "back", "backward", "sideways", "forward-sideways", "backward-sideways", "white", "black"),
    ),
    Entry(
        "play",
        Term("Tone"),
        (
            Text("Tiles are light, middle or dark, and no two neighbours have the same tone."),
            Text("A Star keeps its tone; a Blind changes it with every move."),
        ),
        listed("colour, color, light, middle, dark, tile, board, hexagon, hex, tone cycle"),
        scene=Scene(labels=True),
    ),
    # --- ends ---------------------------------------------------------------------------------------------
    Entry(
        "ends",
        Term("House"),
        (
            Text("The leftmost tile is Black's house, the rightmost White's."),
            Text("A side whose Flat stands alone in the other side's house has won."),
        ),
        listed(
            "house capture, home, goal, win, winning, leftmost tile, rightmost tile, objective, object, aim, "
            "object of the game, race"
        ),
        scene=Scene("4f/6/1F5/6/3s1 w", "c2c1"),
        section="house",
    ),
    Entry(
        "ends",
        Term("Stalemate"),
        (
            Text("A side that cannot move when its turn begins has lost."),
            Text("Otherwise one loses only by a Flat in one's house."),
        ),
        ("no move", "lose", "losing", "lost", "stuck"),
        section="stalemate",
    ),
    Entry(
        "ends",
        Term("Draw"),
        (
            Text("The third occurrence of a position is a draw."),
            Text("So are a hundred plies without a Flat's move or an emptied tile."),
        ),
        listed("repetition, quiet, quiet plies, threefold, three times"),
        section="repetition",
    ),
)
