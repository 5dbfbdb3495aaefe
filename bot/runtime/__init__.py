"""What runs beside the commands: who goes first, what is sent, what wakes matches."""
