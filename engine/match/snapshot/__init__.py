"""Matches as they stand, written down so that a long one need not be followed from its first event."""
