"""Discord: slash commands, buttons, threads and direct messages, through discord.py."""

from bot.adapters.discord.adapter import DiscordAdapter
from bot.adapters.discord.client import prepare

__all__ = ["DiscordAdapter", "prepare"]
