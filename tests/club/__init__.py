"""Tournaments: who meets whom, how they stand, and what people read of it."""
