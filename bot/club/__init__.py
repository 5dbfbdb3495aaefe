"""Tournaments: what happens in them, as events, and all that follows from it: pairings, points, what comes next."""
