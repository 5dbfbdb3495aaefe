"""What a game tells those who learn it, and what is made of it."""
