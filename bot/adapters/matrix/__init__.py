"""Matrix: what passes between its rooms and the bot, through matrix-nio."""
