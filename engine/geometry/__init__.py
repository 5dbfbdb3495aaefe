"""Boards and tables that any game can use: squares, hexagons, and the turns by where they end."""
