"""A match before its first turn: challenged, joined, amended, declined, and everybody seated."""

from engine.dice import Dice
from engine.game import NotationError
from engine.games import GAMES
from engine.match.commands import (
    Abort,
    AlarmFired,
    Amend,
    Challenge,
    Command,
    Credit,
    Decline,
    FindContact,
    Join,
    LinkPlace,
    LoseContact,
    Player,
    Resign,
)
from engine.match.events import Amended, Challenged, Declined, Joined, PlaceLinked, Refusal, Started
from engine.match.evolve import Decision, follow
from engine.match.state import Match
from engine.match.terms import resolved, settled
from engine.text import Listing, Text, plural

NO_TOKEN = Refusal(
    Text("This match is played for keeps, and you have no token to stake."), Text("Name one: `token moon shell`.")
)
NOT_YOURS = Text("This challenge is for somebody else.")


def challenge(command: Challenge, at: int) -> Decision | Refusal:
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
        at, command.match, command.by, game.key, game.version, terms, command.invited, command.place, token
    )
    return follow(None, challenged)


def while_open(match: Match, command: Command, at: int, dice: Dice, written: int) -> Decision | Refusal:
    """What a command does to a match that has not begun."""
    match command:
        case Join(by=by, token=token):
            return _join(match, by, token, at, dice)
        case Decline(by=by) | Abort(by=by) | Resign(by=by):
            if by not in match.parties:
                return Refusal(Text("This challenge is not for you."), Text("It goes on without your answer."))
            return follow(match, Declined(at, by))
        case Amend(by=by, terms=given):
            return _amend(match, by, given, at)
        case LinkPlace(by=by, place=place):
            return link_place(match, by, place, at)
        case AlarmFired() | Credit() | LoseContact() | FindContact():
            return Decision()
        case _:
            return Refusal(Text("This match has not begun."), Text("`accept` it first, or `decline` it."))


def _join(match: Match, by: Player, token: str, at: int, dice: Dice) -> Decision | Refusal:
    if by in match.joined:
        return Refusal(Text("You have already agreed to these terms."), Text("The others have yet to `accept`."))
    needed = match.game.seats(match.terms)
    if by not in match.parties and len(match.parties) >= len(needed):
        return Refusal(NOT_YOURS, Text("Make your own: `challenge {game}`.", game=match.game.key))
    keeps = match.game.for_keeps(match.terms)
    if keeps and not token:
        return NO_TOKEN
    joined = Joined(at, by, token if keeps else "")
    if len(match.joined) + 1 < len(needed):
        return follow(match, joined)
    seated = follow(match, joined)
    return seated + follow(seated.after, _start(seated.after, at, dice))


def _start(match: Match, at: int, dice: Dice) -> Started:
    """Gives everybody a side: the challenger where the terms say, the rest by lot."""
    game = match.game
    sides = game.seats(match.terms)
    wanted = next((s for s in sides if game.names[s].lower() == match.terms["side"]), None)
    if wanted is None:
        order = dice.shuffle(match.joined)
    else:
        others = list(dice.shuffle(tuple(p for p in match.joined if p != match.challenger)))
        order = tuple(match.challenger if side == wanted else others.pop(0) for side in sides)
    start, terms = match.terms["start"], resolved(game, match.terms)
    position = game.under(game.decode(start), terms) if start else game.setup(terms, dice)
    return Started(at, dict(zip(sides, order, strict=True)), dice.seed.hex(), dice.counter, game.encode(position))


def _amend(match: Match, by: Player, given: dict[str, str], at: int) -> Decision | Refusal:
    if by not in match.parties:
        return Refusal(
            Text("Only the players of this challenge can change its terms."),
            Text("Make your own: `challenge {game}`.", game=match.game.key),
        )
    try:
        terms, seats = settled(match.game, {**match.terms, **given})
    except NotationError as error:
        return not_understood(error)
    if len(match.parties) > len(seats):
        return Refusal(
            Text("On these terms there are only {count} seats.", count=len(seats)),
            Text("Leave the number of players as it is."),
        )
    return follow(match, Amended(at, by, terms))


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
