"""What only a PostgreSQL can do to a store."""
