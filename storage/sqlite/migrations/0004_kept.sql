-- Lists are found in their order, whatever is stored; what has served its time is pruned; and a row that is not as it
-- was written is noticed: `sum` is a checksum over what its row does not seal (storage/checksum.py).

CREATE TABLE new_seats (
    player  TEXT    NOT NULL,
    status  TEXT    NOT NULL,
    updated INTEGER NOT NULL,
    match   INTEGER NOT NULL REFERENCES matches (number),
    PRIMARY KEY (player, status, updated, match)
) STRICT, WITHOUT ROWID;

INSERT INTO new_seats SELECT seats.player, status, updated, match
FROM seats JOIN (SELECT number, status, updated FROM matches WHERE game IS NOT NULL) ON number = seats.match;

DROP TABLE seats;
ALTER TABLE new_seats RENAME TO seats;

CREATE TABLE new_homes (
    place   TEXT    NOT NULL,
    status  TEXT    NOT NULL,
    updated INTEGER NOT NULL,
    match   INTEGER NOT NULL REFERENCES matches (number),
    PRIMARY KEY (place, status, updated, match)
) STRICT, WITHOUT ROWID;

INSERT INTO new_homes SELECT homes.place, status, updated, match
FROM homes JOIN (SELECT number, status, updated FROM matches WHERE game IS NOT NULL) ON number = homes.match;

DROP TABLE homes;
ALTER TABLE new_homes RENAME TO homes;

ALTER TABLE matches ADD COLUMN sum INTEGER;
ALTER TABLE alarms ADD COLUMN sum INTEGER;
ALTER TABLE heard ADD COLUMN at INTEGER NOT NULL DEFAULT 0;  -- when it was dealt with; 0 = not known
ALTER TABLE heard ADD COLUMN sum INTEGER;
ALTER TABLE settings ADD COLUMN sum INTEGER;
ALTER TABLE arrivals ADD COLUMN sum INTEGER;
ALTER TABLE letters ADD COLUMN short INTEGER NOT NULL DEFAULT 0;  -- 1 = its words are pruned
ALTER TABLE letters ADD COLUMN sum INTEGER;

CREATE INDEX letters_whole ON letters (done) WHERE done IS NOT NULL AND short = 0;

DROP VIEW heads;
CREATE VIEW heads AS
WITH RECURSIVE lanes (lane) AS (
    SELECT min(lane) FROM letters WHERE done IS NULL
    UNION ALL
    SELECT (SELECT min(l.lane) FROM letters AS l WHERE l.done IS NULL AND l.lane > lanes.lane)
    FROM lanes WHERE lanes.lane IS NOT NULL
)
SELECT number, key, lane, body, attempts, until, done, remote, why, short, sum FROM letters
WHERE number IN (
    SELECT (SELECT min(l.number) FROM letters AS l WHERE l.done IS NULL AND l.lane = lanes.lane)
    FROM lanes WHERE lanes.lane IS NOT NULL
);

DROP VIEW summaries;
CREATE VIEW summaries AS
SELECT match, game, status, players, to_act, places, due, updated, number, sum FROM matches WHERE game IS NOT NULL;

UPDATE heard SET at = (SELECT coalesce(max(at), 0) FROM events);
UPDATE heard SET sum = checksum(id, at);
UPDATE matches SET sum = checksum(match, game, status, players, to_act, places, due, updated);
UPDATE alarms SET sum = checksum(match, kind, at);
UPDATE settings SET sum = checksum(owner, key, value);
UPDATE arrivals SET sum = checksum(id);
UPDATE letters SET sum = checksum(key, lane, attempts, until, done, remote, why, short);
