"""Veney 2.0: the game of fencing by C. Persimmon."""
