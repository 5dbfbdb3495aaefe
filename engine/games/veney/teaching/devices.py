"""Veney's devices of art and mysticism, in our own words."""

# ruff: noqa: E501 -- one sentence a line
from engine.teaching.entries import Entry, Scene, listed
from engine.text import Term, Text

DEVICES = (
    Entry(
        "devices",
        Term("Device"),
        (
            Text(
                "Shadow-stabbing, hirakamae, casting and the death spell; each may be left out by the term `devices`."
            ),
            Text("Each is worked by two pieces or more, and changes others or the rules themselves."),
        ),
        ("devices", "mysticism", "art"),
        section="2.0.18",
    ),
    Entry(
        "devices",
        Term("Shadow-stabbing"),
        (
            Text(
                "A blade that fends a Balance on the blade owner's side also takes the opposing Jutsu, from board or reserve."
            ),
            Text("The Balance itself goes back to reserve."),
        ),
        ("shadow stabbing", "shadow stab", "stab"),
        scene=Scene("W: S@X5 $@X6 / B: S@Z16 $@Z14 B@X8 / rB: J / a: - / to: W", "$fBtJ~"),
    ),
    Entry(
        "devices",
        Term("Hirakamae"),
        (
            Text(
                "Once a game: with your blade beside your Self on its step and nothing else in that measure, announce the stance with a pass."
            ),
            Text(
                "Then you may pass as you like and the other side must not; your first move ends it and may be two moves."
            ),
        ),
        ("stance", "open stance", "hira no kamae", "hira ichimonji no kamae"),
        Scene("W: S@X6 $@Y6 e@W9 / B: S@X13 $@Z13 C@Y12 e@W12 / a: ^YZ9 / to: W", "--h"),
        "2.0.18:hirakamae",
    ),
    Entry(
        "devices",
        Term("Casting"),
        (
            Text(
                "Into an empty measure between the Selves a Lantern, Cloak or Dagger may be cast, from board or reserve."
            ),
            Text("Name a square to aim at; sticks decide where it falls, and the cast piece is discarded."),
        ),
        listed("cast, scatter, cast square, trap, tossing, toss"),
        Scene("W: S@X3 $@Y3 / B: S@X14 $@Y14 / rW: L / a: - / to: W", "~L:Y6"),
        "2.0.18",
    ),
    Entry(
        "devices",
        Term("Fire dance"),
        (
            Text(
                "A cast Lantern's square burns for its caster: own pieces that enter it may move again, as often as they like."
            ),
            Text("They may take something on that square and still go on."),
        ),
        ("fire", "fire square", "cast lantern"),
        scene=Scene("W: S@X3 $@Y3 / B: S@X14 $@Y14 C@Y6 / a: - / to: W / flags: fire=W:Y6", "$fY6 $X7"),
    ),
    Entry(
        "devices",
        Term("Chaos"),
        (
            Text(
                "When a Cloak is cast you may put Self and one blade on empty squares of your side behind the step where it fell."
            ),
            Text(
                "Once, when an opposing technical piece enters that square later, you may spring the trap: the piece is lost."
            ),
        ),
        ("obscurant chaos", "cast cloak", "spring"),
        Scene("W: S@X3 $@Y3 / B: S@X14 B@W8 $@Z13 / a: - / to: B / flags: chaos=W:Y6", "C~! SX4", before=("BY6",)),
        "2.0.18",
    ),
    Entry(
        "devices",
        Term("Shima"),
        (
            Text(
                "A cast Dagger discards all reserves but Daggers and engagements: no more retreat or reset, and a draw is a loss for both."
            ),
            Text("If the caster's Self enters the square, the Dagger comes back next to it."),
        ),
        ("cast dagger", "island", "no way out"),
        Scene("W: S@X5 $@Y3 / B: S@X14 $@Y14 / dW: D / a: - / to: W / flags: shima=W:Y6", "SY6 D*Y7"),
        "2.0.18:shima",
    ),
    Entry(
        "devices",
        Term("Death spell"),
        (
            Text(
                "In a formal game whoever was touched and answers with Jutsu takes Jutsu has still lost, but takes the winner's token."
            ),
            Text("It is no double-checkmate."),
        ),
        ("deathspell", "spell"),
        section="2.0.18:deathspell",
    ),
)
