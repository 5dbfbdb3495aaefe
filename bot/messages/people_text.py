"""Players as values of sentences, and sentences as lines."""

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from bot.messages.model import Lines, Person
from engine.board import Side
from engine.match.commands import Player
from engine.match.state import Match
from engine.text import Listing, Phrase, Text, Value, sentences

Names: TypeAlias = Mapping[Player, Person]
"""Everybody in a match whose name we know."""


def who(player: Player, names: Names) -> Person | str:
    """Somebody, by name where we know it."""
    return names.get(player) or player.partition(":")[2]


def people(players: Iterable[Player], names: Names) -> Listing:
    """Several players: "Anna and Ben"."""
    return Listing(tuple(who(player, names) for player in players))


def seat(match: Match, side: Side, names: Names) -> dict[str, Value]:
    """Somebody and the side they play: what `{player} ({side})` is filled with."""
    return {"player": who(match.seats[side], names), "side": match.game.names[side]}


def seats(match: Match, sides: Iterable[Side], names: Names) -> Listing:
    """Several players with their sides."""
    return Listing(tuple(Phrase("{player} ({side})", **seat(match, side, names)) for side in sides))


def opponents(match: Match, names: Names) -> Value:
    """Everybody in a match: "Anna (White) against Ben (Black)"."""
    sitting = seats(match, match.seats, names) if match.seats else people(match.parties, names)
    if len(sitting.items) != 2:
        return sitting
    one, other = sitting.items
    return Phrase("{one} against {other}", one=one, other=other)


def each_line(*texts: Text | None) -> Lines:
    """A line for each of those sentences that there are."""
    return tuple((text,) for text in texts if text is not None)


def one_line(*texts: Text | None) -> Lines:
    """One line of those sentences that there are."""
    return (tuple(sentences(texts)),)
