"""How far somebody may go in a scene: found by writing, reading and judging a turn for each place of the board."""

from dataclasses import dataclass
from typing import Any

from engine.board import Site
from engine.diagram import Mark
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


def reached(game: AnyGame, scene: Scene) -> Reached:
    """Everything that a scene shows."""
    position = game.decode(scene.position)
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
