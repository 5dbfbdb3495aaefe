"""What Tokonoma tells those who learn it."""
