"""The record of a match as text that a person can read and a program can play again: headers, turns, comments."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from engine.board import Side
from engine.dice import Dice, commitment
from engine.game import NotationError, Outcome
from engine.games import GAMES
from engine.match.events import (
    Agreed,
    CalledOut,
    CallFailed,
    Challenged,
    Ended,
    Event,
    Flagged,
    Joined,
    Played,
    Player,
    Replied,
    Reset,
    Resigned,
    Started,
    TakenBack,
)
from engine.match.state import Match, digest, evolve, read_ply
from engine.match.terms import read_terms

FIRST_LINE = "Riposte record 1"
SEALED = "(sealed)"

Kind: TypeAlias = Literal["turn", "reply", "called", "failed", "back", "left", "agreed", "reset"]

LINES: dict[Kind, tuple[str, re.Pattern[str]]] = {
    "turn": ("{number}. {side} {text}", re.compile(r"(?P<number>\d+)\. (?P<side>\S+) (?P<text>.+)")),
    "reply": ("reply {side} {text}", re.compile(r"reply (?P<side>\S+) (?P<text>.+)")),
    "called": (
        "called {number} by {side}: {text}",
        re.compile(r"called (?P<number>\d+) by (?P<side>\S+): (?P<text>.+)"),
    ),
    "failed": ("held {number} against {side}", re.compile(r"held (?P<number>\d+) against (?P<side>\S+)")),
    "back": ("taken back from {number}", re.compile(r"taken back from (?P<number>\d+)")),
    "left": ("{side} {text}", re.compile(r"(?P<side>\S+) (?P<text>resigns|runs out of time)")),
    "agreed": ("draw agreed", re.compile(r"draw agreed")),
    "reset": ("board reset", re.compile(r"board reset")),
}
"""How each kind of entry is written, and how it is read."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the record's body, with the comment lines that follow it."""

    kind: Kind
    number: int = 0
    side: Side = ""
    text: str = ""
    comments: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Record:
    """A match on paper. `read_record(record.write()) == record`."""

    headers: tuple[tuple[str, str], ...]
    entries: tuple[Entry, ...]

    def header(self, name: str, default: str = "") -> str:
        """The value of a header."""
        return dict(self.headers).get(name, default)

    def write(self) -> str:
        """The record as text."""
        lines = [FIRST_LINE, *(f"{name}: {value}" for name, value in self.headers), ""]
        for entry in self.entries:
            form, _ = LINES[entry.kind]
            lines.append(form.format(number=entry.number, side=entry.side, text=entry.text))
            lines += [f"; {comment}" for comment in entry.comments]
        return "\n".join(lines) + "\n"


def read_record(text: str) -> Record:
    """The record that a text holds. Raises NotationError with the line that is wrong."""
    lines = [line.strip() for line in text.lstrip("\ufeff").strip().splitlines()]
    if not lines or lines[0] != FIRST_LINE:
        raise NotationError("this is no match record", f"Its first line must be `{FIRST_LINE}`.")
    headers: list[tuple[str, str]] = []
    entries: list[Entry] = []
    body = False
    for number, line in enumerate(lines[1:], 2):
        if not line:
            body = True
        elif not body:
            name, colon, value = line.partition(": ")
            if not colon and not name.endswith(":"):
                raise NotationError(f"line {number} is no header", "A header looks like this: `Game: tokonoma`.")
            headers.append((name.rstrip(":"), value))
        elif line.startswith(";"):
            if not entries:
                raise NotationError(f"line {number} is a comment on nothing", "Put it below the turn it is about.")
            last = entries[-1]
            note = line[1:].strip()
            entries[-1] = Entry(last.kind, last.number, last.side, last.text, (*last.comments, note))
        else:
            entries.append(_entry(line, number))
    return Record(tuple(headers), tuple(entries))


def record_of(events: Iterable[Event], names: Mapping[Player, str], viewer: Side | None) -> Record:
    """The record that a log makes, as one side (None = the public) may see it while the match runs."""
    events = tuple(events)
    over = isinstance(events[-1], Ended)
    headers: list[tuple[str, str]] = []
    entries: list[Entry] = []
    match: Match | None = None
    for event in events:
        before, match = match, evolve(match, event)
        if isinstance(event, Started):
            headers = _headers(match, event, names, over)
        elif isinstance(event, Ended):
            winners = " ".join(event.winners) or "-"
            headers.append(("Result", f"{winners} ({event.rule}, {event.title})"))
        elif before is not None:
            entries += _entries(before, event, None if over else (viewer,))
    return Record(tuple(headers), tuple(entries))


def replayed(
    record: Record, at: int, number: str = "", place: str = "", seed: str = ""
) -> Iterator[tuple[Event, Match]]:
    """The events that a record stands for, each with the match after it. Raises NotationError.

    A record keeps no times, so all events bear the one given. Sealed answers cannot be replayed. `number` and
    `place` are those of the match that it becomes, where it is more than looked at; `seed` is for its further
    luck, where the record does not tell the one it had.
    """
    match: Match | None = None
    for event in _opening(record, at, number or record.header("Match", "0"), place, seed):
        match = evolve(match, event)
        yield event, match
    assert match is not None, "an opening challenges and starts"
    rolls = match.rolls
    for entry in record.entries:
        event = _event(match, entry, at, rolls)
        match = evolve(match, event)
        rolls = match.rolls
        yield event, match
    result = record.header("Result")
    if result:
        winners, _, rest = result.partition(" (")
        rule, _, title = rest.removesuffix(")").partition(", ")
        sides = tuple(winner for winner in winners.split() if winner != "-")
        if not rest or not set(sides) <= set(match.seats):
            raise NotationError(f"{result[:60]} is no result", "It looks like this: `Result: W (riposte:time, Time)`.")
        ended = Ended(at, rule, title, sides)
        yield ended, evolve(match, ended)


def verify(record: Record) -> tuple[str, ...]:
    """What is wrong with the luck of a record: nothing, if every roll follows from the seed it was bound to."""
    seed = bytes.fromhex(_seed(record))
    if not seed:
        return ("the record does not tell its seed: the match is not over",)
    faults = []
    if commitment(seed) != record.header("Commitment"):
        faults.append("the seed is not the one that was committed to")
    dice = Dice(seed, _rolls(record))
    before: Match | None = None
    for event, match in replayed(record, 0):
        if isinstance(event, Played) and before is not None:
            game, position = match.game, before.position
            turn = game.read(event.text, position)
            expected = game.write(game.roll(position, turn, dice), position)
            if expected != event.text:
                faults.append(f"turn {before.next_number}: {event.text} should be {expected}")
        before = match
    return tuple(faults)


# --- out --------------------------------------------------------------------------------------------------
def _headers(match: Match, event: Started, names: Mapping[Player, str], over: bool) -> list[tuple[str, str]]:
    known = {player: " ".join(name.split()) for player, name in names.items()}
    seats = [(match.game.names[s], f"{s} {p} {known.get(p, '')}".strip()) for s, p in event.seats.items()]
    seed = bytes.fromhex(event.seed)
    return [
        ("Match", match.id),
        ("Game", match.game.key),
        ("Version", str(match.version)),
        ("Terms", "; ".join(f"{key}={value}" for key, value in match.terms.items())),
        *((f"Player {name}", who) for name, who in seats),
        ("Commitment", commitment(seed)),
        *([("Seed", event.seed), ("Rolls", str(event.rolls))] if over else []),
        ("Start", event.position if over else match.game.encode(match.game.decode(event.position))),
    ]


def _entries(before: Match, event: Event, seen_by: tuple[Side | None] | None) -> list[Entry]:
    """The lines for one event; `seen_by` None = everything is told."""
    game = before.game
    match event:
        case Played():
            text = event.text
            if seen_by is not None:
                text = game.show(game.read(text, before.position), before.position, seen_by[0])
            return [Entry("turn", before.next_number, event.side, text)]
        case Replied():
            told = seen_by is None or seen_by[0] == event.side
            return [Entry("reply", 0, event.side, event.text if told else SEALED)]
        case CalledOut():
            side = before.side_of(event.by) or ""
            return [Entry("called", event.ply, side, f"{event.penalty} ({' '.join(event.rules)})")]
        case CallFailed():
            return [Entry("failed", event.ply, before.side_of(event.by) or "")]
        case TakenBack():
            return [Entry("back", event.ply)]
        case Resigned():
            return [Entry("left", 0, event.side, "resigns")]
        case Flagged():
            return [Entry("left", 0, event.side, "runs out of time")]
        case Agreed():
            return [Entry("agreed")]
        case Reset():
            return [Entry("reset")]
        case _:
            return []


# --- in ---------------------------------------------------------------------------------------------------
def _entry(line: str, number: int) -> Entry:
    for kind, (_, pattern) in LINES.items():
        found = pattern.fullmatch(line)
        if found:
            parts = found.groupdict()
            return Entry(kind, int(parts.get("number") or 0), parts.get("side") or "", parts.get("text") or "")
    raise NotationError(f"line {number} is not a turn: {line[:60]}", "A turn looks like this: `1. W c7c5`.")


def _seed(record: Record) -> str:
    """The seed of the dice, in hex; "" where it is not told."""
    seed = record.header("Seed").lower()
    if not re.fullmatch(r"([0-9a-f]{64})?", seed):
        raise NotationError(f"{seed[:40]} is no seed", "Leave the line as `export` gave it, or leave it out.")
    return seed


def _rolls(record: Record) -> int:
    """How many numbers the dice had given before the first turn."""
    rolls = record.header("Rolls") or "0"
    if not re.fullmatch(r"[0-9]{1,9}", rolls):
        raise NotationError(f"{rolls[:40]} is no number of rolls", "Leave the line as `export` gave it.")
    return int(rolls)


def _opening(record: Record, at: int, number: str, place: str, seed: str) -> tuple[Event, ...]:
    key = record.header("Game")
    if key not in GAMES:
        raise NotationError(f"there is no game called {key[:40] or '(none)'}", f"There are {', '.join(GAMES)}.")
    game = GAMES[key]
    given = dict(term.split("=", 1) for term in record.header("Terms").split("; ") if "=" in term)
    terms = read_terms(game, given)
    sides = game.seats(terms)
    seats: dict[Side, Player] = {}
    for name, value in record.headers:
        if name.startswith("Player "):
            side, player = [*value.split(" ", 2), "", ""][:2]
            seats[side] = player
    if len({player for player in seats.values() if player}) != len(seats):
        raise NotationError(
            "each side needs a player of its own", "Write it like this: `Player White: W web:anna Anna`."
        )
    if set(seats) != set(sides):
        raise NotationError(
            f"the record names players for {', '.join(seats) or 'no side'}, but the game has {', '.join(sides)}",
            f"Each needs a line such as `Player {game.names[sides[0]]}: {sides[0]} web:anna Anna`.",
        )
    start = game.decode(record.header("Start")) if record.header("Start") else game.setup(terms, Dice(bytes(32)))
    first, *others = seats.values()
    return (
        Challenged(at, number, first, key, game.version, terms, tuple(others), place),
        *(Joined(at, player) for player in others),
        Started(at, seats, _seed(record) or seed, _rolls(record), game.encode(start)),
    )


def _event(match: Match, entry: Entry, at: int, rolls: int) -> Event:
    game, position = match.game, match.position
    by = match.seats.get(entry.side, "")
    if entry.side and not by:
        raise NotationError(f"nobody plays {entry.side}", f"The sides are {', '.join(match.seats)}.")
    match entry.kind:
        case "turn":
            if entry.number != match.next_number or game.asks(position) or match.ending is not None:
                raise NotationError(f"turn {entry.number} does not follow what is above it", "Is a line missing?")
            if entry.side != game.to_act(position):
                raise NotationError(f"turn {entry.number} is {game.to_act(position)}'s, not {entry.side}'s")
            try:
                turn = game.read(entry.text, position)
            except NotationError as error:
                raise NotationError(f"turn {entry.number} cannot be read: {error.because}", error.remedy) from error
            broken = tuple(ruling.rule.ref for ruling in game.judge(position, turn))
            text = game.write(turn, position)
            return Played(at, entry.side, by, text, digest(game, game.play(position, turn)), rolls, broken)
        case "reply":
            ask = next((ask for ask in game.asks(position) if ask.side == entry.side), None)
            if ask is None or entry.text == SEALED:
                raise NotationError(
                    "an answer in this record is sealed or was not asked for", "Export it again at the end."
                )
            dice = match.dice if match.seed else Dice(bytes(32), rolls)
            after = game.answer(position, ask, entry.text, dice)
            return Replied(at, entry.side, by, entry.text, digest(game, after), dice.counter)
        case "called":
            struck = next((ply for ply in match.plies if ply.number == entry.number), None)
            penalty, _, refs = entry.text.partition(" (")
            untenable = (
                struck is not None
                and struck.kind == "turn"
                and not game.tenable(struck.before, read_ply(match, struck))
            )
            if not untenable or penalty not in game.penalties:
                raise NotationError(f"turn {entry.number} cannot have been called out: {entry.text}")
            called = CalledOut(at, by, entry.number, tuple(refs.removesuffix(")").split()), penalty, "")
            reached = evolve(match, called)
            return CalledOut(at, by, entry.number, called.rules, called.penalty, digest(game, reached.position))
        case "failed" | "back":
            if all((ply.number, ply.kind) != (entry.number, "turn") for ply in match.plies):
                raise NotationError(f"there is no turn {entry.number}", "Its number is the one in front of the turn.")
            return CallFailed(at, by, entry.number) if entry.kind == "failed" else TakenBack(at, entry.number)
        case "left":
            if entry.side not in game.playing(position):
                raise NotationError(f"{entry.side} is out of the game already", "Leave the line out.")
            return Resigned(at, entry.side, by) if entry.text == "resigns" else Flagged(at, entry.side)
        case "agreed":
            if isinstance(game.agree(position), Outcome):
                raise NotationError(f"an agreed draw ends {game.name}", "Write it as `Result`.")
            return Agreed(at)
        case "reset":
            if game.reset(position) is None:
                raise NotationError(f"{game.name} knows no reset of the board", "Leave the line out.")
            return Reset(at)
