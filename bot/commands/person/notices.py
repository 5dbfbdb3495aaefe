"""What reaches a person, and what they note for themselves: `digest`, `mute`, `follow`, `note`."""

from dataclasses import replace

from bot.commands.club.kibitz import joins, onlookers
from bot.commands.context import Context, Effect, MatchContext, whisper
from bot.notices import DIGEST, FOLLOWERS, MUTED, followers, match_key, muted_by, note_key
from bot.repository import Repository
from bot.rests.calendars import hour_of_day
from engine.text import Code, Text

OFF = ("off", "none")
LONGEST_NOTE = 1_000
MOST_MUTED = 200
MOST_FOLLOWERS = 20


async def digest(repository: Repository, context: Context) -> Effect:
    """Sets the hour at which the author hears once a day which matches wait for them."""
    message, word = context.message, context.parsed.rest.lower()
    owner = context.accounts[0]
    if word in OFF:
        return replace(whisper(message, Text("No daily list any more.")), settings=((owner, DIGEST, ""),))
    hour = hour_of_day(word)
    if hour is None or hour == 24:
        now = await repository.setting(owner, DIGEST)
        told = Text("Your daily list comes at {hour} o'clock.", hour=now.split()[0]) if now else NO_DIGEST
        if word:
            told = Text("{word} is not an hour from 0 to 23.", word=Code(context.parsed.rest[:40]))
        return whisper(message, told, Text("`digest 8` sends it at eight by your `zone`; `digest off` ends it."))
    told = Text(
        "Once a day, at {hour} o'clock by your `zone`, you get a list of the matches that wait for you.", hour=str(hour)
    )
    return replace(
        whisper(message, told, Text("On days when none does, no list comes.")), settings=((owner, DIGEST, str(hour)),)
    )


NO_DIGEST = Text("You get no daily list.")


async def mute(repository: Repository, context: MatchContext) -> Effect:
    """Ends the reminders of one match for its author, or has them come again."""
    on = "off" not in context.parsed.rest.lower()
    match, owner = context.match, context.accounts[0]
    known = await muted_by(repository, owner)
    kept = [number for number in known if number != match.id][-MOST_MUTED:]
    muted = " ".join([*kept, match.id] if on else kept)
    rung = Text("Reminders of match {match} ping you again.", match=match.id)
    silent = Text("No reminder of match {match} pings you any more.", match=match.id)
    told = (silent, Text("`mute {match} off` undoes it.", match=match.id)) if on else (rung,)
    return replace(whisper(context.message, *told), settings=((owner, MUTED, muted),))


async def follow(repository: Repository, context: MatchContext) -> Effect:
    """Has the author, who plays no part in a match, hear of its turns and its end."""
    match, owner, message = context.match, context.accounts[0], context.message
    on = "off" not in context.parsed.rest.lower()
    known = [one for one in await followers(repository, match.id) if one != owner]
    shows = Text("`board {match}` shows it.", match=match.id)
    if not on:
        told: tuple[Text, ...] = (Text("You no longer follow match {match}.", match=match.id),)
    elif match.status != "running":
        return whisper(message, Text("Match {match} is not being played.", match=match.id), shows)
    elif match.private and context.who not in match.parties:
        return whisper(message, Text("Match {match} is private: nobody can follow it.", match=match.id), shows)
    elif context.who in match.parties:
        yourself = Text("You play in match {match} yourself.", match=match.id)
        return whisper(message, yourself, Text("You hear of it anyway."))
    elif len(known) >= MOST_FOLLOWERS:
        return whisper(message, Text("Many follow match {match} already.", match=match.id), shows)
    else:
        undo = Text("`follow {match} off` ends it.", match=match.id)
        told = (Text("You hear of each turn in match {match}, and how it ends.", match=match.id), undo)
    kept = ((match_key(match.id), FOLLOWERS, "\n".join([*known, owner] if on else known)),)
    if not on or owner in await onlookers(repository, match) or not await onlookers(repository, match):
        return replace(whisper(message, *told), settings=kept)
    come = Text("{player} looks on, too.", player=message.who)
    joined = await joins(repository, match, owner, ((come,),))
    drafts = (*whisper(message, *told).drafts, *joined.drafts)
    return Effect(drafts=drafts, settings=(*kept, *joined.settings), match=match.id)


async def note(repository: Repository, context: MatchContext) -> Effect:
    """Shows or keeps what the author notes about a match for themselves."""
    match, owner, text = context.match, context.accounts[0], context.parsed.rest[:LONGEST_NOTE]
    key = note_key(match.id)
    if not text:
        known = await repository.setting(owner, key)
        if not known:
            return whisper(context.message, Text("You have no note on match {match}.", match=match.id), HOW)
        return whisper(context.message, Text("Your note on match {match}: {note}", match=match.id, note=known))
    if text.lower() in OFF:
        told = Text("Your note on match {match} is gone.", match=match.id)
        return replace(whisper(context.message, told), settings=((owner, key, ""),))
    told = Text("Noted for match {match}; `note {match}` shows it to you alone.", match=match.id)
    return replace(whisper(context.message, told), settings=((owner, key, text),))


HOW = Text("`note 12 watch the left side` keeps one that nobody else sees.")
