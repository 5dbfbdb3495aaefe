"""A match step by step, as everybody was shown it: turns, callouts with what was at fault, and its end."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from bot.messages.catalogue import language
from bot.messages.model import Form, Frame, Picture
from bot.messages.people_text import Names
from bot.messages.showing.match_pictures import pointed, seated
from bot.messages.showing.pictures import diagram, picture
from engine.diagram import Diagram
from engine.games import GAMES
from engine.match.events import CalledOut, Event, Played, Reset, Started, TakenBack
from engine.match.evolve import evolve
from engine.match.state import Match, at_fault
from engine.text import Text
from render.animation import animated, sheet
from render.view import View

USUAL, MOST = 60, 400
"""Steps in a replay, unless more are asked for, and at most."""
LARGE, MOST_LARGE = 960, 100
"""Pixels of a large replay's longer side, and its steps at most: a quarter, since a board takes four times the room."""


def replay_of(events: Iterable[Event], names: Names, form: Form, most: int = USUAL) -> Picture:
    """The last steps of a match that has begun. Nobody's secrets are shown, and in a running match nothing that its
    players have to remember."""
    match: Match | None = None
    steps: list[tuple[Frame, Any]] = []
    for event in events:
        before, match = match, evolve(match, event)
        steps += _steps(before, match, event)
    assert match is not None, "a match begins with its challenge"
    over = match.status == "over"
    frames = tuple(frame if faded is None or over else _faded(match, frame, faded) for frame, faded in steps)
    shown = picture(match.game, match.position, None, seated=seated(match, names, over=over))
    return replace(shown, form=form, frames=frames[-most - 1 :])


def played(of: Picture) -> bytes:
    """A replay as a file: the work of a process of its own."""
    view = View(of.theme or "light", of.size, language(of.language).say)
    shown = diagrams(of)
    return sheet(shown, view) if of.form == "sheet" else animated(shown, view, of.form)


def diagrams(of: Picture) -> list[Diagram]:
    """The boards of a replay, each with a line that tells its turn."""
    *steps, last = of.frames
    bare = replace(of, frames=(), form="", over=False, winners=())
    return [*(_drawn(bare, frame) for frame in steps), _drawn(replace(bare, over=of.over, winners=of.winners), last)]


def _drawn(of: Picture, frame: Frame) -> Diagram:
    drawn = diagram(replace(of, position=frame.position, turn=frame.turn, marks=frame.marks))
    if not frame.number:
        return replace(drawn, notes=(BOARD,))
    side = GAMES[of.game].names[frame.side]
    template = CALLED if frame.called else MADE if frame.shown else FADED
    told = Text(template.template, number=frame.number, side=side, turn=frame.shown)
    return replace(drawn, notes=(told,))


BOARD = Text("The board as it is set up.")
MADE = Text("{number}. {side}: {turn}")
FADED = Text("{number}. {side}")
CALLED = Text("{number}. {side}: {turn} is untenable")


def _steps(before: Match | None, match: Match, event: Event) -> list[tuple[Frame, Any]]:
    """What an event adds to be seen; of a turn that players have to remember, also the position that it led to."""
    game = match.game
    match event:
        case Played():
            ply = match.plies[-1]
            shown = game.show(ply.turn, ply.before, None)
            made = Frame(game.encode(ply.before), ply.text, ply.number, ply.side, shown)
            return [(made, match.position if game.fades(ply.turn, ply.before) else None)]
        case CalledOut() if before is not None:
            called = next(ply for ply in before.plies if ply.number == event.ply)
            part, rulings = at_fault(before, called)
            shown = game.show(part.turn, part.before, None)
            marks = pointed(game, part, rulings)
            fault = Frame(game.encode(part.before), "", part.number, part.side, shown, marks, called=True)
            return [(fault, None), (Frame(game.encode(match.position)), None)]
        case Started() | TakenBack() | Reset() if match.position is not None:
            return [(Frame(game.encode(match.position)), None)]
        case _:
            return []


def _faded(match: Match, frame: Frame, position: Any) -> Frame:
    return replace(frame, position=match.game.encode(position), turn="", shown="")
