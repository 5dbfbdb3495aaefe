"""Calling out: whether the turn that stands is untenable, and what follows from the answer."""

from typing import Any, cast

from engine.game import Outcome, Penalty, Ruling
from engine.match.commands import Call, Player
from engine.match.ends import ended
from engine.match.events import CalledOut, CallFailed, Refusal
from engine.match.evolve import PRICE, Decision, called_out, follow
from engine.match.state import Match, Ply, digest, open_to_call
from engine.text import Text

NONE_STAND = Text("Untenable turns are refused at once in this match, so none can stand.")
NONE_OPEN = Refusal(
    Text("No turn can be called out now."), Text("A turn can be called out until the next player has answered it.")
)


def call(match: Match, command: Call, at: int) -> Decision | Refusal:
    """What a call leads to: the earliest untenable turn that stands falls, and all after it."""
    game = match.game
    if not match.calling:
        return Refusal(
            NONE_STAND,
            Text(
                "Agree on another `umpire` next time: `challenge @name {game} umpire={penalty}`.",
                game=game.key,
                penalty=game.penalties[0],
            ),
        )
    standing = open_to_call(match)
    if not standing:
        return NONE_OPEN
    last = standing[-1].number
    if command.ply is not None and not standing[0].number <= command.ply <= last:
        return Refusal(
            Text("Turn {ply} can no longer be called out.", ply=command.ply),
            Text("Turn {ply} still can: `call`.", ply=last),
        )
    if last in match.failed_calls and match.terms["falsecall"] != "none":
        return Refusal(Text("Turn {ply} has been called out already; it breaks no rule.", ply=last), Text("Play on."))
    for ply in standing:
        rulings = tuple(game.judge(ply.before, ply.turn))
        if rulings:
            return _upheld(match, command.by, ply, rulings, at)
    return follow(match, CallFailed(at, command.by, last))


def _upheld(match: Match, by: Player, ply: Ply, rulings: tuple[Ruling[Any], ...], at: int) -> Decision:
    penalty = cast(Penalty, match.terms["umpire"])
    reached = called_out(match, ply, rulings, penalty, match.dice_of(ply.number, PRICE))
    after = ply.before if isinstance(reached, Outcome) else reached
    refs = tuple(dict.fromkeys(ruling.rule.ref for ruling in rulings))
    called = follow(match, CalledOut(at, by, ply.number, refs, penalty, digest(match.game.encode(after))))
    outcome = reached if isinstance(reached, Outcome) else called.after.ending
    return called if outcome is None else called + follow(called.after, ended(outcome, match.game, at))
