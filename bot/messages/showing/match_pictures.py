"""Pictures of a match: the position with who plays, what is staked and who has won, and what a callout found."""

from typing import Any, TypedDict, Unpack

from bot.messages.model import WORDS_REMOVED, Picture
from bot.messages.people_text import Names
from bot.messages.showing.pictures import Seated, picture, picture_of_turn
from engine.board import Side, Site
from engine.diagram import Mark
from engine.game import AnyGame, Ruling
from engine.match.ends import shared_token
from engine.match.events import Event, Played
from engine.match.state import Match, Ply, encoded


class Look(TypedDict, total=False):
    """How somebody wants to see a board: see `Picture`."""

    labels: str
    theme: str
    around: Site
    side: Side


def standing(match: Match, names: Names, viewer: Side | None, **look: Unpack[Look]) -> Picture:
    """A match as it stands, with what the last turn left to see."""
    last = match.plies[-1] if match.plies else None
    if last is not None and last.kind == "turn" and last.after == match.position:
        return made(match, names, last, viewer, over=match.status == "over", **look)
    at = seated(match, names, over=match.status == "over")  # the board was set up anew since
    return picture(match.game, match.position, viewer, seated=at, **look)


def made(match: Match, names: Names, ply: Ply, viewer: Side | None, *, over: bool, **look: Unpack[Look]) -> Picture:
    """A match after one of its turns."""
    at = seated(match, names, over=over)
    return picture(match.game, ply.before, viewer, turn=ply.text, seated=at, **look)


def position_of(
    match: Match, names: Names, position: Any, viewer: Side | None, marks: tuple[Mark, ...] = ()
) -> Picture:
    """A position of a match that goes on from there."""
    return picture(match.game, position, viewer, marks=marks, seated=seated(match, names, over=False))


def after_event(match: Match, names: Names, last: Event, before: Match | None) -> Picture:
    """What everybody sees of a match after the news."""
    at = seated(match, names, over=match.status != "running")
    if isinstance(last, Played) and before is not None:
        before = before.but(position=match.plies[-1].before) if last.extends else before
        return picture_of_turn(before, match.plies[-1], at)
    if match.status == "over":
        return standing(match, names, None)  # the turn that has decided it
    return picture(match.game, match.position, None, text=encoded(match), seated=at)


def after_callout(match: Match, names: Names, called: Any, marks: tuple[Mark, ...]) -> Picture | None:
    """The board to go on from, with what a callout points at on the board that was `called`; None if pieces stand
    elsewhere now. Those that the callout has cost are ghosts."""
    game = match.game
    then, now = game.draw(called, None).figures, set(game.draw(match.position, None).figures)
    if not now.issubset(then):
        return None
    lost = (figure for figure in then if figure not in now and not figure.ghost)
    gone = tuple(Mark("taken", (figure.site,), figure.side, figure.kind, figure.name) for figure in lost)
    at = seated(match, names, over=match.status != "running")
    return picture(game, match.position, None, text=encoded(match), marks=(*marks, *gone), seated=at)


def pointed(game: AnyGame, part: Ply, rulings: tuple[Ruling[Any], ...]) -> tuple[Mark, ...]:
    """What a callout points at: where the turn took place, and what was at fault."""
    aimed = (mark for mark in game.marks(part.turn, part.before, part.after) if mark.kind == "moved")
    return (*aimed, *(mark for ruling in rulings for mark in ruling.marks))


def seated(match: Match, names: Names, *, over: bool) -> Seated:
    """Who plays a match, what they have staked, and, once it is over, who has won."""
    players = tuple((side, names[player].name) for side, player in match.seats.items() if player in names)
    winners = match.result.winners if over and match.result else ()
    return Seated(_stakes(match), players, over, winners)


def _stakes(match: Match) -> tuple[tuple[Side, str], ...]:
    """What each side has staked, for its picture, and what a piece that is nobody's is in this match."""
    shared = shared_token(match)
    given = {player: token for player, token in match.tokens.items() if token != WORDS_REMOVED}
    own = tuple((side, given[player]) for side, player in match.seats.items() if player in given)
    return (*own, ("", shared)) if shared else own
