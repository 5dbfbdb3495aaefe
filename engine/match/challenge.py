"""A match before its first turn: challenged, joined, amended, declined, and everybody seated."""

from collections.abc import Mapping
from typing import Any

from engine.board import Side
from engine.dice import BOUND, COUNTED, Dice
from engine.game import AnyGame, NotationError
from engine.games import GAMES
from engine.match.clock import DAY
from engine.match.commands import (
    Abort,
    AlarmFired,
    Amend,
    Challenge,
    Command,
    Credit,
    Decline,
    Deliver,
    FindContact,
    Join,
    LinkPlace,
    LoseContact,
    Player,
    Resign,
)
from engine.match.events import (
    Amended,
    Challenged,
    Declined,
    Expired,
    Joined,
    PlaceLinked,
    Refusal,
    SeatFreed,
    Started,
    one_line,
)
from engine.match.evolve import Decision, follow
from engine.match.state import Match
from engine.match.terms import differing, resolved, settled
from engine.text import Listing, Text, plural

NO_TOKEN = Refusal(
    Text("This match is played for keeps, and you have no token to stake."), Text("Name one: `token moon shell`.")
)
OPEN_FOR = 14 * DAY
"""How long a challenge with a free seat waits unless it says otherwise."""
NOT_YOURS = Text("This challenge is for somebody else.")


def challenge(command: Challenge, at: int, dice: Dice) -> Decision | Refusal:
    """What a challenge leads to."""
    if command.game not in GAMES:
        return Refusal(
            Text("There is no game called {word}.", word=command.game[:40]),
            Text("There are {games}.", games=Listing(tuple(GAMES), "and")),
        )
    game = GAMES[command.game]
    try:
        terms, seats = settled(game, command.terms)
    except NotationError as error:
        return not_understood(error)
    if command.by in command.invited:
        return Refusal(
            Text("Nobody can challenge themselves."),
            Text("Name somebody else: `challenge @name {game}`.", game=game.key),
        )
    if len(set(command.invited)) != len(command.invited) or len(command.invited) >= len(seats):
        return Refusal(
            Text("{game} on these terms is for {count} players, you among them.", game=game.name, count=len(seats)),
            plural("Name one other player.", "Name at most {count} others, each once.", len(seats) - 1),
        )
    keeps = game.for_keeps(terms)
    if keeps and not command.token:
        return NO_TOKEN
    token = command.token if keeps else ""
    challenged = Challenged(
        at,
        command.match,
        command.by,
        game.key,
        game.version,
        terms,
        command.invited,
        command.place,
        token,
        BOUND,
        dice.seed.hex(),
        command.share,
        command.lasts or (OPEN_FOR if len(command.invited) + 1 < len(seats) else 0),
        command.rematch,
        command.private,
    )
    return follow(None, challenged)


def while_open(match: Match, command: Command, at: int, dice: Dice, written: int) -> Decision | Refusal:
    """What a command does to a match that has not begun."""
    if match.expires and written > match.expires:
        return follow(match, Expired(match.expires))
    match command:
        case Join():
            return _join(match, command, at, dice)
        case Decline() | Abort() | Resign():
            return _decline(match, command, at)
        case Amend():
            return _amend(match, command, at)
        case LinkPlace(by=by, place=place):
            return link_place(match, by, place, at)
        case AlarmFired(kind="expire") if match.expires and at >= match.expires:
            return follow(match, Expired(match.expires))
        case AlarmFired() | Credit() | LoseContact() | FindContact() | Deliver():
            return Decision()
        case _:
            return Refusal(Text("This match has not begun."), Text("`accept` it first, or `decline` it."))


def _decline(match: Match, command: Decline | Abort | Resign, at: int) -> Decision | Refusal:
    by = command.by
    if by not in match.parties:
        return Refusal(Text("This challenge is not for you."), Text("It goes on without your answer."))
    if by not in (match.challenger, *match.invited) and match.luck != COUNTED:
        return follow(match, SeatFreed(at, by))
    reason = one_line(command.reason)[:LONGEST_REASON] if isinstance(command, Decline) else ""
    return follow(match, Declined(at, by, reason))


OTHERS_TO_ANSWER = Text("The others have yet to answer.")
LONGEST_REASON = 200
"""Signs of a reason that are kept."""


def _join(match: Match, command: Join, at: int, dice: Dice) -> Decision | Refusal:
    by, token = command.by, command.token
    if by in match.joined:
        return Refusal(Text("You have already agreed to these terms."), Text("The others have yet to `accept`."))
    if by in match.left:
        return Refusal(
            Text("You accepted this challenge before and left it, and its lots are not drawn for anybody twice."),
            Text("Make your own: `challenge {game}`.", game=match.game.key),
        )
    time = match.terms["time"]
    if match.version != match.game.version:
        return Refusal(
            Text("The rules of {game} have changed since these terms were proposed.", game=match.game.name),
            Text("Propose them again under today's: `counter {match} {time}`.", match=match.id, time=f"time={time}"),
        )
    needed = match.game.seats(match.terms)
    if by not in match.parties and len(match.parties) >= len(needed):
        return Refusal(NOT_YOURS, Text("Make your own: `challenge {game}`.", game=match.game.key))
    keeps = match.game.for_keeps(match.terms)
    if keeps and not token:
        return NO_TOKEN
    joined = Joined(at, by, token if keeps else "", command.share if match.luck != COUNTED else "", match.version)
    seated = follow(match, joined)
    if len(seated.after.joined) < len(needed):
        return seated
    return seated + follow(seated.after, _start(seated.after, at, dice))


def _start(match: Match, at: int, dice: Dice) -> Started:
    """What the lots of a match lead to; dice that are bound hang on all shares, those of the last to join too."""
    if match.luck != COUNTED:
        dice = match.dice
    seats, position = draw_lots(match, dice)
    seed = dice.seed.hex() if match.luck == COUNTED else ""
    return Started(at, seats, seed, dice.counter, match.game.encode(position))


def draw_lots(match: Match, dice: Dice) -> tuple[dict[Side, Player], Any]:
    """Everybody's side, the challenger's where the terms say, the rest by lot; and the position at the start."""
    game = match.game
    sides = game.seats(match.terms)
    wanted = next((s for s in sides if game.names[s].lower() == match.terms["side"]), None)
    if wanted is None:
        order = dice.shuffle(match.joined)
    else:
        others = list(dice.shuffle(tuple(p for p in match.joined if p != match.challenger)))
        order = tuple(match.challenger if side == wanted else others.pop(0) for side in sides)
    return dict(zip(sides, order, strict=True)), first_position(game, match.terms, dice)


def first_position(game: AnyGame, terms: Mapping[str, str], dice: Dice) -> Any:
    """The position that a match on these terms begins from: the given one, or the game's own."""
    start, resolved_terms = terms["start"], resolved(game, terms)
    return game.under(game.decode(start), resolved_terms) if start else game.setup(resolved_terms, dice)


def uses_luck(match: Match) -> bool:
    """Whether anything hangs on the dice: throws, who has which side, or the setup."""
    if match.game.chance or (match.terms["side"] == "lot" or len(match.game.seats(match.terms)) > 2):
        return True
    dice = Dice(bytes(32))
    if not match.terms["start"]:
        match.game.setup(resolved(match.game, match.terms), dice)
    return bool(dice.drawn)


def _amend(match: Match, command: Amend, at: int) -> Decision | Refusal:
    by, given = command.by, command.terms
    if by not in match.parties:
        return Refusal(
            Text("Only the players of this challenge can change its terms."),
            Text("Make your own: `challenge {game}`.", game=match.game.key),
        )
    try:
        terms, seats = settled(match.game, differing(match.game, match.terms) | given)
    except NotationError as error:
        return not_understood(error)
    if len(match.parties) > len(seats):
        return Refusal(
            Text("On these terms there are only {count} seats.", count=len(seats)),
            Text("Leave the number of players as it is."),
        )
    version = match.game.version
    if terms == dict(match.terms) and version == match.version:
        agree = Text("`accept {match}` agrees to them.", match=match.id)
        return Refusal(Text("Those are the terms as they stand."), OTHERS_TO_ANSWER if by in match.joined else agree)
    share = command.share if match.luck != COUNTED and by not in match.shares else ""
    return follow(match, Amended(at, by, terms, share, version))


def link_place(match: Match, by: Player, place: str, at: int) -> Decision | Refusal:
    """Links a match to one more place, at any stage."""
    if place in match.places:
        return Refusal(Text("This match is played here already."), Text("`board {match}` shows it.", match=match.id))
    if by not in match.parties:
        return Refusal(Text("Only its players can link a match to another place."), Text("Ask one of them."))
    return follow(match, PlaceLinked(at, by, place))


def not_understood(error: NotationError) -> Refusal:
    """The refusal of a text that cannot be read."""
    return Refusal(error.because, error.remedy, readings=error.readings)
