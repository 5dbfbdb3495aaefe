"""What people wrote while the bot was away: Discord sends it to no new session, but the channels can be read."""
