-- Expands: what waits lies in one of 64 buckets, which a process claims from one at a time: letters by their lane,
-- alarms by their match. A table can be distributed by that column (deploy/citus.sql).

ALTER TABLE letters ADD COLUMN bucket bigint;
ALTER TABLE alarms  ADD COLUMN bucket bigint;

-- Those that an older version has written, until the next two steps have seen to them.
CREATE INDEX letters_without_bucket ON letters (number) WHERE bucket IS NULL;

CREATE OR REPLACE VIEW heads AS
WITH RECURSIVE lanes (lane) AS (
    SELECT min(lane) FROM letters WHERE done IS NULL
    UNION ALL
    SELECT (SELECT min(l.lane) FROM letters AS l WHERE l.done IS NULL AND l.lane > lanes.lane)
    FROM lanes WHERE lanes.lane IS NOT NULL
)
SELECT letters.number, key, letters.lane, body, attempts, until, done, remote, why, short, sum, process, bucket
FROM lanes CROSS JOIN LATERAL (
    SELECT * FROM letters AS l WHERE l.done IS NULL AND l.lane = lanes.lane ORDER BY l.number LIMIT 1
) AS letters;
