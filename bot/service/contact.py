"""Tells players by other ways what a closed place does not take, and notes who is reached by none."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import structlog

from bot.commands.context import Effect
from bot.messages.catalogue import language
from bot.messages.model import OutgoingMessage, Person, Place, Undeliverable
from bot.messages.narrator import Draft, reopened
from bot.messages.serialization import address, channel_address, message_key, read_address, write_message
from bot.repository import Repository
from bot.service.cause import Cause
from bot.service.localization import localize
from bot.service.routing import Route
from bot.service.transaction import Transactions
from engine.match.commands import Command, Deliver, FindContact, LoseContact, Player
from engine.match.decide import decide
from engine.match.events import Refusal
from engine.match.state import Match
from engine.text import Text
from storage.store import OutboxMessage, Store

log = structlog.get_logger(__name__)

CLOSED = "closed"
"""The key under which it is noted of a place that it takes nothing: since when, and why."""
GOES_ON_HERE = Text("I cannot write to the place of match {match}, so the match goes on here.")

INVITE = Text("Challenge them in a channel or room where we all are, or ask them to write to me first.")


class Contact:
    """The ways to the players of a match: its places, then each of their accounts in private.

    Everything is committed under an id that follows from the message: after a crash it happens once all the same.
    """

    def __init__(self, repository: Repository, store: Store, transactions: Transactions, now: Callable[[], int]):
        self._repository = repository
        self._store = store
        self._transactions = transactions
        self._now = now
        self._closed: dict[str, str] | None = None
        """By address of a closed place, what is noted of it; None until it is looked up."""

    async def failed(self, message: OutgoingMessage, error: Undeliverable) -> None:
        """A message cannot be delivered: try the next way. Raises OSError if that cannot be stored."""
        number = message.where.thread
        if not number or not error.closes:
            return
        try:
            match = await self._repository.match(number)
            if match is None:
                return
            if message.only is None:
                await self._place_closed(match, message, error)
            elif not message.answers:
                await self._account_closed(match, message, message.only)
        except OSError:
            raise
        except Exception:  # the messages behind it must not wait
            log.exception("another way could not be tried", key=message.key)

    async def arrived(self, message: OutgoingMessage) -> None:
        """A message was delivered: its place is open, its reader is reached, time begins. Raises OSError as above."""
        number = message.where.thread
        if not number:
            return
        known = message.only is None and address(message.where) not in await self._places()
        ordinary = message.only is not None and not message.instead
        try:
            if message.begins:
                cause = Cause(f"begins:{message.key}", self._now(), match=number)
                await self._decide(cause, number, Deliver(message.begins))
            match = None if known or ordinary else await self._repository.match(number)
            if match is not None:
                reached = [message.only] if message.only else await self._living_on(match, message.where.platform)
                await self._found(match, message, [person.key for person in reached])
        except OSError:
            raise
        except Exception:
            log.exception("contact could not be noted", key=message.key)

    async def closed(self, platform: str) -> Sequence[Place]:
        """The places of matches on a platform that took nothing when they were tried last."""
        return [place for place in map(read_address, await self._places()) if place.platform == platform]

    async def opened(self, place: Place) -> None:
        """A closed place takes messages again: show there where its match stands."""
        key = address(place)
        noted = (await self._places()).get(key)
        match = await self._repository.match(place.thread)
        if noted is None or match is None or match.position is None:
            return
        cause = Cause(_reopening(place, noted), self._now(), match=match.id)
        draft = reopened(match, await self._repository.names(match))
        board = await localize(
            self._repository, cause, Route(draft, place), key=message_key(cause.id, 0), at=self._now()
        )
        await self._commit(cause, Effect(messages=(_boxed(board),), match=match.id))

    # --- what follows -----------------------------------------------------------------------------------------
    async def _place_closed(self, match: Match, message: OutgoingMessage, error: Undeliverable) -> None:
        """Tell everybody in private who hears of the match nowhere else."""
        home, places = message.where, await self._places()
        since, _, _ = (noted := places.get(address(home), "")).partition(" ")
        people = await self._deaf(match, home)
        if noted and message.key == message_key(_reopening(home, noted), 0):
            since, people = "", []  # they have seen that board
        lost = home if error.closes == "place" else None
        copies = []
        for person in people:
            copy = _copy(message, person, match, lost, first=not noted)
            accounts = await self._repository.accounts(person.key)
            choices = tuple(choice for choice in copy.choices if choice.mover not in accounts)
            copies.append(_boxed(replace(copy, choices=choices)))
        note = f"{since or self._now()} {error}"
        cause = Cause(f"closed:{message.key}", self._now(), match=match.id)
        effect = Effect(messages=tuple(copies), settings=((address(home), CLOSED, note),), match=match.id)
        await self._commit(cause, effect)
        places[address(home)] = note

    async def _account_closed(self, match: Match, message: OutgoingMessage, person: Person) -> None:
        """Try the next account of whom a message was for; after the last one they are out of contact."""
        tried = (*message.tried, person.key)
        accounts = await self._repository.accounts(person.key)
        cause = Cause(f"closed:{message.key}", self._now(), match=match.id)
        for account in accounts:
            if account not in tried:
                other = await self._repository.person(account)
                where = Place(other.platform, "", match.id)
                key = message_key(f"{message.key}/to/{account}", 0)
                rings = (other,) if message.rings else ()
                copy = replace(message, key=key, where=where, only=other, rings=rings, tried=tried)
                await self._commit(cause, Effect(messages=(_boxed(copy),), match=match.id))
                return
        if message.instead and (player := _player(match, accounts)):
            await self._decide(cause, match.id, LoseContact(player, message.at))
        elif match.status == "open" and person.key != match.challenger:
            fact = Text(
                "I may not write to {player}, who has not seen challenge {match}.", player=person, match=match.id
            )
            draft = Draft(((fact, INVITE),), only=match.challenger)
            await self._commit(cause, Effect(drafts=(draft,), match=match.id))

    async def _found(self, match: Match, message: OutgoingMessage, accounts: Sequence[Player]) -> None:
        places, here = await self._places(), address(message.where)
        if here in places:
            cause = Cause(f"opened:{message.key}", self._now(), match=match.id)
            await self._commit(cause, Effect(settings=((here, CLOSED, ""),), match=match.id))
            places.pop(here, None)
        for account in accounts:
            player = _player(match, await self._repository.accounts(account))
            if player in match.unreached:
                cause = Cause(f"reached:{message.key}:{player}", self._now(), match=match.id)
                await self._decide(cause, match.id, FindContact(player))

    async def _decide(self, cause: Cause, number: str, command: Command) -> None:
        async def decided() -> Effect:
            match = await self._repository.match(number)
            assert match is not None, "matches are never removed"
            decision = decide(match, command, cause.at, self._repository.dice(match))
            return Effect() if isinstance(decision, Refusal) else Effect(decision, match=number)

        await self._transactions.run(cause, decided)

    async def _commit(self, cause: Cause, effect: Effect) -> None:
        async def same() -> Effect:
            return effect

        await self._transactions.run(cause, same)

    # --- who and where ----------------------------------------------------------------------------------------
    async def _places(self) -> dict[str, str]:
        if self._closed is None:
            self._closed = dict(await self._store.owners(CLOSED))
        return self._closed

    async def _deaf(self, match: Match, home: Place) -> list[Person]:
        """The players who hear of a match in none of its other places, each by the account to try first."""
        places = await self._places()
        homes = [replace(read_address(place), thread=match.id) for place in match.places]
        others = {one.platform for one in homes if one != home and address(one) not in places}
        found = []
        for player in match.seats.values() or match.parties:
            accounts = await self._repository.accounts(player)
            platforms = {account.partition(":")[0] for account in accounts}
            if home.platform in platforms and not platforms & others:
                found.append(await self._repository.account_on(home.platform, player))
        return found

    async def _living_on(self, match: Match, platform: str) -> list[Person]:
        people = [await self._repository.account_on(platform, player) for player in match.seats.values()]
        return [person for person in people if person.platform == platform]


def _copy(
    message: OutgoingMessage, person: Person, match: Match, home: Place | None, *, first: bool
) -> OutgoingMessage:
    """A public message for one person, in private; `home` is the place that it could not be told in."""
    spoken = language(message.language)
    notice = (*spoken.lines(((Text(GOES_ON_HERE.template, match=match.id),),)), "\n") if first else ()
    return replace(
        message,
        key=message_key(f"{message.key}/to/{person.key}", 0),
        where=Place(person.platform, "", match.id),
        text=(*notice, *message.text),
        only=person,
        rings=tuple(one for one in message.rings if one.key == person.key),
        opening=(),
        instead=channel_address(home) if home else "",
    )


def _reopening(place: Place, noted: str) -> str:
    return f"reopened:{address(place)}:{noted.partition(' ')[0]}"


def _boxed(message: OutgoingMessage) -> OutboxMessage:
    return OutboxMessage(message.key, address(message.where), write_message(message))


def _player(match: Match, accounts: Sequence[Player]) -> Player:
    return next((player for player in match.seats.values() if player in accounts), "")
