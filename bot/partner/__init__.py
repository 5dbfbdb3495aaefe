"""Riposte as an opponent: its seat in matches, and the processes in which it thinks."""
