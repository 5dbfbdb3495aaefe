"""What was said and shown in the web room, and the file that it is kept in."""
