"""The threads of matches: opened, unlocked and named."""
