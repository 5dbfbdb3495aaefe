"""What Veney tells those who learn it."""
