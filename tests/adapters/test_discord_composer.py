"""Whole matches on Discord by menus alone: what is offered, what is shown, and what survives."""

from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from bot.adapters.discord.composer.state import Draft
from bot.adapters.discord.interactions.buttons import Signer
from engine.board import Side
from engine.games import GAMES
from engine.match.state import Match
from tests.adapters.discord_room import DiscordRoom, discord_room
from tests.discord_standin import Channel, Interaction, Message, Person

MINUTE = 60


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[DiscordRoom]:
    async with discord_room(tmp_path, "Anna", "Ben") as room:
        yield room


@pytest.fixture
async def thread(room: DiscordRoom) -> Channel:
    """A match between Anna, who is to move, and Ben, with calling out."""
    return await room.begun(*room.people, "tokonoma side=white umpire=turn")


def menus(screen: Message) -> list[dict[str, Any]]:
    """The menus of a message."""
    return [part for row in screen.components for part in row.get("components") or () if part["type"] == 3]


def entries(screen: Message) -> list[str]:
    """What all menus of a message offer."""
    return [option["value"] for menu in menus(screen) for option in menu["options"]]


def id_of(screen: Message, label: str) -> str:
    """The id of a button."""
    parts = [part for row in screen.components for part in row.get("components") or ()]
    return next(str(part["custom_id"]) for part in parts if part.get("label") == label)


async def opened(room: DiscordRoom, who: Person, thread: Channel, button: str = "Make the turn") -> Message:
    """The composer that a button of the last post with that button opens."""
    post = next(post for post in reversed(thread.posts) if button in post.buttons)
    return await who.press(post, button).shown()


async def step(who: Person, screen: Message, pick: str) -> Message:
    """One pick: from whichever menu holds it, opening the part of the board that does, or a button for it."""
    for menu in menus(screen):
        if pick in [option["value"] for option in menu["options"]] and ":z" not in menu["custom_id"]:
            return await who.select(screen, pick, custom_id=menu["custom_id"]).shown()
    for menu in menus(screen):
        for option in menu["options"] if ":z" in menu["custom_id"] else ():
            if option["label"].startswith(pick[:1]):
                return await step(who, await who.select(screen, option["value"], custom_id=menu["custom_id"]).shown(), pick)
    ends = f" {pick}"
    for row in screen.components:
        for part in row.get("components") or ():
            if part["type"] == 2 and part["custom_id"].endswith(ends) and ":=0" in part["custom_id"]:
                return await who.press(screen, part["custom_id"]).shown()
    raise AssertionError(f"{pick} is not offered: {entries(screen)}, {screen.buttons}")


async def composed(who: Person, screen: Message, picks: Sequence[str]) -> Message:
    """The screen after these picks."""
    for pick in picks:
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


# --- whole matches ------------------------------------------------------------------------------------------
async def test_a_whole_match_of_tokonoma_is_played_by_menus_with_a_new_process_at_every_step(room: DiscordRoom) -> None:
    """The shortest line that this test finds: White empties Black's house and brings a Flat there."""
