"""One action of Ironclad: a robot moves or all in range fire, a stone is placed or slid."""

from dataclasses import dataclass
from typing import TypeAlias

from engine.game import Move


@dataclass(frozen=True, slots=True)
class Action(Move):
    """What is done in one half of a turn; the verb is `robot`, `fire`, `place`, `slide` or `swap`."""

    roll: int = 0
    """Of a shot: what the die showed, 1 to 6; 0 while it has not been thrown or where none is due."""

    @property
    def half(self) -> str:
        """The half that the action belongs to: "robots" or "stones"."""
        return "robots" if self.verb in ("robot", "fire") else "stones"


Turn: TypeAlias = tuple[Action, ...]
"""One action: each half of a turn is played on its own."""
