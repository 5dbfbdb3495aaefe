"""What people settle about their own time and notices."""
