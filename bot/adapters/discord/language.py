"""The language of what the adapter says by itself, and of what Discord says of our commands."""

from collections.abc import Awaitable, Callable, Iterable
from typing import Any, TypeAlias

import discord
from discord import app_commands

from bot.adapters.discord import limits
from bot.messages.catalogue import ENGLISH, Language, beside, language
from bot.messages.model import Place
from engine.text import Text

Spoken: TypeAlias = Callable[[str, Place], Awaitable[Language]]
"""The language that somebody, by their player's key, is spoken to in a place."""


def reader_language(interaction: discord.Interaction[Any]) -> Language:
    """The language that somebody's Discord is shown in, if we speak it."""
    return language(str(interaction.locale))


def said(sentences: Iterable[Text], spoken: Language) -> str:
    """Sentences of ours, one after the other."""
    return beside(map(spoken.say, sentences))


def described(gist: Text) -> app_commands.locale_str:
    """What a command or a field is for, as Discord shows it to people of each language."""
    return app_commands.locale_str(limits.cut(str(gist), limits.COMMAND_DESCRIPTION), gist=gist)


class Descriptions(app_commands.Translator):
    """Puts what `described` says into the languages that Discord and Riposte speak; what is typed stays English."""

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContextTypes,
    ) -> str | None:
        """The words in a language; None = those of everybody else."""
        spoken, gist = language(str(locale)), string.extras.get("gist")
        if spoken.code == ENGLISH or not isinstance(gist, Text):
            return None
        menu = isinstance(context.data, app_commands.ContextMenu)
        said = limits.cut(spoken.say(gist), limits.COMMAND_NAME if menu else limits.COMMAND_DESCRIPTION)
        return None if said == string.message else said
