"""The sentences for an arbiter's acts: who has decided what, and why."""

from collections.abc import Callable, Mapping
from typing import Any

from bot.messages.model import Lines
from bot.messages.people_text import Names, one_line, seat, who
from bot.messages.serialization import read_address
from engine.match.alarms import deadline
from engine.match.events.rulings import Lifted, PlaceMoved, Ruled, SeatHanded
from engine.match.state import Match
from engine.text import Listing, Text

RULED: Mapping[str, Text] = {
    "result": Text("{arbiter} rules on match {match} as an arbiter: {reason}"),
    "lift": Text("{arbiter} lifts the result of match {match} as an arbiter: {reason}"),
    "pause": Text("{arbiter} pauses match {match} as an arbiter: {reason}"),
    "resume": Text("{arbiter} ends the pause of match {match} as an arbiter: {reason}"),
    "move": Text("{arbiter} moves match {match} as an arbiter: {reason}"),
    "seat": Text("{arbiter} gives a seat in match {match} to somebody else, as an arbiter: {reason}"),
    "undo": Text("{arbiter} undoes their last ruling on match {match}: {reason}"),
}


def _ruled(match: Match, event: Ruled, names: Names, after: Match) -> Lines:
    told = Text(RULED[event.what].template, arbiter=who(event.by, names), match=match.id, reason=event.reason)
    return one_line(told)


def _lifted(match: Match, event: Lifted, names: Names, after: Match) -> Lines:
    goes_on = Text("Play goes on; the turns played so far can no longer be called out or taken back.")
    fresh = Text("Time begins anew.") if deadline(after) is not None else None
    return one_line(goes_on, fresh)


def _moved(match: Match, event: PlaceMoved, names: Names, after: Match) -> Lines:
    places = Listing(tuple(read_address(place) for place in event.places))
    return one_line(Text("Match {match} is played in {places} now.", match=match.id, places=places))


def _handed(match: Match, event: SeatHanded, names: Names, after: Match) -> Lines:
    former = who(match.seats[event.side], names)
    told = Text("{player} ({side}) plays on for {former}.", former=former, **seat(after, event.side, names))
    return one_line(told, Text("This match changes nobody's rating any more."))


SENTENCES: Mapping[type, Callable[[Match, Any, Names, Match], Lines]] = {
    Ruled: _ruled,
    Lifted: _lifted,
    PlaceMoved: _moved,
    SeatHanded: _handed,
}
