"""How far somebody may go in a scene: found by writing, reading and judging a turn for each place of the board."""

from dataclasses import dataclass
from typing import Any

from engine.board import Site
from engine.diagram import Mark
from engine.dice import Dice
from engine.game import AnyGame, NotationError
from engine.teaching.entries import PLACE, Scene


@dataclass(frozen=True, slots=True)
class Reached:
    """What the judge lets pass in a scene, and what stood in the way of the rest."""

    position: Any
    open: tuple[Site, ...]
    """Where it may go and takes nobody's place."""
    taken: tuple[Site, ...]
    """Where it may go though somebody of another side stands there."""
    blockers: tuple[Site, ...]

    @property
    def marks(self) -> tuple[Mark, ...]:
        """The same for a picture."""
        marks = (Mark("reach", self.open + self.taken), Mark("blocker", self.blockers))
        return tuple(mark for mark in marks if mark.sites)


def stands(game: AnyGame, scene: Scene) -> Any:
    """The position of a scene."""
    position = game.decode(scene.position) if scene.position else game.setup(dict(scene.options), Dice(bytes(32)))
    for text in scene.before:
        position = game.play(position, read_out(game, text, position))
    return position


def reached(game: AnyGame, scene: Scene) -> Reached:
    """Everything that a scene shows."""
    position = stands(game, scene)
    side = game.to_act(position)
    others = {figure.site for figure in game.draw(position, None).figures if figure.side != side and not figure.ghost}
    places: list[Site] = []
    blockers: dict[Site, None] = {}
    for place in game.board(position).outlines:
        try:
            turn = game.read(scene.way.replace(PLACE, place), position)
        except NotationError:
            continue
        ends = game.ends(turn, position)
        if place == scene.site or (ends and place not in ends):
            continue  # a stone's place is no robot's, though both can be written alike
        rulings = tuple(game.judge(position, turn))
        if not rulings:
            places.append(place)
        elif len(rulings) == 1:  # or something else is wrong with it as well
            blockers.update((site, None) for mark in rulings[0].marks if mark.kind == "blocker" for site in mark.sites)
    return Reached(
        position,
        tuple(place for place in places if place not in others),
        tuple(place for place in places if place in others),
        tuple(site for site in blockers if site not in places and site != scene.site),
    )


def read_out(game: AnyGame, text: str, position: Any) -> Any:
    """A turn as it is written; luck that it leaves open is told."""
    turn = game.read(text, position)
    return turn if game.rolls(turn) else game.roll(position, turn, Dice(bytes(32)))
