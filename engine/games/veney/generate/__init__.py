"""Lists the tenable turns of a position."""
