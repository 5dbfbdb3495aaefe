"""What Tirachen tells those who learn it."""
