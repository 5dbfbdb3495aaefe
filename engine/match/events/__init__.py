"""What can have happened in a match: events, in the past tense; and why nothing happened."""

import hashlib
from typing import Any, TypeAlias

from engine.board import Side
from engine.dice import COUNTED
from engine.game import AnyGame, NotationError, Penalty, Ruling, Turn
from engine.match.commands import Offering, Player
from engine.match.events.rulings import ArbiterEvent
from engine.match.events.time import ClaimMade, Overrun, Paused, PauseEnded, Rested, TermsChanged, TimeGiven
from engine.text import Text
from engine.value import value


@value(frozen=True, slots=True)
class Challenged:
    """Somebody has proposed a match on these terms (complete)."""

    at: int
    match: str
    by: Player
    game: str
    version: int
    terms: dict[str, str]
    invited: tuple[Player, ...]
    place: str
    token: str = ""
    luck: int = COUNTED
    """The scheme of the match's luck; what was challenged by an earlier version keeps that version's."""
    seed: str = ""
    """The secret of the match's dice, in hex: posted as a commitment now, as itself at the end."""
    share: str = ""
    """What the challenger adds to the dice: posted as a hash now, as itself at the end."""
    lasts: int = 0
    """Milliseconds for which these terms and later ones wait for an answer; 0 = for ever."""
    rematch: str = ""
    private: bool = False
    drawn_as: str = ""
    """The number that its luck was drawn for, where it was loaded from a record at its end; "" = its own."""


@value(frozen=True, slots=True)
class Amended:
    """The terms are other ones now; only the proposer has agreed to them."""

    at: int
    by: Player
    terms: dict[str, str]
    share: str = ""
    """What the proposer adds to the dice; "" = what they have added before."""
    version: int = 0
    """Of the rules that these terms are for; 0 = those of the terms before."""


@value(frozen=True, slots=True)
class Joined:
    """A player has agreed to the terms."""

    at: int
    by: Player
    token: str = ""
    share: str = ""
    """What the player adds to the dice."""
    version: int = 0
    """Of the rules that the player has agreed to; 0 = those of the challenge."""


@value(frozen=True, slots=True)
class Declined:
    """The challenge is off."""

    at: int
    by: Player
    reason: str = ""


@value(frozen=True, slots=True)
class Expired:
    """The challenge is off: nobody has answered it in time."""

    at: int


@value(frozen=True, slots=True)
class SeatFreed:
    """Somebody who had accepted an open challenge has gone before the first turn: it is open again."""

    at: int
    by: Player


@value(frozen=True, slots=True)
class PlaceLinked:
    """The match also lives there now."""

    at: int
    by: Player
    place: str


@value(frozen=True, slots=True)
class Started:
    """Everybody has a seat, and the board is set up."""

    at: int
    seats: dict[Side, Player]
    seed: str
    """The secret of dice that are counted through the match; "" = it came with the challenge."""
    rolls: int
    position: str


@value(frozen=True, slots=True)
class Played:
    """A turn was made, luck included."""

    at: int
    side: Side
    by: Player
    text: str
    digest: str
    """Of the position after it."""
    rolls: int
    """How many numbers the dice have given: in this ply or, where they are counted through the match, so far."""
    broken: tuple[str, ...] = ()
    """The rules that the turn breaks; nobody hears of them unless the turn is called out."""
    extends: int = 0
    """The number of the turn that it stands in for, with another half added; 0 = of none."""


@value(frozen=True, slots=True)
class Replied:
    """A side has answered in private; sealed until the game's rules show it."""

    at: int
    side: Side
    by: Player
    text: str
    digest: str
    rolls: int
    drawn: tuple[tuple[int, int], ...] | None = None
    """The lots that were drawn because of it, each with its number of faces; None = by dice that are counted."""
    assumed: bool = False
    """Nobody has answered in time, so this is what the game assumes."""


@value(frozen=True, slots=True)
class CalledOut:
    """A turn was called out rightly: it and what followed are taken back, and it has its price."""

    at: int
    by: Player
    ply: int
    rules: tuple[str, ...]
    penalty: Penalty
    digest: str
    late: bool = False
    """Long after it was answered: then the board is reset, and nothing else happens."""


@value(frozen=True, slots=True)
class CallFailed:
    """A call did not hold: the turn is tenable, or what was named is not what it breaks."""

    at: int
    by: Player
    ply: int
    reason: str = ""
    """What was named, where the terms ask for it."""
    costs: int | None = None
    """How many turns, or tenths of the time, the caller pays; None = as the first versions had it, one or none."""
    late: bool = False


@value(frozen=True, slots=True)
class TurnLost:
    """A side loses the turn that it owed for a wrong call."""

    at: int
    side: Side
    rolls: int


@value(frozen=True, slots=True)
class Offered:
    """Something was offered; it stands until it is answered or overtaken by a turn."""

    at: int
    by: Player
    what: Offering
    value: str = ""
    """How many turns, how long, or which terms; "" = as usual."""


@value(frozen=True, slots=True)
class Answered:
    """Somebody has agreed to an offer or has turned it down."""

    at: int
    by: Player
    what: Offering
    yes: bool


@value(frozen=True, slots=True)
class Agreed:
    """Everybody wants a draw, and the game's rules now ask for more before there is one."""

    at: int


@value(frozen=True, slots=True)
class Acknowledged:
    """Somebody lets the end stand."""

    at: int
    by: Player


@value(frozen=True, slots=True)
class TakenBack:
    """All turns from this one on are taken back."""

    at: int
    ply: int
    by: Player = ""
    """Who took their own last turn back without asking; what they had `spent` of their time is not given back."""
    spent: int = 0


@value(frozen=True, slots=True)
class Reset:
    """The board is set up anew, as everybody wanted."""

    at: int


@value(frozen=True, slots=True)
class Resigned:
    """A side has given up."""

    at: int
    side: Side
    by: Player


@value(frozen=True, slots=True)
class Nudged:
    """The sides to act were reminded."""

    at: int


@value(frozen=True, slots=True)
class Flagged:
    """A side's time ran out."""

    at: int
    side: Side


@value(frozen=True, slots=True)
class Credited:
    """Everybody's clock was set back by the time that the bot was down."""

    at: int
    span: int


@value(frozen=True, slots=True)
class Delivered:
    """The post that tells who is awaited has arrived noticeably late: their time begins with it."""

    at: int


@value(frozen=True, slots=True)
class ContactLost:
    """No way reaches a player, and not by their own will: nobody's time runs while they are awaited."""

    at: int
    player: Player
    since: int


@value(frozen=True, slots=True)
class ContactFound:
    """A player is reached again."""

    at: int
    player: Player


@value(frozen=True, slots=True)
class ClaimOpened:
    """The match has waited long enough for somebody who cannot be reached: the others may claim it."""

    at: int


@value(frozen=True, slots=True)
class Claimed:
    """A side that could not be reached, or has run out of time, has lost by another's claim."""

    at: int
    side: Side
    by: Player
    why: str = ""
    """`time`, or "": it could not be reached."""


@value(frozen=True, slots=True)
class Ended:
    """The match is over."""

    at: int
    rule: str
    """The rule's ref."""
    title: str
    winners: tuple[Side, ...] = ()
    """All sides = a draw, none = both lost (or nobody played: aborted)."""
    by: Player = ""
    """Whoever has called it off."""


Event: TypeAlias = (
    Challenged
    | Amended
    | Joined
    | Declined
    | Expired
    | SeatFreed
    | PlaceLinked
    | Started
    | Played
    | Replied
    | CalledOut
    | CallFailed
    | TurnLost
    | Offered
    | Answered
    | Agreed
    | Acknowledged
    | TakenBack
    | Reset
    | Resigned
    | Nudged
    | Flagged
    | Credited
    | Delivered
    | ContactLost
    | ContactFound
    | ClaimOpened
    | Claimed
    | Rested
    | Paused
    | PauseEnded
    | TimeGiven
    | Overrun
    | ClaimMade
    | TermsChanged
    | ArbiterEvent
    | Ended
)


@value(frozen=True, slots=True)
class Refusal:
    """Why nothing happened: the fact, then the remedy. It costs nobody anything."""

    because: Text
    remedy: Text | None = None
    rulings: tuple[Ruling[Any], ...] = ()
    """Under `umpire=refuse`, the rules that the turn would have broken."""
    readings: tuple[str, ...] = ()
    """For an ambiguous turn, what it can mean."""


def digest(text: str) -> str:
    """A short fingerprint of a position by its text: the log notices when rules have changed under it."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def recalled(game: AnyGame, event: Played, before: Any) -> Turn:
    """A stored turn; of what an older notation could mean by now, that which has led to what is stored."""
    try:
        return game.read(event.text, before)
    except NotationError as error:
        for turn in (game.read(text, before) for text in error.readings):
            if digest(game.encode(game.play(before, turn))) == event.digest:
                return turn
        raise


def one_line(text: str) -> str:
    """A turn or an answer as it stands in a record."""
    return " ".join(text.split())
