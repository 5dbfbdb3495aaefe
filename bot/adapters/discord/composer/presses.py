"""What people press in the composer: each press is answered by the next screen, in the same private message."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Protocol, cast

import discord
import structlog

from bot.adapters.discord.composer.composer import Asked, Boards, Composer
from bot.adapters.discord.composer.screen import Screen
from bot.adapters.discord.composer.state import Draft, Step, read_step, screen_of
from bot.adapters.discord.interactions.buttons import Signer
from bot.adapters.discord.language import reader_language, said
from bot.commands.parser import ParsedCommand, read_command
from bot.messages.catalogue import Language
from bot.messages.model import Person, Place
from bot.runtime.fair_queue import FairQueue
from engine.text import Text

log = structlog.get_logger(__name__)

AT_ONCE = 4
"""Screens that are drawn at the same time, each for another person."""
WAITING = 4
"""Presses of one person that may wait; further ones lead to nothing."""
TROUBLE = (
    Text("This cannot be shown just now, and it is a mistake of Riposte's, not yours."),
    Text("Nothing is lost; `{command}` does the same.", command="/move"),
)

DEALT_WITH = Text("That is dealt with; the match's thread shows it.")


class Listener(Protocol):
    """Takes interactions."""

    async def command(
        self, interaction: discord.Interaction[Any], text: str, then: "Callable[[], Awaitable[Screen]] | None" = None
    ) -> None:
        """Take an interaction as if its text had been typed; `then` is shown if that has no other answer."""

    async def ask(
        self,
        interaction: discord.Interaction[Any],
        command: str,
        blank: str = "",
        *,
        spoken: Language | None = None,
        given: str = "",
        late: "Callable[[], Awaitable[Screen]] | None" = None,
    ) -> None:
        """Open a form for the line that belongs after a command; `late` is shown where it is too late for one."""

    async def shown(self, interaction: discord.Interaction[Any], screen: Callable[[], Awaitable[Screen]]) -> None:
        """Answer an interaction with a screen."""

    async def place(self, interaction: discord.Interaction[Any]) -> Place:
        """The place of an interaction."""

    def person(self, user: discord.User | discord.Member) -> Person:
        """The person of an account."""


class ComposerPresses:
    """Takes each press; what it needs is in the id, and in the match as it stands."""

    def __init__(self, listener: Listener, boards: Boards, signer: Signer):
        self._listener = listener
        self._composer = Composer(boards, signer)
        self._line = FairQueue(AT_ONCE)

    async def opened(self, interaction: discord.Interaction[Any], command: str) -> bool:
        """Open the composer for what a button asks a line for; False if there is none for it."""
        parsed = read_command(command)
        if not isinstance(parsed, ParsedCommand) or not parsed.match or parsed.rest:
            return False
        match, number = parsed.match, parsed.ply
        if parsed.command.name == "call" and number is not None:
            await self._show(interaction, lambda asked: self._composer.reasons(asked, Draft(match, number)))
        elif parsed.command.name in ("move", "secret"):
            await self._show(interaction, lambda asked: self._composer.opened(asked, match))
        else:
            return False
        return True

    async def begun(self, interaction: discord.Interaction[Any], match: str) -> bool:
        """Open the composer for what is awaited of somebody in a match; False if nothing is."""
        if not await self._composer.awaits(self._listener.person(interaction.user).key, match):
            return False
        await self._show(interaction, lambda asked: self._composer.opened(asked, match))
        return True

    async def pressed(self, interaction: discord.Interaction[Any], line: str) -> None:
        """Take a step that somebody has pressed."""
        step, draft = read_step(line)
        values = cast("Mapping[str, Any]", interaction.data or {}).get("values") or ()
        chosen = str(values[0]) if values else ""
        if step == "play":
            await self._play(interaction, draft)
        elif step == "type":
            await self._type(interaction, draft)
        else:
            await self._show(interaction, lambda asked: self._next(asked, step, draft, chosen))

    def closing(self, interaction: discord.Interaction[Any], line: str) -> Callable[[], Awaitable[Screen]]:
        """What is shown in the composer's place once a line has been dealt with that was written or pressed there."""
        parsed = read_command(line)

        async def closed() -> Screen:
            asked = await self.asked(interaction)
            if isinstance(parsed, ParsedCommand) and parsed.match and parsed.command.name in ("move", "secret"):
                return await self._composer.after(asked, Draft(parsed.match, parsed.ply or 0))
            return Screen(asked.spoken.say(DEALT_WITH))

        return closed

    async def _next(self, asked: Asked, step: Step, draft: Draft, chosen: str) -> Screen:
        if step == "reason":
            return await self._composer.reasons(asked, draft.picking(chosen) if chosen else draft)
        if step == "zone":
            return await self._composer.screen(asked, draft, int(chosen) if chosen.isdecimal() else None)
        return await self._composer.screen(asked, draft.picking(*chosen.split()) if step == "pick" else draft)

    async def _play(self, interaction: discord.Interaction[Any], draft: Draft) -> None:
        asked = await self.asked(interaction)
        board = await self._composer.due(asked, draft)
        command = self._composer.sent(board, draft) if board is not None else ""
        if command:
            await self._listener.command(interaction, command, lambda: self._composer.after(asked, draft))
        else:
            await self._show(interaction, lambda asked: self._composer.screen(asked, draft))

    async def _type(self, interaction: discord.Interaction[Any], draft: Draft) -> None:
        """The same by hand: what was picked so far stands in the form already."""
        asked = await self.asked(interaction)
        board = await self._composer.due(asked, draft)
        if board is None or board.menu is None:
            await self._show(interaction, lambda asked: self._composer.screen(asked, draft))
        else:
            command = f"secret {draft.match}" if board.ask else f"move {draft.match} @{draft.number}"
            blank = asked.spoken.say(self._composer.blank(board))
            given = board.menu.text

            async def late() -> Screen:
                return await self._composer.screen(asked, draft)

            await self._listener.ask(interaction, command, blank, spoken=asked.spoken, given=given, late=late)

    async def asked(self, interaction: discord.Interaction[Any]) -> Asked:
        """Who has pressed something, or given a command, as they like to be shown things."""
        player, where = self._listener.person(interaction.user).key, await self._listener.place(interaction)
        return await self._composer.reader(player, where, str(interaction.locale), screen_of(interaction.id))

    async def _show(self, interaction: discord.Interaction[Any], screen: Callable[[Asked], Awaitable[Screen]]) -> None:
        player = str(interaction.user.id)
        if self._line.waiting(player) >= WAITING:
            return  # it is acknowledged, which nobody sees

        async def drawn() -> Screen:
            try:
                return await self._line.run(player, False, lambda: self._made(interaction, screen))
            except OSError as error:
                if error.strerror:
                    return Screen(error.strerror)
                raise

        await self._listener.shown(interaction, drawn)

    async def _made(
        self, interaction: discord.Interaction[Any], screen: Callable[[Asked], Awaitable[Screen]]
    ) -> Screen:
        try:
            return await screen(await self.asked(interaction))
        except OSError:
            raise  # it has a sentence
        except Exception:
            log.exception("a screen of the composer cannot be made")
            return Screen(said(TROUBLE, reader_language(interaction)))
