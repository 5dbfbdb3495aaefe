"""A match before its first turn: challenged, joined, amended, declined, and everybody seated."""

from engine.dice import Dice
from engine.game import NotationError
from engine.games import GAMES
from engine.match.events import (
    Abort,
    AlarmFired,
    Amend,
    Amended,
    Challenge,
    Challenged,
    Command,
    Credit,
    Decision,
    Decline,
    Declined,
    Join,
    Joined,
    LinkPlace,
    PlaceLinked,
    Player,
    Refusal,
    Resign,
    Started,
)
from engine.match.state import Match, evolve
from engine.match.terms import settled

NO_TOKEN = Refusal("this match is played for keeps, and you have no token to stake", "Name one: `token moon shell`.")


def challenge(command: Challenge, at: int) -> Decision:
    """What a challenge leads to."""
    if command.game not in GAMES:
        return Refusal(f"there is no game called {command.game[:40]}", f"There are {', '.join(GAMES)}.")
    game = GAMES[command.game]
    try:
        terms, seats = settled(game, command.terms)
    except NotationError as error:
        return not_understood(error)
    if command.by in command.invited:
        return Refusal("nobody can challenge themselves", f"Name somebody else: `challenge @name {game.key}`.")
    if len(set(command.invited)) != len(command.invited) or len(command.invited) >= len(seats):
        return Refusal(
            f"{game.name} on these terms is for {len(seats)} players, you among them",
            "Name one other player." if len(seats) == 2 else f"Name at most {len(seats) - 1} others, each once.",
        )
    keeps = game.for_keeps(terms)
    if keeps and not command.token:
        return NO_TOKEN
    token = command.token if keeps else ""
    return (
        Challenged(at, command.match, command.by, game.key, game.version, terms, command.invited, command.place, token),
    )


def while_open(match: Match, command: Command, at: int, dice: Dice) -> Decision:
    """What a command does to a match that has not begun."""
    match command:
        case Join(by=by, token=token):
            return _join(match, by, token, at, dice)
        case Decline(by=by) | Abort(by=by) | Resign(by=by):
            if by not in match.parties:
                return Refusal("this challenge is not for you", "It goes on without your answer.")
            return (Declined(at, by),)
        case Amend(by=by, terms=given):
            return _amend(match, by, given, at)
        case LinkPlace(by=by, place=place):
            return house(match, by, place, at)
        case AlarmFired() | Credit():
            return ()
        case _:
            return Refusal("this match has not begun", "`accept` it first, or `decline` it.")


def _join(match: Match, by: Player, token: str, at: int, dice: Dice) -> Decision:
    if by in match.joined:
        return Refusal("you have already agreed to these terms", "The others have yet to `accept`.")
    needed = match.game.seats(match.terms)
    if by not in match.parties and len(match.parties) >= len(needed):
        return Refusal("this challenge is for somebody else", f"Make your own: `challenge {match.game.key}`.")
    keeps = match.game.for_keeps(match.terms)
    if keeps and not token:
        return NO_TOKEN
    joined = Joined(at, by, token if keeps else "")
    if len(match.joined) + 1 < len(needed):
        return (joined,)
    return (joined, _start(evolve(match, joined), at, dice))


def _start(match: Match, at: int, dice: Dice) -> Started:
    """Everybody sits down: the challenger where the terms say, the rest by lot."""
    game = match.game
    sides = game.seats(match.terms)
    wanted = next((s for s in sides if game.names[s].lower() == match.terms["side"]), None)
    if wanted is None:
        order = dice.shuffle(match.joined)
    else:
        others = list(dice.shuffle(tuple(p for p in match.joined if p != match.challenger)))
        order = tuple(match.challenger if side == wanted else others.pop(0) for side in sides)
    start = match.terms["start"]
    position = game.under(game.decode(start), match.terms) if start else game.setup(match.terms, dice)
    return Started(at, dict(zip(sides, order, strict=True)), dice.seed.hex(), dice.counter, game.encode(position))


def _amend(match: Match, by: Player, given: dict[str, str], at: int) -> Decision:
    if by not in match.parties:
        return Refusal("these terms are for others to settle", f"Make your own: `challenge {match.game.key}`.")
    try:
        terms, seats = settled(match.game, {**match.terms, **given})
    except NotationError as error:
        return not_understood(error)
    if len(match.parties) > len(seats):
        return Refusal(f"on these terms there are only {len(seats)} seats", "Leave the number of players as it is.")
    return (Amended(at, by, terms),)


def house(match: Match, by: Player, place: str, at: int) -> Decision:
    """One more place for a match to live in, at any stage."""
    if place in match.places:
        return Refusal("this match lives here already", f"`board {match.id}` shows it.")
    if by not in match.parties:
        return Refusal("only its players can let a match live in another place", "Ask one of them.")
    return (PlaceLinked(at, by, place),)


def not_understood(error: NotationError) -> Refusal:
    """What a text that says nothing earns."""
    return Refusal(str(error.because), str(error.remedy or ""), readings=error.readings)
