"""A standby in an object store: everything but the key, sealed, a round of what has changed every 20 seconds."""
