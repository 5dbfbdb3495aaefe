"""What people do with slash commands, buttons and forms: each becomes a message with a command's text."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final, Protocol, cast

import aiohttp
import discord
import structlog

from bot.adapters.discord import limits
from bot.adapters.discord.composer.composer import Boards
from bot.adapters.discord.composer.presses import ComposerPresses
from bot.adapters.discord.composer.screen import Screen, is_composer
from bot.adapters.discord.direct_messages import DirectMessages
from bot.adapters.discord.errors import UNREACHABLE
from bot.adapters.discord.incoming import MessageListener, shown_name
from bot.adapters.discord.interactions.buttons import ASK, COMPOSE, FORM, NOT_OURS, SAY, SHOW, Signer
from bot.adapters.discord.interactions.commands import Fill, named, refuse_bot
from bot.adapters.discord.interactions.forms import challenge_form, filled_in, form
from bot.adapters.discord.interactions.left_open import INTERRUPTED
from bot.adapters.discord.interactions.replies import PrivateReplies
from bot.adapters.discord.language import reader_language, said
from bot.adapters.discord.markup import PLATFORM, small
from bot.adapters.discord.rights import lacking, told
from bot.messages.catalogue import Language, language
from bot.messages.model import PARTNER_NAME, IncomingMessage, Person, Place, Receive
from bot.runtime.admission import is_urgent
from bot.runtime.fair_queue import FairQueue
from bot.runtime.inbox import Inbox
from bot.trouble import reason
from engine.games import GAMES
from engine.text import Term, Text

log = structlog.get_logger(__name__)

AT_ONCE: Final = 16
"""Interactions that are acknowledged at the same time."""
SOON: Final = 1.5
"""Seconds that the answer to a press has to be the first one; later it is acknowledged, and the answer follows."""
GRACE: Final = 5.0
"""Seconds that interactions under way have left when the adapter stops."""
SCREEN: Final = 60.0
"""Seconds that a screen may take: whoever waits sees nothing of it."""
AWAY: Final = 1.0
"""Seconds between two questions to a store that is away."""
ACKNOWLEDGING: Final = "acknowledging"

INTERNAL_ERROR: Final = (
    Text("Something went wrong here, and it is a mistake of Riposte's, not yours."),
    Text("Whoever runs it finds it in the log."),
)
ANSWERED_IN_PRIVATE: Final = (Text("I have written to you in private."),)


class Matters(Boards, Protocol):
    """Knows what buttons lead to, and what composers show."""

    async def due(self, player: str, line: str) -> bool:
        """Whether it is a player's to do now what a button asks a line for."""

    async def offered(self, message: IncomingMessage, key: str) -> bool:
        """Answer somebody who asks for what could not be told them in private; whether it is theirs to have."""


class InteractionListener:
    """Acknowledges interactions at once, passes them on, and settles them once they are committed."""

    def __init__(
        self,
        inbox: Inbox,
        direct_messages: DirectMessages,
        signer: Signer,
        *,
        clock: Callable[[], int],
        replies: PrivateReplies,
        messages: MessageListener,
        fill: Fill,
        matters: Matters,
    ):
        self._matters = matters
        self._composer = ComposerPresses(self, matters, signer)
        self._inbox = inbox
        self._direct_messages = direct_messages
        self._clock = clock
        self._signer = signer
        self.replies = replies
        self._messages = messages
        self.fill = fill
        self.hear: Receive | None = None
        """Handles what people say; None while the adapter does not run."""
        self._line = FairQueue(AT_ONCE)
        self._working: set[asyncio.Task[Any]] = set()
        self._begun: dict[str, asyncio.Task[None]] = {}
        """What acknowledges interactions of which it is still to be found out what they lead to."""

    async def command(
        self,
        interaction: discord.Interaction[Any],
        text: str,
        then: Callable[[], Awaitable[Screen]] | None = None,
        hear: Receive | None = None,
        form: str = "",
    ) -> None:
        """Take an interaction as if its text had been typed, unless `hear` is to deal with it.

        `then` is shown if that has no other answer; `form` is the command of the form that it was written in.
        """
        with self.at_work():
            hear = hear or self.hear
            if hear is None:
                return
            number = f"discord:i{interaction.id}"
            quiet = interaction.message is not None or number in self._begun
            late = self._begin(number, interaction, text, SOON if quiet else 0)
            if late is None:
                return
            if then is None and is_composer(interaction.message):
                then = self._composer.closing(interaction, text)
            if not quiet:
                await late
            try:
                elsewhere, where = await self._whence(interaction)
                server = "" if elsewhere else str(interaction.guild_id or "")
                host = not server or interaction.permissions.manage_guild
                who = self.person(interaction.user)
                receipt = f"{interaction.application_id} {interaction.token}"
                incoming = IncomingMessage(
                    *(number, who, where, text, self._clock()),
                    server=server,
                    host=host,
                    receipt=receipt,
                    locale=str(interaction.locale),
                    server_locale=str(interaction.guild_locale or "") if server else "",
                    bare=self._messages.reads_all,
                    form=form,
                )
                answered = await hear(incoming)
            except Exception:
                log.exception("an interaction could not be handled", id=number)
                await self.replies.settle(number, said(INTERNAL_ERROR, reader_language(interaction)))
                late.cancel()
                return
            if not answered and then is not None:
                await self.replies.show(number, await then())
            if not answered:
                words = said(ANSWERED_IN_PRIVATE, reader_language(interaction)) if elsewhere else ""
                await self.replies.settle(number, words)
            else:
                await late
            late.cancel()

    async def ask(
        self,
        interaction: discord.Interaction[Any],
        command: str,
        blank: Text | str = "",
        *,
        spoken: Language | None = None,
        given: str = "",
        late: Callable[[], Awaitable[Screen]] | None = None,
    ) -> None:
        """Open a form for the line that belongs after a command; `blank` says what it is to be.

        `late` is shown where it is too late for a form.
        """
        spoken = spoken or (await self._composer.asked(interaction)).spoken
        blank = spoken.say(blank) if isinstance(blank, Text) else blank
        await self._open(interaction, form(command, blank, self._signer, spoken=spoken, given=given), late)

    async def compose(self, interaction: discord.Interaction[Any], command: str, match: str) -> bool:
        """Open the composer for what is awaited in a match, or in the thread's, or say why nothing is.

        False if a form is to be opened.
        """
        number = match or (await self.place(interaction)).thread
        if number and await self._composer.begun(interaction, number):
            return True
        line = f"{command} {number}".strip()
        if await self._matters.due(self.person(interaction.user).key, line):
            return False
        await self.command(interaction, line)
        return True

    async def ask_challenge(
        self, interaction: discord.Interaction[Any], command: str, games: Mapping[str, Term], given: str = ""
    ) -> None:
        """Open the form of a challenge with one of these games; the command may name whom."""
        spoken = (await self._composer.asked(interaction)).spoken
        own = str(interaction.client.user.id) if interaction.client.user else ""
        if limits.length(self._signer.sign(FORM, command)) > limits.CUSTOM_ID:  # then all of it stands in the form
            command, _, rest = command.partition(" ")
            given = f"{rest} {given}"
        given = given.replace(f"@{PARTNER_NAME}", f"@{own}")
        named_already = "@" in command
        opened = challenge_form(command, self._signer, games, spoken, named=named_already, given=given)
        await self._open(interaction, opened)

    async def shown(self, interaction: discord.Interaction[Any], screen: Callable[[], Awaitable[Screen]]) -> None:
        """Answer an interaction with a screen."""
        with self.at_work():
            number = f"discord:i{interaction.id}"
            late = self._begin(number, interaction, "", SOON)
            if late is None:
                return
            try:
                async with asyncio.timeout(SCREEN):
                    made = await screen()
                await self.replies.show(number, made)
            except Exception:
                log.exception("a screen could not be made", id=number)
                await self.replies.settle(number, said(INTERNAL_ERROR, reader_language(interaction)))
            finally:
                late.cancel()
            await self.replies.settle(number)

    def _begin(
        self, number: str, interaction: discord.Interaction[Any], text: str, after: float
    ) -> asyncio.Task[None] | None:
        """Have an interaction acknowledged after so many seconds unless it is answered; None if it was heard before."""
        if (late := self._begun.pop(number, None)) is not None:
            return late
        notice, over = self._notice(interaction), is_composer(interaction.message)
        if not self.replies.expect(number, interaction, over=over, notice=notice):
            return None
        return asyncio.create_task(self._acknowledge(number, text, interaction, after), name=ACKNOWLEDGING)

    async def pressed(self, interaction: discord.Interaction[Any], custom_id: str) -> None:
        """Take a pressed button, a choice from a select, or a form that was sent."""
        await self.in_time(interaction, lambda: self._taken(interaction, custom_id))

    async def in_time(self, interaction: discord.Interaction[Any], work: Callable[[], Awaitable[None]]) -> None:
        """Do what an interaction leads to, and have it acknowledged if that takes long.

        Discord's three seconds begin here: to find out whether a form is to be opened takes some of them.
        """
        number = f"discord:i{interaction.id}"
        late = self._begin(number, interaction, "", SOON)
        if late is None:
            return
        self._begun[number] = late
        try:
            with self.at_work():
                await work()
        except Exception:
            log.exception("an interaction could not be handled", id=number)
            await self.replies.settle(number, said(INTERNAL_ERROR, reader_language(interaction)))
        finally:
            if self._begun.pop(number, None) is not None:  # it has led to nothing that is answered later
                late.cancel()
                await self.replies.settle(number)

    async def _taken(self, interaction: discord.Interaction[Any], custom_id: str) -> None:
        match self._signer.read(custom_id):
            case str(kind), str(command) if kind == SAY:
                await self.command(interaction, command)
            case str(kind), str(command) if kind == ASK:
                await self._ask_again_or_refuse(interaction, command)
            case str(kind), str(command) if kind == COMPOSE:
                await self._composer.pressed(interaction, command)
            case str(kind), str(command) if kind == FORM:
                await self._sent(interaction, command)
            case str(kind), str(command) if kind == SHOW:
                await self._show(interaction, command)
            case _:
                log.warning("a forged or foreign button was pressed", who=interaction.user.id)
                await interaction.response.send_message(said(NOT_OURS, reader_language(interaction)), ephemeral=True)

    async def _show(self, interaction: discord.Interaction[Any], key: str) -> None:
        """Show whom it is for what could not be brought them, and take the button away."""

        async def shown(incoming: IncomingMessage) -> bool:
            if await self._matters.offered(incoming, key) and interaction.message is not None:
                channel = interaction.client.get_partial_messageable(interaction.message.channel.id)
                try:
                    await channel.get_partial_message(interaction.message.id).edit(view=None)
                except (discord.HTTPException, *UNREACHABLE) as error:  # then it says that it was used
                    log.info("a used button could not be removed", error=reason(error))
            return True

        if self.hear is not None:
            await self.command(interaction, "", hear=shown)

    async def _sent(self, interaction: discord.Interaction[Any], command: str) -> None:
        """Take a form that was filled in."""
        data = cast("Mapping[str, Any]", interaction.data or {})
        people = (data.get("resolved") or {}).get("users") or {}
        own = str(interaction.client.user.id) if interaction.client.user else ""
        foreign = next((one for number, one in people.items() if one.get("bot") and number != own), None)
        if foreign is not None:
            await refuse_bot(interaction, str(foreign.get("global_name") or foreign.get("username")))
        else:
            line = f"{command} {filled_in(data.get('components') or ())}"
            await self.command(interaction, named(interaction, line) if people else line, form=command)

    async def _ask_again_or_refuse(self, interaction: discord.Interaction[Any], command: str) -> None:
        """Open the composer of a button, or its form; whoever has nothing to say there is told why."""
        if not await self._matters.due(self.person(interaction.user).key, command):
            await self.command(interaction, command)
            return
        message = await self._inbox.post(str(interaction.message.id)) if interaction.message else None
        asked = next((one for one in message.choices if one.command == command), None) if message else None
        if not (asked and asked.given) and await self._composer.opened(interaction, command):
            return
        if asked and asked.given and command.partition(" ")[0] == "challenge":
            names = {key: game.name for key, game in GAMES.items()}
            await self.ask_challenge(interaction, command, names, asked.given)
            return
        spoken = language(message.language) if message else None
        await self.ask(
            interaction, command, asked.blank if asked else "", spoken=spoken, given=asked.given if asked else ""
        )

    def person(self, user: discord.User | discord.Member) -> Person:
        """The person of an account, by the name that others see."""
        return Person(PLATFORM, str(user.id), shown_name(user))

    async def place(self, interaction: discord.Interaction[Any]) -> Place:
        """The place of an interaction; in a match's thread, the match."""
        return await self._messages.place(interaction.channel_id or 0)

    async def _whence(self, interaction: discord.Interaction[Any]) -> tuple[Place | None, Place]:
        """Where its private answers go, if elsewhere, and its place; however long the store is away."""
        while True:
            try:
                elsewhere = await self._private_place(interaction)
                return elsewhere, elsewhere or await self.place(interaction)
            except aiohttp.ClientError:  # Discord's, not the store's
                raise
            except OSError as error:
                log.error("an interaction waits for the database", error=reason(error))
            await asyncio.sleep(AWAY)

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """`finish` waits for what runs inside: discord.py does not keep the tasks of its handlers."""
        task = asyncio.current_task()
        assert task is not None, "discord.py calls from tasks"
        self._working.add(task)
        try:
            yield
        finally:
            self._working.discard(task)

    async def finish(self) -> None:
        """Let what is under way end, and cancel what takes too long."""
        if self._working:
            _, late = await asyncio.wait(self._working, timeout=GRACE)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    async def _acknowledge(self, number: str, text: str, interaction: discord.Interaction[Any], after: float) -> None:
        """Acknowledge within Discord's three seconds: nobody's may be late because another has sent a hundred."""
        if after and await self.replies.answered(number, after):
            return
        user = str(interaction.user.id)
        try:
            await self._line.run(user, is_urgent(text), lambda: self.replies.acknowledge(number))
        except (discord.HTTPException, *UNREACHABLE) as error:
            # Too late, or cut off; it was said all the same, and is answered by a direct message.
            log.info("an interaction could not be acknowledged", error=reason(error))

    async def _open(
        self,
        interaction: discord.Interaction[Any],
        modal: discord.ui.Modal,
        late: Callable[[], Awaitable[Screen]] | None = None,
    ) -> None:
        """Open a form; Discord takes one as the first answer only. Later whoever pressed is told to press again."""
        limits.check("modal", modal.to_dict())
        modal.stop()  # what is sent is recognised by its signature, after a restart too: nothing waits for it here
        number = f"discord:i{interaction.id}"
        if await self.replies.open(number, interaction, modal):
            return
        if late is not None:
            await self.replies.show(number, await late())
        else:
            await self.replies.settle(number, said(INTERRUPTED, reader_language(interaction)))

    def _notice(self, interaction: discord.Interaction[Any]) -> str:
        """What the bot lacks here, for whoever uses it."""
        if interaction.guild_id is None or not interaction.is_guild_integration():
            return ""
        missing = lacking(interaction.app_permissions)
        return small(said(told(missing), reader_language(interaction))).strip() if missing else ""

    async def _private_place(self, interaction: discord.Interaction[Any]) -> Place | None:
        """The private channel of somebody who uses the bot where it is no member; None where it is."""
        guild = interaction.guild_id
        if guild is not None and (interaction.is_guild_integration() or interaction.client.get_guild(guild)):
            return None
        if guild is None and not interaction.context.private_channel:
            await self._direct_messages.note(interaction.channel_id or 0, interaction.user.id)
            return None
        channel = await self._direct_messages.open(interaction.client, interaction.user.id)
        return Place(PLATFORM, str(channel.id))
