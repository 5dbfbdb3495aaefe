"""Discord shows what commands are for in its people's languages; what is typed stays as it is."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from bot.adapters.discord import limits
from bot.adapters.discord.history.hints import HINT
from bot.adapters.discord.incoming import UNREADABLE
from bot.adapters.discord.language import said
from bot.messages.catalogue import language, languages
from tests.adapters.discord_room import discord_room

LOCALES = {"de": ("de",), "es": ("es-ES", "es-419"), "ja": ("ja",)}
"""What Discord calls the languages that Riposte speaks besides English."""


def described(commands: list[dict[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Every command, group and field."""
    for command in commands:
        yield command
        yield from described(command.get("options") or [])


async def test_descriptions_are_registered_in_every_language_and_names_in_one(tmp_path: Path) -> None:
    assert set(LOCALES) == {*languages()} - {"en"}
    async with discord_room(tmp_path, "Anna") as room:
        registered = room.standin.world.registry.of(0)
        menu = next(one for one in registered if one["type"] == 2)
        found = [one for one in described(registered) if one is not menu]
        assert len(found) > 100
        assert [one["name"] for one in found if one.get("name_localizations")] == []
        for code, locales in LOCALES.items():
            translated = language(code)._translations.gettext
            for one in found:
                told = translated(one["description"])
                if told != one["description"]:
                    expected = limits.cut(told, limits.COMMAND_DESCRIPTION)
                    assert {one["description_localizations"][locale] for locale in locales} == {expected}
        assert {one for each in found for one in each.get("description_localizations") or ()} <= {
            locale for locales in LOCALES.values() for locale in locales
        }


async def test_what_we_say_by_ourselves_is_said_in_its_reader_s_language(tmp_path: Path) -> None:
    async with discord_room(tmp_path, "Anna", "Ben") as room:
        anna, ben = room.people
        thread = await room.begun(anna, ben, "tokonoma side=white")
        await room.say(anna, "language de", anna.dm)
        spoken = language("de")
        anna.say(thread, "c7c5")
        await room.until(lambda: len(thread.posts) == 2, "a hint")
        assert thread.posts[-1].content.endswith(spoken.say(HINT[1]))
        assert spoken.say(HINT[1]) != str(HINT[1])
        anna.say(thread, "c7c5", reply_to=thread.posts[0], ping=False)
        await room.until(lambda: len(anna.dm.posts) == 2, "an explanation")
        assert anna.dm.posts[-1].content == said(UNREADABLE, spoken)
        ben.say(thread, "c7c5", reply_to=thread.posts[0], ping=False)
        await room.until(lambda: ben.dm.posts, "another in English")
        assert ben.dm.posts[-1].content == said(UNREADABLE, language())
