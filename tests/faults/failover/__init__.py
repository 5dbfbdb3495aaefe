"""A cluster of PostgreSQLs whose leader is killed or cut off while people play.

    python -m tests.faults.failover 10 [SEED]

See `play.py`.
"""
