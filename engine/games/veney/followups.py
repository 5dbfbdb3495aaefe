"""What is read while something is pending in Veney: a throw in the glare, a distraction, chaos, a setup by turns."""

import re

from engine.game import Turn
from engine.games.veney.act import Act
from engine.games.veney.field import Field
from engine.games.veney.naming import square
from engine.games.veney.piste import NUMBER, SQUARES
from engine.games.veney.position import Position
from engine.games.veney.rulebook import BLACK, KIND, NAMES, N
from engine.games.veney.setup import allowed, waiting
from engine.games.veney.tokens import SQUARE, STRAY, refuse


def follow_up(tokens: list[str], position: Position) -> Turn:
    """What settles something pending: a throw let happen, Self and blade put elsewhere, a piece set up."""
    pending = position.pending
    assert pending is not None
    if pending.what == "throw":
        found = re.fullmatch(r"(allow|prevent)(?:\(([WB+\-\d]+)\))?", tokens[0] if tokens else "", re.IGNORECASE)
        strays = [STRAY.fullmatch(token) for token in tokens[1:]]
        if found and all(strays) and (not strays or found[1].lower() == "allow"):
            answer = Act(found[1].lower(), "D", luck=(found[2] or "").upper())
            return (answer, *(strayed(stray, Field(position)) for stray in strays if stray))
        refuse("first say whether the Dagger may be thrown", "Write `allow` or `prevent`.")
    if pending.what == "setup":
        return (_set_up(tokens, position),)
    if tokens == ["--"]:
        return ()
    spots = spots_of(tokens)
    if len(spots) != len(tokens):
        refuse("first say where Self and blade go", "Write for example `SW3 $X2`, or `--` to leave them.")
    for letter, _ in spots:
        must_stand(Field(position), letter)
    return (Act("reposition", spots[0][0], target=spots[0][1], spots=spots),)


def strayed(found: re.Match[str], field: Field) -> Act:
    """Where a Donkey went: the match writes this, not a player."""
    at = field.cells.find(N + BLACK * field.side)
    if at < 0:
        refuse("there is no Donkey of yours on the board")
    end = "" if found["square"] == "-" else SQUARES[square(found["square"])]
    return Act("stray", "N", SQUARES[at], end, luck=found["luck"] or "")


def _set_up(tokens: list[str], position: Position) -> Act:
    """One piece put down in a setup by turns."""
    found = re.fullmatch(r"([S$CBe])\*?(" + SQUARE + ")", tokens[0]) if len(tokens) == 1 else None
    left = waiting(position, position.to)
    remedy = f"Left to place: {', '.join(NAMES[letter] for letter in dict.fromkeys(left))}; like `{left[0]}*Y4`."
    if not found:
        refuse("the pieces are being set up, one a turn", remedy)
    letter, site = found[1], found[2]
    if letter not in left:
        refuse(f"your {NAMES[letter]} stands already", remedy)
    places = allowed(position, position.to, letter)
    if NUMBER.get(site, -1) not in places:
        free = ", ".join(SQUARES[at] for at in places)
        refuse(f"the {NAMES[letter]} cannot start on {site}", f"It may start on {free}.")
    return Act("set", letter, target=site)


def spots_of(tokens: list[str]) -> tuple[tuple[str, str], ...]:
    """Leading tokens that put Self or blade somewhere."""
    spots = []
    for token in tokens:
        found = re.fullmatch(r"([S$D])(" + SQUARE + ")", token)
        if not found or found[2] not in NUMBER:
            break
        spots.append((found[1], found[2]))
    return tuple(spots)


def must_stand(field: Field, letter: str) -> None:
    """Refuse what would put a piece elsewhere that is not there."""
    if field.find(field.side, KIND[letter]) < 0:
        refuse(f"you have no {NAMES[letter]} on the board")
