"""Whom events are about and what they wrote, apart from the events, so that both can be forgotten."""
