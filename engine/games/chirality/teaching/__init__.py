"""What Chirality tells those who learn it."""
