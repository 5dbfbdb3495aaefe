"""What Ironclad tells those who learn it."""
