"""From a record's text to the record, and to the events that it stands for."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import cast

from engine.board import Side
from engine.dice import BOUND, COUNTED, KEYED, Dice, ToldDice
from engine.game import NotationError, Outcome, Penalty
from engine.games import GAMES
from engine.match.commands import Player
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
    Replied,
    Reset,
    Resigned,
    Started,
    TakenBack,
    TurnLost,
    digest,
)
from engine.match.events.time import TermsChanged
from engine.match.evolve import evolve
from engine.match.evolve.going_on import PRICE
from engine.match.evolve.turns import Run
from engine.match.record.model import FIRST_LINE, HELD, LINES, SEALED, Entry, Record
from engine.match.state import Match, at_fault
from engine.match.terms import in_mid_match, read_terms, resolved
from engine.text import Code, Listing, Text


def read_record(text: str) -> Record:
    """The record that a text holds. Raises NotationError with the line that is wrong."""
    if len(text) > MOST_CHARACTERS:
        raise NotationError(
            Text("A record has at most {count} characters.", count=MOST_CHARACTERS),
            Text("Load what `export` gave you, and nothing else."),
        )
    lines = [line.strip() for line in text.lstrip("\ufeff").strip().splitlines()]
    if not lines or lines[0] != FIRST_LINE:
        raise NotationError(
            Text("This is no match record."),
            Text("Its first line must be `{line}`, or its turns look like `1. SX5, eY11;`.", line=FIRST_LINE),
        )
    headers: list[tuple[str, str]] = []
    entries: list[Entry] = []
    notes: list[list[str]] = []
    body = False
    for number, line in enumerate(lines[1:], 2):
        if not line:
            body = True
        elif not body:
            name, colon, value = line.partition(": ")
            if not colon and not name.endswith(":"):
                raise NotationError(
                    Text("Line {number} is no header.", number=number),
                    Text("A header looks like this: `Game: tokonoma`."),
                )
            headers.append((name.rstrip(":"), value))
        elif line.startswith(";"):
            if not entries:
                raise NotationError(
                    Text("Line {number} is a comment on nothing.", number=number),
                    Text("Put it below the turn it is about."),
                )
            notes[-1].append(line[1:].strip())
        else:
            if len(entries) == MOST_LINES:
                raise NotationError(
                    Text("A record has at most {count} turns, answers and calls.", count=MOST_LINES),
                    Text("Load what `export` gave you, and nothing else."),
                )
            entries.append(_entry(line, number))
            notes.append([])
    commented = (
        replace(entry, comments=tuple(told)) if told else entry for entry, told in zip(entries, notes, strict=True)
    )
    return Record(tuple(headers), tuple(commented))


LONGEST_LINE = 4_000
"""Characters of an entry; no turn that is longer can be typed."""
MOST_LINES = 4_000
"""Turns, answers and calls of one record: no match has as many, and a line takes longer the more are above it."""
MOST_CHARACTERS = 500_000
"""In one record: a match of some thousand turns with much talk about them."""


def replayed(
    record: Record, at: int, number: str = "", place: str = "", seed: str = ""
) -> Iterator[tuple[Event, Match]]:
    """The events that a record stands for, each with the match after it. Raises NotationError."""
    for event, run in played_through(record, at, number, place, seed):
        yield event, run.match


def played_through(  # noqa: PLR0917
    record: Record, at: int, number: str = "", place: str = "", seed: str = "", judged: bool = True
) -> Iterator[tuple[Event, Run]]:
    """The events that a record stands for, each with what has been played by then. Raises NotationError.

    A record keeps no times, so all events bear the one given. Sealed answers cannot be replayed. `number` and
    `place` are those of the match that it becomes, where it is more than looked at; `seed` is for its further
    luck, where the record does not tell the one it had. Who only looks at it may leave turns unjudged: then their
    events name neither broken rules nor positions.
    """
    match: Match | None = None
    for event in _opening(record, at, number or record.header("Match", "0"), place, seed):
        match = evolve(match, event)
        yield event, Run(match)
    assert match is not None, "an opening challenges and starts"
    run = Run(match)
    entries = iter((*record.entries, None))
    entry = next(entries)
    while entry is not None:
        following = next(entries)
        lots = following if following is not None and (entry.kind, following.kind) == ("reply", "lots") else None
        if entry.kind == "turn":
            event = _turn(run, entry, at, judged)
        else:
            event = _event(run.match, entry, at, told_lots(lots.text) if lots else ())
            run = Run(evolve(run.match, event))
        yield event, run
        entry = next(entries) if lots else following
    result = record.header("Result")
    if result:
        winners, _, rest = result.partition(" (")
        rule, _, title = rest.removesuffix(")").partition(", ")
        sides = tuple(winner for winner in winners.split() if winner != "-")
        if not rest or not set(sides) <= set(match.seats):
            raise NotationError(
                Text("{words} is no result.", words=result[:60]),
                Text("It looks like this: `Result: W (riposte:time, Time)`."),
            )
        ended = Ended(at, rule, title, sides)
        yield ended, Run(evolve(run.match, ended))


def _entry(line: str, number: int) -> Entry:
    if len(line) > LONGEST_LINE:
        raise NotationError(
            Text("Line {number} has more than {count} characters.", number=number, count=LONGEST_LINE),
            Text("Load what `export` gave you, and nothing else."),
        )
    for kind, (_, pattern) in LINES.items():
        found = pattern.fullmatch(line)
        if found:
            parts = found.groupdict()
            return Entry(kind, int(parts.get("number") or 0), parts.get("side") or "", parts.get("text") or "")
    raise NotationError(
        Text("Line {number} is not a turn: {words}.", number=number, words=Code(line[:60])),
        Text("A turn looks like this: `1. W c7c5`."),
    )


def told_lots(text: str) -> tuple[tuple[int, int], ...]:
    """Lots as a record writes them. Raises NotationError."""
    if not re.fullmatch(r"(\d{1,9}:\d{1,9}( \d{1,9}:\d{1,9})*)?", text, re.ASCII):
        raise NotationError(Text("{words} are no lots.", words=text[:40]), Text("Leave the line as `export` gave it."))
    return tuple((int(faces), int(number)) for faces, _, number in (lot.partition(":") for lot in text.split()))


def shares(record: Record) -> dict[Player, str]:
    """What each player has added to the dice, in the order in which they agreed to the terms."""
    return {player: share for player, _, share in (v.partition(" ") for n, v in record.headers if n == "Share")}


def scheme(record: Record) -> int:
    """How the numbers of a record are drawn: `COUNTED`, `KEYED` or `BOUND`."""
    return {str(KEYED): KEYED, str(BOUND): BOUND}.get(record.header("Luck"), COUNTED)


def _seed(record: Record) -> str:
    """The seed of the dice, in hex; "" where it is not told."""
    seed = record.header("Seed").lower()
    if not re.fullmatch(r"([0-9a-f]{64})?", seed):
        raise NotationError(
            Text("{words} is no seed.", words=seed[:40]),
            Text("Leave the line as `export` gave it, or leave it out."),
        )
    return seed


def _rolls(record: Record) -> int:
    """How many numbers the dice had given before the first turn."""
    rolls = record.header("Rolls") or "0"
    if not re.fullmatch(r"[0-9]{1,9}", rolls):
        raise NotationError(
            Text("{words} is no number of rolls.", words=rolls[:40]), Text("Leave the line as `export` gave it.")
        )
    return int(rolls)


def _opening(record: Record, at: int, number: str, place: str, seed: str) -> tuple[Event, ...]:
    key = record.header("Game")
    if key not in GAMES:
        raise NotationError(
            Text("There is no game called {word}.", word=key[:40] or "-"),
            Text("There are {games}.", games=Listing(tuple(GAMES))),
        )
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
            Text("Each side needs a player of its own."), Text("Write it like this: `Player White: W web:anna Anna`.")
        )
    if set(seats) != set(sides):
        raise NotationError(
            Text(
                "The record has players for {seats}, but the game has the sides {sides}.",
                seats=Listing(tuple(seats) or ("-",)),
                sides=Listing(sides),
            ),
            Text(
                "Each needs a line such as `{line}`.", line=f"Player {game.names[sides[0]]}: {sides[0]} web:anna Anna"
            ),
        )
    start = (
        game.decode(record.header("Start"))
        if record.header("Start")
        else game.setup(resolved(game, terms), Dice(bytes(32)))
    )
    over = bool(record.header("Result"))  # a match that goes on gets dice whose seed nobody knows
    added, told = shares(record), (_seed(record) if over or not seed else "") or seed
    if added and (set(added) != set(seats.values()) or len(added) != len(seats)):
        raise NotationError(
            Text("Each player has one share in the dice."), Text("Leave the lines as `export` gave them.")
        )
    first, *others = added or seats.values()
    luck = scheme(record)
    seeds = ("", told) if luck == COUNTED else (told, "")
    challenged = Challenged(
        at, number, first, key, game.version, terms, tuple(others), place, "", luck, seeds[0], added.get(first, "")
    )
    return (
        replace(challenged, drawn_as=record.header("Match") if over and number != record.header("Match") else ""),
        *(Joined(at, player, "", added.get(player, "")) for player in others),
        Started(at, seats, seeds[1], _rolls(record), game.encode(start)),
    )


def _player(seats: Mapping[Side, Player], entry: Entry) -> Player:
    """Who plays the side of a line; "" where it names none."""
    by = seats.get(entry.side, "")
    if entry.side and not by:
        raise NotationError(
            Text("Nobody plays {side}.", side=entry.side),
            Text("The sides are {sides}.", sides=Listing(tuple(seats))),
        )
    return by


def _turn(run: Run, entry: Entry, at: int, judged: bool) -> Played:
    """A turn, which is read and played once and, where somebody asks, judged."""
    game, position, by = run.game, run.position, _player(run.seats, entry)
    if entry.number != run.number or game.asks(position) or run.ending is not None:
        raise NotationError(
            Text("Turn {number} does not follow what is above it.", number=entry.number),
            Text("Is a line missing?"),
        )
    due = game.to_act(position)
    if entry.side != due:
        raise NotationError(
            Text("Turn {number} is for {due}, not for {side}.", number=entry.number, due=due, side=entry.side)
        )
    try:
        turn = game.read(entry.text, position)
    except NotationError as error:
        fact = Text("Turn {number} cannot be read: `{turn}`.", number=entry.number, turn=entry.text)
        raise NotationError(fact, error.because) from error
    if not judged:
        text = game.write(turn, position) if game.continues(entry.text, position) else entry.text
        event = Played(at, due, by, text, "", run.rolls)
        run.make(event, turn, game.play(position, turn))
        return event
    found = game.examine(position, turn)
    broken = tuple(ruling.rule.ref for ruling in found.rulings)
    reached = game.encode(found.after)
    event = Played(at, due, by, found.text, digest(reached), run.rolls, broken)
    run.make(event, turn, found.after, reached)
    return event


def _event(match: Match, entry: Entry, at: int, drawn: tuple[tuple[int, int], ...]) -> Event:
    """What any other line tells of."""
    game, position, by = match.game, match.position, _player(match.seats, entry)
    match entry.kind:
        case "reply":
            return _replied(match, entry, at, by, drawn)
        case "lots":
            raise NotationError(Text("Lots stand below the answer that they were drawn for."))
        case "called":
            struck = match.ply(entry.number)
            penalty, _, refs = entry.text.partition(" (")
            untenable = struck is not None and struck.kind == "turn" and bool(at_fault(match, struck)[1])
            late = penalty == "late" and struck is not None and game.reset(position, struck.side) is not None
            if not untenable or not (late or penalty in game.penalties):
                raise NotationError(
                    Text(
                        "Turn {number} cannot have been called out: {words}.",
                        number=entry.number,
                        words=Code(entry.text),
                    )
                )
            rules = tuple(refs.removesuffix(")").split())
            price = match.terms["umpire"] if late else penalty
            called = CalledOut(at, by, entry.number, rules, cast(Penalty, price), "", late)
            return replace(called, digest=digest(game.encode(evolve(match, called).position)))
        case "failed" | "back":
            named = match.ply(entry.number)
            if named is None or named.kind != "turn":
                raise NotationError(
                    Text("There is no turn {number}.", number=entry.number),
                    Text("Its number is the one in front of the turn."),
                )
            return _held(match, entry, at, by) if entry.kind == "failed" else TakenBack(at, entry.number)
        case "left":
            if entry.side not in game.playing(position):
                raise NotationError(
                    Text("{side} is out of the game already.", side=entry.side), Text("Leave the line out.")
                )
            if entry.text == "loses a turn":
                dice = match.dice_of(match.next_number, PRICE) if match.seed else Dice(bytes(32), match.rolls)
                game.pass_turn(position, dice)
                if not match.turns_owed.get(entry.side):
                    raise NotationError(Text("{side} owes no turn.", side=entry.side), Text("Leave the line out."))
                return TurnLost(at, entry.side, dice.counter)
            return Resigned(at, entry.side, by) if entry.text == "resigns" else Flagged(at, entry.side)
        case _:
            return _by_consent(match, entry, at)


def _by_consent(match: Match, entry: Entry, at: int) -> Event:
    """What all have agreed on."""
    game = match.game
    if entry.kind == "terms":
        return TermsChanged(at, in_mid_match(game, match.terms, entry.text))
    if entry.kind == "agreed":
        if isinstance(game.agree(match.position), Outcome):
            raise NotationError(Text("An agreed draw ends {game}.", game=game.name), Text("Write it as `Result`."))
        return Agreed(at)
    if game.reset(match.position) is None:
        raise NotationError(Text("{game} has no reset of the board.", game=game.name), Text("Leave the line out."))
    return Reset(at)


def _held(match: Match, entry: Entry, at: int, by: Player) -> CallFailed:
    """A call that did not hold; what it cost is told only where it cost something."""
    found = HELD.fullmatch(entry.text)
    if found is None:
        raise NotationError(
            Text("What a call named or cost cannot be read: {words}.", words=Code(entry.text.strip()[:60])),
            Text("It looks like this: `{line}`.", line="held 3 against W for range, costs 1"),
        )
    costs = int(found["costs"]) if found["costs"] else None
    return CallFailed(at, by, entry.number, found["reason"] or "", costs, late=bool(found["late"]))


def _replied(match: Match, entry: Entry, at: int, by: Player, drawn: tuple[tuple[int, int], ...]) -> Replied:
    """An answer, with the lots that it has led to."""
    game, position = match.game, match.position
    ask = next((ask for ask in game.asks(position) if ask.side == entry.side), None)
    if ask is None or entry.text == SEALED:
        raise NotationError(
            Text("An answer in this record is sealed or was not asked for."), Text("Export it again at the end.")
        )
    bound = match.luck != COUNTED
    counted = match.dice if match.seed else Dice(bytes(32), match.rolls)
    dice = ToldDice(drawn) if bound else counted
    after = game.answer(position, ask, entry.text, dice)
    return Replied(at, entry.side, by, entry.text, digest(game.encode(after)), dice.counter, drawn if bound else None)
