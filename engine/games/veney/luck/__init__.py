"""Everything that chance or a secret choice decides: sticks, scatter, guesses, the hug."""
