"""What each command does: a table from the grammar's names to handlers that answer with an Effect."""

import errno
import re
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TypeAlias

from bot.commands import info as guide
from bot.commands.accounts import account
from bot.commands.community import elsewhere, forbidden, settings, usual_terms
from bot.commands.context import Context, Effect, whisper
from bot.commands.spec import BY_NAME, LABELS, OFFERS, near, read_proposal
from bot.commands.spec import Command as Spoken
from bot.messages.model import Person, Span, Strong
from bot.messages.narrator import Draft, headline, refuse, stakes
from bot.messages.pictures import diagram, picture
from bot.messages.serialization import channel_address, read_address, read_event
from bot.repository import Repository
from engine.dice import Dice
from engine.game import NotationError
from engine.games import GAMES
from engine.match.commands import (
    Abort,
    Acknowledge,
    Amend,
    Answer,
    Call,
    Challenge,
    Command,
    Decline,
    Join,
    LinkPlace,
    Offer,
    Offering,
    Play,
    Player,
    Reply,
    Resign,
)
from engine.match.decide import decide
from engine.match.events import Event, Refusal
from engine.match.evolve import Decision, evolve
from engine.match.record.write import record_of
from engine.match.state import Match, read_ply
from engine.text import Code
from render.text import board
from render.theme import THEMES

OPEN_CHALLENGES = 10
"""So many challenges of one person may wait for an answer at once."""

LONGEST_TOKEN = 40

LOST = "lost this turn to a call"
"""What stands in the list of turns where one was called out."""

SHOWN = 40
"""Turns in one list."""

NAME = re.compile(r"[\w.-]{1,64}|[a-z]+:\S{1,255}")
"""What may follow an @: somebody here, or, with the platform in front, somebody elsewhere."""

Handler: TypeAlias = Callable[[Repository, Context], Awaitable[Effect]]


async def _challenge(desk: Repository, context: Context) -> Effect:
    heard = context.heard
    proposal = read_proposal(context.said.rest, tuple(GAMES))
    if proposal.stray and proposal.game and proposal.stray[0].lower() in GAMES:
        return whisper(heard, "One game at a time: ", Code(BY_NAME["challenge"].example), ".")
    nobody = next((name for name in proposal.names if not NAME.fullmatch(name)), None)
    if nobody is not None:
        return whisper(
            heard, Code(f"@{nobody[:40]}"), " is nobody's name. Write it like this: ",
            Code(BY_NAME["challenge"].example), ".",
        )  # fmt: skip
    if proposal.stray:
        word = proposal.stray[0]
        close = near(word, tuple(GAMES))
        hint: tuple[Span, ...] = (
            (" Did you mean ", Code(close), "?") if close else (" ", Code("games"), " lists the games.")
        )
        hint = (*hint, " Names begin with @, terms have a =: ", Code(BY_NAME["challenge"].example), ".")
        return whisper(heard, Code(word[:40]), " is neither a game, a name nor a term.", *hint)
    if not proposal.game:
        return whisper(heard, "Which game? ", Code("games"), " lists them: ", Code(BY_NAME["challenge"].example), ".")
    if refused := await elsewhere(desk, heard):
        return refused
    waiting = await desk.matches_of(context.accounts, "open")
    if sum(m.players[0] in context.accounts for m in waiting) >= OPEN_CHALLENGES:
        return whisper(heard, f"{OPEN_CHALLENGES} of your challenges wait for an answer already. ",
                        Code("matches"), " lists them; ", Code("decline"), " withdraws one.")  # fmt: skip
    invited = tuple(_player(name, heard.who.platform) for name in proposal.names)
    invited = tuple(heard.who.key if player in context.accounts else player for player in invited)
    home = channel_address(heard.where)
    token = await desk.setting(context.accounts[0], "token")
    terms = await usual_terms(desk, heard, GAMES[proposal.game]) | proposal.terms
    wanted = Challenge("", heard.who.key, proposal.game, terms, invited, home, token)
    if isinstance(refusal := decide(None, wanted, heard.at, Dice(desk.seed())), Refusal):
        return _refused(context, refusal)
    number = await desk.store.next_match()  # only now, so that no number is spent on what cannot be
    decision = decide(None, replace(wanted, match=number), heard.at, Dice(desk.seed()))
    assert not isinstance(decision, Refusal), "the number changes nothing"
    return Effect(decision, match=number)


def _doing(make: Callable[[Context], Command]) -> Handler:
    """A handler for a command that is one thing done to a match."""

    async def handle(desk: Repository, context: Context) -> Effect:
        return _decided(desk, context, make(context))

    return handle


def _decided(desk: Repository, context: Context, doing: Command) -> Effect:
    match = context.match
    assert match is not None, "commands about matches have one"
    decision: Decision = decide(match, doing, context.heard.at, desk.dice(match))
    if isinstance(decision, Refusal):
        return _refused(context, decision)
    return Effect(decision, match=match.id)


async def _accept(desk: Repository, context: Context) -> Effect:
    if _to_a_challenge(context):
        joined = _decided(desk, context, Join(context.who, await desk.setting(context.accounts[0], "token")))
        return await _at_home(desk, context, joined)
    return _decided(desk, context, Answer(context.who, True, _offering(context)))


async def _at_home(desk: Repository, context: Context, joined: Effect) -> Effect:
    """Whoever accepts from a platform on which the match does not live yet lets it live where they are."""
    match, where = context.match, context.heard.where
    assert match is not None, "one joins a match"
    if not joined.events or any(read_address(place).platform == where.platform for place in match.places):
        return joined
    if refused := await elsewhere(desk, context.heard):
        return refused
    home = LinkPlace(context.who, channel_address(where))
    housed = decide(evolve(match, joined.events[0]), home, context.heard.at, desk.dice(match))
    if isinstance(housed, Refusal):
        return joined
    return replace(joined, events=(joined.events[0], *housed, *joined.events[1:]))


async def _decline(desk: Repository, context: Context) -> Effect:
    if _to_a_challenge(context):
        return _decided(desk, context, Decline(context.who))
    return _decided(desk, context, Answer(context.who, False, _offering(context)))


def _to_a_challenge(context: Context) -> bool:
    return context.match is not None and context.match.status == "open" and _offering(context) is None


def _offering(context: Context) -> Offering | None:
    return next((offering for offering in OFFERS if offering in context.said.rest.lower()), None)


async def _amend(desk: Repository, context: Context) -> Effect:
    proposal = read_proposal(context.said.rest, ())
    example = example_command(BY_NAME["amend"], context.match)
    if proposal.names:
        return whisper(
            context.heard, "Who plays stays as it was proposed; terms can be changed: ", Code(example),
            ". For others, ", Code("decline"), " this one and make a new challenge.",
        )  # fmt: skip
    if not proposal.terms or proposal.stray:
        return whisper(context.heard, "Terms are written with a =: ", Code(example), ".")
    return _decided(desk, context, Amend(context.who, proposal.terms))


async def make_turn(desk: Repository, context: Context) -> Effect:
    """One message may hold several turns where a side has to act twice in a row."""
    match = context.match
    assert match is not None, "a turn is made in a match"
    events: tuple[Event, ...] = ()
    rolls = match.rolls
    parts = match.game.split(context.said.rest)
    for nth, text in enumerate(parts):
        ply = None if context.said.ply is None else context.said.ply + nth
        decision = decide(match, Play(context.who, text.strip(), ply), context.heard.at, desk.dice(match))
        if isinstance(decision, Refusal):
            # What a die has decided stands: else one could look at a throw and take it back.
            stands = match.rolls > rolls
            if nth:
                first, second = parts[0].strip("` "), text.strip("` ")
                so = "" if stands else f", so `{first}` was not either"
                decision = replace(decision, because=f"`{second}` cannot be played{so}: {decision.because}")
            refused = _refused(replace(context, match=match), decision)
            return replace(refused, events=events, match=match.id) if stands else refused
        events += decision
        for event in decision:
            match = evolve(match, event)
    return Effect(events, match=match.id)


async def _resign(desk: Repository, context: Context) -> Effect:
    match = context.match
    assert match is not None, "one resigns from a match"
    if match.status == "running" and not context.said.rest:
        sure = f"resign {match.id} yes"
        return whisper(context.heard, f"Give match {match.id} up? Then write ", Code(sure), ".")
    return _decided(desk, context, Resign(context.who))


async def _matches(desk: Repository, context: Context) -> Effect:
    heard = context.heard
    everybody = "all" in context.said.words
    here = channel_address(heard.where)
    found = await desk.store.matches(place=here) if everybody else await desk.matches_of(context.accounts)
    shown = [m for m in found if m.status in ("running", "open")][:20] + [m for m in found if m.status == "over"][:5]
    if not shown:
        return whisper(heard, "No matches yet. ", Code(BY_NAME["challenge"].example), " begins one.")
    lines: list[Span] = [Strong("Matches here" if everybody else "Your matches")]
    for summary in shown:
        lines += ["\n", *await _line(desk, summary.match, heard.who)]
    return whisper(heard, *lines)


async def _line(desk: Repository, number: str, who: Person) -> tuple[Span, ...]:
    """A match in a list; a damaged one must not hide the others."""
    try:
        match = await desk.match(number)
    except OSError as trouble:
        if trouble.errno != errno.EBADMSG:
            raise
        return (Strong(number), f" {trouble.strerror}")
    assert match is not None, "what is listed is stored"
    return headline(match, await desk.names(match, who))


async def _board(desk: Repository, context: Context) -> Effect:
    match, heard = context.match, context.heard
    assert match is not None, "a board belongs to a match"
    if match.position is None:
        return _unbegun(context, match)
    words = {word.lower() for word in context.said.words}
    theme = next((t for t in THEMES if t in words), "")
    labels = next((label for label in LABELS if label in words), "none")
    if labels == "legal" and match.calling:
        return whisper(
            heard, "In this match nobody is told what is tenable. ", Code("board all"), " names every place."
        )
    viewer = match.side_of(context.who)
    if labels == "legal" and (match.status != "running" or viewer != match.game.to_act(match.position)):
        return whisper(heard, "It is not your turn. ", Code("board all"), " names every place.")
    names = await desk.names(match, heard.who)
    last = match.plies[-1] if match.plies else None
    if last is not None and (last.kind != "turn" or last.after != match.position):
        last = None  # the board was set up anew since
    shown = picture(
        match.game,
        last.before if last else match.position,
        viewer,
        turn=last.text if last else "",
        tokens=stakes(match),
        over=match.status == "over",
        theme=theme,
        labels=labels,
    )
    line = headline(match, names)
    if "text" in words:
        return whisper(heard, *line, "\n", Code(board(diagram(shown)) or shown.alt))
    return Effect(says=(Draft(line, shown, only=context.who),))


async def _look(desk: Repository, context: Context) -> Effect:
    match, heard = context.match, context.heard
    assert match is not None, "one looks at a match"
    if match.position is None:
        return _unbegun(context, match)
    if not context.said.rest:
        return whisper(heard, "Name a place of the board: ", Code(example_command(BY_NAME["look"], match)), ".")
    try:
        words = match.game.look(match.position, context.said.rest[:40], match.side_of(context.who))
    except NotationError as error:
        return _refused(context, Refusal(error.because, error.remedy))
    return whisper(heard, words)


async def _turns(desk: Repository, context: Context) -> Effect:
    match, heard = context.match, context.heard
    assert match is not None, "turns belong to a match"
    if match.position is None:
        return _unbegun(context, match)
    viewer = match.side_of(context.who)
    made = [ply for ply in match.plies if ply.kind != "reply"]
    if not made:
        return whisper(heard, f"No turn has been made in match {match.id} yet.")
    which = "the turns so far" if len(made) <= SHOWN else f"the last {SHOWN} turns"
    lines: list[Span] = [Strong(f"Match {match.id}, {which}")]
    for ply in made[-SHOWN:]:
        lines += [f"\n{ply.number}. {match.game.names[ply.side]} "]
        lines += [Code(match.game.show(read_ply(match, ply), ply.before, viewer)) if ply.kind == "turn" else LOST]
    return whisper(heard, *lines)


async def _link(desk: Repository, context: Context) -> Effect:
    if refused := await elsewhere(desk, context.heard):
        return refused
    return _decided(desk, context, LinkPlace(context.who, channel_address(context.heard.where)))


async def _export(desk: Repository, context: Context) -> Effect:
    match, heard = context.match, context.heard
    assert match is not None, "a record is of a match"
    if match.position is None:
        return _unbegun(context, match)
    events = [read_event(record.body) for record in await desk.store.load(match.id)]
    names = await desk.names(match, heard.who)
    record = record_of(events, {player: person.name for player, person in names.items()}, match.side_of(context.who))
    return whisper(heard, Code(record.write()))


async def _token(desk: Repository, context: Context) -> Effect:
    heard = context.heard
    name = " ".join(context.said.words)
    if not name:
        return await _ledger(desk, context)
    if len(name) > LONGEST_TOKEN or not name.isprintable():
        return whisper(
            heard, f"A token's name has at most {LONGEST_TOKEN} plain characters: ", Code("token moon shell"), "."
        )
    done = whisper(heard, "You stake ", Strong(name), " when a match is played for keeps: ",
                   Code("challenge @name veney formality=formal"), ".")  # fmt: skip
    return replace(done, settings=((context.accounts[0], "token", name),))


async def _ledger(desk: Repository, context: Context) -> Effect:
    """Which tokens somebody has won and lost, from the matches themselves."""
    heard, accounts = context.heard, context.accounts
    lines: list[Span] = ["You have no token to stake. Name one: ", Code(BY_NAME["token"].example), "."]
    if current := await desk.setting(accounts[0], "token"):
        lines = ["You stake ", Strong(current), "."]
    for summary in await desk.matches_of(accounts, "over"):
        match = await desk.match(summary.match)
        for giver, taker, token in spoils(match) if match else ():
            other = await desk.person(taker if giver in accounts else giver)
            lines += [
                f"\nMatch {summary.match}: ",
                Strong(token),
                " went to " if giver in accounts else " came from ",
                other,
                ".",
            ]
    return whisper(heard, *lines)


async def _theme(desk: Repository, context: Context) -> Effect:
    heard, words = context.heard, context.said.words
    theme = words[0].lower() if words else ""
    if theme not in THEMES:
        return whisper(heard, f"There are the themes {', '.join(THEMES)}. For example: ", Code("theme dark"), ".")
    here = "here" in words
    if here and not heard.host:
        return forbidden(heard)
    owner = channel_address(heard.where) if here else context.accounts[0]
    done = whisper(heard, f"Boards drawn for {'this channel' if here else 'you'} are {theme} from now on.")
    return replace(done, settings=((owner, "theme", theme),))


HANDLERS: dict[str, Handler] = {
    "help": guide.help_,
    "games": guide.games,
    "rules": guide.rules,
    "terms": guide.terms,
    "challenge": _challenge,
    "accept": _accept,
    "decline": _decline,
    "amend": _amend,
    "matches": _matches,
    "move": make_turn,
    "board": _board,
    "look": _look,
    "turns": _turns,
    "call": _doing(lambda c: Call(c.who, c.said.ply)),
    "ok": _doing(lambda c: Acknowledge(c.who)),
    "secret": _doing(lambda c: Reply(c.who, c.said.rest)),
    "draw": _doing(lambda c: Offer(c.who, "draw")),
    "takeback": _doing(lambda c: Offer(c.who, "takeback")),
    "anew": _doing(lambda c: Offer(c.who, "reset")),
    "resign": _resign,
    "abort": _doing(lambda c: Abort(c.who)),
    "link": _link,
    "account": account,
    "export": _export,
    "token": _token,
    "theme": _theme,
    "settings": settings,
}

FITTING: dict[str, tuple[str, ...]] = {
    "accept": ("open", "running"),
    "decline": ("open", "running"),
    "amend": ("open",),
    "abort": ("open", "running"),
    "export": ("running", "over"),
    "board": ("running", "over"),
    "turns": ("running", "over"),
}
"""In which state a match must be for a command that did not name one."""


# --- small words ------------------------------------------------------------------------------------------
def example_command(command: Spoken, match: Match | None) -> str:
    """What somebody could say: in a match's thread, of that match."""
    if match is None or match.position is None:
        return command.example.replace(" 12", f" {match.id}") if match else command.example
    game, position = match.game, match.position
    if command.name == "look":
        places = game.board(position).outlines
        return f"look {match.id} {next((place for place in places if place.isalnum()), next(iter(places)))}"
    if command.name == "move":
        return f"move {match.id} {game.example}"
    asks = game.asks(position)
    if command.name == "secret" and asks:
        return f"secret {match.id} {asks[0].example}"
    return command.example.replace(" 12", f" {match.id}")


def _unbegun(context: Context, match: Match) -> Effect:
    heard = context.heard
    if match.status == "declined":
        return whisper(
            heard, f"Match {match.id} was declined. ", Code(f"challenge {match.game.key}"), " begins another."
        )
    if context.who in match.joined:
        return whisper(heard, f"Match {match.id} has not begun: the others have yet to ", Code("accept"), ".")
    return whisper(heard, f"Match {match.id} has not begun. ", Code(f"accept {match.id}"), " begins it.")


def _refused(context: Context, refusal: Refusal) -> Effect:
    viewer = context.match.side_of(context.who) if context.match else None
    return Effect(says=(replace(refuse(refusal, context.match, viewer), only=context.who),))


def _player(name: str, platform: str) -> Player:
    """`ben` is somebody on the speaker's platform; `matrix:@ben:example.org` somebody elsewhere."""
    elsewhere, colon, number = name.partition(":")
    return name if colon and elsewhere != platform else f"{platform}:{(number or name).lower()}"
