"""Discord: slash commands, buttons, threads and direct messages, through discord.py."""

from bot.adapters.discord.adapter import DiscordAdapter

__all__ = ["DiscordAdapter"]
