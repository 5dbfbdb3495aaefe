"""Matrix: what passes between its rooms and the bot, through matrix-nio."""

from bot.adapters.matrix.adapter import MatrixAdapter
from bot.adapters.matrix.events.html import Wording
from bot.adapters.matrix.retrying import patiently
from bot.adapters.matrix.session import enter

__all__ = ["MatrixAdapter", "Wording", "enter", "patiently"]
