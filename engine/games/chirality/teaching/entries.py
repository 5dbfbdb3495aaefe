"""The words of Chirality's rulebook, in our own words; reach is drawn from the positions given here."""

# ruff: noqa: E501 -- one sentence a line
from engine.teaching.entries import Entry, Scene, listed
from engine.text import Term, Text

ENTRIES = (
    # --- pieces -------------------------------------------------------------------------------------------
    Entry(
        "pieces",
        Term("Piece"),
        (
            Text("All pieces are alike, sixteen for each player."),
            Text("A piece on a Thick tile is a Thick piece, on a Thin tile a Thin one; so it changes with every step."),
        ),
        ("pieces",),
        section="3",
        about=listed("army, type, sixteen, armies, safe"),
    ),
    Entry(
        "pieces",
        Term("Thick"),
        (
            Text("A Thick piece moves to an empty Thin tile across a full edge, and attacks the Thins there."),
            Text("It falls to two enemy sources at once; on the Throne to one."),
        ),
        ("thick piece",),
        Scene("P1: A10 A44 / P2: B44 C44 / res: 8 8 / to: P1 / quiet: 0", "A10-?", "A10", around="A10"),
        "8",
        about=listed("thick tile, thick movement, thick attack, thick capture, fat"),
    ),
    Entry(
        "pieces",
        Term("Thin"),
        (
            Text("A Thin piece moves to an empty Thick tile across an edge or a corner, and attacks the Thicks there."),
            Text("It falls to a single enemy source."),
        ),
        ("thin piece",),
        Scene("P1: A8 A44 / P2: B44 C44 / res: 8 8 / to: P1 / quiet: 0", "A8-?", "A8", around="A8"),
        "8",
        about=("thin tile", "thin movement", "thin attack", "thin capture"),
    ),
    # --- play ---------------------------------------------------------------------------------------------
    Entry(
        "play",
        Term("Movement"),
        (
            Text("A turn is one Move or one Muster; nobody may pass."),
            Text("A piece goes from Thick to Thin across an edge, from Thin to Thick across an edge or a corner."),
            Text("Threatened tiles may be entered."),
        ),
        listed(
            "move, moving, action, turn, one action, edge, vertex, pass, skip, adjacent, threatened, occupy, "
            "turn structure, corner, no skipping, vertices"
        ),
        Scene("P1: A8 A10 A44 / P2: B44 C44 / res: 7 8 / to: P1 / quiet: 0", "A8-?", "A8", around="A8"),
        section="8",
    ),
    Entry(
        "play",
        Term("Mustering"),
        (
            Text("Whoever stands on a tile of a Gate may put a reserve piece on any empty tile of it."),
            Text("It does not matter who else is there; the new piece counts at once."),
        ),
        ("muster", "reserve", "enter", "place", "placing", "newly mustered", "mustered piece", "reserve piece"),
        Scene("P1: A44 / P2: B44 A51 / res: 8 8 / to: P1 / quiet: 0", "*?", around="A45"),
        "9",
    ),
    Entry(
        "play",
        Term("Remote Mustering"),
        (
            Text(
                "Whoever holds an Inner Garrison may put a reserve piece on an empty Thick tile of a Gate on its half."
            ),
            Text("No enemy may stand on that Gate."),
        ),
        ("remote", "remote muster", "half", "same half", "half of the board"),
        Scene("P1: A14 A20 B10 B13 B19 / P2: C44 / res: 11 8 / to: P1 / quiet: 0", "*?"),
        "10",
    ),
    Entry(
        "play",
        Term("Attack"),
        (
            Text("A piece attacks what it could move to if it were empty: Thick attacks Thin, Thin attacks Thick."),
            Text("A Garrison attacks its whole Moat and nothing else."),
        ),
        ("source", "attack source", "threat", "attack map", "cross-terrain", "garrison attack"),
        scene=Scene("P1: A6 A44 / P2: A8 B44 / res: 8 8 / to: P1 / quiet: 0", "A6-A10", around="A10"),
        section="11",
    ),
    Entry(
        "play",
        Term("Capture"),
        (
            Text("At the end of every turn all captures happen at once, on both sides, and nobody moves for it."),
            Text("A Thin piece falls to one enemy source, a Thick piece to two, any piece on the Throne to one."),
        ),
        listed(
            "capturing, taking, take, exposure, throne exposure, exposed, order, resolution, simultaneous, "
            "initiative, turn resolution, turn resolution order, resolution order, end of turn, one attacker, "
            "two attackers, resolve"
        ),
        scene=Scene("P1: A12 A17 A44 / P2: A11 B44 / res: 8 8 / to: P1 / quiet: 0", "A12-A7", around="A11"),
        section="12",
    ),
    Entry(
        "play",
        Term("Garrison"),
        (
            Text("Five pieces of one player on a Star are a Garrison: they cannot be captured until one moves away."),
            Text("A Garrison attacks every tile of its Moat; friends may stand there."),
        ),
        listed(
            "fortress, garrison rules, form, break, control, occupation, immune, invulnerable, "
            "cannot be captured, protected"
        ),
        scene=Scene(
            "P1: A8 A10 A19 A44 A45 B28 E14 E20 / P2: A6 C44 C45 E7 E24 E8 / res: 6 7 / to: P1", "A8-A13", around="A10"
        ),
        section="13",
    ),
    Entry(
        "play",
        Term("Inner Garrison"),
        (
            Text("A Garrison on a Star of the first ring, I1 to I5; it allows Remote Mustering."),
            Text("Like every Garrison it ends when one of its five pieces moves away."),
        ),
        ("inner", "inner star"),
        scene=Scene("P1: A14 A20 B10 B13 B19 / P2: C44 / res: 11 0 / to: P1", "*A44"),
        section="4",
    ),
    Entry(
        "play",
        Term("Star"),
        (
            Text(
                "A Star is five Thick tiles around a point: the Throne, five inner ones (I1 to I5), five outer ones (O1 to O5)."
            ),
            Text("Five pieces of one player on it are a Garrison."),
        ),
        ("outer star", "ring", "two rings"),
        section="2",
    ),
    Entry(
        "play",
        Term("Moat"),
        (
            Text("A Star's Moat is the band of Thin tiles that touch it by an edge or a corner."),
            Text("Enemies on the Moat of a Garrison are captured at the end of the turn."),
        ),
        listed("band, petal, petaled, contiguous, circular"),
        section="2",
    ),
    Entry(
        "play",
        Term("Gate"),
        (
            Text("A Gate is two outward Thins at the fringe and the one to three Thicks between them."),
            Text("Reserve pieces come onto the board there."),
        ),
        ("fringe", "neutral gate", "opposing gates"),
        section="2",
    ),
    Entry(
        "play",
        Term("The board"),
        (
            Text("The board is a rosette of whole Thick and Thin rhombs, edge to edge, with two rings of Stars."),
            Text("The usual one has five Gates; others have more, for up to five players."),
            Text("Turned, a board stays the same; its mirror image is another one."),
        ),
        listed(
            "rosette, rhomb, tile, penrose, rhombus, uncut, r2, mirror, mirror-image, rotation, chiral, "
            "chirality, p3, figure, left-handed, handedness, rhombi, modal path ethics, playtest"
        ),
        scene=Scene(labels=True),
        section="1",
    ),
    Entry(
        "play",
        Term("Setup"),
        (
            Text("In the standard game each player fills two Gates and keeps eight in reserve."),
            Text(
                "In the quick game each begins with an Inner Garrison; in the long one, and with three or more, with one piece."
            ),
        ),
        listed(
            "standard, quick, long, start, multiplayer, players, spacing, gate assignment, "
            "multiplayer gate assignment, starting gate, first-turn gate, legal board, 8/8, 8 active, clockwise, "
            "interval, opposite sides"
        ),
        section="5",
    ),
    # --- ends ---------------------------------------------------------------------------------------------
    Entry(
        "ends",
        Term("Throne"),
        (
            Text("The Throne is the Star in the very centre; any piece on it falls to a single enemy source."),
            Text("Whoever stands on all five of its tiles after the own action wins at once."),
        ),
        listed("win, winning, goal, objective, central star, object, aim"),
        scene=Scene("P1: A2 B1 C1 D1 E1 / P2: C44 D2 / res: 0 0 / to: P1", "A2-A1", around="A1"),
        section="15.1",
    ),
    Entry(
        "ends",
        Term("Elimination"),
        (
            Text("Whoever has no piece on the board and none in reserve after captures is out; the last one in wins."),
            Text("Whoever has a reserve and can still muster is in."),
        ),
        ("out", "eliminated", "lose", "losing", "lost", "winning and losing"),
        section="15.2",
    ),
    Entry(
        "ends",
        Term("No action"),
        (
            Text("Whoever has neither a Move nor a Muster at the start of the own turn is out, reserves or not."),
            Text("It is looked at when that turn begins, not earlier."),
        ),
        ("stuck", "stalemate", "no legal action", "legal action"),
        section="15.3",
    ),
    Entry(
        "ends",
        Term("Draw"),
        (
            Text("The third occurrence of a position is a draw."),
            Text(
                "So are sixty turns of each player without a capture or a Muster, and an end in which nobody is left."
            ),
        ),
        ("repetition", "quiet", "third occurrence"),
        section="15.5",
    ),
)
