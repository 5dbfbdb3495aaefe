"""The notation of Veney: what players write, read into actions that can be carried out."""

import re
from dataclasses import replace
from typing import Final

from engine.game import NotationError
from engine.games.veney.action import ENTERING, Action, Turn
from engine.games.veney.board.points import META
from engine.games.veney.board.squares import FORWARD, LINE, LINES, NUMBER, SQUARES, STEP
from engine.games.veney.judge.fault import name
from engine.games.veney.notation import naming
from engine.games.veney.notation.follow_ups import follow_up, follow_up_example, must_stand, spots_of, strayed
from engine.games.veney.notation.meaning import (
    casting,
    move_in,
    own_piece,
    partner_in,
    resolved,
    severing,
    severs,
    standing,
    standing_remedy,
    throws,
    withdraws,
)
from engine.games.veney.notation.refusal import refuse, refuse_absent
from engine.games.veney.notation.tokens import (
    CAST,
    EXACT,
    PLACE,
    SIGNS,
    STRAY,
    SWAP,
    WITHDRAW,
    Plain,
    plain,
    tokens,
)
from engine.games.veney.pieces import BLACK, BLADES, FREE, KIND, KINDS, NAMES, PIECE, D, E, S
from engine.games.veney.play.apply import APPLY
from engine.games.veney.play.devices import rearrange
from engine.games.veney.play.turn import TRAP, sprung
from engine.games.veney.play.working_board import WorkingBoard
from engine.games.veney.position import Position
from engine.text import Text


def read(text: str, position: Position) -> Turn:
    """The turn that a text describes. Raises NotationError."""
    try:
        words = tokens(text, position)
        if position.pending is not None:
            return follow_up(words, position)
        return _Reader(position).turn(words)
    except NotationError as error:
        if error.remedy is None:
            error.remedy = Text("Write for example `{example}`.", example=example(position))
        raise


def example(position: Position) -> str:
    """A text that `read` accepts here; it depends on where pieces stand, not on what they may do."""
    pending = position.pending
    if pending is not None:
        return follow_up_example(position)
    if position.point >= 0 and not position.cells[NUMBER["X8"]]:
        return "aX8"
    self_at = position.cells.find(S + BLACK * position.to)
    ahead = self_at + 4 * FORWARD[position.to]
    if self_at >= 0 and 0 <= ahead < len(SQUARES) and not position.cells[ahead]:
        return f"S{SQUARES[ahead]}"
    return "--"


_FIXED: Final[dict[str, Action]] = {
    **{name: Action("meta", "a", plan=name) for name in META},
    "a=": Action("return", "a"),
    "--h": Action("stance"),
}
"""What is written in one way alone and means the same on every board."""

_SELF = re.compile(r"S(?:[WXYZ]\d+-)?[tfx]?[S$CBGDLJRea]?[WXYZ]\d+~?")


class _Reader:
    """Reads token after token while the board follows."""

    __slots__ = ("_unsure", "actions", "board", "position", "side")

    def __init__(self, position: Position):
        self.position = position
        self.board = WorkingBoard(position)
        self.side = position.to
        self.actions: list[Action] = []
        self._unsure: Plain | None = None
        """The word that can mean several things."""

    def turn(self, tokens: list[str]) -> Turn:
        """The turn that these tokens say."""
        if tokens and tokens[0] == "C~!":
            if self.position.sprung is not None:
                self.board = sprung(self.position)
            self.actions.append(TRAP)
            tokens = tokens[1:]
        words = tokens = self._self_first(tokens)
        while tokens:
            try:
                tokens = self._step(tokens)
            except NotationError as error:
                if self._unsure is not None:
                    left = range(len(words) - len(tokens), len(words))
                    at = next((at for at in left if plain(words[at]) == self._unsure), len(words))
                    # What was unsure may stand in a longer word: then nothing is offered in its place.
                    read = error.readings if at < len(words) else ()
                    error.readings = tuple(" ".join((*words[:at], one, *words[at + 1 :])) for one in read)
                raise
        return tuple(self.actions)

    def _self_first(self, tokens: list[str]) -> list[str]:
        """A concert in either order is written Self first (not after a throw or the turn's end, not in hirakamae)."""
        for token in tokens[1:]:
            if token[0] in "SWXYZ":  # it may move a Self
                break
        else:
            return tokens
        if self.position.stance == self.side:
            return tokens
        moves = [word for word in tokens if word not in SIGNS and word[0] not in "!-N"]
        if len(moves) != 2:
            return tokens
        end = next((at for at, token in enumerate(tokens) if token[0] == "!"), len(tokens))
        for at in range(end - 1):
            one, two = self._lettered(tokens[at]), self._lettered(tokens[at + 1])
            if (
                (one[0] in "$DGL" or one[:2] in ("~L", "~D"))
                and _SELF.fullmatch(two)
                and "*" not in one
                and one not in EXACT
            ):
                if one[0] == "D" and self._is_throw(one):
                    continue
                return [*tokens[:at], two, one, *tokens[at + 2 :]]
        return tokens

    def _lettered(self, token: str) -> str:
        """A move named by its square alone, with the letter of what stands there."""
        site = token.partition("-")[0]
        return token if site == token or site not in NUMBER else standing(self.board, site) + token

    def _is_throw(self, token: str) -> bool:
        found = plain(token)
        at = NUMBER.get(found.square, -1) if found else -1
        return bool(found and found.tilde and at >= 0 and throws(self.board, found, at))

    def _step(self, tokens: list[str]) -> list[str]:
        token, rest = tokens[0], tokens[1:]
        if token in _FIXED:
            return self._add(_FIXED[token], rest)
        if token in EXACT:
            return self._add(self._exact(EXACT[token]), rest)
        if token in ("--", "---"):
            if rest and rest[0][0] not in "!N" and EXACT.get(rest[0]) != "glare":
                refuse(Text("A pass is the end of a turn."), Text("Write `--` alone, or after a meta-move: `a+ --`."))
            return rest
        sign = token[0]
        if sign == "N" and (found := STRAY.fullmatch(token)):
            return self._add(strayed(found, self.board), rest)
        if sign == "!":
            # An attack with its sign is complete; a first half without one, or of the Self, is on the way to it.
            complete = re.match(r"[^S][tfx]", token[1:])
            halves = 1 + bool(not complete and rest and rest[0] not in EXACT and rest[0][0] != "N" and plain(rest[0]))
            plan = naming.plan(self.board, [token[1:], *rest][:halves])
            return self._add(Action("intend", plan=plan), rest[halves - 1 :])
        if sign == "~" and (found := CAST.fullmatch(token)):
            return self._cast(found, rest)
        if "*" in token:
            if (found := PLACE.fullmatch(token)) and found["piece"] != "a" and not withdraws(self.board, found):
                return self._add(naming.placed(self.board, found), rest)
            if sign == "*" and (found := WITHDRAW.fullmatch(token)):
                return self._add(naming.withdrawn(self.board, found), rest)
            token = token.replace("a*", "a")
        if "~" in token and (found := SWAP.fullmatch(token)):
            return self._add(self._swap(found), rest)
        return self._plain(move_in(token), rest)

    def _add(self, action: Action, rest: list[str], lifted: bool = False) -> list[str]:
        """One more action; it is carried out where something is still to be read on the board that it leaves."""
        self.actions.append(action)
        if rest:
            APPLY[action.verb](self.board, action, lifted)
        return rest

    def _exact(self, verb: str) -> Action:
        side = self.side
        if verb == "retreat":
            places = self._places(S)
            if not places:
                refuse_absent(NAMES["S"])
            return Action("retreat", "S", SQUARES[places[0]])
        if verb == "reset":
            return Action("reset", "a")
        letter = "B" if verb == "control" else "L"
        at = self.board.find(side, KIND[letter])
        if at < 0:
            refuse_absent(NAMES[letter])
        return Action(verb, letter, SQUARES[at])

    def _swap(self, found: re.Match[str]) -> Action:
        """Shift and feign: each piece with the square it goes to (or, as some write, the square it comes from)."""
        letter, other = found["piece"], found["other"]
        one, two = naming.square(found["one"]), naming.square(found["two"])
        if (letter == "C") != (other == "S"):
            refuse(
                Text("A {piece} does not trade places with a {other}.", piece=NAMES[letter], other=NAMES[other]),
                Text("Write a shift like `{shift}`, a feign like `{feign}`.", shift="BX4~$Y7", feign="CY4~SX5"),
            )
        for piece in (letter, other):
            if not self._places(KIND[piece]):
                refuse_absent(NAMES[piece])
        froms, tos = self._places(KIND[letter]), self._places(KIND[other])
        if one in froms and two in tos:
            one, two = two, one
        if two not in froms or one not in tos:
            refuse(
                Text(
                    "{written} does not trade the places of {piece} and {other}.",
                    written=found[0],
                    piece=NAMES[letter],
                    other=NAMES[other],
                ),
                Text("Write `{example}`.", example=f"{letter}{SQUARES[tos[0]]}~{other}{SQUARES[froms[0]]}"),
            )
        return Action("shift" if letter == "B" else "feign", letter, SQUARES[two], SQUARES[one], other=other)

    def _cast(self, found: re.Match[str], rest: list[str]) -> list[str]:
        spots = spots_of(rest) if found["piece"] == "C" else ()
        for piece, _ in spots:
            must_stand(self.board, piece)
        return self._add(casting(self.board, found, spots), rest[len(spots) :])

    def _plain(self, found: Plain, rest: list[str]) -> list[str]:
        letter = found.piece or standing(self.board, found.start)
        if letter == "N":
            refuse(
                Text("A Donkey goes its own way."),
                Text("Place it with `{example}`; it strays after your turns.", example="N*X8"),
            )
        kind = PIECE[letter]
        if found.effect and found.kind == "C" and found.tilde and kind in BLADES and severs(self.board, found, kind):
            return self._add(severing(self.board, kind), rest)
        at = naming.square(found.square) if found.square else naming.unique(self.board, found.kind, letter)
        if kind == FREE and self.board.point != -1:
            code = self.board.cells[at]
            if code and code >> 4 == self.side and code & 15 != E:
                own_piece(self.board, at)
            return self._add(Action("enter", "a", target=SQUARES[at]), rest)
        partner = partner_in(rest) if kind == S else None
        origin = self._origin(found, kind, at)
        if partner is None:
            return self._after_throw(resolved(self.board, found, kind, origin, at, partner=False), rest)
        return self._concert(found, origin, at, partner, rest)

    def _concert(self, found: Plain, origin: int, at: int, partner: int, rest: list[str]) -> list[str]:
        """The Self and its partner: both in the hand, the Self first."""
        board = self.board
        token = rest[0]
        if token[0] == "~" and (cast := CAST.fullmatch(token)):
            action = casting(self.board, cast)
            start = NUMBER.get(action.origin, -1)
            lifted = start >= 0 and not board.pinned(start) and board.lift(self.side, partner, start)
            self._add(resolved(self.board, found, S, origin, at, partner=True), rest)
            if lifted and not board.cells[start]:
                board.put(self.side, partner, start)
                lifted = False
            return self._add(action, rest[1:], lifted)
        second = move_in(token)
        frees = bool(
            second.effect
            and second.kind == "C"
            and second.tilde
            and partner in BLADES
            and severs(self.board, second, partner)
        )
        target = (
            -1
            if frees
            else naming.square(second.square)
            if second.square
            else naming.unique(self.board, second.kind, KINDS[partner])
        )
        start = -1 if frees else self._origin(second, partner, target)
        stays = frees or second.strike
        lifted = not frees and not board.pinned(start) and board.lift(self.side, partner, start)
        if stays and start == at:
            refuse(Text("Your own {piece} stands on {square}.", piece=name(partner), square=SQUARES[at]))
        self._add(resolved(self.board, found, S, origin, at, partner=True), rest)
        if lifted and not board.cells[start]:
            board.put(self.side, partner, start)
            lifted = False
        action = (
            severing(self.board, partner)
            if frees
            else resolved(self.board, second, partner, start, target, partner=False)
        )
        if lifted:
            return self._spotted(self._add(action, rest[1:], lifted))
        return self._after_throw(action, rest[1:])

    def _after_throw(self, action: Action, rest: list[str]) -> list[str]:
        if action.verb in ("throw", "announce"):
            spots = spots_of(rest)
            for piece, _ in spots:
                must_stand(self.board, piece)
            action, rest = replace(action, spots=spots), rest[len(spots) :]
        return self._add(action, rest)

    def _spotted(self, rest: list[str]) -> list[str]:
        action = self.actions[-1]
        if action.verb in ("throw", "announce") and (spots := spots_of(rest)):
            self.actions[-1] = replace(action, spots=spots)
            rearrange(self.board, spots)
            return rest[len(spots) :]
        return rest

    def _origin(self, found: Plain, kind: int, target: int) -> int:
        """Which piece is meant."""
        places = self._places(kind)
        if not places:
            refuse_absent(name(kind), standing_remedy(self.board))
        if found.start:
            at = naming.square(found.start)
            if at not in places:
                because = Text("You have no {piece} on {square}.", piece=name(kind), square=found.start)
                refuse(because, standing_remedy(self.board))
            return at
        if found.line:
            on_line = tuple(at for at in places if LINES[LINE[at]] == found.line)
            # "dxy9": an x may be the line or the sign of a capture.
            places = on_line if on_line or found.line != "X" else places
        if found.step:
            places = tuple(at for at in places if STEP[at] == int(found.step))
        if not places:
            refuse(Text("You have no {piece} there.", piece=name(kind)), standing_remedy(self.board))
        fends = bool(found.effect) or naming.fended(self.board, target)
        meant = places if len(places) == 1 else naming.likely(self.board, kind, places, target, fends)
        if len(meant) > 1 and (going_on := self._just_moved(kind)) in meant:
            return going_on
        if len(meant) > 1:
            self._unsure = found
            said = found.effect + found.kind + SQUARES[target] + (found.tilde or found.tilde0)
            readings = tuple(f"{KINDS[kind]}{SQUARES[at]}-{said}{found.strike}" for at in meant)
            refuse(
                Text("More than one {piece} can be meant.", piece=name(kind)),
                Text("Say which: `{example}`.", example=readings[0]),
                readings,
            )
        return meant[0]

    def _just_moved(self, kind: int) -> int:
        """Where a piece of this kind has come to in this turn, for it is the one to go on; -1 if none or any may."""
        last = self.actions[-1] if self.actions and self.position.stance != self.side else None
        return NUMBER[last.target] if last and last.verb in ENTERING and PIECE[last.piece] == kind else -1

    def _places(self, kind: int) -> tuple[int, ...]:
        """Where a kind stands; a Self that was touched is still spoken of, so that the judge can say it is dead."""
        places = self.board.places(self.side, kind)
        if places:
            return places
        dying = self.position.dying
        if kind == S and dying is not None and dying[0] == self.side:
            return (dying[1],)
        if kind == D:  # thrown in this very turn: what is written after that is impossible, but said
            return tuple(NUMBER[action.target] for action in self.actions if action.verb == "throw")[:1]
        return places
