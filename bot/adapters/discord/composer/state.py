"""What the id of a menu or button of the composer tells: which match, for which turn, and all that was picked."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from bot.adapters.discord import limits
from bot.adapters.discord.interactions.buttons import COMPOSE, SIGNATURE, Signer
from engine.composition import Pick

Step: TypeAlias = Literal["show", "pick", "zone", "play", "type", "reason"]
"""What a press does: show what was picked, add what was chosen from a menu, open a part of the board, play, ask for it
typed; or name, from a menu, what a call is about."""

_SIGNS: Final[dict[Step, str]] = {"show": "=", "pick": "+", "zone": "z", "play": "!", "type": "t", "reason": "r"}
_STEPS: Final[dict[str, Step]] = {sign: step for step, sign in _SIGNS.items()}
ROOM: Final = limits.CUSTOM_ID - len("rc:") - SIGNATURE


@dataclass(frozen=True, slots=True)
class Draft:
    """A turn, an answer or a call that is being made up."""

    match: str
    number: int
    """Of the turn that is due; of a call, of the turn that is called out."""
    picks: tuple[Pick, ...] = ()

    def id(self, signer: Signer, step: Step, screen: int, menu: int = 0) -> str:
        """An id that takes this step; `screen` sets menus apart that Discord would else take for the same."""
        return signer.sign(COMPOSE, self._line(step, screen, menu))

    def picking(self, *picks: Pick) -> "Draft":
        """The same with more picked."""
        return replace(self, picks=(*self.picks, *picks))

    def back(self, gathers: Callable[[tuple[Pick, ...]], bool] = lambda _picks: False) -> "Draft":
        """The same without the last pick, and without what stands before it if that only gathers choices."""
        picks = self.picks[:-1]
        return replace(self, picks=picks[:-1] if picks and gathers(picks) else picks)

    def fits(self) -> bool:
        """Whether there is room for it in an id."""
        return limits.length(self._line("pick", SCREENS - 1, 9)) <= ROOM

    def _line(self, step: Step, screen: int, menu: int) -> str:
        return " ".join((f"{_SIGNS[step]}{menu:x}{screen:x}", self.match, str(self.number), *self.picks))


def read_step(line: str) -> tuple[Step, Draft]:
    """What an id says, once its seal has been found to be ours."""
    step, match, number, *picks = line.split(" ")
    return _STEPS[step[0]], Draft(match, int(number), tuple(picks))


SCREENS: Final = 1 << 12


def screen_of(interaction: int) -> int:
    """A number that the screens before and after do not have: made of an interaction's id."""
    return (interaction ^ interaction >> 22) % SCREENS
