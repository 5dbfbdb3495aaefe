"""Friendly words for Veney's notation: what people type who do not want to learn the signs."""

from engine.games.veney.position import Position


def spoken(text: str, position: Position) -> list[str]:
    """The text as notation tokens."""
    return text.split()
