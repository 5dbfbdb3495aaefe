"""The web room: channels, match threads and several seats in the browser of one machine."""

from bot.adapters.web.server import WebRoom

__all__ = ["WebRoom"]
