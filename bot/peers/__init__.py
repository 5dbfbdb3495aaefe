"""What several processes on one database do about each other."""
