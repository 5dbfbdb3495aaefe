"""Freezes a draft for a place and its reader: in their language and theme, people by their accounts there."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from bot.commands.context import community_address
from bot.messages.catalogue import Language, language
from bot.messages.model import Button, Choice, Lines, OutgoingMessage, Person, Picture, Place
from bot.messages.narrator import Draft
from bot.messages.prompts import WRITE_HERE
from bot.messages.serialization import channel_address
from bot.messages.showing.pictures import in_language
from bot.readers import person_language, room_language
from bot.repository import Repository
from bot.service.cause import Cause
from bot.service.routing import Route
from engine.text import Listing, Text, Value


async def rung_by(repository: Repository, route: Route) -> tuple[Person, ...]:
    """Returns those whom a draft notifies, by their accounts at its place."""
    return tuple([await repository.account_on(route.place.platform, player) for player in route.draft.rings])


async def localize(
    repository: Repository,
    cause: Cause,
    route: Route,
    *,
    key: str,
    at: int,
    rings: tuple[Person, ...] | None = None,
    about: str = "",
    begins: int = 0,
    done: bool = False,
) -> OutgoingMessage:
    """Returns the message that says a draft at its place; whatever it is made from, it does not change any more.

    `rings` is what `rung_by` returns, from whoever has asked already.
    """
    draft, place, reader = route.draft, route.place, route.reader
    if place.platform in OTHERWISE:
        draft = replace(draft, text=await _as_heard(repository, cause, draft.text, place))
    told = language(draft.language) if draft.language else await _language(repository, cause, place, reader)
    opening = draft.opening if channel_address(place) in draft.opens else ()
    accounts = await _accounts_on(repository, place.platform, (*draft.text, *opening))
    answers = cause.message if reader is not None and reader == cause.author else None
    here = cause.message is not None and reader is None and cause.message.where == place and not place.thread
    return OutgoingMessage(
        key=key,
        where=place,
        text=told.lines(draft.text, accounts.__getitem__),
        only=reader,
        picture=await _themed(repository, draft.picture, place, reader, told.code),
        choices=await _buttons(repository, draft.choices, place, reader, told),
        rings=await rung_by(repository, route) if rings is None else rings,
        opening=told.lines(opening, accounts.__getitem__) if opening else (),
        answers=answers.id if answers else "",
        receipt=answers.receipt if answers else "",
        harmless=draft.harmless,
        lines=draft.text,
        language=told.code,
        at=at,
        about=about,
        asker=cause.author if here else None,
        file=draft.file,
        begins=begins,
        done=done and answers is not None,
        admits=await admitted(repository, draft, place) if draft.gallery else (),
    )


async def admitted(repository: Repository, draft: Draft, place: Place) -> tuple[Person, ...]:
    """Returns who of those that a draft lets in have an account at a place."""
    people = [await repository.account_on(place.platform, player) for player in draft.gallery]
    return tuple(dict.fromkeys(person for person in people if person.platform == place.platform))


def button(choice: Choice, told: Language, mover: str = "") -> Button:
    """Returns a choice in a reader's language."""
    blank = told.say(choice.blank) if choice.blank else ""
    return Button(told.say(choice.label), choice.command, blank, choice.given, mover)


async def _buttons(
    repository: Repository, choices: tuple[Choice, ...], place: Place, reader: Person | None, told: Language
) -> tuple[Button, ...]:
    """The choices of use to whoever sees a message: in private, none to call one's own turn out."""
    accounts = await repository.accounts(reader.key) if reader is not None else ()
    return tuple(
        [
            button(one, told, (await repository.account_on(place.platform, one.mover)).key if one.mover else "")
            for one in choices
            if not one.mover or one.mover not in accounts
        ]
    )


OTHERWISE = {"discord": {WRITE_HERE.template: Text("For example: `{example}`.")}}
"""By platform, what is said on its servers instead: there an app says below how it is to be heard."""


async def _as_heard(repository: Repository, cause: Cause, lines: Lines, place: Place) -> Lines:
    """The sentences as they are true of a place."""
    others = OTHERWISE[place.platform]
    if not any(text.template in others for line in lines for text in line):
        return lines
    message, room = cause.message, channel_address(place)
    known = message.server if message and channel_address(message.where) == room else ""
    if not (known or await repository.setting(room, "server")):
        return lines
    return tuple(tuple(_instead(text, others.get(text.template)) for text in line) for line in lines)


def _instead(text: Text, other: Text | None) -> Text:
    return Text(other.template, **text.values) if other else text


async def _language(repository: Repository, cause: Cause, place: Place, reader: Person | None) -> Language:
    """The reader's language; of what everybody reads, that of the server, or of a room that belongs to none."""
    room = channel_address(place)
    message, server = cause.message, ""
    if message is not None and channel_address(message.where) == room:
        owner, server = community_address(message), message.server_locale
    else:
        owner = await repository.setting(room, "server") or room
    if reader is not None:
        told = message.locale if message is not None and reader == message.who else ""
        return await person_language(repository, reader.key, owner, told, server)
    return await room_language(repository, owner, server)


async def _themed(
    repository: Repository, picture: Picture | None, place: Place, reader: Person | None, code: str
) -> Picture | None:
    """The picture in the colours of its reader or channel, unless others were asked for, and in their language."""
    if picture is None:
        return None
    if picture.theme:
        return in_language(replace(picture, chosen=True), code)
    owner = (await repository.accounts(reader.key))[0] if reader else channel_address(place)
    return in_language(picture, code, await repository.setting(owner, "theme") or "light")


async def _accounts_on(repository: Repository, platform: str, lines: Lines) -> Mapping[Person, Person]:
    """Everybody who is named, with the account that they have on a platform."""
    named: set[Person] = set()
    for line in lines:
        for text in line:
            _gather(text.values.values(), named)
    return {person: await repository.on(platform, person) for person in named}


def _gather(values: Iterable[Value], named: set[Person]) -> None:
    """Add everybody who is named in these values."""
    for value in values:
        if isinstance(value, Person):
            named.add(value)
        elif isinstance(value, Listing):
            _gather(value.items, named)
        elif isinstance(value, Text):
            _gather(value.values.values(), named)
