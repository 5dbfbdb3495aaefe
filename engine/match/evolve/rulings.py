"""What an arbiter's acts do to a match."""

from dataclasses import replace

from engine.match.events.rulings import ArbiterAct, ArbiterEvent, Lifted, PlaceMoved, Ruled, SeatHanded
from engine.match.evolve.going_on import resume
from engine.match.state import Match, StandingOffer


def ruled(match: Match, event: ArbiterEvent) -> Match:
    """The match after an arbiter's act, or what it leads to."""
    match event:
        case Ruled(what="undo", undoes=undone):
            return match.but(rulings=tuple(one for one in match.rulings if one.number != undone))
        case Ruled(at=at, by=by, what=what):
            until = next((end for start, end in match.pauses if start <= at < end), 0)
            kept = ArbiterAct(match.length + 1, at, by, what, match.places, match.seats, _ended(match), until)
            return match.but(rulings=(*match.rulings, kept), offers=_unasked(match))
        case Lifted(at=at):
            closed = len(match.plies)
            return resume(
                match.but(
                    status="running",
                    result=None,
                    offers=(),
                    call_window_start=closed,
                    departed=(),
                    takeback_floor=closed,
                    contest=None,
                ),
                at,
            )
        case PlaceMoved(places=places):
            return match.but(places=places)
        case SeatHanded():
            return _handed(match, event)


def _ended(match: Match) -> tuple[str, str, tuple[str, ...], str] | None:
    ended = match.result
    return None if ended is None else (ended.rule, ended.title, ended.winners, ended.by)


def _unasked(match: Match) -> tuple[StandingOffer, ...]:
    return tuple(offer for offer in match.offers if offer.what != "ruling")


def _handed(match: Match, event: SeatHanded) -> Match:
    """The turns of a side are those of whoever plays it; its time begins anew, and nothing is on offer."""
    side, player = event.side, event.player
    was = match.seats[side]
    handed = match.but(
        seats={**match.seats, side: player},
        plies=tuple(replace(ply, by=player) if ply.side == side else ply for ply in match.plies),
        offers=(),
        handed=match.handed | {was},
        unreached={one: since for one, since in match.unreached.items() if one != was},
        failed_calls=frozenset((number, player if by == was else by) for number, by in match.failed_calls),
        wrong_calls={(player if by == was else by): count for by, count in match.wrong_calls.items()},
        right_calls={(player if by == was else by): count for by, count in match.right_calls.items()},
    )
    return resume(handed, event.at) if side in match.sides_to_act else handed
