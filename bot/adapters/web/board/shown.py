"""A match as JSON for one tab: the picture's diagram, whose turn it is, what may be picked, the turns so far."""

from collections.abc import Iterator, Sequence
from typing import Any

from bot.adapters.web.board.geometry import Told, geometry, geometry_key
from bot.messages.catalogue import beside
from bot.messages.model import FORMER_PLAYER, is_former
from bot.messages.model import Choice as Deed
from bot.messages.people_text import Names, who
from bot.messages.prompts import callable_now
from bot.messages.sentences import result
from bot.service.composing import Board
from engine.composition import Choice, Menu
from engine.diagram import Diagram, Figure, Tray
from engine.match.alarms import deadline
from engine.match.calls import reasons
from engine.match.clock import DAY
from engine.match.record.course import Step
from engine.match.state import Match, Ply
from engine.place_text import FALLEN, fallen, tray_text
from engine.text import Phrase, Text
from render.compose.display_list import falling_sides
from render.layout.words import said_of_winners
from render.taken import show_taken
from render.theme import RIMS


def shown(board: Board, told: Told, known: str, heard: int = 0) -> dict[str, Any]:
    """What the page draws; `known` is the key of the geometry that it has already, `heard` how many events it knows."""
    match, drawn = board.match, show_taken(board.diagram)
    key = geometry_key(drawn)
    lost = tuple(fallen(match.game, *_first_and_now(board)))
    return {
        "viewer": board.viewer or "",
        "due": match.next_number,
        "match": match.id,
        "over": match.status == "over",
        "long": match.clock.kind == "none" or match.clock.base >= DAY,
        "result": beside(map(told, result(match, match.result, names_of(board)))) if match.result else "",
        "course": _course(board, told, heard),
        "callout": board.callout and _callout(board, board.callout, told),
        "plies": [_ply(board, ply) for ply in board.plies],
        "shown": board.shown,
        "callable": told(open_) if (open_ := callable_now(match)) else "",
        "note": board.note,
        "geometry": None if key == known else geometry(drawn, told),
        "key": key,
        "sides": [_side(board, drawn, lost, side, told) for side in drawn.names],
        **pictured(drawn, told),
        "picks": board.picks,
        "menu": board.menu and _menu(board.menu, told),
        "leads": board.leads,
        "ask": board.ask.key if board.ask else "",
        "prepares": board.prepares,
        "line": board.line,
        "answers": board.answers,
        "acts": [_act(choice, told) | _reasons(board, choice, told) for choice in _due(board)],
        "further": [_act(choice, told) for choice in board.further],
    }


def _act(choice: Deed, told: Told) -> dict[str, Any]:
    blank = told(choice.blank) if choice.blank else ""
    return {"label": told(choice.label), "command": choice.command, "blank": blank}


def _due(board: Board) -> Iterator[Deed]:
    """What is due besides what the menu composes."""
    menu = board.menu
    picked = board.ask is not None and menu is not None and (menu.sites or menu.choices or menu.complete)
    return (choice for choice in board.due if not (picked and choice.command.startswith("secret ")))


def _reasons(board: Board, choice: Deed, told: Told) -> dict[str, Any]:
    """Everything that a call can name, in the order of `reasons`; nothing for a call that need not name anything."""
    if choice.blank is None or not choice.command.startswith("call "):
        return {}
    titles = {rule.ref: told(rule.title) for rule in board.match.game.rules}
    pieces, sections, places, _ = reasons(board.match)
    rules = [{"word": ref, "said": f"{ref} {titles.get(ref, '')}".strip()} for ref in sections]
    return {"reasons": [[{"word": word, "said": word} for word in pieces], places, rules]}


def _ply(board: Board, ply: Ply) -> dict[str, Any]:
    match = board.match
    text = match.game.show(ply.turn, ply.before, board.viewer) if ply.kind == "turn" else ""
    return {"number": ply.number, "side": ply.side, "text": text}


def names_of(board: Board) -> Names:
    """Who plays, by their keys."""
    return {board.match.seats[side]: person for side, person in board.players.items()}


def _course(board: Board, told: Told, heard: int) -> dict[str, Any] | None:
    """The steps that have changed since so many events; one that was called out tells by whom and why. Of a match that
    is over also how its sides stood, in points, with the steps that are told last."""
    course = board.course
    if course is None or course.match is None:
        return None
    steps = [_step(board, n, step, told) for n, step in enumerate(course.steps) if step.since > heard]
    stood = [{"side": side, "values": values} for side, values in board.standings.items()]
    return {"heard": course.match.length, "steps": steps, **({"stood": stood} if stood else {})}


def _step(board: Board, index: int, step: Step, told: Told) -> dict[str, Any]:
    names, text = names_of(board), _ply(board, step.ply)["text"]
    found: dict[str, Any] = {"index": index, "number": step.ply.number, "side": step.ply.side, "text": text}
    found["stands"] = step.stands
    if step.in_vain:
        found["inVain"] = [named_player(player, names, told) for player in step.in_vain]
    if step.callout:
        found["calledBy"] = named_player(step.callout.by, names, told)
        found["because"] = _because(step, told)
    return found


def _callout(board: Board, step: Step, told: Told) -> dict[str, Any]:
    """What is told of a callout that is shown."""
    rulings = step.callout.rulings if step.callout else ()
    return {**_step(board, 0, step, told), "rules": [told(ruling.rule.title) for ruling in rulings]}


def _because(step: Step, told: Told) -> list[str]:
    rulings = step.callout.rulings if step.callout else ()
    return list(dict.fromkeys(told(ruling.because) for ruling in rulings))[:3]


def named_player(player: str, names: Names, told: Told) -> str:
    """What somebody is called who plays, or has played."""
    if is_former(player):
        return told(FORMER_PLAYER)
    found = who(player, names)
    return found if isinstance(found, str) else found.name


def _time(match: Match, side: str) -> dict[str, int | None]:
    """What a side has left: milliseconds while its time stands; while it runs, the instant at which it is up."""
    runs = match.status == "running" and side in match.sides_to_act
    stands = match.status == "running" and match.clock.kind != "none"
    return {"left": match.time_left.get(side) if stands else None, "until": deadline(match) if runs else None}


def _first_and_now(board: Board) -> tuple[Any, Any]:
    """The position in which the match began, and the one that is shown; what is only picked takes nothing."""
    plies, position = board.plies, board.match.position
    first = plies[0].before if plies else position
    if board.callout is not None and board.callout.callout is not None:
        return first, board.callout.callout.part.before
    return first, plies[board.shown].before if 0 <= board.shown < len(plies) else position


def _side(board: Board, drawn: Diagram, lost: Sequence[Tray], side: str, told: Told) -> dict[str, Any]:
    player = board.players.get(side)
    return {
        "side": side,
        "name": told(drawn.names[side]),
        "player": named_player(player.key, {player.key: player}, told) if player else "",
        "colour": drawn.colours[side],
        "acts": drawn.to_act == side,
        **_time(board.match, side),
        "won": told(said_of_winners(drawn)) if side in drawn.winners else "",
        "trays": [
            {
                "name": told(tray.label),
                "said": told(tray_text(drawn.names[side], tray)),
                "pieces": [{"kind": str(kind), "count": count} for kind, _, count in tray.pieces],
                "gone": tray.label == FALLEN,
            }
            for tray in (*drawn.trays, *lost)
            if tray.side == side
        ],
    }


def pictured(drawn: Diagram, told: Told) -> dict[str, Any]:
    """What changes in a picture from turn to turn."""
    return {
        "title": told(drawn.title),
        "near": drawn.near,
        "figures": [_figure(figure, drawn, told) for figure in drawn.figures],
        "marks": [
            {"kind": mark.kind, "sites": mark.sites, "left": mark.left, "falling": mark.side in falling_sides(drawn)}
            for mark in drawn.marks
        ],
        "links": [
            {"from": link.start, "to": link.end, "style": link.style, "colour": drawn.colours.get(link.side, "neutral")}
            for link in drawn.links
        ],
        "throws": [{"kind": throw.kind, "faces": throw.faces, "label": told(throw.label)} for throw in drawn.throws],
        "notes": [told(note) for note in drawn.notes + drawn.hatching],
    }


def _figure(figure: Figure, drawn: Diagram, told: Told) -> dict[str, Any]:
    colour = drawn.colours.get(figure.side, "neutral")
    shown: dict[str, Any] = {
        "site": figure.site,
        "kind": str(figure.kind),
        "colour": colour,
        "rim": RIMS[colour],
        "name": told(_named(figure, drawn)),
    }
    optional = {"under": figure.under, "token": figure.token, "ghost": figure.ghost, "badge": figure.badge}
    optional |= {"sign": figure.kind in drawn.signs}
    shown |= {name: value for name, value in optional.items() if value}
    if figure.badge:
        shown["badgeColour"] = drawn.colours.get(figure.badge_side, "neutral")
    return shown


def _named(figure: Figure, drawn: Diagram) -> Text:
    """What stands on a place, as screen readers say it."""
    said: dict[str, object] = {"place": figure.site, "piece": figure.name}
    if figure.below:
        said["piece"] = Phrase("{piece} {below}", piece=figure.name, below=figure.below)
    if figure.side:
        return Text("{place}: {side}, {piece}.", side=drawn.names[figure.side], **said)
    return Text("{place}: {piece}.", **said)


def _menu(menu: Menu, told: Told) -> dict[str, Any]:
    return {
        "prompt": told(menu.prompt),
        "sites": menu.sites,
        "choices": [_choice(choice, told) for choice in menu.choices],
        "text": menu.text,
        "complete": menu.complete,
    }


def _choice(choice: Choice, told: Told) -> dict[str, Any]:
    return {"key": choice.key, "name": told(choice.name), "kind": str(choice.kind), "side": choice.side}
