"""Everything that reads what somebody else has written, under inputs that nobody would think of."""
