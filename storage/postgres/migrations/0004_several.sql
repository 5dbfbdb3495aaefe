-- Several processes on one database: who they are, and what is whose to do.
-- A process is the lease "process 17"; whatever bears the number of one that is not there is anybody's.

CREATE SEQUENCE processes;

ALTER TABLE leases   ADD COLUMN paused  bigint;  -- the process for whose sake this one has nothing under way
ALTER TABLE alarms   ADD COLUMN process bigint;
ALTER TABLE letters  ADD COLUMN process bigint DEFAULT nullif(current_setting('riposte.process', true), '')::bigint;
ALTER TABLE arrivals ADD COLUMN process bigint DEFAULT nullif(current_setting('riposte.process', true), '')::bigint;

-- What one process at a time does: it has a platform open, say.
CREATE TABLE duties (
    name     text        COLLATE "C" NOT NULL PRIMARY KEY,
    platform text        COLLATE "C" NOT NULL,
    process  bigint      NOT NULL,
    ready    bigint      NOT NULL DEFAULT 0,
    seen     timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE OR REPLACE VIEW heads AS
WITH RECURSIVE lanes (lane) AS (
    SELECT min(lane) FROM letters WHERE done IS NULL
    UNION ALL
    SELECT (SELECT min(l.lane) FROM letters AS l WHERE l.done IS NULL AND l.lane > lanes.lane)
    FROM lanes WHERE lanes.lane IS NOT NULL
)
SELECT letters.number, key, letters.lane, body, attempts, until, done, remote, why, short, sum, process
FROM lanes CROSS JOIN LATERAL (
    SELECT * FROM letters AS l WHERE l.done IS NULL AND l.lane = lanes.lane ORDER BY l.number LIMIT 1
) AS letters;
