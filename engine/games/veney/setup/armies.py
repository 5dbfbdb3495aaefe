"""The sets of pieces that a side may play with."""

import re
from dataclasses import dataclass, replace
from typing import Final

from engine.game import NotationError
from engine.games.veney.pieces import KIND
from engine.games.veney.position import in_tray
from engine.text import Text


@dataclass(frozen=True, slots=True)
class Army:
    """The pieces of one side."""

    starting: str = "S$CBeeee"
    reserve: str = "DGLJR"
    touch: str = ""
    """Pieces other than blades that touch the Self."""
    cap: int = 0
    """Daggers on the board at a time; 0 = no limit."""


ARMIES: Final = {
    "full": Army(),
    "assassin": Army("Seeee", "DDDDRRRRR", cap=2),
    "aristocrat": Army("S$CBeeee", "D"),
    "guard": Army("S$Ceeee", "CGGLRR"),
    "illusionist": Army("SCBeeee", "DGLJR", touch="CLJ"),
}
"""The rulebook's asymmetrical sets by name; any side may also leave pieces out, such as `-J -L`."""


def army(text: str, ruin: bool) -> Army:
    """The set that a term names."""
    name, *changes = re.split(r"[\s,]+|(?=[-+])", text.strip()) if text.strip() else ["full"]
    words = [word for word in (name, *changes) if word]
    base = ARMIES["full"]
    if words and words[0] in ARMIES:
        base, words = ARMIES[words[0]], words[1:]
    starting, reserve = base.starting, base.reserve
    for word in words:
        letter = word[1:2]
        if word[:1] not in "-+" or len(word) != 2 or letter not in KIND or letter in "SN":
            raise NotationError(
                Text("`{words}` names no set.", words=text),
                Text("Write `full`, `aristocrat`, or what is left out, like `-J-L`."),
            )
        if word[0] == "+":
            reserve += letter
        elif letter in reserve:
            reserve = reserve.replace(letter, "", 1)
        else:
            starting = starting.replace(letter, "", 1)
    if not {"$", "D"} & {*starting, *reserve}:
        raise NotationError(
            Text("`{words}` is a set without a blade, which cannot win.", words=text),
            Text("Leave it the Sword or the Dagger, like `-J-L`."),
        )
    if not ruin:
        reserve = reserve.replace("R", "")
    return replace(base, starting=starting, reserve=in_tray(reserve))
