"""The language of what the adapter says by itself."""

from collections.abc import Iterable
from typing import Any

import discord

from bot.messages.catalogue import Language, language
from engine.text import Text


def reader_language(interaction: discord.Interaction[Any]) -> Language:
    """The language that somebody's Discord is shown in, if we speak it."""
    return language(str(interaction.locale))


def said(sentences: Iterable[Text], spoken: Language) -> str:
    """Sentences of ours, one after the other."""
    return " ".join(map(spoken.say, sentences))
