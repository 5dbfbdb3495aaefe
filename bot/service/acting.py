"""What else a player can do in a match right now, as buttons of which each would be taken."""

from collections.abc import Iterator, Mapping

from bot.messages.model import Choice, Person, is_former
from bot.messages.prompts import ACCEPT, ANSWER, DECLINE, call_choices, claim_choice
from engine.board import Side
from engine.match.commands import Abort, Offer, Offering, Player
from engine.match.decide import decide
from engine.match.events import Refusal
from engine.match.state import Match, eligible_callers, open_to_call
from engine.match.terms import sheet
from engine.text import Text

WITHDRAW = Text("Withdraw the offer")
OFFERS: dict[Offering, Text] = {
    "draw": Text("Offer a draw"),
    "takeback": Text("Take the last turn back"),
    "reset": Text("Set the board up anew"),
    "resume": Text("Propose to go on now"),
}
AGREE: dict[Offering, Text] = {
    "draw": Text("Agree to a draw"),
    "takeback": Text("Let the turn be taken back"),
    "reset": Text("Agree to a new setup"),
    "pause": Text("Agree to the pause"),
    "adjourn": Text("Agree to adjourn"),
    "resume": Text("Agree to go on"),
    "time": Text("Give more time"),
    "terms": Text("Agree to the other terms"),
    "ruling": Text("Agree to a ruling"),
}
RESIGN, ABORT, REMATCH = Text("Resign"), Text("Call the match off"), Text("Rematch, sides swapped")


def due_choices(match: Match, by: Player, viewer: Side | None) -> tuple[Choice, ...]:
    """What somebody waits for, or may still be called out: nothing here depends on whether a turn was tenable."""
    if match.status != "running" or viewer is None:
        return ()
    return (*_asked(match, viewer), *_calls(match, by, viewer), *_answers(match, by), *_claims(match, viewer))


def further_choices(match: Match, by: Player, viewer: Side | None) -> tuple[Choice, ...]:
    """What a player may do at any time; those that end the match are to be confirmed."""
    if match.status != "running" or viewer is None or viewer not in match.game.playing(match.position):
        return ()
    standing = {offer.what for offer in match.offers}
    offers = tuple(
        Choice(label, f"{'anew' if what == 'reset' else what} {match.id} @{match.stamp}")
        for what, label in OFFERS.items()
        if what not in standing and _taken(match, Offer(by, what))
    )
    abort = (Choice(ABORT, f"abort {match.id}"),) if _taken(match, Abort(by)) else ()
    return (*offers, *abort, Choice(RESIGN, f"resign {match.id} yes"))


def rematch(match: Match, viewer: Side | None, players: Mapping[Side, Person]) -> tuple[Choice, ...]:
    """The same terms once more with sides swapped, once a match of two is over."""
    if match.status != "over" or viewer is None or len(match.seats) != 2:
        return ()
    game, other = match.game, next(side for side in match.seats if side != viewer)
    if is_former(match.seats[other]):
        return ()
    swapped = dict(match.terms) | {"side": game.names[other].lower()}
    settled = (
        f'{option.key}="{value}"' if " " in value else f"{option.key}={value}"
        for option in sheet(game)
        if (value := swapped.get(option.key, option.default)) != option.default
    )
    return (Choice(REMATCH, f"challenge @{players[other].name} {game.key} {' '.join(settled)}"),)


def _asked(match: Match, viewer: Side) -> Iterator[Choice]:
    return (
        Choice(ANSWER, f"secret {match.id}", ask.prompt)
        for ask in match.game.asks(match.position)
        if ask.side == viewer
    )


def _calls(match: Match, by: Player, viewer: Side) -> tuple[Choice, ...]:
    standing = open_to_call(match)
    if not standing or standing[-1].by == by or viewer not in eligible_callers(match):
        return ()
    called = all((ply.number, by) in match.failed_calls for ply in standing)
    return tuple(choice for choice in call_choices(match) if not called or choice.command.startswith("ok"))


def _claims(match: Match, viewer: Side) -> tuple[Choice, ...]:
    """Once a time is over, for those whom nobody waits for."""
    late, playing = match.sides_to_act, match.game.playing(match.position)
    open_ = (match.overrun or match.claimable) and viewer in playing and viewer not in late
    return (claim_choice(match),) if open_ else ()


def _answers(match: Match, by: Player) -> Iterator[Choice]:
    for offer in match.offers:
        if by not in offer.agreed:
            yield Choice(AGREE.get(offer.what, ACCEPT), f"accept {match.id} @{match.stamp} {offer.what}")
            yield Choice(DECLINE, f"decline {match.id} @{match.stamp} {offer.what}")
        elif offer.by == by:
            yield Choice(WITHDRAW, f"decline {match.id} @{match.stamp} {offer.what}")


def _taken(match: Match, command: Offer | Abort) -> bool:
    return not isinstance(decide(match, command, match.turn_started_at, match.dice), Refusal)
