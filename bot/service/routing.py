"""Who is told what, where and in which language: drafts become messages to one place each."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from bot.commands.context import community_address, language_code
from bot.messages.catalogue import Language, language
from bot.messages.model import Button, Lines, OutgoingMessage, Person, Picture, Place
from bot.messages.narrator import Draft
from bot.messages.pictures import alt
from bot.messages.serialization import address, channel_address, message_key, read_address, write_message
from bot.repository import Repository
from bot.service.cause import Cause
from engine.match.commands import Player
from engine.match.state import Match
from engine.text import Listing, Text, Value
from storage.store import OutboxMessage


async def route(
    repository: Repository, cause: Cause, drafts: tuple[Draft, ...], match: Match | None, at: int
) -> tuple[OutboxMessage, ...]:
    """Returns the messages that say these drafts, each frozen in the language of its reader or room."""
    messages: list[OutboxMessage] = []
    for draft in drafts:
        for to in await _addresses(repository, cause, draft, match):
            key = message_key(cause.id, len(messages))
            message = await _frozen(repository, cause, draft, to, key=key, at=at)
            messages.append(OutboxMessage(key, address(message.where), write_message(message)))
    return tuple(messages)


async def _frozen(
    repository: Repository, cause: Cause, draft: Draft, to: tuple[Place, Person | None], *, key: str, at: int
) -> OutgoingMessage:
    place, reader = to
    told = await _language(repository, cause, place, reader)
    opening = draft.opening if channel_address(place) in draft.opens else ()
    accounts = await _accounts_on(repository, place.platform, (*draft.text, *opening))
    answers = cause.message if reader is not None and reader == cause.author else None
    return OutgoingMessage(
        key=key,
        where=place,
        text=told.lines(draft.text, accounts.__getitem__),
        only=reader,
        picture=await _themed(repository, draft.picture, place, reader, told.code),
        choices=tuple(
            Button(told.say(choice.label), choice.command, told.say(choice.blank) if choice.blank else "")
            for choice in draft.choices
        ),
        rings=tuple([await _account_on(repository, place.platform, player) for player in draft.rings]),
        opening=told.lines(opening, accounts.__getitem__) if opening else (),
        answers=answers.id if answers else "",
        receipt=answers.receipt if answers else "",
        lines=draft.text,
        language=told.code,
        at=at,
    )


# --- where ------------------------------------------------------------------------------------------------
async def _addresses(
    repository: Repository, cause: Cause, draft: Draft, match: Match | None
) -> list[tuple[Place, Person | None]]:
    """Where something is said, and to whom alone: an answer where it was asked for, news wherever the match lives."""
    message = cause.message
    if draft.only is not None and message is not None and draft.only in cause.accounts:
        return [(message.where, message.who)]
    if match is None:
        assert message is not None, "without a message, only matches have news"
        return [(message.where, None)]
    homes = [read_address(place) for place in match.places]
    if draft.only is not None:
        return [await _private_address(repository, draft.only, homes, match.id)]
    return [(home if draft.channel else replace(home, thread=match.id), None) for home in homes]


async def _private_address(
    repository: Repository, player: Player, homes: list[Place], match: str
) -> tuple[Place, Person]:
    """Where a player is told something: in the match's first thread on a platform of theirs, else directly."""
    for home in homes:
        person = await _account_on(repository, home.platform, player)
        if person.platform == home.platform:
            return replace(home, thread=match), person
    person = await repository.person(player)
    return Place(person.platform, "", match), person


# --- how --------------------------------------------------------------------------------------------------
async def _language(repository: Repository, cause: Cause, place: Place, reader: Person | None) -> Language:
    """The reader's language; else that of the server, or of a room that belongs to none."""
    stored = ""
    if reader is not None:
        stored = await repository.setting((await repository.accounts(reader.key))[0], "language")
    if not stored:
        room = channel_address(place)
        message = cause.message
        if message is not None and channel_address(message.where) == room:
            owner = community_address(message)
        else:
            owner = await repository.setting(room, "server") or room
        stored = await repository.setting(owner, "language")
    return language(language_code(stored))


async def _themed(
    repository: Repository, picture: Picture | None, place: Place, reader: Person | None, code: str
) -> Picture | None:
    """The picture in the colours of its reader or channel, unless others were asked for, with its alt text."""
    if picture is None:
        return None
    theme = picture.theme
    if not theme:
        owner = (await repository.accounts(reader.key))[0] if reader else channel_address(place)
        theme = await repository.setting(owner, "theme") or "light"
    return replace(picture, theme=theme, alt=alt(picture, code), language=code)


# --- people -----------------------------------------------------------------------------------------------
async def _accounts_on(repository: Repository, platform: str, lines: Lines) -> Mapping[Person, Person]:
    """Everybody who is named, with the account that they have on a platform."""
    named = {person for line in lines for text in line for person in _named(text.values.values())}
    return {person: await repository.on(platform, person) for person in named}


async def _account_on(repository: Repository, platform: str, player: Player) -> Person:
    return await repository.on(platform, await repository.person(player))


def _named(values: Iterable[Value]) -> Iterator[Person]:
    for value in values:
        match value:
            case Person():
                yield value
            case Listing(items=items):
                yield from _named(items)
            case Text():
                yield from _named(value.values.values())
