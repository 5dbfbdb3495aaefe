"""A position of Chirality: its text, the turn carried out on it, and how it counts lines of turns."""

from typing import NamedTuple

from engine.board import Side
from engine.game import Move, NotationError, Outcome, Turn
from engine.games.chirality.boards import DEFAULT, PLANS, ground
from engine.games.chirality.ground import Action, Ground, bits
from engine.games.chirality.resolution import Men, can_act, muster_tiles, resolved, resolver
from engine.games.chirality.rulebook import ALL_OUT, ELIMINATION, NO_ACTION, QUIET, THIRD_TIME, THRONE_WIN

SIDES: tuple[Side, ...] = ("P1", "P2", "P3", "P4", "P5")
NAMES = ("Red", "Blue", "Gold", "Green", "Violet")
PIECES_EACH = 16
QUIET_TURNS = 60
"""Of each player, without a capture or a Muster."""
OCCURRENCES = 3
ROUND = [[[(to + step) % players for step in range(1, players + 1)] for to in range(players)] for players in range(6)]
"""By the number of players and who acted: all in the order in which they act next."""


class Position(NamedTuple):
    """Where everybody stands, and who acts; players are counted from 0. A tuple, because replays make many."""

    ground: Ground
    men: Men
    """Of each player: the tiles where the pieces stand."""
    reserves: tuple[int, ...]
    to: int
    out: int = 0
    """The players who are out of the game, as a set of bits."""
    quiet: int | None = None
    """Turns since the last capture or Muster; None = a text without a count was read, and none is kept."""
    gates: tuple[int, ...] = ()
    """Of each player in a Long game's first round: the number of the own Gate until the first piece stands, then 0."""

    def left(self) -> tuple[int, ...]:
        """The players who are still in."""
        return tuple(player for player in range(len(self.men)) if not self.out >> player & 1)

    def gate(self) -> int:
        """The Gate where the player to act still has to place the first piece, or 0."""
        return self.gates[self.to] if self.gates else 0

    def mine(self) -> int:
        """The tiles of the player to act."""
        return self.men[self.to]

    def empty(self) -> int:
        """The tiles where nobody stands."""
        return self.ground.all ^ sum(self.men)


def actions(position: Position) -> list[Action]:
    """Every turn that the rules allow while the game goes on."""
    here, empty = position.ground, position.empty()
    if position.gate():
        return [here.musters[tile] for tile in bits(here.gates[position.gate() - 1].tiles & empty)]
    found: list[Action] = []
    reach, steps = here.reach, here.steps
    for tile in bits(position.mine()):
        found += steps[tile][reach[tile] & empty]
    if position.reserves[position.to]:
        found += [here.musters[tile] for tile in bits(muster_tiles(here, position.men, position.to) & empty)]
    return found


def turns(position: Position) -> list[Turn]:
    """Every tenable turn; none once the game is over."""
    if decided(position) or _is_quiet(position):
        return []
    return [turn for turn, _, _ in actions(position)]


def acted(position: Position, turn: Turn) -> tuple[Men, Men]:
    """Who stands where once the action is done, and again once all captures are.

    We read: a tile holds one piece, so whoever untenably enters an occupied one takes off what stood there.
    """
    here, to, stood = position.ground, position.to, list(position.men)
    for action in turn:
        came = here.bit[action.target]
        gone = here.bit[action.origin] if action.verb == "move" else 0
        if sum(stood) & came:
            stood = [tiles & ~came for tiles in stood]
        stood[to] = stood[to] & ~gone | came
    men = tuple(stood)
    return men, resolved(here, men, to)


def play(position: Position, turn: Turn) -> Position:
    """The position after a turn, tenable or not: the action as written, then captures, then who is next."""
    return _next(position, acted(position, turn)[1], mustered=bool(turn) and turn[0].verb == "muster")


def passed_on(position: Position) -> Position:
    """The position with the turn taken from the player to act."""
    return _next(position, position.men, mustered=None)


def without_piece(position: Position, move: Move) -> Position:
    """The position without the piece that a move would have moved, on the board or in reserve."""
    if move.verb == "move":
        bit = position.ground.bit[move.origin]
        men = tuple(tiles & ~bit for tiles in position.men)
        return position._replace(men=men)
    return position._replace(reserves=_less(position.reserves, position.to, int(move.verb == "muster")))


def without_player(position: Position, player: int) -> Position:
    """The position after a player has left the game with all pieces."""
    gates = _set(position.gates, player, 0) if position.gates else ()
    after = position._replace(
        men=_set(position.men, player, 0),
        out=position.out | 1 << player,
        quiet=None if position.quiet is None else 0,
        gates=gates if any(gates) else (),
    )
    return passed_on(after) if player == position.to else after


def begun(position: Position) -> Position:
    """A position that players begin from: of several, who cannot act is out, as at the start of every own turn."""
    return without_player(position, position.to) if len(position.left()) > 2 and _is_stuck(position) else position


def outcome(position: Position, seen: int) -> Outcome | None:
    """The end of the game, if this is one."""
    end = decided(position)
    if end is not None:
        return end
    left = position.left()
    if _is_stuck(position):
        if len(left) == 2:
            return Outcome(NO_ACTION, _sides(left) - {SIDES[position.to]})
        return outcome(without_player(position, position.to), seen)
    if seen >= OCCURRENCES:
        return Outcome(THIRD_TIME, _sides(left))
    return Outcome(QUIET, _sides(left)) if _is_quiet(position) else None


def decided(position: Position) -> Outcome | None:
    """Who has won by the Throne or as the last one in, or who fell together."""
    men, throne = position.men, position.ground.throne
    if sum(men) & throne == throne:
        for player, tiles in enumerate(men):
            if tiles & throne == throne:
                return Outcome(THRONE_WIN, _sides((player,)))
    if 0 not in men:
        return None
    left = position.left()
    alive = tuple(player for player in left if men[player] or position.reserves[player])
    if not alive:
        return Outcome(ALL_OUT, _sides(left or tuple(range(len(men)))))
    if len(alive) > 1:
        return None
    # Nobody falls to captures with reserves left: if all the others have some, the last one had no action.
    stuck = all(reserve for player, reserve in enumerate(position.reserves) if player not in alive)
    return Outcome(NO_ACTION if stuck else ELIMINATION, _sides(alive))


def perft(position: Position, depth: int) -> int:
    """How many lines of turns of this length there are; every position on the way is made, the last ones too."""
    if depth == 0:
        return 1
    if outcome(position, 1) is not None:
        return 0
    after = resolver(position.ground, position.men, position.to)
    if depth == 1:
        return len([after(gone, came) for _, gone, came in actions(position)])
    return sum(
        perft(_next(position, after(gone, came), mustered=gone < 0), depth - 1) for _, gone, came in actions(position)
    )


def encode(position: Position) -> str:
    """The position as one line of text."""
    here = position.ground
    fields = []
    for player, tiles in enumerate(position.men):
        stand = "out" if position.out >> player & 1 else " ".join(here.sites(tiles)) or "-"
        fields.append(f"{SIDES[player]}: {stand}")
    fields.append(f"res: {' '.join(map(str, position.reserves))}")
    fields.append(f"to: {SIDES[position.to]}")
    if position.quiet is not None:
        fields.append(f"quiet: {position.quiet}")
    if position.gates:
        fields.append(f"gates: {' '.join(str(gate or '-') for gate in position.gates)}")
    if here.name != DEFAULT:
        fields.append(f"board: {here.name}")
    return " / ".join(fields)


def decode(text: str) -> Position:
    """Read a position text."""
    fields = {}
    for part in text.split("/"):
        key, colon, value = part.partition(":")
        if not colon or key.strip() in fields:
            raise NotationError(f"`{part.strip()}` is no field of a position", _EXAMPLE)
        fields[key.strip()] = value.split()
    board = " ".join(fields.pop("board", [DEFAULT]))
    if board not in PLANS:
        raise NotationError(f"there is no board {board}", f"Boards: {', '.join(PLANS)}.")
    here = ground(board)
    players = sum(side in fields for side in SIDES)
    missing = [key for key in (*SIDES[: max(players, 2)], "res", "to") if key not in fields]
    if missing:
        raise NotationError(f"the position has no `{missing[0]}:`", _EXAMPLE)
    out, men = _read_men(here, [fields.pop(side) for side in SIDES[:players]])
    reserves = tuple(_number(word) for word in fields.pop("res"))
    to = fields.pop("to")
    quiet = [_number(word) for word in fields.pop("quiet", [])]
    gates = tuple(0 if word == "-" else _number(word) for word in fields.pop("gates", []))
    if fields:
        raise NotationError(f"`{next(iter(fields))}:` is no field of a position", _EXAMPLE)
    if len(reserves) != players or (gates and len(gates) != players) or len(quiet) > 1:
        raise NotationError("`res:` and `gates:` have one number for each player, `quiet:` has one", _EXAMPLE)
    if len(to) != 1 or to[0] not in SIDES[:players]:
        raise NotationError("`to:` names the player to act", _EXAMPLE)
    if any(gate > len(here.gates) for gate in gates):
        raise NotationError(f"the board has {len(here.gates)} Gates", _EXAMPLE)
    actor = SIDES.index(to[0])
    if out >> actor & 1 and out != (1 << players) - 1:
        raise NotationError(f"{to[0]} is out and cannot be the one to act", _EXAMPLE)
    return Position(here, men, reserves, actor, out, quiet[0] if quiet else None, gates if any(gates) else ())


_EXAMPLE = "A position looks like `P1: A44 A45 / P2: C44 D3 / res: 8 8 / to: P1`."


def _read_men(here: Ground, rows: list[list[str]]) -> tuple[int, Men]:
    """Who is out, and where everybody stands."""
    out, men, everyone = 0, [], 0
    for player, words in enumerate(rows):
        out |= (words == ["out"]) << player
        tiles = _read_tiles(here, words, everyone) if words not in (["out"], ["-"]) else 0
        everyone |= tiles
        men.append(tiles)
    return out, tuple(men)


def _read_tiles(here: Ground, words: list[str], taken: int) -> int:
    try:
        tiles = sum([here.bit[word] for word in words])
    except KeyError as unknown:
        raise NotationError(f"there is no tile {unknown.args[0]} on this board", _EXAMPLE) from None
    if tiles & taken or tiles.bit_count() < len(words):
        twice = next(word for word in words if words.count(word) > 1 or taken & here.bit[word])
        raise NotationError(f"two pieces stand on {twice}", "A tile holds one piece. " + _EXAMPLE)
    return tiles


def _number(word: str) -> int:
    if not (word.isascii() and word.isdigit() and len(word) < 7):
        raise NotationError(f"{word} is not a number", _EXAMPLE)
    return int(word)


def _next(before: Position, men: Men, *, mustered: bool | None) -> Position:
    """The position after captures, once whoever is eliminated or cannot act is out, and the next player is found.

    `mustered` is None where no turn was made at all.
    """
    here, _, reserves, to, were_out, quiet, gates = before
    if mustered:
        reserves, gates = _less(reserves, to, 1), _less(gates, to, before.gate())
    out = were_out
    if 0 in men and not _holds_throne(here, men[to]):
        out |= sum([1 << player for player, tiles in enumerate(men) if not (tiles or reserves[player])])
    empty = here.all ^ sum(men)
    for player in ROUND[len(men)][to]:
        if out >> player & 1:
            continue
        if (  # first what nearly always holds
            can_act(here, men, empty, player, reserves[player], gate=gates[player] if gates else 0)
            or out | 1 << player == (1 << len(men)) - 1
            or _holds_throne(here, men[to])
        ):
            to = player
            break
        out |= 1 << player
        empty |= men[player]
        men = _set(men, player, 0)
    else:  # those who fall together share the draw: who was out before does not
        out = were_out or out
    if quiet is not None:
        if mustered or out != were_out or empty.bit_count() > before.empty().bit_count():
            quiet = 0
        elif mustered is not None:
            quiet += 1
    if gates and not any(gates):
        gates = ()
    return Position._make((here, men, reserves, to, out, quiet, gates))  # in half the time that `Position` takes


def _holds_throne(here: Ground, tiles: int) -> bool:
    return tiles & here.throne == here.throne


def _less(numbers: tuple[int, ...], player: int, by: int) -> tuple[int, ...]:
    """The numbers with the player's one lowered, never below 0."""
    return _set(numbers, player, max(numbers[player] - by, 0)) if by else numbers


def _set(numbers: tuple[int, ...], player: int, number: int) -> tuple[int, ...]:
    return (*numbers[:player], number, *numbers[player + 1 :])


def _is_stuck(position: Position) -> bool:
    """Whether the player to act has no action: only where somebody wrote the position, for a turn passes such by."""
    here, men, to, reserve = position.ground, position.men, position.to, position.reserves[position.to]
    return not can_act(here, men, position.empty(), to, reserve, gate=position.gate())


def _is_quiet(position: Position) -> bool:
    """Whether nothing was captured or mustered for so long that it is a draw."""
    left = len(position.men) - position.out.bit_count()
    return position.quiet is not None and position.quiet >= QUIET_TURNS * left


def _sides(players: tuple[int, ...]) -> frozenset[Side]:
    return frozenset(SIDES[player] for player in players)
