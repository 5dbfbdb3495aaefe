-- Later: the buckets of alarms that an older version has written; all letters have theirs.

UPDATE alarms SET bucket = match & 63 WHERE bucket IS NULL;
DROP INDEX letters_without_bucket;
