"""The judge of a turn of Chirality: every rule of sections 5 to 10 that it breaks; and what it took."""

from collections.abc import Iterator

from engine.diagram import Mark
from engine.game import Move, Rule, Ruling, Turn
from engine.games.chirality.ground import Gate, bits
from engine.games.chirality.position import NAMES, SIDES, Position, acted, outcome
from engine.games.chirality.resolution import attackers, muster_tiles
from engine.games.chirality.rulebook import LONG, MOVEMENT, MUSTERING, ONE_ACTION, REMOTE

PASS = Move("pass")
"""What a ruling on an empty turn points at."""


def judge(position: Position, turn: Turn) -> Iterator[Ruling]:
    """Every rule that the turn breaks, in the order of the text."""
    over = outcome(position, 1)
    if over is not None:
        yield Ruling(over.rule, turn[0] if turn else PASS, "the game is over")
    elif not turn:
        yield Ruling(ONE_ACTION, PASS, "a turn is one Move or one Muster, and this is neither")
    else:
        for action in turn:
            if position.gate():
                yield from _placed(position, action)
            elif action.verb == "move":
                yield from _moved(position, action)
            else:
                yield from _mustered(position, action)


def marks(position: Position, turn: Turn) -> tuple[Mark, ...]:
    """Where the turn took place, and every piece that fell, with what attacked it."""
    if not turn:
        return ()
    here = position.ground
    stood, left = acted(position, turn)
    sites = tuple(site for action in turn for site in (action.origin, action.target) if site)
    entered = here.mask(action.target for action in turn)
    displaced = tuple(
        Mark("taken", here.sites(1 << tile), side, kind(position, tile))
        for side, men in zip(SIDES, position.men, strict=False)
        for tile in bits(men & entered)
    )
    captured = tuple(
        Mark(
            "taken",
            here.sites(1 << tile) + here.sites(attackers(here, stood, tile, player)),
            SIDES[player],
            kind(position, tile),
        )
        for player in range(len(stood))
        for tile in bits(stood[player] & ~left[player])
    )
    return (Mark("moved", sites), *displaced, *captured)


def kind(position: Position, tile: int) -> str:
    """What the tile makes of a piece on it."""
    return "Thick" if position.ground.thick >> tile & 1 else "Thin"


def _moved(position: Position, move: Move) -> Iterator[Ruling]:
    yield from _occupied(position, MOVEMENT, move)
    here = position.ground
    origin, target = here.index[move.origin], here.index[move.target]
    if not here.reach[origin] >> target & 1:
        goal, way = ("Thin", "a full edge") if here.thick >> origin & 1 else ("Thick", "an edge or a corner")
        within = here.sites(here.reach[origin])
        lacks = f"is {kind(position, target)}" if kind(position, target) != goal else f"does not touch it by {way}"
        yield Ruling(
            MOVEMENT,
            move,
            f"the {kind(position, origin)} piece on {move.origin} moves to a {goal} tile across {way}: "
            f"{listed(within)}; {move.target} {lacks}",
            (Mark("culprit", (move.origin, move.target)), Mark("reach", within)),
        )


def _placed(position: Position, move: Move) -> Iterator[Ruling]:
    gate = position.ground.gates[position.gate() - 1]
    if move.verb == "move" or not gate.tiles >> position.ground.index[move.target] & 1:
        own = position.ground.sites(gate.tiles)
        yield Ruling(
            LONG,
            move,
            f"{NAMES[position.to]} places the first piece on its own Gate {gate.number}, which is {listed(own)}",
            (Mark("culprit", (move.target,)), Mark("reach", own)),
        )
    yield from _occupied(position, LONG, move)


def _mustered(position: Position, move: Move) -> Iterator[Ruling]:
    here, men, to = position.ground, position.men, position.to
    target, name = here.index[move.target], NAMES[to]
    open_tiles = muster_tiles(here, men, to)
    within = here.sites(open_tiles & position.empty())
    marks = (Mark("culprit", (move.target,)), *((Mark("reach", within),) if within else ()))
    gate = here.gate_of.get(target)
    held = any(men[to] & star.tiles == star.tiles for star in here.remote)
    if not position.reserves[to]:
        yield Ruling(MUSTERING, move, f"{name} has no piece in reserve", marks[:1])
    if gate is None:
        yield Ruling(MUSTERING, move, f"{move.target} belongs to no Gate", marks)
    elif not (held or open_tiles >> target & 1):
        because = f"{name} stands on no tile of Gate {gate.number} and holds no Inner Garrison to Muster from afar"
        yield Ruling(MUSTERING, move, because, (*marks, Mark("zone", here.sites(gate.tiles))))
    yield from _occupied(position, MUSTERING, move)
    if gate and held and not open_tiles >> target & 1:
        yield from _mustered_from_afar(position, move, gate, marks)


def _mustered_from_afar(position: Position, move: Move, gate: Gate, marks: tuple[Mark, ...]) -> Iterator[Ruling]:
    here, mine, name = position.ground, position.mine(), NAMES[position.to]
    enemies = here.sites(gate.tiles & ~position.empty())
    if enemies:
        because = f"an enemy stands on Gate {gate.number}, at {listed(enemies)}, so it is closed to Remote Mustering"
        yield Ruling(REMOTE, move, because, (*marks, Mark("blocker", enemies)))
    held = [star for star in here.remote if mine & star.tiles == star.tiles]
    if not any(gate in here.remote[star] for star in held):
        stars = listed(tuple(star.name for star in held))
        because = f"{name} stands on no tile of Gate {gate.number}, and it is not on the half of the board of {stars}"
        yield Ruling(REMOTE, move, because, (*marks, Mark("zone", here.sites(gate.tiles))))
    if not gate.thick >> here.index[move.target] & 1:
        thick = listed(here.sites(gate.thick))
        because = f"a remotely Mustered piece enters on a Thick tile of the Gate, {thick}; {move.target} is Thin"
        yield Ruling(REMOTE, move, because, marks)


def _occupied(position: Position, rule: Rule, move: Move) -> Iterator[Ruling]:
    tile = position.ground.index[move.target]
    owner = next((NAMES[player] for player, men in enumerate(position.men) if men >> tile & 1), None)
    if owner:
        yield Ruling(rule, move, f"a piece of {owner} stands on {move.target}", (Mark("blocker", (move.target,)),))


def listed(words: tuple[str, ...]) -> str:
    """The words as a sentence says them: "A1, B1 and C1"."""
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))
