"""Whole matches of all five games, as short as they come: each from its first turn to its end."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.dice import Dice
from engine.games import GAMES

_QUICK = Path(__file__).parent / "games" / "chirality" / "playthrough.txt"


@dataclass(frozen=True)
class WholeMatch:
    """A game, its terms, and every turn as it is written; `start` is where it stands before, "" at the start."""

    game: str
    terms: dict[str, str]
    turns: tuple[str, ...]
    start: str = ""

    def position(self) -> Any:
        """Where it begins."""
        game: Any = GAMES[self.game]
        return game.decode(self.start) if self.start else game.setup(self.terms, Dice(bytes(32)))

    def asked(self) -> str:
        """What a challenge says of it, but for the umpire."""
        game = GAMES[self.game]
        settled = self.terms | {"side": game.names[game.sides[0]].lower()}
        settled |= {"start": f'"{self.start}"'} if self.start else {}
        return " ".join((self.game, *(f"{key}={value}" for key, value in settled.items())))


def _turns(text: str) -> tuple[str, ...]:
    return tuple(re.split(r";\s*", text))


# Found by random turns that take a win where there is one.
TOKONOMA = WholeMatch(
    "tokonoma", {}, _turns("e5d5; c1c3; d5d3; a1a2; c7c5; c2a2; d3d2; c2b2; d2c2; b2b3; c5c3; b3a3; c2c1")
)
"""White's Flat walks into Black's house; Black's pieces step aside, and nobody calls turn 3 out."""
LONG_TOKONOMA = WholeMatch(
    "tokonoma",
    {},
    _turns(
        "d6b5; c2e2; d6d5; c2d2; c6d6; e2c4; c7c5; d1e2; c5c3; c4a4; a5a3; e2c3; d5d4; c3a2; d4d3; c1c3; c6d5; a2b4; "
        "c7c6; e1d1; b6c5; d2e2; d6c7; b1c1; a3a4; e1d2; d5e4; c1a1; e4e3; a1b1; c7e5; c3d2; c5b3; a1b2; b5a5; d2c2; "
        "a4a2; b1d2; c6d5; b4d4; e5c5; d1c1; b6b5; b1a1; b5b4; d2e1; a5b6; a1a2; b6d5; d4e2; d5e5; e2d1; d5d4; b2c3; "
        "c5d5; d2d3; a5b5; c3c4; b5c5; d3d4; b4c4; d1b1; e5d6; a2b3; c5c4; e2d3; d6b5; b1d1; e5e4; d3d4; d5c6; c2b1; "
        "e4e3; e1c3; b5d4; c3a3; d4d6; b3c4; c6e4; a3b3; d6b5; c1c3; b5a5; c4c5; e3e2; c5c6; e2d2; c6c7"
    ),
)
"""Random turns, all tenable; a win is taken from turn 39 on."""
VENEY = WholeMatch(
    "veney",
    {"first": "white"},
    _turns(
        "az SZ3 $X2; az G*Y14; a+ SX5 $X3; a+ SY13 $X12; a- R*Y11; a+ $Z12 $X12; aw SX3 $X6; a+ SX12 $Z14; az eW6; "
        "aw SY13; aw SX7 $X12; az SZ14 $t$X12"
    ),
)
TIRACHEN = WholeMatch(
    "tirachen", {}, _turns("mobilize; mobilize; F@a2; F@h9; Ge1-d1; C@f9; C@f1; Cf9-i6; Cf1-a6; Ci6xd1")
)
IRONCLAD = WholeMatch(
    "ironclad",
    {},
    _turns(
        "c6; C1-C2; g4; A8-B7; F1-E2; g3; D8-D7; f4; b5; E2-F1; e3; E8-D8; a3; C2-D2; D8-E8; c4; g5; F1-F2; F8-F7; "
        "a4; B1-C1; c3; F7-F6; e4; D2-E2; d3; C8-D8; b4; d6; E1-D2; d4"
    ),
)


def chirality(last: int = 0) -> WholeMatch:
    """The first game of Chirality's playthrough; with `last`, so many of its turns from where it stands before them."""
    game: Any = GAMES["chirality"]
    first = _QUICK.read_text("utf-8").split("\n## ")[1]
    turns = tuple(re.findall(r"^\d+\. (\S+)", first, re.MULTILINE))
    whole = WholeMatch("chirality", {"setup": "quick"}, turns)
    if not last:
        return whole
    position = whole.position()
    for turn in turns[:-last]:
        position = game.play(position, game.read(turn, position))
    return WholeMatch("chirality", {}, turns[-last:], game.encode(position))


LAST = 11
"""Turns of Chirality that are played where time is short: from the first one on it has 75."""


def whole() -> tuple[WholeMatch, ...]:
    """One of each game from its first turn, none of them soon over."""
    return LONG_TOKONOMA, VENEY, TIRACHEN, IRONCLAD, chirality()


def short() -> tuple[WholeMatch, ...]:
    """One of each game."""
    return TOKONOMA, VENEY, TIRACHEN, IRONCLAD, chirality(LAST)
