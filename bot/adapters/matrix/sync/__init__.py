"""Reads what the homeserver tells, from the bot's own cursor on, and hands it to nio item by item."""
