"""What the end of a match leaves behind: its result, and what it says to its tournament."""
