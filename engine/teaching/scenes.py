"""The pictures of a game's rules, as data: what each scene shows, and which scenes there are."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engine.diagram import Diagram, Mark
from engine.game import AnyGame
from engine.teaching.entries import Scene
from engine.teaching.reach import reached, read_out, stands


def shown_turn(game: AnyGame, scene: Scene) -> tuple[Any, str, tuple[Mark, ...]]:
    """The position of a scene without reach, the turn that is shown there ("" = none), and what it breaks."""
    position = stands(game, scene)
    if not scene.way:
        return position, "", ()
    turn = read_out(game, scene.way, position)
    rulings = tuple(game.judge(position, turn))
    marks = tuple(mark for ruling in rulings for mark in ruling.marks)
    return position, "" if rulings else game.write(turn, position), marks


def drawn(game: AnyGame, scene: Scene) -> Diagram:
    """What a scene shows: places within reach, a turn that was made, or one that was called out and why."""
    if scene.reaches:
        found = reached(game, scene)
        diagram = game.draw(found.position, None).marked(found.marks)
    else:
        position, turn, marks = shown_turn(game, scene)
        if turn:
            made = read_out(game, turn, position)
            after = game.play(position, made)
            diagram = game.draw_turn(position, made, None, after)
            if end := game.outcome(after):
                diagram = replace(diagram, to_act=None, winners=end.winners)
        else:
            diagram = game.draw(position, None).marked(marks)
    return replace(diagram, labels=frozenset(diagram.board.outlines)) if scene.labels else diagram


def scenes(game: AnyGame) -> Mapping[str, Scene]:
    """Every picture on the page of a game's rules, by the name of its file."""
    of_entries = {file_name(entry.name): entry.scene for entry in game.entries if entry.scene is not None}
    turns = tuple(noted.turn for noted in game.sample)
    of_match = {
        f"match-{number}": Scene(way=noted.turn, before=turns[: number - 1], options=game.sample_terms)
        for number, noted in enumerate(game.sample, 1)
        if noted.drawn
    }
    return {**of_entries, **game.scenes, **of_match}


def file_name(name: str) -> str:
    """What a picture's file is called."""
    return "-".join(name.lower().replace("'", "").split())
