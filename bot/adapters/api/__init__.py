"""The door for programs: HTTP and webhooks, for people whose key a program has."""

from bot.adapters.api.adapter import Programs

__all__ = ["Programs"]
