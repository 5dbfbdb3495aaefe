"""What runs beside the commands: who is admitted first, what is sent, what wakes matches, what keeps platforms open."""
