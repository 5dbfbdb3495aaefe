"""A real homeserver for tests of the Matrix adapter, and the people who play there."""
