"""Follows the turns of a record one by one and says of each what it is; what cannot be read ends nothing."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

from engine.board import Side
from engine.dice import Dice
from engine.game import AnyGame, NotationError, Outcome, Penalty, Turn
from engine.match.record.model import Entry, Record
from engine.match.record.pairs import Ply
from engine.match.record.read import replayed
from engine.text import Term, Text

LONGEST = 200
"""Characters of one turn: no turn of any game needs more."""
MOST_WORDS = 12
"""Words of free text that are looked through behind a turn."""
_MARKED = re.compile(r"(?<=[\d\s~])U[tf]?#{0,2}$")


@dataclass(frozen=True, slots=True)
class Followed:
    """One turn of a record, and what became of it."""

    number: int
    side: Side
    name: Term
    """The side's."""
    text: str
    """As Riposte writes it, or as it stands if it cannot be read."""
    verdict: Literal["tenable", "untenable", "unreadable"]
    because: tuple[Text, ...]
    after: Any
    """The position it leads to; from one that cannot be read the turn has passed on."""


def begun(record: Record) -> tuple[AnyGame, Any, tuple[Ply, ...]]:
    """The game, the start and the turns of a record in Riposte's own form. Raises NotationError.

    What was taken back is left out, and so is what came after a turn that was called out.
    """
    *_, (_, started) = replayed(Record(tuple(line for line in record.headers if line[0] != "Result"), ()), 0)
    turns: list[Ply] = []
    for entry in record.entries:
        if entry.kind == "turn":
            turns.append(Ply(entry.number, entry.text))
        elif entry.kind in ("called", "back"):
            struck = None
            while turns and turns[-1].number >= entry.number:
                struck = turns.pop()
            if entry.kind == "called" and struck is not None:
                turns.append(replace(struck, called=entry.text.partition(" (")[0]))
    return started.game, started.position, tuple(turns)


def follow_plies(game: AnyGame, start: Any, plies: Iterable[Ply], priced: bool = True) -> Iterator[Followed]:
    """Each turn with its verdict: tenable or not it is carried out, unless it is marked as called out.

    `priced`: whether a mark counts; what follows from one tells whether the turn was tenable.
    """
    position, over = start, False
    for ply in plies:
        side = game.to_act(position)
        try:
            turn = _read(game, position, ply, over or game.outcome(position) is not None)
        except NotationError as error:
            if not over and not game.asks(position) and game.outcome(position) is None:
                position = game.pass_turn(position, Dice(bytes(32)))
            because = (error.because,) if error.remedy is None else (error.because, error.remedy)
            yield Followed(ply.number, side, game.names[side], ply.text, "unreadable", because, position)
            continue
        found = game.examine(position, turn)
        before, position = position, found.after
        penalty = _price(game, ply)
        if priced and found.rulings and penalty is not None:
            price = game.penalize(before, turn, found.rulings, penalty, Dice(bytes(32)))
            over = isinstance(price, Outcome)
            position = before if over else price
        verdict: Literal["tenable", "untenable"] = "untenable" if found.rulings else "tenable"
        facts = tuple(ruling.because for ruling in found.rulings)
        yield Followed(ply.number, side, game.names[side], found.text, verdict, facts, position)


def recorded(game: AnyGame, start: Any, plies: Iterable[Ply], headers: tuple[tuple[str, str], ...]) -> Record:
    """A record in Riposte's own form of one in the author's. Raises NotationError where a turn cannot be read.

    An answer that was given in private is told as such, `secret X7`, in the order in which sides are asked.
    """
    position, number = start, 0
    entries: list[Entry] = []
    for ply in plies:
        number += 1
        asks, secret = game.asks(position), _SECRET.fullmatch(ply.text)
        if asks and secret:
            position = game.answer(position, asks[0], secret["text"], Dice(bytes(32)))
            entries.append(Entry("reply", 0, asks[0].side, secret["text"]))
            continue
        side = game.to_act(position)
        try:
            turn = _read(game, position, ply, game.outcome(position) is not None)
        except NotationError as error:
            fact = Text("Turn {number} of {side} cannot be read: {turn}.", number=ply.number, side=side, turn=ply.text)
            raise NotationError(fact, error.because) from error
        found = game.examine(position, turn)
        before, position = position, found.after
        entries.append(Entry("turn", number, side, found.text))
        penalty = _price(game, ply)
        if penalty is None or not found.rulings:
            continue
        caller = next(other for other in game.playing(before) if other != side)
        refs = " ".join(dict.fromkeys(ruling.rule.ref for ruling in found.rulings))
        entries.append(Entry("called", number, caller, f"{penalty} ({refs})"))
        reached = game.penalize(before, turn, found.rulings, penalty, Dice(bytes(32)))
        position = before if isinstance(reached, Outcome) else reached
        number -= position == before
    return Record((*headers, ("Start", game.encode(start))), tuple(entries))


_SECRET = re.compile(r"(?:secret|reply)\s+(?P<text>.+)")


def _price(game: AnyGame, ply: Ply) -> Penalty | None:
    """What a call has cost: as the record tells, or the game's own price where the turn is only marked with a U."""
    if ply.called or _MARKED.search(ply.text):
        named = ply.called or game.umpire
        return next((penalty for penalty in game.penalties if penalty == named), "turn")
    return None


def _read(game: AnyGame, position: Any, ply: Ply, over: bool) -> Turn:
    """The turn that a record tells, without free text behind it. Raises NotationError."""
    if over:
        raise NotationError(Text("The game is over."))
    if game.asks(position):
        raise NotationError(Text("An answer in private is awaited, which a record of this form does not tell."))
    text = ply.text if len(ply.text) <= LONGEST or not ply.open else ply.text[:LONGEST].rpartition(" ")[0]
    if len(text) > LONGEST:
        raise NotationError(Text("A turn has at most {count} characters.", count=LONGEST))
    try:
        return game.read(text, position)
    except NotationError:
        words = text.split()
        for kept in range(len(words) - 1, max(0, len(words) - 1 - MOST_WORDS), -1) if ply.open else ():
            try:
                return game.read(" ".join(words[:kept]), position)
            except NotationError:
                continue
        raise
