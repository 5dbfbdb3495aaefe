"""What can be asked of a match: commands, in the imperative."""

from typing import Literal, TypeAlias

from engine.match.rests import Span
from engine.value import value

Player: TypeAlias = str
"""Somebody who plays, by a key that the bot understands and the engine does not: `"web:anna"`."""

Offering: TypeAlias = Literal[
    "draw", "takeback", "reset", "nocontest", "pause", "adjourn", "resume", "time", "terms", "ruling"
]

Act: TypeAlias = Literal["result", "lift", "pause", "resume", "move", "seat", "undo"]
"""What an arbiter can do in a match."""


@value(frozen=True, slots=True)
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
    share: str = ""
    """What the challenger adds to the dice."""
    lasts: int = 0
    """Milliseconds for which terms wait for an answer; 0 = as usual."""
    rematch: str = ""
    """The match that is to be played again."""
    private: bool = False
    """Whether it is nobody's business but where it is played."""


@value(frozen=True, slots=True)
class Amend:
    """Propose other terms for a match that has not begun; whoever had joined must join again."""

    by: Player
    terms: dict[str, str]
    share: str = ""
    """What whoever proposes them adds to the dice, if they have not done so before."""


@value(frozen=True, slots=True)
class Join:
    """Accept a challenge with its terms as they stand."""

    by: Player
    token: str = ""
    """What one stakes, in a game played for keeps."""
    share: str = ""
    """What one adds to the dice."""


@value(frozen=True, slots=True)
class Decline:
    """Decline a challenge, or withdraw one's own."""

    by: Player
    reason: str = ""


@value(frozen=True, slots=True)
class LinkPlace:
    """Let a match live in one more place."""

    by: Player
    place: str


@value(frozen=True, slots=True)
class Play:
    """Make a turn."""

    by: Player
    text: str
    ply: int | None = None
    """The number of the turn it was meant for, where known (a button); None = whatever is due."""


@value(frozen=True, slots=True)
class Reply:
    """Answer, in private, what the game asks of one's side."""

    by: Player
    text: str


@value(frozen=True, slots=True)
class Call:
    """Call out the standing turn as untenable: another's, or one's own."""

    by: Player
    ply: int | None = None
    reason: str = ""
    """What is untenable about it: a piece, a place or a rule."""


@value(frozen=True, slots=True)
class CallLate:
    """Call out a turn of the opponent's that was answered long ago."""

    by: Player
    ply: int


@value(frozen=True, slots=True)
class Add:
    """Add the other half to the turn that one has just made."""

    by: Player
    text: str


@value(frozen=True, slots=True)
class Offer:
    """Offer a draw, ask to take turns back, or propose whatever else all have to agree to."""

    by: Player
    what: Offering
    value: str = ""
    """How many turns, how long, or which terms; "" = as usual."""


@value(frozen=True, slots=True)
class Answer:
    """Accept or refuse what stands on offer; refusing one's own offer withdraws it."""

    by: Player
    yes: bool
    what: Offering | None = None


@value(frozen=True, slots=True)
class Acknowledge:
    """Let the end stand: the last turn will not be called out."""

    by: Player


@value(frozen=True, slots=True)
class Resign:
    """Give up."""

    by: Player


@value(frozen=True, slots=True)
class Abort:
    """Call the match off before it has properly begun."""

    by: Player


@value(frozen=True, slots=True)
class Claim:
    """Win against somebody who is out of reach or out of time; without a clock, begin their last span of time."""

    by: Player


@value(frozen=True, slots=True)
class Give:
    """Give everybody else more time."""

    by: Player
    span: int


@value(frozen=True, slots=True)
class Rule:
    """Decide something as an arbiter, for a reason that the players read."""

    by: Player
    what: Act
    reason: str
    winners: tuple[str, ...] = ()
    """The sides that win by a result; all = a draw, none = the match is called off."""
    span: int = 0
    """Milliseconds for which a pause lasts."""
    place: str = ""
    """Where the match is to go on."""
    side: str = ""
    """The side that is handed on."""
    to: Player = ""
    """Who is to play it."""


@value(frozen=True, slots=True)
class Rest:
    """Let a player's time rest in these intervals while they are awaited this time, and in no others."""

    player: Player
    weekends: tuple[Span, ...] = ()
    vacation: tuple[Span, ...] = ()


@value(frozen=True, slots=True)
class LoseContact:
    """Nothing that was said since then has reached a player, and not by their own will."""

    player: Player
    since: int


@value(frozen=True, slots=True)
class FindContact:
    """A player can be reached again."""

    player: Player


@value(frozen=True, slots=True)
class Deliver:
    """Let time begin: the post that tells who is awaited has arrived."""

    awaits: int
    """`Match.awaits` as it was when the post was written."""


@value(frozen=True, slots=True)
class AlarmFired:
    """An alarm's time has come."""

    kind: str


@value(frozen=True, slots=True)
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
    | CallLate
    | Add
    | Offer
    | Answer
    | Acknowledge
    | Resign
    | Abort
    | Claim
    | Give
    | Rule
    | Rest
    | LoseContact
    | FindContact
    | Deliver
    | AlarmFired
    | Credit
)
