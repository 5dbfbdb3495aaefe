"""The bot's identity, its recovery key and the reading of encrypted events."""
