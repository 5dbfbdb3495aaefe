"""Words of Veney for places, ways and threats, in our own words; reach is drawn from the positions given here."""

# ruff: noqa: E501 -- one sentence a line
from engine.teaching.entries import Entry, Scene, listed
from engine.text import Term, Text

VOCABULARY = (
    Entry(
        "play",
        Term("Move"),
        (
            Text(
                "A move is one act of one piece of yours: it goes, takes, fends, strikes, is placed, or is withdrawn."
            ),
            Text("To shift the free engagement, to glare and to announce an intention are no moves."),
        ),
        ("moves", "action"),
    ),
    Entry(
        "play",
        Term("Range"),
        (
            Text(
                "Sword and Dagger end at most one measure from their Self, the Guard in its measure or one step outside it, the Ruin at most one measure away."
            ),
            Text("The Sword may end further ahead on a step that carries an own engagement."),
            Text(
                "A piece that its Self has left behind breaks no rule until it moves, but an armament there can be disarmed."
            ),
        ),
        ("constraint", "constrained", "range constraint", "arm's reach", "movement"),
        Scene("W: S@Y6 $@X4 e@X10 / B: S@X13 $@Y13 C@Z8 / a: ^XY8 / to: W", "$?", "X4"),
    ),
    Entry(
        "play",
        Term("Adjacent"),
        (
            Text("Squares are adjacent that share a side or a corner."),
            Text(
                "A straight way leads along a line or a step, a diagonal one from corner to corner, four squares at most."
            ),
        ),
        ("diagonal", "orthogonal", "orthogonally", "next to"),
    ),
    Entry(
        "play",
        Term("Directions"),
        (
            Text("Ahead and forward are towards your opponent, behind and back towards your own first measure."),
            Text(
                "Up-step is towards step 16 and down-step towards step 1, W-ward and Z-ward towards those lines, for both sides."
            ),
            Text("The outside is the side of the board on which your Self began, the inside the other one."),
        ),
        listed(
            "directionality, ahead, forward, behind, inside, outside, w-ward, z-ward, up-step, down-step, left, "
            "right, back, further, to the rear"
        ),
    ),
    Entry(
        "play",
        Term("Leap"),
        (
            Text("Cloak, Balance and Jutsu leap everything, and a Ruin needs no open way."),
            Text("The Sword leaps its own pieces but the Self; a blade leaps the free engagement in its possession."),
            Text("All others leap nothing, but a flailing Lantern in the next measure on its way."),
        ),
        ("leaping", "leaps", "jump"),
        Scene("W: S@Y6 $@X4 C@X6 B@Y5 / B: S@X13 $@Y13 C@X9 / a: ^XY8 / to: W", "$?", "X4"),
    ),
    Entry(
        "play",
        Term("Special move"),
        (
            Text("A special move needs two pieces that stand right for it and is made as the move of a turn."),
            Text("An aspect of a piece holds all the time, or may be claimed whenever its conditions are there."),
        ),
        listed("special, aspect, ~"),
    ),
    Entry(
        "play",
        Term("Threat"),
        (
            Text(
                "A piece sees another one where its move could end; a blade that sees the opposing Self threatens to touch."
            ),
            Text("Nobody has to say so and nobody has to heed it; whoever must answer threats has lost the tempo."),
        ),
        ("see", "sees", "tempo", "threaten"),
    ),
    Entry(
        "play",
        Term("Parry"),
        (
            Text(
                "There is no move of this name: you parry by whatever takes the threat away, and riposte if it threatens something itself."
            ),
            Text("Self and blade in concert are an offensive maneuver, Self and Guard a defensive one."),
        ),
        listed(
            "riposte, parry and riposte, parry riposte, maneuver, maneuvering, offensive maneuvering, "
            "defensive maneuvering, counter-offensive maneuvering, offense, offence, defense, defence"
        ),
    ),
    Entry(
        "play",
        Term("Grappling"),
        (
            Text("The Selves stand so close that a Dagger out of the reserve threatens at once."),
            Text("There placed pieces also block where the other side may place."),
        ),
        ("close quarters",),
    ),
)
