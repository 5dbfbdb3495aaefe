"""What can be picked in Veney besides places: ways to use a piece, devices, adjustments."""

from collections.abc import Mapping
from typing import Final

from engine.composition import Choice, Pick
from engine.text import Term

SPECIAL = Choice("~", Term("Special move"))
TAKE = Choice("t", Term("Take for good"))
STRIKE = Choice("!", Term("Strike as intended"))
WITHDRAW = Choice("*", Term("Withdraw"))
SEVER = Choice("sever", Term("Cut free"))
THROW = Choice("throw", Term("Throw"))
ASK = Choice("?", Term("Throw if allowed"))
WAYS: Final[Mapping[Pick, tuple[str, str]]] = {
    SPECIAL.key: ("", "~"),
    TAKE.key: ("t", ""),
    STRIKE.key: ("", "!"),
    THROW.key: ("t", "~"),
    ASK.key: ("t", "~?"),
}
"""Ways to use a piece on a square: what stands before the square and behind it."""
VERBS: Final[Mapping[str, Pick]] = {
    "cavazione": SPECIAL.key,
    "opposition": SPECIAL.key,
    "deflect": SPECIAL.key,
    "strike": STRIKE.key,
    "throw": THROW.key,
    "announce": ASK.key,
}
"""Of actions: the way that leads to them."""

RETREAT = Choice("S==", Term("Retreat"), "S")
FREELY = Choice("meta", Term("Free engagement"), "a", gathers=True)
MORE = Choice("other", Term("Something else"), gathers=True)
ADJUSTMENTS: Final = (
    Choice("a+", Term("Up")),
    Choice("a-", Term("Down")),
    Choice("aw", Term("Towards W")),
    Choice("az", Term("Towards Z")),
    Choice("a=", Term("Return")),
)
STANCE = Choice("--h", Term("Hirakamae"))
RESET = Choice("==", Term("Reset of the free engagement"))
GLARE = Choice("LfJ~", Term("Glare"), "L")
CONTROL = Choice("BfJ~", Term("Control"), "B")
TRAP = Choice("C~!", Term("Chaos trap"), "C")
WHOLE: Final[Mapping[str, Choice]] = {
    "stance": STANCE,
    "reset": RESET,
    "glare": GLARE,
    "control": CONTROL,
    "trap": TRAP,
}
"""Of actions: what is picked for them, and no more."""
CAST = Choice("cast", Term("Cast"))
SHIFT = Choice("shift", Term("Shift"), "B")
FEIGN = Choice("feign", Term("Feign"), "C")
INTEND = Choice("intend", Term("Intention"), "J")
UNAIMED = Choice("unaimed", Term("Without an aim"))
FOLLOWED = Choice("_", Term("and then"))
ALLOW = Choice("allow", Term("Allow the throw"), "D")
PREVENT = Choice("prevent", Term("Prevent the throw"))
EFFECTS: Final = (Choice("go", Term("goes there")), Choice("f", Term("fends")), Choice("t", Term("takes")))
NOTHING: Final = "--"
"""A pass, as it is written."""
