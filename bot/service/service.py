"""The service as the rest of the program sees it: messages and alarms go in, committed changes come out."""

from collections.abc import Callable, Sequence
from functools import partial

import structlog

from bot.commands.context import Effect, reply, whisper
from bot.messages.catalogue import language
from bot.messages.model import Button, IncomingMessage, OutgoingMessage, Person, Place
from bot.messages.narrator import Draft
from bot.messages.serialization import message_key
from bot.repository import OUTAGES, Committed, Repository
from bot.rests import vacations
from bot.rests.outages import add_outage
from bot.service import buttons, dispatch
from bot.service.cause import Cause
from bot.service.club.tournaments import fired
from bot.service.composing import Board, Reader, board_for, reader_of
from bot.service.composition import ACTED_ON
from bot.service.contact import Contact
from bot.service.localization import button, localize
from bot.service.page.devices import Devices
from bot.service.page.visits import Visits
from bot.service.routing import Route
from bot.service.transaction import Transactions
from engine.composition import Pick
from engine.match.alarms import deadline
from engine.match.commands import AlarmFired, Player
from engine.text import Text
from storage.store import Alarm, Change, Store

log = structlog.get_logger()


class Service:
    """Deals with messages and alarms. Holds no state that a restart would lose."""

    def __init__(
        self,
        store: Store,
        *,
        now: Callable[[], int],
        seed: Callable[[], bytes],
        committed: Committed = lambda change, waiting: None,
        opponents: int = 0,
        public: str = "",
    ) -> None:
        self.repository = Repository(store, seed, opponents, public)
        self._store = store
        self._now = now
        self.transactions = Transactions(self.repository, store, now, committed)
        self.devices = Devices(self.repository, self.transactions)
        self.visits = Visits(self.repository, self.transactions)
        self.contact = Contact(self.repository, store, self.transactions, now)

    async def current(self, line: str) -> bool:
        """Returns whether a button's command still leads to something."""
        return await buttons.current(self.repository, line)

    async def answerable(self, who: Person, where: Place, line: str) -> bool:
        """Returns whether a challenge or an offer waits for somebody's answer that a button gives."""
        return await buttons.answerable(self.repository, who.key, where, line)

    async def applauded(self, who: Person, where: Place, line: str) -> bool:
        """Returns whether a sign below a challenge or an offer is only applause."""
        return await buttons.applauded(self.repository, who.key, where, line)

    async def due(self, player: Player, line: str) -> bool:
        """Returns whether it is a player's to do now what a button asks a line for."""
        return await buttons.due(self.repository, player, line)

    async def turn_due(self, player: Player, match: str, code: str) -> Button | None:
        """Returns the button for a player's turn in a match, in a language, if one is due."""
        choice = await buttons.turn_due(self.repository, player, match)
        return button(choice, language(code)) if choice else None

    async def offered(self, message: IncomingMessage, key: str) -> bool:
        """Answer somebody who asks for what could not be told them in private; return whether it is theirs to have."""
        self.repository.meet(message.who)
        return await self.contact.offered(message, key)

    async def board(self, player: Player, match: str, picks: Sequence[Pick] = ()) -> Board | None:
        """Returns a match as somebody sees it, with what they have picked; None where there is none."""
        found = await self.repository.match(match)
        return (
            None if found is None or found.position is None else await board_for(self.repository, found, player, picks)
        )

    async def reader(self, player: Player, where: Place, told: str = "") -> Reader:
        """Returns how somebody likes to be shown things in a place; `told` is the language of their app."""
        return await reader_of(self.repository, player, where, told)

    async def receive(self, message: IncomingMessage) -> bool:
        """Deal with a message once, however often it arrives; return when that is committed.

        Returns whether a private reply is queued.
        """
        self.repository.meet(message.who)
        accounts = await self.repository.accounts(message.who.key)
        if message.edits and message.edits in (await self.repository.setting(message.who.key, ACTED_ON)).split():
            return await self._edited(message, accounts)
        await self._vacations_begin(message)
        cause = Cause(message.id, message.at, message, accounts)
        return await self.transactions.run(cause, partial(dispatch.answer, self.repository, message, accounts))

    async def _vacations_begin(self, message: IncomingMessage) -> None:
        """Let vacations begin that are due, before somebody else's message finds that time is over."""
        number, at = vacations.named_match(message), message.sent or message.at
        try:
            match = await self.repository.match(number) if number else None
        except OSError:  # damaged: its sentence is told where the message is dealt with
            return
        due = deadline(match) if match else None
        if match and due is not None and due < at and await vacations.begun(self.repository, match, at):
            await self.alarm_fired(Alarm(number, "flag", due))

    async def _edited(self, message: IncomingMessage, accounts: tuple[Player, ...]) -> bool:
        """Answer new versions of a message that has changed a match, once."""

        async def answered() -> Effect:
            return reply(
                message,
                Text("I acted on that message as it was first, so its new version changes nothing."),
                Text("`takeback` asks to take a turn back."),
            )

        return await self.transactions.run(Cause(f"edited:{message.edits}", message.at, message, accounts), answered)

    async def answer(self, message: IncomingMessage, *sentences: Text) -> bool:
        """Answer a message with these sentences instead of dealing with it; returns as `receive` does."""
        accounts = await self.repository.accounts(message.who.key)

        async def answered() -> Effect:
            return whisper(message, *sentences)

        return await self.transactions.run(Cause(message.id, message.at, message, accounts), answered)

    async def aside(self, message: IncomingMessage, *sentences: Text) -> OutgoingMessage:
        """Returns a post that answers a message and is not stored: what is said while nothing can be."""
        cause = Cause(message.id, message.at, message)
        reader = message.who if message.receipt else None
        route = Route(Draft((sentences,)), message.replies or message.where, reader)
        return await localize(self.repository, cause, route, key=message_key(f"{message.id}/aside", 0), at=self._now())

    async def alarm_fired(self, alarm: Alarm) -> None:
        """Deal with an alarm that is due."""
        now = self._now()
        cause = Cause(f"alarm:{alarm.match}:{alarm.kind}:{alarm.at}", now, match=alarm.match)
        if not alarm.match.isdigit():
            await self.transactions.run(cause, partial(fired, self.repository, alarm, now))
            return
        command = AlarmFired(alarm.kind)
        await self.transactions.run(cause, partial(dispatch.apply, self.repository, alarm.match, command, now))

    async def credit(self, since: int, until: int) -> None:
        """Note that the bot was away: one interval for all matches, however many run.

        Each is given the time back when it is next touched; noted twice, as after a crash, it counts once.
        """
        self.repository.afresh()
        noted = add_outage(await self.repository.setting(*OUTAGES), (since, until))
        settings = ((*OUTAGES, noted), ("riposte", "alive", str(until)))
        await self._store.commit(Change(settings=settings))
        self.repository.remember(None, settings)
