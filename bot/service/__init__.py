"""From a message or an alarm to a committed change: find the command, carry it out, tell everybody whom it concerns."""
