"""Matrix: what passes between its rooms and the bot, through matrix-nio."""

from bot.adapters.matrix.adapter import MatrixAdapter
from bot.adapters.matrix.session import enter
from bot.adapters.matrix.stream import patiently

__all__ = ["MatrixAdapter", "enter", "patiently"]
