"""Whether the luck of a record is what the match was bound to: seats, setup, lots and throws, all drawn again."""

import re
from collections import Counter
from collections.abc import Iterator

from engine.board import Side
from engine.dice import COUNTED, KEYED, Dice, commitment, share_hash
from engine.games import GAMES
from engine.match.challenge import draw_lots
from engine.match.commands import Player
from engine.match.events import Played, Replied, Started, recalled
from engine.match.record.model import FORMER, Record
from engine.match.record.read import replayed, scheme, shares, told_lots
from engine.match.record.write import lots
from engine.match.state import Match
from engine.match.terms import resolved
from engine.text import Code, Listing, Text

SHORTEST_HASH = 16
"""Digits of a posted hash that are enough to know it by."""


def verify(record: Record, posted: tuple[str, ...] = ()) -> tuple[Text, ...]:
    """What is wrong with the luck of a record; `posted` are the hashes that stood in the thread. Raises NotationError.

    They are that of the dice and those of the shares, in the order in which they were posted; whose a share was is
    checked where it is told, as `player=hash`. Of a match bound to the key of somebody erased only these are compared.
    """
    if not record.header("Seed"):
        return (Text("The record does not tell its seed: the match is not over."),)
    again = () if bound_to_the_erased(record) else _drawn_again(record)
    return (*_otherwise_told(record), *_against(record, posted), *again)


def bound_to_the_erased(record: Record) -> bool:
    """Whether nobody can draw the luck of a record again: it was bound to the ids of the players, and one is gone."""
    return scheme(record) == KEYED and any(player.startswith(FORMER) for player in shares(record))


def hashes(record: Record) -> tuple[str, ...]:
    """What stood in the thread if the record is true: the hash of the dice, then `player=hash` for each share."""
    sealed = commitment(bytes.fromhex(record.header("Seed"))) if _is_hex(record.header("Seed")) else ""
    return (sealed, *(f"{player}={share_hash(share)}" for player, share in shares(record).items()))


def _otherwise_told(record: Record) -> Iterator[Text]:
    """What is not told in the one way in which `export` tells it, so that nobody can search for a spelling that pays.

    What is told twice could be one thing for those who read and another for us.
    """
    told = [name for name, _ in record.headers if name != "Share"]
    told += [f"Share: {value.partition(' ')[0]}" for name, value in record.headers if name == "Share"]
    told += [term.partition("=")[0] for term in record.header("Terms").split("; ")]
    if twice := [name for name, count in Counter(told).items() if count > 1]:
        yield Text("The record tells twice: {names}.", names=Listing(tuple(map(Code, twice))))
    number = record.header("Match")
    if not re.fullmatch(r"0|[1-9][0-9]*", number):
        yield Text("{number} is not how Riposte writes the number of a match.", number=Code(number[:40] or "-"))
    names = GAMES[record.header("Game")].names if record.header("Game") in GAMES else {}
    for line, value in record.headers:
        side = value.split(" ")[0]
        due = f"Player {names.get(side)}"
        if line.startswith("Player ") and side in names and line != due:
            yield Text("{line} should be {expected}.", line=Code(f"{line}: {side}"), expected=Code(f"{due}: {side}"))


def _against(record: Record, posted: tuple[str, ...]) -> Iterator[Text]:
    """What does not fit the hashes."""
    made = hashes(record)
    if made[0] != record.header("Commitment"):
        yield Text("The seed is not the one that was committed to.")
    if scheme(record) == COUNTED and (shares(record) or len(posted) > 1):
        yield Text("Matches whose players have shares in the dice do not count their numbers: a line `Luck: 3` is due.")
    if posted and len(posted) != len(made):
        yield Text("The record has {count} hashes, and {posted} were posted.", count=len(made), posted=len(posted))
        return
    for own, other in zip(made, posted, strict=False):
        (player, _, due), (whose, told, digits) = own.rpartition("="), other.rpartition("=")
        if whose not in ("", player) or len(digits) < SHORTEST_HASH or not due.startswith(digits.lower()):
            due = own if told else due
            yield Text("The hash {posted} was posted, but the record makes {own}.", posted=Code(other), own=Code(due))


def _drawn_again(record: Record) -> Iterator[Text]:
    """What does not follow from seed, shares and turns."""
    before: Match | None = None
    counted: Dice | None = None
    for event, match in replayed(record, 0):
        if isinstance(event, Started):
            if match.luck == COUNTED:
                counted = match.dice
            else:
                yield from _start(record, match, event)
        elif isinstance(event, Played) and before is not None:
            game, position = match.game, before.position
            turn = recalled(game, event, position)
            expected = game.write(game.roll(position, turn, counted or before.dice), position)
            if expected != event.text:
                yield Text(
                    "Turn {number}: `{turn}` should be `{expected}`.",
                    number=before.next_number,
                    turn=event.text,
                    expected=expected,
                )
        elif isinstance(event, Replied) and before is not None and event.drawn is not None:
            dice = before.dice
            ask = next(ask for ask in match.game.asks(before.position) if ask.side == event.side)
            match.game.answer(before.position, ask, event.text, dice)
            if tuple(dice.drawn) != event.drawn:
                number, drawn, due = before.next_number, lots(event.drawn) or "-", lots(dice.drawn) or "-"
                yield Text(
                    "The lots of answer {number} are `{lots}` and should be `{expected}`.",
                    number=number,
                    lots=drawn,
                    expected=due,
                )
        before = match


def _start(record: Record, match: Match, event: Started) -> Iterator[Text]:
    if match.luck == KEYED:  # whoever challenged is not the first to have agreed where terms were proposed anew
        others = (match.but(challenger=player) for player in match.joined)
        match = next((other for other in others if draw_lots(other, _undrawn(other))[0] == event.seats), match)
    dice = _undrawn(match)
    seats, position = draw_lots(match, dice)
    if seats != event.seats:
        yield Text("The seats should be {seats}.", seats=Code(_seating(seats)))
    if match.luck == KEYED and tuple(dice.drawn) != told_lots(record.header("Lots")):
        yield Text("The lots should be {lots}.", lots=Code(lots(dice.drawn) or "-"))
    game, begun = match.game, event.position
    if match.terms["start"]:  # a match of an earlier version may have begun without what is made of such a text now
        begun = game.encode(game.under(game.decode(begun), resolved(game, match.terms)))
    if game.encode(position) != begun:
        yield Text("The board should be set up as {position}.", position=Code(game.encode(position)))


def _undrawn(match: Match) -> Dice:
    """The dice as they were before seats and setup."""
    return match.but(status="open").dice


def _seating(seats: dict[Side, Player]) -> str:
    return " ".join(f"{side}={player}" for side, player in seats.items())


def _is_hex(text: str) -> bool:
    return len(text) == 64 and all(sign in "0123456789abcdef" for sign in text.lower())
