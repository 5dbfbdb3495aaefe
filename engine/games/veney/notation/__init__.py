"""Reads what players write, and writes turns in canonical notation."""
