"""From a match's log to its record, as one side may see it."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from engine.board import Side
from engine.dice import COUNTED, KEYED, commitment
from engine.match.challenge import draw_lots
from engine.match.commands import Player
from engine.match.events import (
    Agreed,
    CalledOut,
    CallFailed,
    Claimed,
    Ended,
    Event,
    Flagged,
    Played,
    Replied,
    Reset,
    Resigned,
    Started,
    TakenBack,
    TurnLost,
    one_line,
    recalled,
)
from engine.match.events.rulings import Lifted
from engine.match.events.time import TermsChanged
from engine.match.evolve import evolve
from engine.match.record.model import FORMER, SEALED, Entry, Record
from engine.match.state import Match, without_half


def record_of(
    events: Iterable[Event],
    names: Mapping[Player, str],
    viewer: Side | None,
    noted: Callable[[Match, Event], str] = lambda match, event: "",
) -> Record:
    """The record that a log makes, as one side (None = the public) may see it while the match runs.

    What is `noted` of an event is a comment on its entry, or on the last one before it; "" = nothing.
    """
    events = tuple(events)
    over = _is_over(events)
    headers: list[tuple[str, str]] = []
    entries: list[Entry] = []
    early: tuple[str, ...] = ()
    match: Match | None = None
    for event in events:
        before, match = match, evolve(match, event)
        if isinstance(event, Started):
            headers = _headers(match, event, names, over)
        elif isinstance(event, Lifted):  # whoever had gone is back
            headers = [header for header in headers if header[0] != "Result"]
            while entries and entries[-1].kind == "left" and entries[-1].text != LOST:
                entries.pop()
        elif isinstance(event, Ended):
            winners = " ".join(event.winners) or "-"
            headers.append(("Result", f"{winners} ({event.rule}, {event.title})"))
        elif before is not None:
            entries += _entries(before, event, None if over else (viewer,))
        early += (note,) if (note := noted(match, event)) else ()
        if entries and early:  # what came before the first entry stands below it
            entries[-1] = replace(entries[-1], comments=(*entries[-1].comments, *early))
            early = ()
    return Record(tuple(headers), tuple(entries))


LOST = "loses a turn"


def _is_over(events: tuple[Event, ...]) -> bool:
    """Whether a match is at its end: links to places come after that, and a result can be lifted."""
    return next((isinstance(one, Ended) for one in reversed(events) if isinstance(one, Ended | Lifted)), False)


def lots(drawn: Iterable[tuple[int, int]]) -> str:
    """Lots as a record writes them: of how many faces, and which, from 0."""
    return " ".join(f"{faces}:{number}" for faces, number in drawn)


def _headers(match: Match, event: Started, names: Mapping[Player, str], over: bool) -> list[tuple[str, str]]:
    known = {player: " ".join(name.split()) for player, name in names.items()}
    seats = [(match.game.names[s], f"{s} {p} {known.get(p, '')}".strip()) for s, p in event.seats.items()]
    return [
        ("Match", match.drawn_as or match.id),
        ("Game", match.game.key),
        ("Version", str(match.version)),
        ("Terms", "; ".join(f"{key}={value}" for key, value in match.terms.items())),
        *((f"Player {name}", who) for name, who in seats),
        *_luck(match, event, over),
        ("Start", event.position if over else match.game.encode(match.game.decode(event.position))),
    ]


def _luck(match: Match, event: Started, over: bool) -> list[tuple[str, str]]:
    """What the luck of a match hangs on: of the secrets only the commitment, until it is over."""
    bound = ("Commitment", commitment(bytes.fromhex(match.seed)))
    if match.luck == COUNTED:
        return [bound, *([("Seed", match.seed), ("Rolls", str(event.rolls))] if over else [])]
    scheme = ("Luck", str(match.luck))
    if not over:
        return [scheme, bound]
    shares = [("Share", f"{player} {match.shares.get(player, '')}".strip()) for player in match.joined]
    told = [scheme, bound, ("Seed", match.seed), *shares]
    if match.luck != KEYED or any(player.startswith(FORMER) for player in match.joined):
        return told
    dice = match.but(status="open").dice
    draw_lots(match, dice)
    return [*told, ("Lots", lots(dice.drawn))]


def _entries(before: Match, event: Event, seen_by: tuple[Side | None] | None) -> list[Entry]:
    """The lines for one event; `seen_by` None = everything is told."""
    game = before.game
    match event:
        case Played():
            earlier = without_half(before, event)
            number, text = earlier.next_number, event.text
            if seen_by is not None:
                text = game.show(recalled(game, event, earlier.position), earlier.position, seen_by[0])
            back = [Entry("back", event.extends)] if event.extends else []
            return [*back, Entry("turn", number, event.side, text)]
        case Replied():
            told = seen_by is None or seen_by[0] == event.side
            answer = Entry("reply", 0, event.side, one_line(event.text) if told else SEALED)
            return [answer, Entry("lots", text=lots(event.drawn))] if event.drawn else [answer]
        case CalledOut():
            side = before.side_of(event.by) or ""
            return [
                Entry("called", event.ply, side, f"{'late' if event.late else event.penalty} ({' '.join(event.rules)})")
            ]
        case CallFailed():
            reason = " late" if event.late else f" for {event.reason}" if event.reason else ""
            told = bool(event.costs) or (event.costs is not None and before.terms["falsecall"] in ("time", "turn"))
            costs = f", costs {event.costs}" if told else ""
            return [Entry("failed", event.ply, before.side_of(event.by) or "", reason + costs)]
        case TakenBack():
            return [Entry("back", event.ply)]
        case Resigned():
            return [Entry("left", 0, event.side, "resigns")]
        case Flagged() | Claimed():  # a claim wins on time
            return [Entry("left", 0, event.side, "runs out of time")]
        case TurnLost():
            return [Entry("left", 0, event.side, LOST)]
        case Agreed():
            return [Entry("agreed")]
        case Reset():
            return [Entry("reset")]
        case TermsChanged():
            changed = (f"{key}={value}" for key, value in event.terms.items() if before.terms[key] != value)
            return [Entry("terms", text=" ".join(changed))]
        case _:
            return []
