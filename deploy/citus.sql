-- Lays Riposte's tables out over the nodes of a Citus (12 or newer), whose coordinator is a PostgreSQL of its own.
--
-- Not tried on one: none could be had where this was written. tests/postgres/test_distributed.py carries it out on a
-- PostgreSQL in which Citus' functions are stand-ins, reads from the catalogue that every unique key holds the column
-- its table is distributed by, and holds all that Riposte asks to what Citus and CockroachDB document; what does not
-- hold yet stands in tools/distributed/exceptions.py, and has to be changed before the first process starts on it.
--
-- Once, on the coordinator, with no Riposte running, after `riposte migrate` or a first start has made the tables:
--   psql --single-transaction --set ON_ERROR_STOP=1 --file deploy/citus.sql postgresql://…

-- What has no match: people, settings (ratings, tokens, preferences), what was heard, who is there. Small, or asked for
-- in one place: whole on the coordinator, or on every node where rows of a match are joined with them.
SELECT create_reference_table('people');
SELECT create_reference_table('leases');
SELECT citus_add_local_table_to_metadata('settings');
SELECT citus_add_local_table_to_metadata('heard');
SELECT citus_add_local_table_to_metadata('arrivals');
SELECT citus_add_local_table_to_metadata('erasures');
SELECT citus_add_local_table_to_metadata('duties');
SELECT citus_add_local_table_to_metadata('commits');
SELECT citus_add_local_table_to_metadata('migrations');

-- A match lies on one node, with all that is told of it. Its name follows from its number, which is the key.
ALTER TABLE matches DROP CONSTRAINT matches_match_key;
CREATE INDEX matches_by_name ON matches (match);
SELECT create_distributed_table('matches', 'number');
SELECT create_distributed_table('events', 'match', colocate_with => 'matches');
SELECT create_distributed_table('words', 'match', colocate_with => 'matches');
SELECT create_distributed_table('snapshots', 'match', colocate_with => 'matches');
SELECT create_distributed_table('seats', 'match', colocate_with => 'matches');
SELECT create_distributed_table('homes', 'match', colocate_with => 'matches');

-- What waits lies by its bucket, one of 64: a process claims within one, so that it asks one node and locks rows there.
ALTER TABLE alarms DROP CONSTRAINT alarms_match_fkey;
ALTER TABLE alarms DROP CONSTRAINT alarms_pkey;
ALTER TABLE alarms ADD PRIMARY KEY (bucket, match, kind, at);
CREATE INDEX alarms_in_buckets ON alarms (bucket, at);
ALTER TABLE letters DROP CONSTRAINT letters_pkey;
ALTER TABLE letters ADD PRIMARY KEY (bucket, number);
ALTER TABLE letters DROP CONSTRAINT letters_key_key;
ALTER TABLE letters ADD CONSTRAINT letters_key_key UNIQUE (bucket, key);
CREATE INDEX letters_in_buckets ON letters (bucket, lane, number) WHERE done IS NULL;
SELECT create_distributed_table('letters', 'bucket', colocate_with => 'none');
SELECT create_distributed_table('alarms', 'bucket', colocate_with => 'letters');

-- Hops along an index cannot be sent to several nodes; whether a letter has one before it in its bucket can.
CREATE OR REPLACE VIEW heads AS
SELECT number, key, lane, body, attempts, until, done, remote, why, short, sum, process, bucket FROM letters
WHERE done IS NULL AND NOT EXISTS (
    SELECT 1 FROM letters AS before
    WHERE before.bucket = letters.bucket AND before.lane = letters.lane
    AND before.done IS NULL AND before.number < letters.number
);
