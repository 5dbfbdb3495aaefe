"""What a match looks like: `board`, `replay`, `look`, `turns`, `calls`, `matches`, `next`, `export`."""

import asyncio
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from bot.commands.context import (
    Context,
    Effect,
    MatchContext,
    example_command,
    not_begun,
    reader_language,
    refused,
    whisper,
    whisper_lines,
)
from bot.commands.learning.uncalled import tallies, uncalled
from bot.commands.looking import in_english, looked_at
from bot.commands.parser import player_named, read_proposal
from bot.commands.person.links import board_choice
from bot.commands.spec import BY_NAME
from bot.commands.spec.parts import LABELS
from bot.messages.events.time import needed
from bot.messages.model import Choice, Form, IncomingMessage, Person
from bot.messages.narrator import Draft, headline
from bot.messages.prompts import call_choices, callable_now, turn_choices
from bot.messages.serialization import channel_address, read_address, read_event
from bot.messages.showing.match_pictures import position_of, standing
from bot.messages.showing.pictures import diagram
from bot.messages.showing.replays import LARGE, MOST_LARGE, USUAL, replay_of
from bot.messages.showing.replays import MOST as MOST_REPLAYED
from bot.messages.unreadable import unreadable
from bot.notices import waiting_for
from bot.repository import Repository
from bot.repository.people import MOST
from engine.board import Side
from engine.game import NotationError
from engine.games import GAMES
from engine.match.events import Refusal
from engine.match.record.dates import dates
from engine.match.record.write import record_of
from engine.match.state import Match, Ply
from engine.text import Code, Listing, Text, plural, sentences
from render.alt_text import describe
from render.layout.close_up import CROWDED
from render.text_board import board as text_board
from render.theme import THEMES
from storage.store import Summary

MOST_TURNS = 40
"""Turns in one list."""
LISTED = ("all", "past")
"""What may follow `matches`."""
MOST_RUNNING, MOST_OVER, MOST_PAST = 20, 5, 20
"""Matches in one list: those not over yet, the latest of the others, and what a search finds."""


NAMES_ALL = Text("`board all` names every place.")


async def board(repository: Repository, context: MatchContext) -> Effect:
    """Shows the position from the author's side."""
    match, message = context.match, context.message
    if match.position is None:
        return not_begun(context)
    words = {word.lower() for word in context.parsed.words}
    asked = {key: value for key, equals, value in (word.partition("=") for word in words) if equals}
    labels = "legal" if "legal" in asked else next((label for label in LABELS if label in words), "none")
    viewer = match.side_of(context.who)
    sites = {site.lower(): site for site in match.game.board(match.position).outlines}
    if unknown := next((asked[key] for key in ("near", "legal") if asked.get(key, next(iter(sites))) not in sites), ""):
        return whisper(message, Text("There is no place {place} on this board.", place=unknown[:20]), NAMES_ALL)
    seats = {str(name).lower(): side for side, name in match.game.names.items()}
    if asked.get("from", next(iter(seats))) not in seats:
        colours = Listing(tuple(Code(f"from={name}") for name in seats), "or")
        return whisper(message, Text("A board is seen from a side: {sides}.", sides=colours))
    if labels == "legal" and match.calling:
        return whisper(
            message,
            Text("In this match nobody is told what is tenable."),
            NAMES_ALL,
        )
    if labels == "legal" and (match.status != "running" or viewer != match.game.to_act(match.position)):
        return whisper(message, Text("It is not your turn."), NAMES_ALL)
    names = await repository.names(match, message.who)
    theme = next((theme for theme in THEMES if theme in words), "")
    if "legal" in asked:
        labels = f"legal {sites[asked['legal']]}"
    near = asked.get("near", asked.get("legal", "") if len(sites) > CROWDED else "")
    seen_from = {"around": sites.get(near, ""), "side": seats.get(asked.get("from", ""), "")}
    shown = standing(match, names, viewer, labels=labels, theme=theme, **seen_from)
    line = tuple(sentences((*headline(match, names), callable_now(match))))
    if "text" not in words:
        choices = board_choice(repository, message, match, context.who)
        return Effect(drafts=(Draft((line,), shown, choices, only=context.who),))
    language = await reader_language(repository, context)
    drawn = diagram(shown)
    return whisper_lines(message, (line, (Text("`{board}`", board=text_board(drawn, language.say)),)))


async def replay(repository: Repository, context: MatchContext) -> Effect:
    """Shows a match turn by turn, to whoever asks."""
    match, message = context.match, context.message
    if match.position is None:
        return not_begun(context)
    words = [word.lower() for word in context.parsed.words if word.lower() != "last"]
    numbers = [int(word) for word in words if word.isdecimal() and len(word) < 6]
    if len(numbers) > 1 or any(not (word.isdecimal() or word in FORMS) for word in words):
        if message.where.thread and not message.addressed:
            return Effect()  # "replay that in your head"
        example = example_command(BY_NAME["replay"], match)
        return whisper(message, Text(HOW_MUCH.template, example=example))
    form: Form = "sheet" if "sheet" in words else MOVING.get(message.where.platform, "gif")
    size, limit = (LARGE, MOST_LARGE) if "large" in words else (0, MOST_REPLAYED)
    most = min(max(numbers[0], 1), limit) if numbers else USUAL
    events = [read_event(stored.body) for stored in await repository.store.load(match.id)]
    names = await repository.names(match, message.who)
    shown = await asyncio.to_thread(replay_of, events, names, form, most)
    told = plural("{count} turn is shown.", "{count} turns are shown.", sum(frame.number > 0 for frame in shown.frames))
    return Effect(drafts=(Draft(((*headline(match, names), told),), replace(shown, size=size), only=context.who),))


HOW_MUCH = Text("Say how many turns, `sheet` for a still picture, `large` for a larger one: `{example}`.")
FORMS = BY_NAME["replay"].slots[-1].words
MOVING: Mapping[str, Form] = {"web": "webp"}
"""Of the platforms whose clients all play what is smaller; others get a GIF."""


async def look(repository: Repository, context: MatchContext) -> Effect:
    """Describes one place of the board; without one, the position."""
    match, message = context.match, context.message
    if match.position is None:
        return not_begun(context)
    if not context.parsed.rest:
        example = example_command(BY_NAME["look"], match)
        drawn = match.game.draw(match.position, match.side_of(context.who))
        asked = Text("Name a place of the board: `{example}`.", example=example)
        return whisper_lines(message, (describe(drawn), (asked,)))
    viewer = match.side_of(context.who)
    named = in_english(match, context.parsed.rest, viewer, await reader_language(repository, context))
    try:
        told = await asyncio.to_thread(looked_at, match, named, viewer)
    except NotationError as error:
        if message.where.thread and not message.addressed and len(context.parsed.words) > 1:
            return Effect()  # "look at that!"
        return refused(context, Refusal(error.because, error.remedy))
    return whisper(message, *told)


async def turns(repository: Repository, context: MatchContext) -> Effect:
    """Lists the turns so far, as the author may see them, with those that were called out."""
    match, message = context.match, context.message
    if match.position is None:
        return not_begun(context)
    viewer = match.side_of(context.who)
    made = [ply for ply in match.plies if ply.kind != "reply"]
    if not (made or match.right_calls):
        return whisper(message, Text("No turn has been made in match {match} yet.", match=match.id))
    steps = (await repository.course(match)).steps if match.right_calls else ()
    called_out = (step for step in steps if step.callout and not step.stands)
    gone = deque(sorted(called_out, key=lambda step: step.ply.number))
    lines: list[tuple[Text, ...]] = []
    for ply in made:
        while gone and gone[0].ply.number <= ply.number:
            struck = gone.popleft().ply
            lost = ply.kind == "penalty" and not (gone and gone[0].ply.number <= ply.number)
            lines.append(_turn(match, struck, viewer, LOST if lost else TAKEN_BACK))
        if ply.kind == "turn":
            lines.append(_turn(match, ply, viewer, STANDS))
    lines += [_turn(match, step.ply, viewer, TAKEN_BACK) for step in gone]
    title = (
        Text("**Match {match}, the turns so far**", match=match.id)
        if len(lines) <= MOST_TURNS
        else plural(
            "**Match {match}, the last turn**", "**Match {match}, the last {count} turns**", MOST_TURNS, match=match.id
        )
    )
    return whisper_lines(message, ((title,), *lines[-MOST_TURNS:]))


STANDS = Text("{number}. {side} `{turn}`")
TAKEN_BACK = Text("{number}. {side} `{turn}`: called out and taken back.")
LOST = Text("{number}. {side} `{turn}`: called out; the turn is lost.")


def _turn(match: Match, ply: Ply, viewer: Side | None, said: Text) -> tuple[Text, ...]:
    game = match.game
    shown = game.show(ply.turn, ply.before, viewer)
    return (Text(said.template, number=ply.number, side=game.names[ply.side], turn=shown),)


async def matches(repository: Repository, context: Context) -> Effect:
    """Lists the author's matches, or everybody's here."""
    message = context.message
    words = [word.lower() for word in context.parsed.words]
    if words and words[0] not in LISTED:
        if len(words) > 1 and not message.addressed:
            return Effect()  # "matches are made in heaven"
        known = Listing(tuple(Code(word) for word in LISTED), "unit")
        wrong = Text("`{word}` cannot follow `{command}`.", word=words[0][:40], command="matches")
        return whisper(message, wrong, Text("These can: {words}.", words=known))
    if words[:1] == ["past"]:
        return await _past(repository, context)
    everybody = "all" in context.parsed.words
    here = channel_address(message.where)

    async def page(status: str, most: int) -> Sequence[Summary]:
        if everybody:
            return await repository.store.matches(place=here, status=status, limit=most)
        return await repository.matches_of(context.accounts, status, most)

    most = MOST_RUNNING + 1 if everybody else MOST  # of one's own the most urgent may be the oldest
    waiting = sorted((*await page("running", most), *await page("open", most)), key=lambda match: -match.updated)
    more = len(waiting) > MOST_RUNNING
    if everybody:
        waiting = waiting[:MOST_RUNNING]
    others = {match.match: set(match.to_act).isdisjoint(context.accounts) for match in waiting}
    shown = sorted(waiting, key=lambda match: (others[match.match], match.due or 1 << 60))  # the most urgent first
    shown = shown[:MOST_RUNNING]
    shown += await page("over", MOST_OVER)
    if not shown:
        example = BY_NAME["challenge"].example
        return whisper(message, Text("No matches yet."), Text("`{example}` begins one.", example=example))
    title = Text("**Matches here**") if everybody else Text("**Your matches**")
    lines = [(*await _line(repository, match.match, message.who), *_link(match, message)) for match in shown]
    if more:
        lines.append((Text("The list ends after {count}; there are more.", count=MOST_RUNNING),))
    mine = [
        match for match in shown if match.status == "running" and not set(match.to_act).isdisjoint(context.accounts)
    ]
    first = min(mine, key=lambda match: match.due or 1 << 60, default=None)
    due = await repository.match(first.match) if first else None
    choices = tuple(replace(choice, label=NEXT) for choice in turn_choices(due)) if due else ()
    return Effect(drafts=(Draft(((title,), *lines), choices=choices, only=message.who.key),))


async def _past(repository: Repository, context: Context) -> Effect:
    """Lists the author's matches that are over, the latest first: all, or those of a game or against somebody."""
    message = context.message
    proposal = read_proposal(context.parsed.rest.partition(" ")[2], tuple(GAMES))
    others = {
        account
        for name in proposal.names
        for account in await repository.accounts(player_named(name, message.who.platform))
    }
    fitting = [
        summary
        for summary in await repository.matches_of(context.accounts, "over")
        if (not proposal.game or summary.game == proposal.game) and (not others or others & set(summary.players))
    ]
    if not fitting:
        return whisper(message, Text("No such match of yours is over."), Text("`matches` lists those that run."))
    shown = [
        (*await _line(repository, summary.match, message.who), *_link(summary, message))
        for summary in fitting[:MOST_PAST]
    ]
    title = plural("**{count} match that is over**", "**{count} matches that are over**", len(fitting))
    return whisper_lines(message, ((title,), *shown))


async def next_(repository: Repository, context: Context) -> Effect:
    """Shows the match that waits for the author most urgently, or the one after it."""
    message, owner = context.message, context.accounts[0]
    waiting = await waiting_for(repository, owner)
    if not waiting:
        return whisper(message, Text("No match waits for you."), Text("`matches` lists yours."))
    numbers = [match.id for match in waiting]
    behind = [one for one in (await repository.setting(owner, SKIPPED)).split() if one in numbers]
    if "skip" in message.text.lower().split() or "skip" in context.parsed.words:
        shown = next((one for one in numbers if one not in behind), numbers[0])
        behind = [*behind, shown]
    if len(behind) >= len(numbers):
        behind = []
    match = next(match for match in waiting if match.id not in behind)
    names = await repository.names(match, message.who)
    mine = next(side for side in match.sides_to_act if match.seats[side] in context.accounts)
    left = plural("One more waits.", "{count} more wait.", len(waiting) - 1)
    more = left if len(waiting) > 1 else None
    line = tuple(sentences((*headline(match, names), needed(match), callable_now(match), more)))
    skip = (Choice(SKIP, "next skip"),) if len(waiting) > 1 else ()
    opened = board_choice(repository, message, match, match.seats[mine])
    choices = (*turn_choices(match), *call_choices(match), *opened, *skip)
    draft = Draft((line,), standing(match, names, mine), choices, only=message.who.key)
    return Effect(drafts=(draft,), settings=((owner, SKIPPED, " ".join(behind)),))


async def calls(repository: Repository, context: MatchContext) -> Effect:
    """Tells what was called in a match that is over, and what nobody called."""
    match, message = context.match, context.message
    if match.position is None:
        return not_begun(context)
    if not match.calling:
        return whisper(message, Text("In match {match} untenable turns were refused at once.", match=match.id))
    if match.status != "over":
        return whisper(message, Text("That is told when the match is over."), Text("Until then `call` finds out."))
    names = await repository.names(match, message.who)
    missed = uncalled(match)
    title = (Text("**Match {match}, the calls**", match=match.id),)
    found = plural(
        "{count} untenable turn was never called.", "{count} untenable turns were never called.", len(missed)
    )
    drafts = [Draft((title, *tallies(match, names), (found if missed else NONE_MISSED,)), only=message.who.key)]
    for ply, rulings in missed[:MOST_MISSED]:
        marks = tuple(mark for ruling in rulings for mark in ruling.marks)
        turn = match.game.show(ply.turn, ply.before, None)
        told = Text("Turn {number}, {side}: `{turn}`.", number=ply.number, side=match.game.names[ply.side], turn=turn)
        shown = position_of(match, names, ply.before, None, marks)
        drafts.append(Draft(((told, rulings[0].because),), shown, only=message.who.key))
    return Effect(drafts=tuple(drafts))


async def export(repository: Repository, context: MatchContext) -> Effect:
    """Shows the record of a match, as the author may see it."""
    match, message = context.match, context.message
    if match.position is None:
        return not_begun(context)
    events = [read_event(stored.body) for stored in await repository.store.load(match.id)]
    people = await repository.names(match, message.who)
    names = {player: person.name for player, person in people.items()}
    told = {"noted": dates(_stamp)} if match.status == "over" else {}
    record = record_of(events, names, match.side_of(context.who), **told)
    block = (Text("`{record}`", record=record.write()),)
    return Effect(drafts=(Draft((block,), only=message.who.key, file=f"match-{match.id}.txt"),))


def _stamp(at: int) -> str:
    return datetime.fromtimestamp(at // 1000, UTC).strftime("%Y-%m-%d %H:%M:%SZ")


NEXT = Text("Make the next turn")
SKIP = Text("Another one")
NONE_MISSED = Text("No untenable turn went unnoticed.")
MOST_MISSED = 5
"""Turns that nobody called, each shown with its picture."""
SKIPPED = "skipped"
"""The setting that holds which waiting matches somebody has skipped with `next`."""
LINKING = ("discord",)
"""The platforms on which a place in a text is a link to its match."""


def _link(match: Summary, message: IncomingMessage) -> tuple[Text, ...]:
    """Where a match is played, on a platform that makes a link of that."""
    homes = (replace(read_address(place), thread=match.match) for place in match.places)
    here = (home for home in homes if home.platform == message.where.platform in LINKING and home != message.where)
    return tuple(Text("See {place}.", place=home) for home in here if match.status != "open")


async def _line(repository: Repository, number: str, who: Person) -> tuple[Text, ...]:
    """Returns a match in a list; a damaged one must not hide the others."""
    try:
        match = await repository.match(number)
    except OSError as error:
        reason = unreadable(error, number)
        if not reason:
            raise
        return reason[:1]
    assert match is not None, "what is listed is stored"
    return tuple(sentences((*headline(match, await repository.names(match, who)), callable_now(match))))
