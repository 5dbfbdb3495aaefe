"""Composes a picture: its items in drawing order, as deltas over the background, in bands of which few change."""
