"""The board that stays: what the page needs to draw a position, compose a turn and step through a match."""
