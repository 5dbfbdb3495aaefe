"""The store in PostgreSQL, by asyncpg: an extra, `pip install 'riposte[postgres]'`."""
