"""What is kept of somebody, all of it as a file, and its end: `privacy`."""

import json
from dataclasses import replace
from typing import Any, Final

from bot.commands.context import Context, Effect, whisper, whisper_lines
from bot.messages.model import Choice, Lines
from bot.messages.narrator import Draft
from bot.messages.serialization import read_event
from bot.repository import Repository
from engine.match.record.write import record_of
from engine.text import Duration, Text

DAY: Final = 86_400_000
WORDS_KEPT: Final = 30 * DAY
"""After this the words and pictures of delivered messages go; key, place and buttons stay: they can be replied to."""
HEARD_KEPT: Final = 180 * DAY
"""After this the ids of messages that were dealt with go: no platform tells so old ones again."""
ERASING: Final = "erasing"
"""The setting of somebody who is to be erased: since when."""

KEPT: Lines = (
    (
        Text("I keep the accounts and names that you write to me with, your settings, notes and lists."),
        Text("I also keep your matches: turns, answers, calls, offers and reasons, and when they came."),
    ),
    (
        Text(
            "The words of my messages are removed after {words}, the ids of yours after {heard}.",
            words=Duration(WORDS_KEPT),
            heard=Duration(HEARD_KEPT),
        ),
        Text(
            "The program's log holds no words that people wrote; how long it and backups are kept is up to its hosts."
        ),
    ),
    (
        Text("Everybody can see ratings, and read a match by its number: its turns, who plays and how it ends."),
        Text("A match with `private=on` is read and listed only where it is played, and changes no rating."),
    ),
    (Text("`privacy export` gives you all that is kept of you, `privacy erase` removes it."),),
)


async def privacy(repository: Repository, context: Context) -> Effect:
    """Says what is kept; `export`: gives it; `erase`: ends it, asked once."""
    words = [word.lower() for word in context.parsed.words]
    if words[:1] == ["export"]:
        return await _export(repository, context)
    if words[:1] == ["erase"]:
        return _erase(context, sure="yes" in words[1:])
    return whisper_lines(context.message, KEPT)


def _erase(context: Context, *, sure: bool) -> Effect:
    message = context.message
    if sure:
        told = whisper(message, DONE, STAYS)
        return replace(told, settings=((context.accounts[0], ERASING, str(message.at)),))
    confirm = Text("Confirm: `{command}`.", command=CONFIRM)
    return Effect(drafts=(Draft((ASK, (confirm,)), choices=(Choice(ERASE, CONFIRM),), only=message.who.key),))


CONFIRM = "privacy erase yes"
ERASE = Text("Erase me")
ASK = (
    Text("Erase all that is kept of you, by all your linked accounts?"),
    Text("Running matches are resigned, challenges withdrawn, and all your matches become those of a former player."),
    Text("What you wrote there in your own words is removed. It cannot be undone."),
)
DONE = Text("Within half a minute nothing here will tell who you were.")
STAYS = Text("What was posted on Discord or Matrix stays there until it is deleted there.")


async def _export(repository: Repository, context: Context) -> Effect:
    """All that is kept of the author, as JSON: accounts, settings, and matches as they may see them."""
    message = context.message
    told: dict[str, Any] = {"accounts": [], "matches": [], "words": []}
    for player in context.accounts:
        settings = dict(await repository.store.settings(player))
        told["accounts"].append({"account": player, "settings": settings})
    for summary in await repository.matches_of(context.accounts):
        try:
            match = await repository.match(summary.match)
        except OSError:  # a damaged one cannot be read
            continue
        entry: dict[str, Any] = {"match": summary.match, "game": summary.game, "status": summary.status}
        if match is not None and match.position is not None:
            events = [read_event(stored.body) for stored in await repository.store.load(match.id)]
            side = next((side for side, player in match.seats.items() if player in context.accounts), None)
            names = {player: person.name for player, person in (await repository.names(match)).items()}
            entry |= {"your side": side, "record": record_of(events, names, side).write()}
        told["matches"].append(entry)
    for log, field, words in await repository.store.words(context.accounts):
        told["words"].append({"log": log, "field": field, "words": words})
    block = (Text("`{data}`", data=json.dumps(told, ensure_ascii=False, indent=1)),)
    return Effect(drafts=(Draft((block,), only=message.who.key, file="riposte-export.json"),))
