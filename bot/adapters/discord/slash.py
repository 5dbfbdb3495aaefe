"""The slash commands."""

import discord
from discord import app_commands


def setup(client: discord.Client, tree: app_commands.CommandTree) -> None:
    """Put the commands on the tree; `client.adapter` hears what they say."""
