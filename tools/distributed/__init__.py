"""Holds our SQL to what databases of many nodes can do: Citus, laid out as in `deploy/citus.sql` and CockroachDB."""
