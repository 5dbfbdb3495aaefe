"""The notation of Veney: what players write, read into actions that can be carried out."""

import re
from dataclasses import replace
from typing import Final, NoReturn

from engine.game import Turn
from engine.games.veney import naming
from engine.games.veney.act import ENTERING, Act, move
from engine.games.veney.field import Field, adjacent
from engine.games.veney.followups import follow_up, must_stand, spots_of, strayed
from engine.games.veney.hand import DOES, rearrange
from engine.games.veney.movement import name
from engine.games.veney.piste import BIT, HALF, LINE, LINES, META, NUMBER, SQUARES, STEP
from engine.games.veney.position import SIDES, Position
from engine.games.veney.rulebook import (
    ARMAMENTS,
    BLACK,
    BLADES,
    FREE,
    KIND,
    KINDS,
    NAMES,
    NO,
    PIECE,
    D,
    E,
    S,
)
from engine.games.veney.tokens import (
    CAST,
    EXACT,
    EXAMPLE,
    PLACE,
    SIGNS,
    STRAY,
    SWAP,
    WITHDRAW,
    Plain,
    plain,
    refuse,
    tokens,
)
from engine.games.veney.turns import TRAP, sprung
from engine.games.veney.writing import likely, readable, write

__all__ = ["read", "readable", "write"]


def read(text: str, position: Position) -> Turn:
    """The turn that a text describes. Raises NotationError."""
    words = tokens(text, position)
    if position.pending is not None:
        return follow_up(words, position)
    return _Reader(position).turn(words)


_FIXED: Final[dict[str, Act]] = {
    **{name: Act("meta", "a", plan=name) for name in META},
    "a=": Act("return", "a"),
    "--h": Act("stance"),
}
"""What is written in one way alone and means the same on every board."""

_SELF = re.compile(r"S(?:[WXYZ]\d+-)?[tfx]?[S$CBGDLJRea]?[WXYZ]\d+~?")


class _Reader:
    """Reads token after token while the board follows."""

    __slots__ = ("acts", "field", "position", "side")

    def __init__(self, position: Position):
        self.position = position
        self.field = Field(position)
        self.side = position.to
        self.acts: list[Act] = []

    def turn(self, tokens: list[str]) -> Turn:
        if tokens and tokens[0] == "C~!":
            if self.position.sprung is not None:
                self.field = sprung(self.position)
            self.acts.append(TRAP)
            tokens = tokens[1:]
        tokens = self._self_first(tokens)
        while tokens:
            tokens = self._step(tokens)
        return tuple(self.acts)

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
        return token if site == token or site not in NUMBER else self._standing(site) + token

    def _is_throw(self, token: str) -> bool:
        found = plain(token)
        at = NUMBER.get(found.square, -1) if found else -1
        return bool(found and found.tilde and at >= 0 and self._throws(found, at))

    def _throws(self, found: Plain, at: int) -> bool:
        """Whether a Dagger's sign means a throw: at the Self, with sticks, or at a square without an opposing piece."""
        code = self.field.cells[at]
        enemy = code not in (0, FREE) and code >> 4 != self.side
        meant = found.effect == "t" and not enemy
        return bool(at == self.field.selves[1 - self.side] or found.luck or found.asked or meant)

    def _step(self, tokens: list[str]) -> list[str]:
        token, rest = tokens[0], tokens[1:]
        if token in _FIXED:
            return self._add(_FIXED[token], rest)
        if token in EXACT:
            return self._add(self._exact(EXACT[token]), rest)
        if token in ("--", "---"):
            if rest and rest[0][0] not in "!N" and EXACT.get(rest[0]) != "glare":
                refuse("a pass is the end of a turn", "Write `--` alone, or after a meta-move: `a+ --`.")
            return rest
        sign = token[0]
        if sign == "N" and (found := STRAY.fullmatch(token)):
            return self._add(strayed(found, self.field), rest)
        if sign == "!":
            # An attack with its sign is complete; a first half without one, or of the Self, is on the way to it.
            complete = re.match(r"[^S][tfx]", token[1:])
            halves = 1 + bool(not complete and rest and rest[0] not in EXACT and rest[0][0] != "N" and plain(rest[0]))
            plan = naming.plan(self.field, [token[1:], *rest][:halves])
            return self._add(Act("intend", plan=plan), rest[halves - 1 :])
        if sign == "~" and (found := CAST.fullmatch(token)):
            return self._cast(found, rest)
        if "*" in token:
            if (found := PLACE.fullmatch(token)) and found["piece"] != "a" and not self._withdraws(found):
                return self._add(naming.placed(self.field, found), rest)
            if sign == "*" and (found := WITHDRAW.fullmatch(token)):
                return self._add(naming.withdrawn(self.field, found), rest)
            token = token.replace("a*", "a")
        if "~" in token and (found := SWAP.fullmatch(token)):
            return self._add(self._swap(found), rest)
        return self._plain(self._move(token), rest)

    def _move(self, token: str) -> Plain:
        """A move of a piece, with a square or with what it attacks."""
        found = plain(token)
        if not found or not (found.square or (found.kind and found.effect)):
            refuse(f"I cannot read “{token.lower()}”", f"A move is a piece and a square, such as `$X6` or `{EXAMPLE}`.")
        return found

    def _withdraws(self, found: re.Match[str]) -> bool:
        """Whether a star in front of a square, without a piece, takes the own piece off it."""
        code = self.field.cells[NUMBER[found["square"]]] if found["square"] in NUMBER else 0
        return found["piece"] is None and code not in (0, FREE) and code >> 4 == self.side

    def _add(self, act: Act, rest: list[str], lifted: bool = False) -> list[str]:
        """One more action; it is carried out where something is still to be read on the board that it leaves."""
        self.acts.append(act)
        if rest:
            DOES[act.verb](self.field, act, lifted)
        return rest

    def _exact(self, verb: str) -> Act:
        side = self.side
        if verb == "retreat":
            places = self._places(S)
            if not places:
                refuse("you have no Self on the board")
            return Act("retreat", "S", SQUARES[places[0]])
        if verb == "reset":
            return Act("reset", "a")
        letter = "B" if verb == "control" else "L"
        at = self.field.find(side, KIND[letter])
        if at < 0:
            refuse(f"you have no {NAMES[letter]} on the board")
        return Act(verb, letter, SQUARES[at])

    def _swap(self, found: re.Match[str]) -> Act:
        """Shift and feign: each piece with the square it goes to (or, as some write, the square it comes from)."""
        letter, other = found["piece"], found["other"]
        one, two = naming.square(found["one"]), naming.square(found["two"])
        if (letter == "C") != (other == "S"):
            refuse(
                f"a {NAMES[letter]} does not trade places with a {NAMES[other]}", "Shift: `BX4~$Y7`. Feign: `CY4~SX5`."
            )
        for piece in (letter, other):
            if not self._places(KIND[piece]):
                refuse(f"you have no {NAMES[piece]} on the board")
        froms, tos = self._places(KIND[letter]), self._places(KIND[other])
        if one in froms and two in tos:
            one, two = two, one
        if two not in froms or one not in tos:
            refuse(
                f"{found[0]} does not trade the places of {NAMES[letter]} and {NAMES[other]}",
                f"Write `{letter}{SQUARES[tos[0]]}~{other}{SQUARES[froms[0]]}`.",
            )
        return Act("shift" if letter == "B" else "feign", letter, SQUARES[two], SQUARES[one], other=other)

    def _cast(self, found: re.Match[str], rest: list[str]) -> list[str]:
        spots = spots_of(rest) if found["piece"] == "C" else ()
        for piece, _ in spots:
            must_stand(self.field, piece)
        return self._add(self._cast_act(found, spots), rest[len(spots) :])

    def _cast_act(self, found: re.Match[str], spots: tuple[tuple[str, str], ...] = ()) -> Act:
        letter = found["piece"]
        at = self.field.find(self.side, KIND[letter])
        held = letter in self.field.reserve[self.side]
        if at < 0 and not held:
            refuse(f"you have no {NAMES[letter]} on the board or in reserve")
        site = found["square"] or ""
        if site:
            naming.square(site)
        return Act(
            "cast",
            letter,
            "" if held else SQUARES[at],
            site,
            luck=found["luck"] or "",
            spots=spots,
            plan=SIDES[self.side] if found["luck"] else "",
        )

    def _plain(self, found: Plain, rest: list[str]) -> list[str]:
        letter = found.piece or self._standing(found.start)
        if letter == "N":
            refuse("a Donkey goes its own way", "Place it with `N*X8`; it strays after your turns.")
        kind = PIECE[letter]
        if found.effect and found.kind == "C" and found.tilde and kind in BLADES and self._severs(found, kind):
            return self._add(self._sever(kind), rest)
        at = naming.square(found.square) if found.square else naming.unique(self.field, found.kind, letter)
        if kind == FREE and self.field.point != -1:
            code = self.field.cells[at]
            if code and code >> 4 == self.side and code & 15 != E:
                self._own(at)
            return self._add(Act("enter", "a", target=SQUARES[at]), rest)
        partner = self._partner_token(rest) if kind == S else None
        origin = self._origin(found, kind, at)
        if partner is None:
            return self._after_throw(self._resolve(found, kind, origin, at, partner=False), rest)
        return self._concert(found, origin, at, partner, rest)

    def _standing(self, site: str) -> str:
        """The piece that is meant where no letter is written: an engagement, unless the square names another."""
        code = self.field.cells[naming.square(site)] if site else 0
        return KINDS[code & 15] if code and code != FREE and code >> 4 == self.side else "e"

    def _severs(self, found: Plain, kind: int) -> bool:
        if not found.square:
            return True
        at = naming.square(found.square)
        return self.field.cells[at] == kind + BLACK * self.side

    def _sever(self, kind: int) -> Act:
        places = self.field.places(self.side, kind)
        if not places:
            refuse(f"you have no {name(kind)} on the board")
        at = next((place for place in places if self.field.pinned(place)), places[0])
        return Act("sever", KINDS[kind], SQUARES[at])

    def _partner_token(self, rest: list[str]) -> int | None:
        """The kind of the piece that moves in concert next, if the next token is one."""
        if not rest:
            return None
        token = rest[0]
        if token[0] == "~" and (found := CAST.fullmatch(token)):
            return KIND[found["piece"]] if found["piece"] in "LD" else None
        if token in EXACT or "*" in token or token[0] not in "$DGL":
            return None
        return KIND[token[0]]

    def _concert(self, found: Plain, origin: int, at: int, partner: int, rest: list[str]) -> list[str]:
        """The Self and its partner: both in the hand, the Self first."""
        field = self.field
        token = rest[0]
        if token[0] == "~" and (cast := CAST.fullmatch(token)):
            act = self._cast_act(cast)
            start = NUMBER.get(act.origin, -1)
            lifted = start >= 0 and not field.pinned(start) and field.lift(self.side, partner, start)
            self._add(self._resolve(found, S, origin, at, partner=True), rest)
            if lifted and not field.cells[start]:
                field.put(self.side, partner, start)
                lifted = False
            return self._add(act, rest[1:], lifted)
        second = self._move(token)
        severs = bool(
            second.effect
            and second.kind == "C"
            and second.tilde
            and partner in BLADES
            and self._severs(second, partner)
        )
        target = (
            -1
            if severs
            else naming.square(second.square)
            if second.square
            else naming.unique(self.field, second.kind, KINDS[partner])
        )
        start = -1 if severs else self._origin(second, partner, target)
        stays = severs or second.strike
        lifted = not severs and not field.pinned(start) and field.lift(self.side, partner, start)
        if stays and start == at:
            refuse(f"your own {name(partner)} stands on {SQUARES[at]}")
        self._add(self._resolve(found, S, origin, at, partner=True), rest)
        if lifted and not field.cells[start]:
            field.put(self.side, partner, start)
            lifted = False
        act = self._sever(partner) if severs else self._resolve(second, partner, start, target, partner=False)
        if lifted:
            return self._spotted(self._add(act, rest[1:], lifted))
        return self._after_throw(act, rest[1:])

    def _after_throw(self, act: Act, rest: list[str]) -> list[str]:
        if act.verb in ("throw", "announce"):
            spots = spots_of(rest)
            for piece, _ in spots:
                must_stand(self.field, piece)
            act, rest = replace(act, spots=spots), rest[len(spots) :]
        return self._add(act, rest)

    def _spotted(self, rest: list[str]) -> list[str]:
        act = self.acts[-1]
        if act.verb in ("throw", "announce") and (spots := spots_of(rest)):
            self.acts[-1] = replace(act, spots=spots)
            rearrange(self.field, spots)
            return rest[len(spots) :]
        return rest

    def _origin(self, found: Plain, kind: int, target: int) -> int:
        """Which piece is meant."""
        places = self._places(kind)
        if not places:
            refuse(f"you have no {name(kind)} on the board", self._board_remedy())
        if found.start:
            at = naming.square(found.start)
            if at not in places:
                refuse(f"you have no {name(kind)} on {found.start}", self._board_remedy())
            return at
        if found.line:
            on_line = tuple(at for at in places if LINES[LINE[at]] == found.line)
            # "dxy9": an x may be the line or the sign of a capture.
            places = on_line if on_line or found.line != "X" else places
        if found.step:
            places = tuple(at for at in places if STEP[at] == int(found.step))
        if not places:
            refuse(f"you have no {name(kind)} there", self._board_remedy())
        meant = places if len(places) == 1 else likely(self.field, self.side, kind, places, target)
        if len(meant) > 1 and (going_on := self._just_moved(kind)) in meant:
            return going_on
        if len(meant) > 1:
            readings = tuple(f"{KINDS[kind]}{SQUARES[at]}-{SQUARES[target]}" for at in meant)
            refuse(f"more than one {name(kind)} can be meant", f"Say which: `{readings[0]}`.", readings)
        return meant[0]

    def _just_moved(self, kind: int) -> int:
        """Where a piece of this kind has come to in this turn, for it is the one to go on; -1 if none or any may."""
        last = self.acts[-1] if self.acts and self.position.stance != self.side else None
        return NUMBER[last.target] if last and last.verb in ENTERING and PIECE[last.piece] == kind else -1

    def _places(self, kind: int) -> tuple[int, ...]:
        """Where a kind stands; a Self that was touched is still spoken of, so that the judge can say it is dead."""
        places = self.field.places(self.side, kind)
        if places:
            return places
        dying = self.position.dying
        if kind == S and dying is not None and dying[0] == self.side:
            return (dying[1],)
        if kind == D:  # thrown in this very turn: what is written after that is impossible, but said
            return tuple(NUMBER[act.target] for act in self.acts if act.verb == "throw")[:1]
        return places

    def _board_remedy(self) -> str:
        letters = dict.fromkeys(
            KINDS[code & 15] for code in self.field.cells if code and code != FREE and code >> 4 == self.side
        )
        return f"On the board you have: {', '.join(NAMES[letter] for letter in letters)}."

    def _resolve(self, found: Plain, kind: int, origin: int, at: int, partner: bool) -> Act:
        """The action that a plain token means on this board."""
        field, side = self.field, self.side
        letter = "a" if kind == FREE else KINDS[kind]
        code = field.cells[at]
        tilde = bool(found.tilde or found.tilde0)
        if not code and not tilde and not found.strike and at != origin:
            return move(letter, SQUARES[origin], SQUARES[at])
        enemy = code not in (0, FREE) and code >> 4 != side
        if found.strike:
            return Act("strike", letter, SQUARES[origin], SQUARES[at], effect=self._written(found, kind, at))
        if tilde and kind == D and self._throws(found, at):
            verb = "announce" if found.asked else "throw"
            return Act(verb, "D", SQUARES[origin], SQUARES[at], luck=found.luck)
        if at == origin and not partner:
            refuse(f"the {name(kind)} already stands on {SQUARES[at]}")
        blade = enemy and code & 15 in BLADES
        if tilde and kind in BLADES and at != field.selves[1 - side] and (blade or not found.effect):
            if blade and adjacent(origin, at) and HALF[1 - side] & BIT[origin]:
                return move(letter, SQUARES[origin], SQUARES[at], "cavazione")
            if not enemy and code:
                self._own(at)
            return move(letter, SQUARES[origin], SQUARES[at], "opposition")
        armament = enemy and code & 15 in ARMAMENTS
        if kind == KIND["G"] and (tilde or (armament and not found.effect)) and (not code or enemy):
            return move(letter, SQUARES[origin], SQUARES[at], "deflect")
        if (
            code
            and not enemy
            and not field.stone(side, at)
            and code != FREE
            and code & 15 != E
            and at != origin
            and not field.pinned(at)
        ):
            self._own(at)
        effect = self._written(found, kind, at)
        return (
            Act("move", letter, SQUARES[origin], SQUARES[at], effect=effect)
            if effect
            else move(letter, SQUARES[origin], SQUARES[at])
        )

    def _own(self, at: int) -> NoReturn:
        refuse(f"your own {name(self.field.cells[at])} stands on {SQUARES[at]}", "Choose another square.")

    def _written(self, found: Plain, kind: int, at: int) -> str:
        """The letter t is kept only where the chart has no answer; anywhere else the chart decides."""
        code = self.field.cells[at]
        if found.effect != "t" or not code or code == FREE or code >> 4 == self.side:
            return ""
        return "t" if self.field.effect(self.side, kind, at) == NO else ""
