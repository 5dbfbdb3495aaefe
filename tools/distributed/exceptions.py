"""What does not hold yet on a database of several nodes, each with its reason, and what is to be done about it."""

from typing import Final, NamedTuple

from tools.distributed.lint import Finding


class Exempt(NamedTuple):
    """Statements that hold a text may break a rule."""

    rule: str
    sql: str
    reason: str

    def names(self, found: Finding) -> bool:
        """Returns whether it is about this."""
        return found.rule == self.rule and self.sql in found.sql


TOGETHER: Final = "WITH part_0 AS ("
"""How `storage.postgres.plans.asked` begins what it sends in one round trip."""

EXCEPTIONS: Final = (
    # --- what the way of a turn needs, to be changed before the first process starts on such a database
    Exempt("citus: WITH", TOGETHER, "saves round trips: send each statement by itself (one place, plans.asked)"),
    Exempt("cockroachdb: twice", TOGETHER, "goes with the one above"),
    Exempt(
        "citus: everywhere",
        "DELETE FROM alarms WHERE match =",
        "right, but asks every node for one row: name the bucket, which follows from the match's number",
    ),
    Exempt(
        "citus: locks",
        "FROM letters WHERE number = ",
        "what becomes of a letter is noted by its number: the outbox knows its lane, and so its bucket, too",
    ),
    Exempt("citus: everywhere", "UPDATE letters SET ", "goes with the one above"),
    Exempt("citus: locks", "FROM matches WHERE matches.match =", "a name that tells no number: Riposte gives none"),
    # --- what is rare
    Exempt(
        "citus: locks", "FROM letters WHERE done IS NULL FOR", "erasing somebody: all others pause, so nothing to lock"
    ),
    Exempt("citus: locks", "FROM letters WHERE replace(lane", "the same"),
    Exempt("citus: locks", "FROM words WHERE person IN", "the same"),
    Exempt("citus: everywhere", "UPDATE seats SET player", "erasing somebody touches all of their matches"),
    Exempt("citus: everywhere", "DELETE FROM seats WHERE player", "the same"),
    Exempt("citus: everywhere", "DELETE FROM snapshots", "the same; a snapshot is made anew"),
    # --- CockroachDB
    Exempt(
        "cockroachdb: NOTIFY", "LISTEN", "&listen=no in the address, or found out by itself: looked for every second"
    ),
    Exempt("cockroachdb: NOTIFY", "pg_notify", "the same"),
    Exempt(
        "cockroachdb: COLLATE", "COLLATE", "leave the words out of the tables: its texts compare by their bytes anyhow"
    ),
    Exempt(
        "cockroachdb: advisory",
        "pg_advisory_xact_lock(lane)",
        "keeps letters of a lane in the order of their commits: it needs a row for each lane, locked FOR UPDATE",
    ),
    Exempt("cockroachdb: advisory", "pg_advisory_xact_lock($1)", "one starts at a time: a row for it would do as well"),
    Exempt("cockroachdb: advisory", "pg_advisory_xact_lock(1382641775)", "the same"),
    Exempt(
        "cockroachdb: connections",
        "pg_terminate_backend",
        "cuts a stopped process's transaction short: idle_in_transaction_session_timeout does it there, in 5 seconds",
    ),
)
