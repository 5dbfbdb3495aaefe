"""What is committed because of an effect: events, messages, alarms, the summary and settings."""

from collections.abc import Mapping
from dataclasses import replace

from bot.commands.club.kibitz import revealed
from bot.commands.context import Effect, community_address
from bot.commands.people.limits import is_quiet
from bot.commands.people.reports import told_arbiters
from bot.commands.people.roles import arbiters_of
from bot.commands.person import lines
from bot.logs import trace_of
from bot.messages.model import OutgoingMessage
from bot.messages.narrator import Draft, narrate
from bot.messages.people_text import Names, opponents
from bot.messages.serialization import address, channel_address, message_key, write_event, write_message
from bot.notices import followers, later_for_quiet
from bot.notices.programs import PLATFORM as PROGRAMS
from bot.notices.reminders import addressed
from bot.ratings.results import KEY, OWNER
from bot.readers import told_languages
from bot.repository import Repository, Setting, summarize
from bot.service.cause import Cause
from bot.service.club.results import overdue, result_settings
from bot.service.club.tournaments import outcome_of
from bot.service.localization import localize, rung_by
from bot.service.routing import Route, route
from engine.game import ABORTED
from engine.match.alarms import alarms, deadline
from engine.match.challenge import uses_luck
from engine.match.commands import Player
from engine.match.ends import token_transfers
from engine.match.events import Challenged, Ended, Event, Joined, Nudged, PlaceLinked
from engine.match.events.rulings import Lifted
from engine.match.events.time import Paused, Rested
from engine.match.evolve import Decision
from engine.match.state import Match
from engine.text import Text
from engine.value import value
from storage.store import Alarm, Change, Conflict, OutboxMessage

ACTED_ON = "acted on"
"""The setting that lists somebody's last messages that changed a match."""
REMEMBERED = 12
"""How many of them are remembered."""


@value(frozen=True, slots=True)
class Composition:
    """A change that is ready to be committed."""

    change: Change
    match: Match | None
    """The match after it, if it changes."""
    answered: bool
    """Whether it holds a private reply to the author."""


async def compose(repository: Repository, cause: Cause, effect: Effect, at: int) -> Composition | None:
    """Returns what is committed; None = nothing. Raises Conflict if the match has changed since it was decided on."""
    fired = await lines.fire(repository, effect.decision) if effect.decision.events else lines.Fired(effect.decision)
    decision, drafts, opened = fired.decision, (*effect.drafts, *fired.drafts), tuple[Setting, ...]()
    if any(not isinstance(event, Rested) for event in decision.events):
        decision += await repository.rested(decision.after)
    before = await repository.match(effect.match) if effect.match else None
    credits_ = await repository.uncredited(effect.match) if effect.match else ()
    changed = _changed(cause, effect, before, decision, credited=bool(credits_))
    if decision.events:
        if decision.states[0].length != (before.length if before else 0) + 1:
            raise Conflict(f"match {effect.match} has changed since it was decided on")
        drafts = await _news(repository, cause, effect, before, decision, drafts=drafts)
        if _ends(decision.events):
            shown = await revealed(repository, decision)
            drafts, opened = (*drafts, *shown.drafts), shown.settings
    if not (drafts or changed or effect.settings or effect.messages or effect.woken or effect.added):
        return None
    log, expected, events = _grown(effect, before, changed, (*credits_, *decision.events), len(credits_))
    kept, wakes = await _of_its_end(repository, decision, changed)
    messages = await _messages(
        repository,
        cause,
        drafts,
        changed or before,
        at=at,
        untold=_untold(before, decision),
        places=effect.places,
        done=bool(decision.events) or (bool(effect.settings) and not effect.match),
    )
    change = Change(
        heard=cause.id,
        at=at,
        match=log,
        expected=expected,
        events=events,
        messages=(*messages, *effect.messages),
        alarms=await _alarms(repository, changed, at) if changed else None,
        wakes=(*effect.wakes, *wakes),
        woken=effect.woken,
        summary=summarize(changed, cause.at) if changed else None,
        settings=(
            *effect.settings,
            *fired.settings,
            *await _noted(repository, cause),
            *await _acted_on(repository, cause, changed),
            *kept,
            *opened,
        ),
    )
    return Composition(change, changed, any(draft.only in cause.accounts for draft in drafts))


def _changed(cause: Cause, effect: Effect, before: Match | None, decision: Decision, *, credited: bool) -> Match | None:
    """The match after the change, if there is one: time that was given back is written where nobody has to wait."""
    if decision.events:
        return decision.after
    return before if effect.again or (credited and cause.message is None) else None


def _grown(
    effect: Effect, before: Match | None, changed: Match | None, events: tuple[Event, ...], credited: int
) -> tuple[str, int, tuple[tuple[int, str], ...]]:
    """Which log grows, how long it has to be for that, and by what: the match's, or one that the effect brings."""
    if effect.added:
        return changed.id if changed else effect.added.id, effect.added.expected, effect.added.events
    if changed is None:
        return "", 0, ()
    written = tuple((event.at, write_event(event)) for event in events)
    return changed.id, before.length - credited if before else 0, written


async def _news(
    repository: Repository,
    cause: Cause,
    effect: Effect,
    before: Match | None,
    decision: Decision,
    *,
    drafts: tuple[Draft, ...],
) -> tuple[Draft, ...]:
    """What is said of events, with what the command itself says, to the players and to those who follow the match."""
    match = decision.after
    leaves = before is not None and before.parties != match.parties
    gone = await repository.names(before) if leaves else {}  # whoever leaves with this change is named in it
    names = {**gone, **await repository.names(match, cause.author)}
    told = _told(decision, OPENING if effect.heading else ())
    if told.events:
        said = narrate(before, told, names, await _called_off(repository, match), await overdue(repository, match))
        if effect.heading and said:
            said = (replace(said[0], text=(*effect.heading, *said[0].text)), *said[1:])
        drafts = (*said, *drafts)
    if any(isinstance(event, Nudged) for event in told.events):
        drafts = await addressed(repository, drafts, match)
    else:
        drafts = (*drafts, *await _followed(repository, drafts, match))
    return (*drafts, *await _asked_to_rule(repository, told, names))


async def _alarms(repository: Repository, match: Match, now: int) -> tuple[Alarm, ...]:
    """When a match is woken; a reminder waits for the end of quiet hours while time allows."""
    found = []
    for alarm in alarms(match):
        at = await later_for_quiet(repository, match, max(alarm.at, now)) if alarm.kind == "nudge" else alarm.at
        found.append(Alarm(match.id, alarm.kind, at if at > now else alarm.at))
    return tuple(found)


async def _in_quiet(repository: Repository, one: Route, match: Match | None) -> Route | None:
    """The draft as a quiet place hears it: nobody is rung, and a match's end is told in its thread alone."""
    if one.reader is not None or not await is_quiet(repository, one.place):
        return one
    news = match is not None and one.draft.channel and match.status != "open"
    return None if news else replace(one, draft=replace(one.draft, rings=()))


async def _followed(repository: Repository, drafts: tuple[Draft, ...], match: Match) -> list[Draft]:
    """The same news for those who follow a match without playing: what everybody sees, and nothing to press."""
    public = [draft for draft in drafts if draft.only is None and draft.picture is not None and not draft.channel]
    if match.status == "open" or not public:
        return []
    title = (Text("Match {match}, which you follow.", match=match.id),)
    return [
        Draft((title, *draft.text), draft.picture, only=player)
        for player in await followers(repository, match.id)
        if player not in match.parties
        for draft in public
    ]


async def _asked_to_rule(repository: Repository, told: Decision, names: Names) -> tuple[Draft, ...]:
    """What the arbiters are told once the players want a ruling."""
    if not any(isinstance(event, Paused) and event.why == "ruling" for event in told.events):
        return ()
    match = told.after
    wanted = Text(
        "The players of match {match} ask for a ruling: {players}.", match=match.id, players=opponents(match, names)
    )
    rule = Text("`help arbiter` tells what you can do.")
    return await told_arbiters(repository, match, await arbiters_of(repository, match), ((wanted,), (rule,)), None)


OPENING = (Challenged, Joined, PlaceLinked)
"""What nobody has done in a match that a tournament begins."""


def _told(decision: Decision, untold: tuple[type, ...]) -> Decision:
    """The decision as it is told: that time rests is seen by when somebody is due."""
    pairs = zip(decision.events, decision.states, strict=True)
    told = [(event, state) for event, state in pairs if not isinstance(event, (Rested, *untold))]
    return Decision(tuple(event for event, _ in told), (*(state for _, state in told[:-1]), decision.after))


async def _messages(
    repository: Repository,
    cause: Cause,
    drafts: tuple[Draft, ...],
    match: Match | None,
    *,
    at: int,
    untold: tuple[Player, ...],
    places: tuple[str, ...] = (),
    done: bool = False,
) -> tuple[OutboxMessage, ...]:
    """What is said; time begins with the first post on a platform of theirs that rings those who have to be told."""
    messages: list[OutboxMessage] = []
    told: set[Player] = set()
    for routed in await route(repository, cause, drafts, match, places):
        if (one := await _in_quiet(repository, routed, match)) is None:
            continue
        key, rings = message_key(cause.id, len(messages)), await rung_by(repository, one)
        rung = zip(one.draft.rings, rings, strict=True)
        new = {player for player, person in rung if player in untold and person.platform == one.place.platform} - told
        told |= new
        about, begins = (match.id, match.awaits if new else 0) if match else ("", 0)
        message = await localize(
            repository, cause, one, key=key, at=at, rings=rings, about=about, begins=begins, done=done
        )
        messages.append(OutboxMessage(key, _lane(message), write_message(message), message, trace_of(cause.id)))
    return tuple(messages)


def _lane(message: OutgoingMessage) -> str:
    """Messages of one lane arrive in the order in which they were written: those to one place. A replay takes as long
    to make as many turns, so it goes beside what else is said there; to a program all is told in one order."""
    place = address(message.where)
    if message.picture is None or not message.picture.form or message.where.platform == PROGRAMS:
        return place
    channel = channel_address(message.where)
    return f"{channel}replay/{place.removeprefix(channel)}"


def _untold(before: Match | None, decision: Decision) -> tuple[Player, ...]:
    """Whose time begins with what happens, once they have been told."""
    if not decision.events or decision.after.awaits <= (before.length if before else 0):
        return ()
    match = decision.after
    return tuple(match.seats[side] for side in match.sides_to_act) if deadline(match) is not None else ()


async def _noted(repository: Repository, cause: Cause) -> tuple[Setting, ...]:
    """What a message tells about its author and its channel that is not known yet."""
    message = cause.message
    if message is None:
        return ()
    told: list[Setting] = [(message.who.key, "name", message.who.name)]
    if message.server:  # alarms have no message that could say so
        told.append((channel_address(message.where), "server", community_address(message)))
    told += told_languages(message, community_address(message))
    return tuple([setting for setting in told if await repository.setting(*setting[:2]) != setting[2]])


async def _acted_on(repository: Repository, cause: Cause, changed: Match | None) -> tuple[Setting, ...]:
    """The last messages of somebody that changed a match: a new version of one changes nothing."""
    message = cause.message
    if message is None or not message.editable or changed is None:
        return ()
    before = (await repository.setting(message.who.key, ACTED_ON)).split()
    return ((message.who.key, ACTED_ON, " ".join((*before[1 - REMEMBERED :], message.edits or message.id))),)


CALLED_OFF = "called off"
"""The setting that counts how many matches somebody has called off once the lots were drawn."""


async def _called_off(repository: Repository, match: Match) -> Mapping[Player, int]:
    """How many matches each player of an open challenge has called off."""
    if match.status != "open":
        return {}
    counts = [(one, await _count(repository, one)) for one in match.parties]
    return {player: count for player, count in counts if count}


def _ends(events: tuple[Event, ...]) -> bool:
    return any(isinstance(event, Ended | Lifted) for event in events)


async def _of_its_end(
    repository: Repository, decision: Decision, changed: Match | None
) -> tuple[tuple[Setting, ...], tuple[Alarm, ...]]:
    """What is kept of a match because it ends, or because its end does not hold any more; nearly no change does that.

    And the alarm that has it booked in its tournament.
    """
    if not (_ends(decision.events) or (changed is not None and changed.result is not None)):
        return (), ()
    booked, wakes = await outcome_of(repository, decision)
    kept = (
        *await _lost_tokens(repository, changed),
        *await _one_more(repository, decision),
        *await result_settings(repository, decision),
        *await _lifted(repository, decision),
        *booked,
    )
    return kept, wakes


async def _one_more(repository: Repository, decision: Decision) -> tuple[Setting, ...]:
    """Counts who calls a match off after the sides are drawn: else they could go on until they like the draw."""
    ended = next((event for event in decision.events if isinstance(event, Ended)), None)
    if ended is None or ended.rule != ABORTED.ref or not ended.by or not uses_luck(decision.after):
        return ()
    owner = (await repository.accounts(ended.by))[0]
    return ((owner, CALLED_OFF, str(await _count(repository, ended.by) + 1)),)


async def _count(repository: Repository, player: Player) -> int:
    return int(await repository.setting((await repository.accounts(player))[0], CALLED_OFF) or 0)


async def _lifted(repository: Repository, decision: Decision) -> tuple[Setting, ...]:
    """A result that does not hold any more counts for nothing, and stakes are their owners' again."""
    states = (None, *decision.states)
    undone = [before for before, event in zip(states, decision.events, strict=False) if isinstance(event, Lifted)]
    if not undone or decision.after.status == "over":
        return ()
    match = decision.after
    returned = [
        ((await repository.accounts(loser))[0], "token", token)
        for before in undone
        if before is not None
        for loser, _, token in token_transfers(before)
    ]
    return ((OWNER.format(match=match.id), KEY.format(game=match.game.key), ""), *returned)


async def _lost_tokens(repository: Repository, match: Match | None) -> tuple[Setting, ...]:
    """Whoever has just lost the token they staked has none any more."""
    if match is None or match.result is None:
        return ()
    losers = [loser for loser, _, _ in token_transfers(match)]
    return tuple([((await repository.accounts(loser))[0], "token", "") for loser in losers])
