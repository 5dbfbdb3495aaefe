"""The web room: channels, match threads and several users in the browsers of one machine."""

from bot.adapters.web.adapter import WebRoom
from bot.adapters.web.templates import page_templates

__all__ = ["WebRoom", "page_templates"]
