"""What can be asked of a match (commands, imperative) and what can have happened in it (events, past tense)."""

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from engine.board import Side
from engine.game import Penalty, Ruling
from engine.text import Text

Player: TypeAlias = str
"""Somebody who plays, by a key that the bot understands and the engine does not: `"web:anna"`."""

Offering: TypeAlias = Literal["draw", "takeback", "reset"]


# --- commands ---------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Challenge:
    """Begin a match: it stays open until everybody it needs has joined."""

    match: str
    by: Player
    game: str
    terms: dict[str, str]
    """As typed; what is missing has its default."""
    invited: tuple[Player, ...]
    """Empty = whoever joins first."""
    place: str
    """Where it is to be played: an address that only the bot reads."""
    token: str = ""
    """What the challenger stakes, in a game played for keeps."""


@dataclass(frozen=True, slots=True)
class Amend:
    """Propose other terms for a match that has not begun; whoever had joined must join again."""

    by: Player
    terms: dict[str, str]


@dataclass(frozen=True, slots=True)
class Join:
    """Accept a challenge with its terms as they stand."""

    by: Player
    token: str = ""
    """What one stakes, in a game played for keeps."""


@dataclass(frozen=True, slots=True)
class Decline:
    """Decline a challenge, or withdraw one's own."""

    by: Player


@dataclass(frozen=True, slots=True)
class LinkPlace:
    """Let a match live in one more place."""

    by: Player
    place: str


@dataclass(frozen=True, slots=True)
class Play:
    """Make a turn."""

    by: Player
    text: str
    ply: int | None = None
    """The number of the turn it was meant for, where known (a button); None = whatever is due."""


@dataclass(frozen=True, slots=True)
class Reply:
    """Answer, in private, what the game asks of one's side."""

    by: Player
    text: str


@dataclass(frozen=True, slots=True)
class Call:
    """Call out the standing turn as untenable: another's, or one's own."""

    by: Player
    ply: int | None = None


@dataclass(frozen=True, slots=True)
class Offer:
    """Offer a draw, ask to take one's last turn back, or propose to set the board up anew."""

    by: Player
    what: Offering


@dataclass(frozen=True, slots=True)
class Answer:
    """Accept or refuse what stands on offer; refusing one's own offer withdraws it."""

    by: Player
    yes: bool
    what: Offering | None = None


@dataclass(frozen=True, slots=True)
class Acknowledge:
    """Let the end stand: the last turn will not be called out."""

    by: Player


@dataclass(frozen=True, slots=True)
class Resign:
    """Give up."""

    by: Player


@dataclass(frozen=True, slots=True)
class Abort:
    """Call the match off before it has properly begun."""

    by: Player


@dataclass(frozen=True, slots=True)
class AlarmFired:
    """An alarm's time has come."""

    kind: str


@dataclass(frozen=True, slots=True)
class Credit:
    """Give back time that nobody could use: the bot was down."""

    span: int


Command: TypeAlias = (
    Challenge
    | Amend
    | Join
    | Decline
    | LinkPlace
    | Play
    | Reply
    | Call
    | Offer
    | Answer
    | Acknowledge
    | Resign
    | Abort
    | AlarmFired
    | Credit
)


# --- events -----------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class Amended:
    """The terms are other ones now; only the proposer has agreed to them."""

    at: int
    by: Player
    terms: dict[str, str]


@dataclass(frozen=True, slots=True)
class Joined:
    """A player has agreed to the terms."""

    at: int
    by: Player
    token: str = ""


@dataclass(frozen=True, slots=True)
class Declined:
    """The challenge is off."""

    at: int
    by: Player


@dataclass(frozen=True, slots=True)
class PlaceLinked:
    """The match also lives there now."""

    at: int
    by: Player
    place: str


@dataclass(frozen=True, slots=True)
class Started:
    """Everybody has a seat, and the board is set up."""

    at: int
    seats: dict[Side, Player]
    seed: str
    """The secret of the match's dice, in hex: posted as a commitment now, as itself at the end."""
    rolls: int
    position: str


@dataclass(frozen=True, slots=True)
class Played:
    """A turn was made, luck included."""

    at: int
    side: Side
    by: Player
    text: str
    digest: str
    """Of the position after it."""
    rolls: int
    """How many numbers the match's dice have given so far."""
    broken: tuple[str, ...] = ()
    """The rules that the turn breaks; nobody hears of them unless the turn is called out."""


@dataclass(frozen=True, slots=True)
class Replied:
    """A side has answered in private; sealed until the game's rules show it."""

    at: int
    side: Side
    by: Player
    text: str
    digest: str
    rolls: int


@dataclass(frozen=True, slots=True)
class CalledOut:
    """A turn was called out rightly: it and what followed are taken back, and it has its price."""

    at: int
    by: Player
    ply: int
    rules: tuple[str, ...]
    penalty: Penalty
    digest: str


@dataclass(frozen=True, slots=True)
class CallFailed:
    """A call did not hold: the turn is tenable."""

    at: int
    by: Player
    ply: int


@dataclass(frozen=True, slots=True)
class Offered:
    """Something was offered; it stands until it is answered or overtaken by a turn."""

    at: int
    by: Player
    what: Offering


@dataclass(frozen=True, slots=True)
class Answered:
    """Somebody has agreed to an offer or has turned it down."""

    at: int
    by: Player
    what: Offering
    yes: bool


@dataclass(frozen=True, slots=True)
class Agreed:
    """Everybody wants a draw, and the game's rules now ask for more before there is one."""

    at: int


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """Somebody lets the end stand."""

    at: int
    by: Player


@dataclass(frozen=True, slots=True)
class TakenBack:
    """All turns from this one on are taken back."""

    at: int
    ply: int


@dataclass(frozen=True, slots=True)
class Reset:
    """The board is set up anew, as everybody wanted."""

    at: int


@dataclass(frozen=True, slots=True)
class Resigned:
    """A side has given up."""

    at: int
    side: Side
    by: Player


@dataclass(frozen=True, slots=True)
class Nudged:
    """The sides to act were reminded."""

    at: int


@dataclass(frozen=True, slots=True)
class Flagged:
    """A side's time ran out."""

    at: int
    side: Side


@dataclass(frozen=True, slots=True)
class Credited:
    """Everybody's clock was set back by the time that the bot was down."""

    at: int
    span: int


@dataclass(frozen=True, slots=True)
class Ended:
    """The match is over."""

    at: int
    rule: str
    """The rule's ref."""
    title: str
    winners: tuple[Side, ...] = field(default=())
    """All sides = a draw, none = both lost (or nobody played: aborted)."""
    by: Player = ""
    """Whoever has called it off."""


Event: TypeAlias = (
    Challenged
    | Amended
    | Joined
    | Declined
    | PlaceLinked
    | Started
    | Played
    | Replied
    | CalledOut
    | CallFailed
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
    | Ended
)


# --- what a command leads to ------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Refusal:
    """Why nothing happened: the fact, then the remedy. It costs nobody anything."""

    because: Text
    remedy: Text | None = None
    rulings: tuple[Ruling, ...] = ()
    """Under `umpire=refuse`, the rules that the turn would have broken."""
    readings: tuple[str, ...] = ()
    """For an ambiguous turn, what it can mean."""
