"""Two people (or more) playing: their terms, turns, offers, calls and clocks; no rules of any game."""
