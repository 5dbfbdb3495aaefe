"""Slash commands, buttons and forms: how they are made, what people do with them, and the private replies to that."""
