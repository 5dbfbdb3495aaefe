"""What a message means: which command, and about which match."""

from dataclasses import replace

from bot.commands.context import NOTHING, Context, Effect, about, reply, whisper
from bot.commands.handlers import HANDLERS, MATCH_HANDLERS, MATCH_STATUS
from bot.commands.learning import lessons
from bot.commands.parser import ParsedCommand, PlainText, fits, is_secret, read_command
from bot.commands.people.secrecy import is_hidden
from bot.commands.play import CHANGE, owes_answer
from bot.commands.spec import BY_NAME
from bot.commands.spec.parts import CONFIRMATIONS
from bot.messages.model import Choice, IncomingMessage, Person, Place
from bot.messages.narrator import Draft
from bot.messages.people_text import people
from bot.messages.serialization import channel_address
from bot.notices import later_for_quiet
from bot.repository import Repository
from bot.repository.people import MOST
from bot.rests import vacations
from bot.service import plain_text
from engine.match.alarms import deadline
from engine.match.commands import AlarmFired, Command, Player
from engine.match.decide import decide
from engine.match.events import Refusal
from engine.match.state import Match
from engine.text import Instant, Listing, Text
from storage.store import Summary

ASKED_ALONE = (
    *(
        "learn",
        "analyse",
        "solve",
        "spot",
        "hint",
        "calls",
        "review",
        "daily",
        "look",
        "rules",
        "board",
        "move",
        "add",
        "turns",
        "export",
        "help",
        "games",
        "terms",
        "record",
    ),
    *("call", "late", "resign", "abort"),
)
"""Commands that only their author has an answer to, or may be asked about: what follows is told to everybody."""
NODS = ("ok", "yes", "no")
"""Commands that people also say to each other."""
NUMBER_IS_ANSWER = ("secret", "move", "add", "look", "late", "takeback")
"""Commands that can be followed by a number which is no match's."""


async def answer(repository: Repository, message: IncomingMessage, accounts: tuple[Player, ...]) -> Effect:
    """Returns what a message leads to."""
    effect = await _answer(repository, message, accounts)
    return _reopening(message, effect) if message.form else effect


def _is_answer(parsed: ParsedCommand) -> bool:
    """Whether a number behind a command can be something else than a match's: `takeback 2`, but no button's."""
    command = parsed.command
    return (
        command.name in NUMBER_IS_ANSWER and fits(command, parsed.match) and (parsed.ply is None or not command.takes)
    )


def _reopening(message: IncomingMessage, effect: Effect) -> Effect:
    """A form that has led to nothing but words: a button opens it again, filled in."""
    done = (effect.decision.events, effect.settings, effect.messages, effect.added, effect.wakes, effect.woken)
    command = BY_NAME.get(message.form.partition(" ")[0])
    told = effect.drafts
    if command is None or not told or any(done) or any(draft.only is None or draft.choices for draft in told):
        return effect
    blank = next((slot.gist for slot in command.slots if slot.needed), command.gist)
    change = Choice(CHANGE, message.form, blank, message.text.removeprefix(message.form).strip())
    return replace(effect, drafts=(*told[:-1], replace(told[-1], choices=(change,))))


async def _answer(repository: Repository, message: IncomingMessage, accounts: tuple[Player, ...]) -> Effect:
    parsed = read_command(message.text)
    if isinstance(parsed, PlainText):
        return await plain_text.answer(repository, message, parsed, accounts)
    command = parsed.command
    lone = not parsed.rest or (command.confirms and parsed.rest.lower() in CONFIRMATIONS)
    if parsed.match and lone and message.where.thread and _is_answer(parsed):
        # In a thread, a lone number is the answer itself.
        parsed = replace(parsed, match="", rest=f"{parsed.match} {parsed.rest}".strip())
    number = parsed.match or message.where.thread
    match = await repository.match(number) if number else None
    if await is_hidden(repository, match, accounts, message.where):
        match = None
    if match is not None and command.stamped and parsed.ply not in (None, match.stamp):
        return whisper(
            message,
            Text("That button is out of date: the match has changed since."),
            Text("`board {match}` shows where it stands.", match=match.id),
        )
    if not parsed.match and (taken := await _of_lesson(repository, message, parsed, accounts)) is not None:
        return taken
    if command.scope != "match":
        return await HANDLERS[command.name](repository, Context(message, parsed, match, accounts))
    if match is None:
        return await _without_match(repository, message, parsed, accounts)
    effect = await MATCH_HANDLERS[command.name](repository, await about(repository, message, parsed, match, accounts))
    if not (effect.decision.events or message.addressed) and message.text.strip().lower() in NODS:
        return Effect()  # there is nothing to agree to, so it was said to the others
    return effect


async def private(repository: Repository, who: Person, where: Place, text: str) -> bool:
    """Whether a line may show what its author suspects or keeps secret, so that nobody else should see it typed.

    A turn that is accepted is shown to everybody anyway.
    """
    parsed = read_command(text)
    if is_secret(text) or (isinstance(parsed, ParsedCommand) and parsed.command.name in ASKED_ALONE):
        return True
    if not where.thread and await lessons.may_answer(repository, who.key, text):
        return True
    match = await repository.match(where.thread) if where.thread and isinstance(parsed, PlainText) else None
    if match is None or match.position is None:
        return False
    accounts = await repository.accounts(who.key)
    player = next((account for account in accounts if account in match.parties), "")
    return plain_text.may_be_turn(match, text) or owes_answer(match, player)


async def apply(repository: Repository, number: str, command: Command, at: int) -> Effect:
    """Returns what a command that nobody typed does to a match."""
    match = await repository.match(number)
    if match is None or (isinstance(command, AlarmFired) and await repository.untold(match, at)):
        return Effect()
    if isinstance(command, AlarmFired) and command.kind in ("flag", "overrun"):
        begun = await vacations.begun(repository, match, at)
        if begun is not None:
            return await _on_vacation(repository, match, begun)
    if command == AlarmFired("nudge") and await later_for_quiet(repository, match, at) > at:
        return Effect(match=number, again=True)
    decision = decide(match, command, at, repository.dice(match))
    return Effect(NOTHING if isinstance(decision, Refusal) else decision, match=number)


async def _on_vacation(repository: Repository, match: Match, begun: vacations.Begun) -> Effect:
    """What is said when vacations begin by themselves."""
    names = await repository.names(match)
    due = deadline(begun.decision.after)
    told = [Text("The time of {players} would be over; a vacation begins.", players=people(begun.players, names))]
    told += [Text("Time runs out {due}.", due=Instant(due))] if due is not None else []
    return Effect(begun.decision, (Draft((tuple(told),), rings=begun.players),), begun.settings, match.id)


async def _of_lesson(
    repository: Repository, message: IncomingMessage, parsed: ParsedCommand, accounts: tuple[Player, ...]
) -> Effect | None:
    """What a command that names no match says about an open lesson; None where it is about something else."""
    if parsed.command.name == "look":
        return await lessons.looked(repository, message, accounts, parsed.rest)
    if parsed.command.name == "board":
        return await lessons.boarded(repository, message, accounts, parsed.rest)
    said = message.text.strip(" !/").lower()
    if said in (*lessons.BARE, "call", "ok"):
        return await lessons.overheard(repository, message, accounts, said)
    return None


# --- without a match --------------------------------------------------------------------------------------
OF_OTHERS = frozenset({"arbiter", "report", "follow", "kibitz"})
"""The commands that are about matches of others rather than one's own."""


async def _without_match(
    repository: Repository, message: IncomingMessage, parsed: ParsedCommand, accounts: tuple[Player, ...]
) -> Effect:
    """A command about a match that named none: the only one it can be, or a question."""
    name = parsed.command.name
    if parsed.match:
        return reply(message, Text("There is no match {match}.", match=parsed.match), Text("`matches` lists yours."))
    fitting = await _fitting(repository, message, name, accounts)
    match = await repository.match(fitting[0].match) if len(fitting) == 1 else None
    if match is not None:
        return await MATCH_HANDLERS[name](repository, await about(repository, message, parsed, match, accounts))
    if not fitting and name in OF_OTHERS:
        return reply(message, Text("Say which match: `{example}`.", example=BY_NAME[name].example))
    if not fitting:
        return reply(
            message,
            Text("You have no match for that."),
            Text("Begin one: `{example}`.", example=BY_NAME["challenge"].example),
        )
    return reply(
        message,
        Text("Which match: {matches}?", matches=Listing(tuple(summary.match for summary in fitting[:10]), "or")),
        Text("For example: `{example}`.", example=f"{name} {fitting[0].match} {parsed.rest}".strip()),
    )


async def _fitting(
    repository: Repository, message: IncomingMessage, name: str, accounts: tuple[Player, ...]
) -> list[Summary]:
    """The author's matches that a command can be about; for `accept` also challenges that anybody may accept."""
    mine = await repository.matches_of(accounts)
    fitting = [summary for summary in mine if summary.status in MATCH_STATUS.get(name, ("running",))]
    if name in ("accept", "decline"):  # others' challenges rather than one's own
        others = [one for one in fitting if one.status == "open" and one.players[0] not in accounts]
        fitting = others or fitting
    if name == "accept" and not fitting:
        fitting = await _free(repository, message)
    return fitting


async def _free(repository: Repository, message: IncomingMessage) -> list[Summary]:
    """The challenges in this channel that anybody may accept."""
    here = channel_address(message.where)
    waiting = {
        summary.match: summary for summary in await repository.store.matches(place=here, status="open", limit=MOST)
    }
    matches = [match for number in waiting if (match := await repository.match(number)) is not None]
    return [waiting[match.id] for match in matches if len(match.parties) < len(match.game.seats(match.terms))]
