"""Telling people's devices that a match waits for them, while no page is open."""
