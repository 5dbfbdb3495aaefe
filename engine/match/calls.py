"""Calling out: whether the turn that stands is untenable, and what follows from the answer."""

from typing import Any, cast

from engine.game import AnyGame, Outcome, Penalty, Rule, Ruling
from engine.match.commands import Call, CallLate, Player
from engine.match.ends import ended
from engine.match.events import CalledOut, CallFailed, Refusal, TurnLost, digest
from engine.match.evolve import Decision, follow
from engine.match.evolve.calls import called_out
from engine.match.evolve.going_on import PRICE
from engine.match.fines import LATE, call_costs
from engine.match.state import Match, Ply, has_turn, open_to_call, turn_of
from engine.text import Code, Term, Text

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
    refused = _not_named(match, command.reason) or _heard(match, command.by, last)
    if refused is not None:
        return refused
    named = command.reason if match.terms["callfor"] == "reason" else ""
    for ply in standing:
        rulings = tuple(game.judge(ply.before, ply.turn))
        if any(not named or _fits(game, ply, ruling, named) for ruling in rulings):
            return _upheld(match, command.by, turn_of(match, ply), rulings, at)
    return follow(match, CallFailed(at, command.by, last, named, call_costs(match, command.by)))


def call_late(match: Match, command: CallLate, at: int) -> Decision | Refusal:
    """What a call leads to on a turn that was answered: the board is reset, and the innocent player moves next."""
    struck = next((ply for ply in match.plies if ply.number == command.ply and ply.kind == "turn"), None)
    refused = _no_late_calls(match) or _not_late(match, command, struck)
    if refused is not None:
        return refused
    assert struck is not None, "else it is refused"
    again = match.game.reset(match.position, struck.side)
    if again is None or match.ending is not None or match.game.asks(match.position):
        return Refusal(Text("The board can't be reset as this match stands."), Text("Try again after the next turn."))
    rulings = tuple(match.game.judge(struck.before, struck.turn))
    if not rulings:
        costs = call_costs(match, command.by, LATE)
        return follow(match, CallFailed(at, command.by, struck.number, "", costs, late=True))
    refs = tuple(dict.fromkeys(ruling.rule.ref for ruling in rulings))
    penalty = cast(Penalty, match.terms["umpire"])
    reached = digest(match.game.encode(again))
    return follow(match, CalledOut(at, command.by, struck.number, refs, penalty, reached, late=True))


def _no_late_calls(match: Match) -> Refusal | None:
    """Why nothing can be called out late in a match."""
    terms, game = match.terms, match.game
    if not match.calling:
        return Refusal(NONE_STAND, Text("Nothing needs to be called out."))
    if terms["umpire"] == "sudden":
        return Refusal(Text("Under sudden death a turn can be called out at once, and never later."), CALL_AT_ONCE)
    if terms.get("delayed_reset") == "on":
        return None
    known = any(option.key == "delayed_reset" for option in game.options)
    remedy = Text(LATE_NEXT_TIME.template, game=game.key) if known else CALL_AT_ONCE
    return Refusal(Text("The terms of this match allow no late calls."), remedy)


def _not_late(match: Match, command: CallLate, ply: Ply | None) -> Refusal | None:
    """Why a turn is none that can be called out late."""
    number = command.ply
    if ply is None:
        return Refusal(Text("There is no turn {number} in this match.", number=number), TURNS)
    if ply.by == command.by:
        return Refusal(Text("Turn {number} is your own.", number=number), Text("Only another's is called out late."))
    if ply in open_to_call(match):
        remedy = Text("Call it out: `call {match}`.", match=match.id)
        return Refusal(Text("Turn {number} can still be called out.", number=number), remedy)
    if number in match.late_calls or number in {called for called, _ in match.failed_calls}:
        return Refusal(Text("Turn {number} has been called out already.", number=number), TURNS)
    return None


TURNS = Text("`turns` lists them.")
CALL_AT_ONCE = Text("Call a turn out before you answer it: `call`.")
LATE_NEXT_TIME = Text("Agree on them next time: `challenge @name {game} delayed_reset=on`.")


def turns_lost(decision: Decision, at: int) -> Decision:
    """The decision, and the turns that are lost for wrong calls now that they are due."""
    while decision.events:
        reached = decision.after
        side = next((side for side, owed in reached.turns_owed.items() if owed and has_turn(reached, side)), None)
        if reached.status != "running" or side is None:
            break
        dice = reached.dice_of(reached.next_number, PRICE)
        reached.game.pass_turn(reached.position, dice)
        decision += follow(reached, TurnLost(at, side, dice.counter))
    return decision


def _heard(match: Match, by: Player, number: int) -> Refusal | None:
    """Why a call on a turn is not heard once more."""
    if match.terms["falsecall"] == "none":
        return None
    if match.terms["callfor"] == "anything":
        if any(called == number for called, _ in match.failed_calls):
            fact = Text("Turn {ply} has been called out already; it breaks no rule.", ply=number)
            return Refusal(fact, Text("Play on."))
    elif match.terms["falsecall"] == "once" and (number, by) in match.failed_calls:
        return Refusal(Text("You have called out turn {ply} already; one call a turn is heard.", ply=number), PLAY_ON)
    return None


PLAY_ON = Text("Play on; your next call can be about another turn.")


# --- what a call names ------------------------------------------------------------------------------------
def _not_named(match: Match, reason: str) -> Refusal | None:
    """Why the reason given with a call is no reason, or not what the terms ask for."""
    game, position = match.game, match.position
    if not reason:
        if match.terms["callfor"] == "anything":
            return None
        return Refusal(
            Text("In this match a call names what is untenable: a piece, a place or a rule."),
            Text("For example: `call {match} {place}`, or `call {match} {rule}`.", match=match.id, **_examples(match)),
        )
    pieces = (str(word) for both in _pieces(match) for word in both)
    known = {word.lower() for word in (*pieces, *game.board(position).outlines)}
    if _plain(reason) in known or any(_names_rule(rule, _plain(reason)) for rule in game.rules):
        return None
    return Refusal(
        Text("{word} is no piece, place or rule of {game}.", word=Code(reason[:40]), game=game.name),
        Text(
            "For example: `call {match} {place}`, or `call {match} {rule}`; `rules {game}` lists the rules.",
            game=game.key,
            match=match.id,
            **_examples(match),
        ),
    )


def reasons(match: Match) -> tuple[tuple[str, ...], ...]:
    """Every word that a call can name: pieces, rules by number and section, places, and rules by their short names.

    Their order tells nothing of what was played.
    """
    pieces = sorted({_piece(kind, name) for kind, name in _pieces(match)})
    refs = [rule.ref for rule in match.game.rules]
    sections = dict.fromkeys(part for ref in refs for part in (ref.partition(":")[0], ref))
    short = dict.fromkeys(ref.partition(":")[2] for ref in refs if ":" in ref)
    return tuple(pieces), tuple(sections), tuple(match.game.board(match.position).outlines), tuple(short)


def named_pieces(match: Match) -> dict[str, Term]:
    """The pieces that a call can name, by the word for each, in the order of these words."""
    return dict(sorted((_piece(kind, name), name) for kind, name in _pieces(match) if kind and name))


def _piece(kind: str, name: Term) -> str:
    """The one word for a piece: its name, or where that is several words its letter."""
    return str(name if str(name).isalpha() else kind).lower()


def _pieces(match: Match) -> set[tuple[str, Term]]:
    """The letters and names of the pieces that everybody sees, or saw before the turns that are open to a call."""
    seen = [match.position, *(ply.before for ply in open_to_call(match))]
    drawn = [match.game.draw(position, None) for position in seen]
    standing = {(figure.kind, figure.name) for each in drawn for figure in each.figures}
    return standing | {(kind, name) for each in drawn for tray in each.trays for kind, name, _ in tray.pieces}


def _examples(match: Match) -> dict[str, str]:
    """A place and a rule that a call could name, the same whatever was played."""
    places = match.game.board(match.position).outlines
    rule = match.game.rules[0].ref.rpartition(":")[2]
    return {"place": next((place for place in places if place.isalnum()), next(iter(places))), "rule": rule}


def _plain(reason: str) -> str:
    return reason.strip("` ").lower().removeprefix("the ")


def _names_rule(rule: Rule, word: str) -> bool:
    """Whether a word names a rule: by its number, its short name, or words of its title."""
    section, _, name = rule.ref.lower().partition(":")
    return word in (section, name, rule.ref.lower()) or (len(word) > 2 and word in rule.title.lower())


def _fits(game: AnyGame, ply: Ply, ruling: Ruling[Any], reason: str) -> bool:
    """Whether what a call names is what a ruling is about."""
    word, move = _plain(reason), ruling.move
    pointed = (site for mark in ruling.marks if mark.kind in POINTING for site in mark.sites)
    places = {move.origin, move.target, *pointed}
    standing = (figure for figure in game.draw(ply.before, None).figures if move.origin and figure.site == move.origin)
    named = (drawn.name for drawn in game.draw(ply.before, None).figures if move.piece and drawn.kind == move.piece)
    pieces = {move.piece, *named, *(word for figure in standing for word in (figure.kind, figure.name))}
    return word in {name.lower() for name in (*places, *pieces) if name} or _names_rule(ruling.rule, word)


POINTING = ("culprit", "blocker")
"""Marks of what is at fault or in the way, not of all that is within reach."""


# --- what follows -----------------------------------------------------------------------------------------


def _upheld(match: Match, by: Player, ply: Ply, rulings: tuple[Ruling[Any], ...], at: int) -> Decision:
    penalty = cast(Penalty, match.terms["umpire"])
    reached = called_out(match, ply, rulings, penalty, match.dice_of(ply.number, PRICE))
    after = ply.before if isinstance(reached, Outcome) else reached
    refs = tuple(dict.fromkeys(ruling.rule.ref for ruling in rulings))
    called = follow(match, CalledOut(at, by, ply.number, refs, penalty, digest(match.game.encode(after))))
    outcome = reached if isinstance(reached, Outcome) else called.after.ending
    return called if outcome is None else called + follow(called.after, ended(outcome, match.game, at))
