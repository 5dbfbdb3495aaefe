"""Who is to do what until when, and the buttons for it."""

from collections.abc import Mapping

from bot.messages.model import Choice, Lines
from bot.messages.people_text import Names, each_line, people
from bot.messages.sentences import verdict
from engine.game import ABORTED
from engine.match.alarms import deadline
from engine.match.commands import Player
from engine.match.events import ClaimOpened, Event, Offered
from engine.match.events.time import Overrun
from engine.match.state import Match, contest_left, open_to_call
from engine.text import Instant, Text, Value, plural, sentences

ANSWERS: Mapping[str, str] = {"accept": "✅", "decline": "❌"}
"""The sign that stands for each answer to an offer."""
MEANT: Mapping[str, str] = {
    sign: answer
    for answer, signs in (("✅", "✅👍✔☑👌"), ("❌", "❌👎✖❎"))
    for plain in signs
    for sign in (plain, *(plain + tone for tone in "🏻🏼🏽🏾🏿"))
}
"""What people put below an offer, in any colour of skin, and which sign they mean."""


def meant(sign: str) -> str:
    """The answer's sign that somebody means by one, written with or without a variation selector; "" if none."""
    return MEANT.get(sign.replace("\ufe0f", ""), "")


def due(match: Match, names: Names) -> Lines:
    """Who is awaited, for what, until when; and until when what stands can be called out."""
    return *_awaited(match, names), *each_line(callable_now(match))


def _awaited(match: Match, names: Names) -> Lines:
    asks = match.game.asks(match.position)
    awaited = awaited_players(match)
    players = people(awaited, names)
    if asks:
        key = asks[0].key if asks[0].key in PRIVATE else ""
        return ((_until(match, PRIVATE[key], len(awaited), players=players),),)
    if match.ending is not None:
        return verdict(match, match.ending, names), (_until(match, LAST_WORD, len(awaited), players=players),)
    yours = _until(match, TURN, len(awaited), players=players, your_turn=match.game.your_turn)
    duty = match.game.duty(match.position)
    first = None
    if not _begun(match) and (duty is None or "`" not in duty.template):
        first = Text(WRITE_HERE.template, example=match.game.example(match.position))
    return (tuple(sentences((yours, duty, first))),)


def _begun(match: Match) -> bool:
    """Whether a turn stands: nearly always the last ply tells."""
    return bool(match.plies) and (match.plies[-1].kind == "turn" or match.turns_made > 0)


WRITE_HERE = Text("Write it here, for example `{example}`.")
"""How the first turn is made, but for where not all that is written is heard."""


def awaited_players(match: Match) -> tuple[Player, ...]:
    """The players of the sides to act."""
    return tuple(match.seats[side] for side in match.sides_to_act)


PRIVATE: Mapping[str, tuple[Text, Text]] = {
    "layout": (
        plural("{players}, send your layout privately.", "{players}, send your layouts privately.", 0),
        plural(
            "{players}, send your layout privately; due {due}.", "{players}, send your layouts privately; due {due}.", 0
        ),
    ),
    "": (Text("{players}, answer privately."), Text("{players}, answer privately; due {due}.")),
}
"""By what a game asks for: the sentence without a time limit, and with one."""

LAST_WORD = (
    Text("{players}: `ok` lets it stand."),
    Text("{players}: `ok` lets it stand; due {due}."),
)
TURN = (Text("{players}, {your_turn}."), Text("{players}, {your_turn}; due {due}."))


def _until(match: Match, texts: tuple[Text, Text], count: int, **values: Value) -> Text:
    """The one of two sentences that holds here: without a time limit, or with one."""
    at = deadline(match)
    chosen = texts[0] if at is None else texts[1]
    if at is not None:
        values["due"] = Instant(at)
    return plural(chosen.template, chosen.many, count, **values) if chosen.many else Text(chosen.template, **values)


def repetition_warning(match: Match) -> Text | None:
    """The warning before a repetition ends the game, if in this game it does."""
    game, position = match.game, match.position
    if match.seen != 2 or match.ending is not None:
        return None
    third = game.outcome(position, seen=3)
    if third is None:
        return None
    if third.winners >= set(game.playing(position)):
        return DRAWN_BY_REPETITION
    return Text("This position has occurred twice; a third time ends the game: {title}.", title=third.rule.title)


def contest_notice(match: Match) -> Text | None:
    """That it may be claimed from now on that there is no contest, or how long a contest still has."""
    last = match.plies[-1] if match.plies else None
    if last is None or last.kind == "reply" or match.ending is not None:
        return None
    left = contest_left(match)
    if left is not None and match.contest is not None:
        side = match.game.names[match.contest[0]]
        return plural(CONTEST_LEFT.template, CONTEST_LEFT.many, left, side=side)
    stalled = match.game.stalled
    return MAY_CLAIM if stalled(last.after) is not None and stalled(last.before) is None else None


MAY_CLAIM = Text("Nobody has fenced for long: either player may claim a draw for want of a contest, `nocontest`.")
CONTEST_LEFT = plural(
    "{side} has {count} turn left in which to take, fend or place.",
    "{side} has {count} turns left in which to take, fend or place.",
    0,
)

DRAWN_BY_REPETITION = Text("This position has occurred twice; a third time is a draw.")


def rung(match: Match, events: tuple[Event, ...], *, told: bool) -> tuple[Player, ...]:
    """Whom news notifies: those who are `told` to act or to answer an offer, but nobody of their own doing."""
    acted = {by for event in events if (by := getattr(event, "by", None))}
    if any(isinstance(event, ClaimOpened) for event in events):
        return tuple(player for player in match.seats.values() if player not in match.unreached)
    if any(isinstance(event, Overrun) for event in events):
        return tuple(match.seats.values())
    offered = any(isinstance(event, Offered) for event in events)
    waited_for = match.seats.values() if offered else awaited_players(match) if told else ()
    return tuple(player for player in dict.fromkeys(waited_for) if not (offered and player in acted))


def callable_now(match: Match) -> Text | None:
    """What can be called out, and until when; the same whether it is tenable or not, and whoever judges."""
    turns = open_to_call(match)
    if not turns:
        return None
    template = CALLABLE[len(turns) > 1, match.ending is not None]
    several = {"first": turns[0].number} if len(turns) > 1 else {}
    asked = f"{match.id} …" if match.terms["callfor"] == "reason" else match.id
    return Text(template.template, last=turns[-1].number, match=asked, **several)


CALLABLE: Mapping[tuple[bool, bool], Text] = {
    (False, False): Text("Turn {last} can be called out until it is answered: `call {match}`."),
    (True, False): Text("Turns {first} to {last} can be called out until they are answered: `call {match}`."),
    (False, True): Text("Turn {last} can be called out until the end stands: `call {match}`."),
    (True, True): Text("Turns {first} to {last} can be called out until the end stands: `call {match}`."),
}
"""By whether there are several, and whether the game is at its end."""


# --- buttons ----------------------------------------------------------------------------------------------
def turn_choices(match: Match) -> tuple[Choice, ...]:
    """A button to write a turn with, where a turn is due; what it asks for is the same whatever is tenable."""
    if match.ending is not None or match.game.asks(match.position):
        return ()
    blank = Text("For example: {example}", example=match.game.example(match.position))
    return (Choice(MAKE_TURN, f"move {match.id} @{match.next_number}", blank),)


def answer_choices(match: Match) -> tuple[Choice, ...]:
    """A button to answer with what is asked in private: the same for all, whoever has answered."""
    if match.ending is not None or not match.game.asks(match.position):
        return ()
    return (Choice(ANSWER, f"secret {match.id}", PRIVATELY),)


def call_choices(match: Match) -> tuple[Choice, ...]:
    """Buttons below a turn; the same whether it is tenable or not."""
    standing = open_to_call(match)
    if not standing:
        return ()
    blank = REASON if match.terms["callfor"] == "reason" else None
    call = Choice(CALL, f"call {match.id} @{standing[-1].number}", blank, mover=standing[-1].by)
    return (call, Choice(LET_STAND, f"ok {match.id} @{match.stamp}")) if match.ending is not None else (call,)


def offer_choices(match: Match, events: tuple[Event, ...]) -> tuple[Choice, ...]:
    """Buttons for offers that have just been made; of several, each says what it is about."""
    standing = {offer.what for offer in match.offers}
    made = [event.what for event in events if isinstance(event, Offered) and event.what in standing]
    return tuple(
        choice
        for what in made
        for label, answer in (
            (ACCEPTS.get(what, ACCEPT) if len(made) > 1 else ACCEPT, "accept"),
            (CONTEST if what == "nocontest" else DECLINES.get(what, DECLINE) if len(made) > 1 else DECLINE, "decline"),
        )
        for choice in (Choice(label, f"{answer} {match.id} @{match.stamp} {what}"),)
    )


ACCEPTS: Mapping[str, Text] = {
    "draw": Text("Accept the draw"),
    "takeback": Text("Accept the takeback"),
    "reset": Text("Accept the new board"),
    "pause": Text("Accept the pause"),
    "adjourn": Text("Accept to adjourn"),
    "resume": Text("Accept to resume"),
    "time": Text("Accept more time"),
    "terms": Text("Accept the terms"),
}
DECLINES: Mapping[str, Text] = {
    "draw": Text("Decline the draw"),
    "takeback": Text("Decline the takeback"),
    "reset": Text("Decline the new board"),
    "pause": Text("Decline the pause"),
    "adjourn": Text("Decline to adjourn"),
    "resume": Text("Decline to resume"),
    "time": Text("Decline more time"),
    "terms": Text("Decline the terms"),
}


def claim_choices(match: Match, events: tuple[Event, ...]) -> tuple[Choice, ...]:
    """The button for a match that has just become open to a claim."""
    opened = any(isinstance(event, ClaimOpened | Overrun) for event in events)
    return (claim_choice(match),) if opened else ()


def claim_choice(match: Match) -> Choice:
    """The button for a match that is open to a claim."""
    several = len(match.game.playing(match.position)) > 2
    return Choice(CLAIM_SEAT if several else CLAIM, f"claim {match.id}")


def challenge_choices(match: Match) -> tuple[Choice, ...]:
    """Buttons for a challenge."""
    return (
        Choice(ACCEPT, f"accept {match.id} @{match.stamp}"),
        Choice(DECLINE, f"decline {match.id} @{match.stamp}"),
    )


def rematch_choices(match: Match) -> tuple[Choice, ...]:
    """The button below a result."""
    played = match.result is not None and match.result.rule != ABORTED.ref
    return (Choice(REMATCH, f"rematch {match.id}"),) if played else ()


MAKE_TURN = Text("Make the turn")
CALL = Text("Call it out")
REASON = Text("What is untenable: a piece, a place or a rule")
LET_STAND = Text("Let it stand")
ACCEPT = Text("Accept")
DECLINE = Text("Decline")
CONTEST = Text("Contest it")
ANSWER = Text("Answer")
PRIVATELY = Text("Your answer; nobody else sees it.")
CLAIM = Text("Claim the match")
CLAIM_SEAT = Text("Claim that they are out")
REMATCH = Text("Rematch")
