"""Tournaments: `tournament` announces, lists and shows them, `join`, `withdraw` and `climb` take part."""

import asyncio
from dataclasses import replace

from bot.club.course import FEWEST, begun, followed
from bot.club.events import Announced, Entered, Handed, Happening, Over, Paired, Seating, Withdrawn
from bot.club.state import Tournament, evolve
from bot.commands.club.effects import happened, seeded
from bot.commands.club.sheet import read_plan
from bot.commands.community import default_terms, wrong_channel
from bot.commands.context import Context, Effect, community_address, whisper, whisper_lines
from bot.commands.parser import player_named
from bot.commands.people.limits import not_allowed
from bot.commands.people.roles import may_organise
from bot.commands.spec import BY_NAME
from bot.messages.club.charts import standings_picture
from bot.messages.club.news import begins, described, has_standings, start_picture, title
from bot.messages.model import Choice
from bot.messages.narrator import Draft
from bot.messages.serialization import channel_address
from bot.repository import Repository
from engine.games import GAMES
from engine.match.commands import Player
from engine.match.events import Refusal
from engine.text import Text, plural

COUNTER = ("riposte", "tournaments")
"""The setting that counts them."""
HERE = "tournaments"
"""The setting of a server or room that lists its tournaments, the latest last."""
MOST_LISTED, MOST_KEPT = 10, 200
"""In one list, and in the setting."""
MOST_OPEN = 5
"""Of one organiser, not over yet."""
REACH = 3
"""How many places above one may be challenged on a ladder."""
MOST_CLIMBS = 2
"""Challenges of a ladder in which one may be at a time."""


async def tournament(repository: Repository, context: Context) -> Effect:
    """Lists the tournaments here, shows one, or announces another."""
    words = context.parsed.words
    if not words:
        return await _listed(repository, context)
    if asked := _asked_of_one(words):
        of_it, what, *more = asked
        rest = " ".join((of_it, *more) if what in TAKING_PART else (of_it, BEGUN.get(what, what), *more))
        turned = replace(context, parsed=replace(context.parsed, rest=rest))
        return await TAKING_PART.get(what, organise)(repository, turned)
    if number_of(words[0]):
        found = await named(repository, context, words[0])
        return found if isinstance(found, Effect) else await shown(repository, context, found)
    return await _announced(repository, context)


def _asked_of_one(words: tuple[str, ...]) -> tuple[str, ...]:
    """Returns the number, what is asked of that tournament, and the rest: `start 3` and `3 begin` are said, too."""
    for number, what in (words[:2], words[1::-1]) if len(words) > 1 else ():
        if number_of(number) and what.lower() in {*TAKING_PART, *ORGANISED, *BEGUN}:
            return number, what.lower(), *words[2:]
    return ()


def number_of(word: str) -> str:
    """Returns the number that a word is, `3` or `t3`; "" if it is none."""
    digits = word.lower().removeprefix("#").removeprefix("t")
    return digits if digits.isascii() and digits.isdigit() and len(digits) < 7 else ""


async def named(repository: Repository, context: Context, word: str) -> Tournament | Effect:
    """Returns the tournament of that number, or the answer that there is none."""
    number = number_of(word)
    found = await repository.tournament(f"t{number}") if number else None
    if found is not None:
        return found
    none = Text("There is no tournament {number}.", number=word[:20]) if word else Text("Which tournament?")
    return whisper(context.message, none, Text("`tournament` lists those here."))


async def _listed(repository: Repository, context: Context) -> Effect:
    message = context.message
    numbers = (await repository.setting(community_address(message), HERE)).split()[-MOST_LISTED:]
    example = BY_NAME["tournament"].example
    if not numbers:
        return whisper(message, Text("No tournament here yet."), Text("`{example}` announces one.", example=example))
    lines: list[tuple[Text, ...]] = [(Text("**Tournaments here**"),)]
    for number in reversed(numbers):
        found = await repository.tournament(f"t{number}")
        if found is not None:
            lines.append((title(found), described(found)[0][0], _state(found)))
    lines.append((Text("`tournament {number}` shows one.", number=numbers[-1]),))
    return whisper_lines(message, tuple(lines))


def _state(of: Tournament) -> Text:
    if of.status == "open":
        count = len(of.entrants)
        return plural("{count} takes part so far.", "{count} take part so far.", count)
    if of.status == "over":
        return Text("It is called off.") if of.called_off else Text("It is over.")
    return Text("It is under way.")


async def shown(repository: Repository, context: Context, of: Tournament) -> Effect:
    """Shows how a tournament stands."""
    names = {player: await repository.person(player) for player in (*of.entrants, of.organiser) if player}
    lines = [(title(of), _state(of)), *described(of)]
    choices: tuple[Choice, ...] = ()
    if of.status == "open":
        lines.append((begins(of), Text("`join {number}` takes part.", number=of.number)))
        choices = (Choice(Text("Join"), f"join {of.number}"),)
    picture = standings_picture(of, names) if has_standings(of) else None
    if picture is None and of.entrants:
        lines.append(tuple(Text("{player}", player=names[player]) for player in of.entrants))
    return Effect(drafts=(Draft(tuple(lines), picture or start_picture(of), choices, only=context.message.who.key),))


async def _announced(repository: Repository, context: Context) -> Effect:
    message = context.message
    if refusal := await wrong_channel(repository, message):
        return refusal
    terms = {key: await default_terms(repository, message, game) for key, game in GAMES.items()}
    calendar = await repository.calendar(message.who.key)
    plan = read_plan(context.parsed.rest, calendar, message.at, terms.__getitem__)
    if isinstance(plan, Refusal):
        return whisper(message, plan.because, *((plan.remedy,) if plan.remedy else ()))
    if refusal := await not_allowed(repository, context, plan.game):
        return refusal
    here = (await repository.setting(community_address(message), HERE)).split()
    running = [await repository.tournament(f"t{number}") for number in here[-MOST_KEPT:]]
    mine = [one for one in running if one and one.organiser in context.accounts and one.status != "over"]
    if len(mine) >= MOST_OPEN:
        return whisper(
            message,
            plural("You organise {count} tournament already.", "You organise {count} tournaments already.", MOST_OPEN),
            Text("`organise {number} cancel` calls one off.", number=mine[0].number),
        )
    number = int(await repository.setting(*COUNTER) or 0) + 1
    event = Announced(
        message.at,
        f"t{number}",
        message.who.key,
        plan.name,
        plan.form,
        plan.game,
        plan.terms,
        plan.sheet,
        channel_address(message.where),
    )
    events: tuple[Happening, ...] = (event,)
    if plan.form == "ladder":
        events += begun(evolve(None, event), (), message.at)
    effect = await happened(repository, None, events, message.at)
    kept = " ".join((*here, str(number))[-MOST_KEPT:])
    return replace(effect, settings=((*COUNTER, str(number)), (community_address(message), HERE, kept)))


# --- taking part ------------------------------------------------------------------------------------------
async def join(repository: Repository, context: Context) -> Effect:
    """Takes part in a tournament; the last to join begins it."""
    found = await _meant(repository, context, only=True)
    if isinstance(found, Effect):
        return found
    message, of = context.message, found
    if mine(context, of):
        return whisper(message, Text("You take part in **{name}** already.", name=of.name), _withdraws(of))
    if of.status == "over" or (of.status == "running" and of.form != "ladder"):
        return whisper(message, Text("**{name}** has begun without you.", name=of.name), OTHERS)
    team, place = ("", "")
    if of.form == "teams":
        team, place = community_address(message), channel_address(message.where)
        if team not in of.places and len(of.places) == TEAMS:
            return whisper(message, Text("Two other rooms play this: your room has no team in it."), OTHERS)
    elif len(of.entrants) >= of.sheet.seats:
        return whisper(message, Text("**{name}** is full.", name=of.name), OTHERS)
    if sum(other == team for other in of.teams.values()) >= of.sheet.seats:
        return whisper(message, Text("Your team has somebody for each board."), OTHERS)
    events: tuple[Happening, ...] = (Entered(message.at, message.who.key, team, place),)
    now = evolve(of, events[0])
    if of.form == "ladder":
        events = followed(of, *events)
    elif not of.sheet.begins and len(now.entrants) == of.sheet.seats * (TEAMS if of.form == "teams" else 1):
        events += await asyncio.to_thread(begun, now, await seeded(repository, now, message.at), message.at)
    return await happened(repository, of, events, message.at)


TEAMS = 2
OTHERS = Text("`tournament` lists others.")


async def withdraw(repository: Repository, context: Context) -> Effect:
    """Takes part no more: what was played stands, matches that have not begun are lost."""
    found = await _meant(repository, context)
    if isinstance(found, Effect):
        return found
    message, of = context.message, found
    player = mine(context, of)
    if not player or of.status == "over":
        return whisper(message, Text("You do not take part in **{name}**.", name=of.name))
    events = await asyncio.to_thread(followed, of, Withdrawn(message.at, player, message.who.key))
    return await happened(repository, of, events, message.at)


async def climb(repository: Repository, context: Context) -> Effect:
    """Challenges somebody a little higher on a ladder; the match begins at once."""
    found = await _meant(repository, context, only=True)
    if isinstance(found, Effect):
        return found
    message, of = context.message, found
    if of.form != "ladder" or of.status != "running":
        return whisper(message, Text("**{name}** is not a running ladder.", name=of.name))
    me = mine(context, of)
    if not me:
        return whisper(
            message, Text("You are not on this ladder."), Text("`join {number}` takes part.", number=of.number)
        )
    rungs = of.active
    place = rungs.index(me)
    within = rungs[max(0, place - REACH) : place]
    if not within:
        return whisper(message, Text("You stand at the top."), Text("Others challenge you."))
    name = next((word.removeprefix("@") for word in _behind(context)), "")
    asked = await repository.accounts(player_named(name, message.where.platform)) if name else ()
    above = next((player for player in within if player in asked), within[-1] if not name else "")
    if not above:
        highest = await repository.person(within[0])
        return whisper(
            message,
            Text("You can challenge whoever stands up to three places above you: as high as {player}.", player=highest),
            Text("`tournament {number}` shows the ladder.", number=of.number),
        )
    busy = [table for table in of.tables if not table.done and me in table.players]
    if len(busy) >= MOST_CLIMBS or any(above in table.players for table in busy):
        return whisper(
            message,
            plural(
                "At most {count} match of a ladder at a time, and one against each.",
                "At most {count} matches of a ladder at a time, and one against each.",
                MOST_CLIMBS,
            ),
            Text("Finish one first."),
        )
    paired = Paired(message.at, of.round + 1, (Seating(len(of.tables) + 1, (me, above)),))
    return await happened(repository, of, followed(of, paired), message.at)


TAKING_PART = {"join": join, "withdraw": withdraw, "climb": climb}
ORGANISED = ("begin", "cancel", "hand", "leave", "remove")
"""What an organiser can ask for."""
BEGUN = {"start": "begin"}
"""What is said for it, too."""


# --- organising -------------------------------------------------------------------------------------------
async def organise(repository: Repository, context: Context) -> Effect:
    """Begins a tournament, calls it off, hands it over, leaves it to the hosts, or takes somebody out of it."""
    found = await _meant(repository, context)
    if isinstance(found, Effect):
        return found
    message, of = context.message, found
    here = community_address(message) == await _community(repository, of)
    hosting = here and await may_organise(repository, context)
    if of.organiser not in context.accounts and not hosting:
        if not of.organiser:
            return whisper(message, Text("The hosts of its place organise this tournament."))
        return whisper(
            message, Text("{player} organises this tournament.", player=await repository.person(of.organiser))
        )
    if of.status == "over":
        return whisper(message, Text("**{name}** is over.", name=of.name))
    what, name = (*_behind(context), "", "")[:2]
    player = player_named(name.removeprefix("@"), message.where.platform) if name else ""
    match what.lower():
        case "begin" if of.status == "open":
            return await _begin(repository, context, of)
        case "cancel":
            return await happened(repository, of, (Over(message.at, message.who.key),), message.at)
        case "hand" if player:
            if not await repository.setting(player, "name"):
                return whisper(message, Text("Nobody called {name} has been here.", name=name[:40]))
            return await happened(repository, of, (Handed(message.at, message.who.key, player),), message.at)
        case "leave":
            return await happened(repository, of, (Handed(message.at, message.who.key, ""),), message.at)
        case "remove" if player:
            accounts = await repository.accounts(player)
            out = next((one for one in of.active if one in accounts), "")
            if not out:
                return whisper(message, Text("{name} does not take part.", name=name[:40]))
            events = await asyncio.to_thread(followed, of, Withdrawn(message.at, out, message.who.key))
            return await happened(repository, of, events, message.at)
        case _:
            return whisper(
                message,
                Text("What is to be done: `begin`, `cancel`, `hand @name`, `leave` or `remove @name`?"),
                Text("For example: `organise {number} begin`.", number=of.number),
            )


async def _begin(repository: Repository, context: Context, of: Tournament) -> Effect:
    message = context.message
    sides = [sum(team == one for one in of.teams.values()) for team in of.places]
    if len(of.entrants) < FEWEST or (of.form == "teams" and (len(sides) < TEAMS or sides[0] != sides[1])):
        return whisper(
            message,
            Text("Two teams of equal strength are needed.") if of.form == "teams" else Text("At least two are needed."),
            Text("`join {number}` takes part.", number=of.number),
        )
    events = await asyncio.to_thread(begun, of, await seeded(repository, of, message.at), message.at)
    return await happened(repository, of, events, message.at)


async def _community(repository: Repository, of: Tournament) -> str:
    return await repository.setting(of.place, "server") or of.place


async def _meant(repository: Repository, context: Context, *, only: bool = False) -> Tournament | Effect:
    """The tournament whose number comes first; with `only`, the one of this place that is not over, if it is alone."""
    message, words = context.message, context.parsed.words
    first = words[0] if words else ""
    if first and not (number_of(first) or first.startswith("@") or first in ORGANISED or message.addressed):
        return Effect()  # "join us", "withdraw your troops"
    if only and (not first or first.startswith("@")):
        here = (await repository.setting(community_address(message), HERE)).split()[-MOST_KEPT:]
        found = [await repository.tournament(f"t{number}") for number in here]
        running = [one for one in found if one is not None and one.status != "over"]
        if len(running) == 1:
            return running[0]
    return await named(repository, context, "" if first.startswith("@") or first in ORGANISED else first)


def _behind(context: Context) -> tuple[str, ...]:
    """The words behind the number."""
    words = context.parsed.words
    return words[1:] if words and number_of(words[0]) else words


def mine(context: Context, of: Tournament) -> Player:
    """Returns the account by which the author takes part, "" if they do not."""
    return next((account for account in context.accounts if account in of.active), "")


def _withdraws(of: Tournament) -> Text:
    return Text("`withdraw {number}` ends that.", number=of.number)
