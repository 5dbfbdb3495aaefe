"""A match as JSON for one tab: the picture's diagram, whose turn it is, what may be picked, the turns so far."""

from typing import Any

from bot.adapters.web.board.geometry import Told, geometry, geometry_key
from bot.messages.model import Choice as Deed
from bot.service.composing import Board
from engine.composition import Choice, Menu
from engine.diagram import Diagram, Figure
from engine.match.state import Ply
from engine.text import Phrase, Text
from render.alt_text import tray_text
from render.layout.words import said_of_winners
from render.taken import show_taken
from render.theme import RIMS


def shown(board: Board, told: Told, known: str) -> dict[str, Any]:
    """What the page draws; `known` is the key of the geometry that it has already."""
    match, drawn = board.match, show_taken(board.diagram)
    key = geometry_key(drawn)
    return {
        "viewer": board.viewer or "",
        "due": match.next_number,
        "over": match.status == "over",
        "plies": [_ply(board, ply) for ply in board.plies],
        "shown": board.shown,
        "geometry": None if key == known else geometry(drawn, told),
        "key": key,
        "sides": [_side(board, drawn, side, told) for side in drawn.names],
        **pictured(drawn, told),
        "picks": board.picks,
        "menu": board.menu and _menu(board.menu, told),
        "reach": sorted(board.reach),
        "acts": [_act(choice, told) for choice in board.due],
        "further": [_act(choice, told) for choice in board.further],
    }


def _act(choice: Deed, told: Told) -> dict[str, Any]:
    blank = told(choice.blank) if choice.blank else ""
    return {"label": told(choice.label), "command": choice.command, "blank": blank}


def _ply(board: Board, ply: Ply) -> dict[str, Any]:
    match = board.match
    text = match.game.show(ply.turn, ply.before, board.viewer) if ply.kind == "turn" else ""
    return {"number": ply.number, "side": ply.side, "text": text}


def _side(board: Board, drawn: Diagram, side: str, told: Told) -> dict[str, Any]:
    player = board.players.get(side)
    return {
        "side": side,
        "name": told(drawn.names[side]),
        "player": player.name if player else "",
        "colour": drawn.colours[side],
        "acts": drawn.to_act == side,
        "won": told(said_of_winners(drawn)) if side in drawn.winners else "",
        "trays": [
            {
                "said": told(tray_text(drawn.names[side], tray)),
                "pieces": [{"kind": str(kind), "count": count} for kind, _, count in tray.pieces],
            }
            for tray in drawn.trays
            if tray.side == side
        ],
    }


def pictured(drawn: Diagram, told: Told) -> dict[str, Any]:
    """What changes in a picture from turn to turn."""
    return {
        "title": told(drawn.title),
        "near": drawn.near,
        "figures": [_figure(figure, drawn, told) for figure in drawn.figures],
        "marks": [{"kind": mark.kind, "sites": mark.sites} for mark in drawn.marks],
        "links": [
            {"from": link.start, "to": link.end, "style": link.style, "colour": drawn.colours.get(link.side, "neutral")}
            for link in drawn.links
        ],
        "throws": [{"kind": throw.kind, "faces": throw.faces, "label": told(throw.label)} for throw in drawn.throws],
        "notes": [told(note) for note in drawn.notes],
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
