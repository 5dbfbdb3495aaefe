"""Turns composed on Discord by menus: what is offered, one pick after the other, and the button that sends them."""

from collections.abc import Sequence

from engine.match.state import Match
from tests.adapters.discord_room import DiscordRoom
from tests.adapters.discord_screen import MENU, Component, parts, pressed, way_to
from tests.discord_standin import Channel, Interaction, Message, Person


def menus(screen: Message) -> list[Component]:
    """The menus of a message."""
    return [part for part in parts(screen.components) if part["type"] == MENU]


def entries(screen: Message) -> list[str]:
    """What all menus of a message offer."""
    return [option["value"] for menu in menus(screen) for option in menu["options"]]


def id_of(screen: Message, label: str) -> str:
    """The id of a button."""
    return next(str(part["custom_id"]) for part in parts(screen.components) if part.get("label") == label)


async def opened(room: DiscordRoom, who: Person, thread: Channel, button: str = "Make the turn") -> Message:
    """The composer that a button of the last post with that button opens."""
    post = next(post for post in reversed(thread.posts) if button in post.buttons)
    return await who.press(post, button).shown()


async def step(who: Person, screen: Message, pick: str) -> Message:
    """One pick: from whichever menu holds it, opening the part of the board that does, or a button for it."""
    id_, value = way_to(screen.components, pick)
    if not value:
        return await who.press(screen, id_).shown()
    shown = await who.select(screen, value, custom_id=id_).shown()
    return shown if value == pick else await step(who, shown, pick)


async def composed(who: Person, screen: Message, picks: Sequence[str]) -> Message:
    """The screen after these picks."""
    for pick in pressed(picks):
        screen = await step(who, screen, pick)
    return screen


async def sent(room: DiscordRoom, who: Person, screen: Message) -> Interaction:
    """The green button: the turn is played, or the answer sent."""
    button = next(label for label in screen.buttons if label.startswith("Play ") or label == "Send it")
    done = who.press(screen, button)
    await room.dealt_with(f"discord:i{done.id}")
    await done.shown()
    return done


async def match_of(room: DiscordRoom, number: str = "1") -> Match:
    match = await room.service.repository.match(number)
    assert match is not None
    return match
