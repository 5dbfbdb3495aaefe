"""What a position text must say so that the game can go on from it, whoever wrote it."""

import re
from dataclasses import replace

from engine.game import NotationError
from engine.games.veney.board.squares import NUMBER
from engine.games.veney.notation.read import read
from engine.games.veney.pieces import SIDE_NAMES, TRAY
from engine.games.veney.position import SIDES, Position, owed
from engine.games.veney.position_text.values import wrong
from engine.games.veney.setup.by_turns import waiting
from engine.games.veney.setup.hands import HANDS, asks
from engine.games.veney.setup.options import THROWS
from engine.text import Text

_AWAITED = ("distraction", "chaos", "throw", "guess", "setup")


def check(position: Position) -> None:
    """Raise NotationError where something is missing, or nothing that could be meant."""
    _check_selves(position)
    layouts = [*position.terms.home, *(owed(position, f"layout{side}") for side in SIDES)]
    for layout in filter(None, layouts):
        if not all(word[:1] in TRAY and word[1:2] == "@" and word[2:] in NUMBER for word in layout.split(",")):
            wrong(Text("`{words}` is no layout.", words=layout[:40]))
    for key in ("surplusW", "surplusB", "behindW", "behindB", "setW", "setB"):
        if not set(owed(position, key).replace("-", "", 1)) <= set(TRAY):
            wrong(Text("`{words}` is no piece.", words=owed(position, key)[:40]))
    for key in ("handsW", "handsB"):
        if owed(position, key) not in ("", *HANDS) or (owed(position, key) and not asks(position)):
            wrong(Text("`{words}` is neither hand.", words=owed(position, key)[:40]))
    if position.terms.throw not in THROWS and not re.fullmatch(r"paper\d{1,2}", position.terms.throw):
        wrong(Text("`{words}` decides no throw.", words=position.terms.throw[:40]))
    _check_pending(position)


def _check_selves(position: Position) -> None:
    if position.over is not None or position.owed or position.pending is not None:
        return
    for side, at in enumerate(position.selves):
        if at < 0:
            wrong(
                Text(
                    "{side} has no Self on the board, and no flag `{flag}` says where it was touched.",
                    side=SIDE_NAMES[side],
                    flag=f"dying={SIDES[side]}@X9",
                )
            )


def _check_pending(position: Position) -> None:
    pending = position.pending
    if pending is None:
        return
    if pending.what not in _AWAITED or (pending.what == "setup" and not waiting(position, position.to)):
        wrong(Text("`{words}` is nothing to be asked for.", words=pending.what[:40]))
    if pending.what in ("throw", "guess"):
        try:
            thrown = read(pending.turn, replace(position, pending=None, owed=()))
        except NotationError:
            thrown = ()
        if not any(action.verb in ("throw", "announce") for action in thrown):
            wrong(Text("`{words}` is no throw.", words=pending.turn[:40]))
