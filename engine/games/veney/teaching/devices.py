"""Veney's devices of art and mysticism, in our own words."""

# ruff: noqa: E501 -- one sentence a line
from engine.teaching.entries import Entry
from engine.text import Term, Text

DEVICES = (
    Entry(
        "devices",
        Term("Device"),
        (Text("Shadow-stabbing, hirakamae, casting and the death spell; each may be left out by the term `devices`."),),
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
        ),
        ("shadow stabbing", "shadow stab", "stab"),
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
        ("stance", "open stance"),
        section="2.0.18:hirakamae",
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
        ("cast", "scatter", "cast square", "trap"),
        section="2.0.18",
    ),
    Entry(
        "devices",
        Term("Fire dance"),
        (
            Text(
                "A cast Lantern's square burns for its caster: own pieces that enter it may move again, as often as they like."
            ),
        ),
        ("fire", "fire square", "cast lantern"),
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
        section="2.0.18",
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
        section="2.0.18:shima",
    ),
    Entry(
        "devices",
        Term("Death spell"),
        (
            Text(
                "In a formal game whoever was touched and answers with Jutsu takes Jutsu has still lost, but takes the winner's token."
            ),
        ),
        ("deathspell", "spell"),
        section="2.0.18:deathspell",
    ),
)
