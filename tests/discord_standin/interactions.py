"""Interactions: what a person did, the one answer that it takes within three seconds, and what may follow it."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Protocol, TypeVar

from tests.discord_standin import limits, posting
from tests.discord_standin.commands import ON_MESSAGE, ON_USER, check_choices
from tests.discord_standin.components import check_modal
from tests.discord_standin.form import among, check, table, whole
from tests.discord_standin.mentions import pinged
from tests.discord_standin.message import MENU, REPLY, SLASHED, Message
from tests.discord_standin.posting import Files
from tests.discord_standin.refusal import JSON, Refusal
from tests.discord_standin.world import ALL_PERMISSIONS, Channel, User

T = TypeVar("T")
COMMAND, COMPONENT, AUTOCOMPLETE, SUBMIT = 2, 3, 4, 5
"""What a person did."""
SAY, DEFER, DEFER_UPDATE, UPDATE, CHOICES, MODAL = 4, 5, 6, 7, 8, 9
"""What the bot may answer."""
ANSWERS: Final[Mapping[int, tuple[int, ...]]] = {
    COMMAND: (SAY, DEFER, MODAL),
    COMPONENT: (SAY, DEFER, DEFER_UPDATE, UPDATE, MODAL),
    AUTOCOMPLETE: (CHOICES,),
    SUBMIT: (SAY, DEFER),
}
_CALLBACK: Final = table({"type": whole(1, 12), "data": table({"flags": whole(0)})}, "type")


class Until(Protocol):
    """Waits for something to become so."""

    def __call__(self, predicate: Callable[[], T], what: str = "") -> Awaitable[T]: ...


@dataclass(eq=False)
class Modal:
    """A form that a person has before them."""

    data: JSON
    shown_by: "Interaction"
    submitted: bool = False

    @property
    def title(self) -> str:
        """What stands above it."""
        return str(self.data["title"])


@dataclass(eq=False)
class Interaction:
    """Something that a person did, and all that the bot answered to it."""

    id: int
    token: str
    kind: int
    user: User
    channel: Channel
    data: JSON
    at: float
    until: Until
    """The stand-in's way to wait."""
    forms: list[Modal]
    """The forms before this person, to which the bot may add one."""
    message: Message | None = None
    """The message whose button or select it was."""
    focused: int = 0
    """The type of the option that is to be completed."""
    answer: int = 0
    """The type of the bot's answer, 0 while there is none."""
    answered_at: float = 0.0
    refused: str = ""
    """Why the bot's last attempt to answer was no good."""
    original: Message | None = None
    loading: bool = False
    modal: Modal | None = None
    choices: list[JSON] = field(default_factory=list)
    followups: list[Message] = field(default_factory=list)
    written: int = 0
    """How often the bot has written an answer, or changed what was pressed on."""

    async def shown(self) -> Message:
        """Wait until an answer is there, or what was pressed on has been changed: that message."""
        await self.until(lambda: self.written, f"something to be shown for {self.data}")
        assert self.original
        return self.followups[-1] if self.followups else self.original

    async def answered(self) -> "Interaction":
        """Wait for the bot's answer of whatever kind."""
        await self.until(lambda: self.answer, f"an answer to {self.data}")
        return self

    async def reply(self) -> Message:
        """Wait until the bot has said something to it, and is no longer "thinking…": its last words so far."""
        replies = await self.until(lambda: self.replies, f"a reply to {self.data}")
        return replies[-1]

    async def done(self) -> "Interaction":
        """Wait until the bot has answered, and has filled what was "thinking…" or taken it away."""
        await self.until(lambda: self.answer and not self.loading, f"an end to {self.data}")
        return self

    async def form(self) -> Modal:
        """Wait for the form that the bot shows."""
        await self.until(lambda: self.modal, f"a form in answer to {self.data}")
        assert self.modal
        return self.modal

    @property
    def replies(self) -> list[Message]:
        """What the bot has said to it, oldest first; a message that is still "thinking…" is not yet among them."""
        first = [self.original] if self.original and not self.loading and self.original is not self.message else []
        return [*first, *self.followups]

    @property
    def whispered(self) -> bool:
        """Whether only the person sees the first answer."""
        return self.original is not None and self.original.only is not None

    def json(self) -> JSON:
        """What the bot is told."""
        channel, world = self.channel, self.channel.world
        base: JSON = {
            "id": str(self.id),
            "application_id": str(world.application),
            "type": self.kind,
            "token": self.token,
            "version": 1,
            "data": self.data,
            "channel_id": str(channel.id),
            "channel": channel.json() | {"permissions": str(ALL_PERMISSIONS)},
            "app_permissions": str(channel.permissions()),
            "locale": self.user.locale,
            "entitlements": [],
            "authorizing_integration_owners": self.installed_by(),
            "context": context_of(channel),
            "attachment_size_limit": limits.UPLOAD,
        }
        if self.message:
            base["message"] = self.message.json()
        guild = channel.guild
        if guild is None:
            return {**base, "user": self.user.json()}
        all_of_it = self.user.admin or guild.owner is self.user
        permissions = str(ALL_PERMISSIONS if all_of_it else limits.EVERYONE)
        return {
            **base,
            "guild_id": str(guild.id),
            "guild": {"id": str(guild.id), "locale": guild.locale, "features": []},
            "guild_locale": guild.locale,
            "member": guild.member(self.user) | {"permissions": permissions},
        }

    def installed_by(self) -> JSON:
        """Through whom the bot is here: the guild, the user or both."""
        guild = self.channel.guild
        here = not self.channel.between and (guild is None or guild.bot)
        owners = {"0": str(guild.id if guild else 0)} if here else {}
        return owners | ({"1": str(self.user.id)} if self.user.installed else {})

    def respond(self, payload: Any, files: Files) -> JSON:
        """The bot's answer; returns what a client that wants to know is told."""
        try:
            self._take(payload, files)
        except Refusal as refusal:
            self.refused = str(refusal)
            raise
        finally:
            self.channel.world.changed()
        return self._told()

    def _take(self, payload: Any, files: Files) -> None:
        now = self.channel.world.clock.now()
        if self.answer:
            raise Refusal("acknowledged")
        if now > self.at + limits.FIRST_RESPONSE:
            raise Refusal("unknown interaction")
        check(_CALLBACK, payload)
        fitting = ANSWERS[self.kind] + ((DEFER_UPDATE, UPDATE) if self.kind == SUBMIT and self.message else ())
        check(table({"type": among(fitting)}), payload)
        answer, data = int(payload["type"]), payload.get("data") or {}
        if answer in (CHOICES, MODAL):
            check(table({}, "data"), payload)
        _ACTIONS[answer](self, data, files)
        self.answer, self.answered_at = answer, now

    def _told(self) -> JSON:
        told: JSON = {"interaction": {"id": str(self.id), "type": self.kind}}
        shown = self.original
        if shown:
            whispered = bool(shown.flags & limits.EPHEMERAL)
            told["interaction"] |= {
                "response_message_id": str(shown.id),
                "response_message_loading": self.loading,
                "response_message_ephemeral": whispered,
            }
            if self.answer in (SAY, UPDATE):
                told["resource"] = {"type": self.answer, "message": shown.json()}
        return told

    def _say(self, data: JSON, files: Files) -> None:
        message = self._blank(int(data.get("flags") or 0))
        posting.compose(message, data, files, limits.FLAGS_IN_ANSWER)
        self.original = posting.send(message, data.get("allowed_mentions"))
        self.written += 1

    def _defer(self, data: JSON, files: Files) -> None:
        del files
        message = self._blank(int(data.get("flags") or 0))
        message.flags = message.flags & limits.EPHEMERAL | limits.LOADING
        self.loading = True
        self.original = posting.send(message, {"parse": []})

    def _defer_update(self, data: JSON, files: Files) -> None:
        del data, files
        self.original = self.message

    def _update(self, data: JSON, files: Files) -> None:
        assert self.message
        self.original = posting.edit(self.message, data, files, limits.FLAGS_IN_ANSWER)
        self.written += 1

    def _complete(self, data: JSON, files: Files) -> None:
        del files
        self.choices = check_choices(data, self.focused)

    def _show_modal(self, data: JSON, files: Files) -> None:
        del files
        check_modal(data)
        self.modal = Modal(data, self)
        self.forms.append(self.modal)

    def _blank(self, flags: int) -> Message:
        message = posting.blank(self.channel, self.channel.world.bot)
        message.flags = flags
        message.type = {COMMAND: SLASHED}.get(self.kind, REPLY)
        if self.kind == COMMAND and self.data.get("type") in (ON_USER, ON_MESSAGE):
            message.type = MENU
        if flags & limits.EPHEMERAL:
            message.only = self.user
        elif self.kind == COMPONENT:
            message.reference = self.message
        owners = self.installed_by()
        about = {
            "id": str(self.id),
            "type": self.kind,
            "user": self.user.json(),
            "authorizing_integration_owners": owners,
        }
        if self.message and self.kind == COMPONENT:
            about["interacted_message_id"] = str(self.message.id)
        if self.kind == SUBMIT:
            about["triggering_interaction_metadata"] = {**about, "type": COMMAND}
        application = str(self.channel.world.application)
        message.metadata = {"application_id": application, "webhook_id": application, "interaction_metadata": about}
        return message

    def usable(self) -> None:
        """Refuse to let the token be used before the answer, or when it is too old."""
        if self.channel.world.clock.now() > self.at + limits.TOKEN_LIFE:
            raise Refusal("webhook token")
        if not self.answer:
            raise Refusal("unknown webhook")

    def follow_up(self, payload: JSON, files: Files) -> Message:
        """One more message; the first after a deferral fills the message that is "thinking…"."""
        self.usable()
        if self.loading and self.original:
            return self.change(self.original, payload, files)
        guild = self.channel.guild
        if guild and not guild.bot and len(self.followups) >= limits.FOREIGN_FOLLOWUPS:
            raise Refusal("too many followups")
        message = self._blank(int(payload.get("flags") or 0))
        message.type, message.reference = REPLY, None if message.only else self.original
        if self.original:
            message.metadata["interaction_metadata"]["original_response_message_id"] = str(self.original.id)
        posting.compose(message, payload, files, limits.FLAGS_IN_ANSWER)
        self.followups.append(posting.send(message, payload.get("allowed_mentions")))
        self.written += 1
        return message

    def find(self, which: str) -> Message:
        """The answer that a token speaks of: by its id, or `@original`."""
        self.usable()
        known = [self.original, *self.followups]
        world = self.channel.world
        for message in known:
            if message and (which == str(message.id) or (which == "@original" and message is self.original)):
                if message.id in message.channel.by_id or message in world.whispers:
                    return message
                break
        raise Refusal("unknown message")

    def change(self, message: Message, payload: JSON, files: Files) -> Message:
        """Edit an answer, or fill it."""
        posting.compose(message, payload, files, limits.FLAGS_IN_ANSWER)
        self.written += message is self.original
        if message is self.original and self.loading:
            self.loading = False
            message.flags &= ~limits.LOADING
            message.versions.clear()
            message.mentions, message.everyone = pinged(
                message.channel, message.content, message.components, payload.get("allowed_mentions"), None
            )
        else:
            message.edited = self.channel.world.clock.now()
        posting.changed(message)
        return message

    def remove(self, message: Message) -> None:
        """Take an answer away."""
        self.loading = self.loading and message is not self.original
        if message in self.followups:
            self.followups.remove(message)
        else:
            self.original = None
        posting.delete(message)


def context_of(channel: Channel) -> int:
    """Where an interaction happens: in a guild, in private with the bot, or in private without it."""
    return 0 if channel.guild else 2 if channel.between else 1


_ACTIONS: Final = {
    SAY: Interaction._say,
    DEFER: Interaction._defer,
    DEFER_UPDATE: Interaction._defer_update,
    UPDATE: Interaction._update,
    CHOICES: Interaction._complete,
    MODAL: Interaction._show_modal,
}
