"""The bot killed while it talks to a real server: Discord's stand-in, or a Synapse."""
