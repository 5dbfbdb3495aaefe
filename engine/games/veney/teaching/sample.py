"""What the page of Veney's rules shows besides the words' own scenes, and a match with notes."""

# ruff: noqa: E501 -- one sentence a line
from engine.teaching.entries import Noted, Scene

SCENES = {
    "start": Scene(title="The position at the start"),
}
SAMPLE = (
    Noted(
        "D*Y14",
        "Black has the first turn and spends it on a Dagger: placed beside the Self, it may be thrown later.",
    ),
    Noted("D*Y3", "White answers in kind."),
    Noted("J*W14", "The Jutsu comes in where an attack could be announced."),
    Noted(
        "L*X3 LfJ~",
        "White places the Lantern, and its glare, in line with Black's Self, fends the Jutsu at once: one turn, two deeds.",
        drawn=True,
    ),
    Noted("G*W14"),
    Noted(
        "J*Z3 LfJ~",
        "The same again: the Jutsu comes, a glare answers nothing, since none is on the board. It is allowed all the same.",
    ),
    Noted(
        "SX12 SX11",
        "Black's Self steps on its own engagement and goes on: it gains a measure, and leaves its guard behind.",
    ),
    Noted(
        "SX5 $tX11",
        "That is too far. White moves in concert: the Self steps forward, which carries the Sword's range, and the Sword touches.",
        drawn=True,
    ),
    Noted("BZ16", "Black has one dying turn. It does not touch in return, so White has won."),
)
