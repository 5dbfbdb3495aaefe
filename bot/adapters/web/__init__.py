"""The web room: channels, match threads and several seats in the browser of one machine."""

from bot.adapters.web.room import WebRoom

__all__ = ["WebRoom"]
