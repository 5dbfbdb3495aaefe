"""When no clock runs: people's weekends, quiet hours and vacations, and the times in which Riposte was away."""
