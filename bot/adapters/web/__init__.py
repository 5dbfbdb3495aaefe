"""The web room: channels, match threads and several users in the browsers of one machine."""

from bot.adapters.web.adapter import WebRoom

__all__ = ["WebRoom"]
