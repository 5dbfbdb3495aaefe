-- Matches, what they said and what wakes them. Rows of a log are only ever added.

PRAGMA application_id = 1382641775;  -- "Ripo"

CREATE TABLE migrations (
    number   INTEGER PRIMARY KEY,
    name     TEXT NOT NULL,
    checksum TEXT NOT NULL
) STRICT;

CREATE TABLE matches (
    number  INTEGER PRIMARY KEY,   -- the match's own number where it has one
    match   TEXT    NOT NULL UNIQUE,
    length  INTEGER NOT NULL,      -- how many events there are: a lost last row is noticed
    head    BLOB    NOT NULL,      -- digest of the last event
    game    TEXT,                  -- from here on the summary; NULL until there is one
    status  TEXT,
    players TEXT,                  -- JSON lists
    to_act  TEXT,
    places  TEXT,
    due     INTEGER,
    updated INTEGER
) STRICT;

CREATE INDEX matches_by_status ON matches (status);

CREATE VIEW summaries AS
SELECT match, game, status, players, to_act, places, due, updated, number FROM matches WHERE game IS NOT NULL;

CREATE TABLE events (
    match  INTEGER NOT NULL REFERENCES matches (number),
    seq    INTEGER NOT NULL,
    at     INTEGER NOT NULL,
    body   TEXT    NOT NULL,
    digest BLOB    NOT NULL,
    PRIMARY KEY (match, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE seats (
    player TEXT    NOT NULL,
    match  INTEGER NOT NULL REFERENCES matches (number),
    PRIMARY KEY (player, match)
) STRICT, WITHOUT ROWID;

CREATE TABLE homes (
    place TEXT    NOT NULL,
    match INTEGER NOT NULL REFERENCES matches (number),
    PRIMARY KEY (place, match)
) STRICT, WITHOUT ROWID;

CREATE TABLE alarms (
    match INTEGER NOT NULL REFERENCES matches (number),
    kind  TEXT    NOT NULL,
    at    INTEGER NOT NULL,
    PRIMARY KEY (match, kind, at)
) STRICT, WITHOUT ROWID;

CREATE INDEX alarms_by_instant ON alarms (at);

CREATE TABLE heard (
    id TEXT NOT NULL PRIMARY KEY
) STRICT, WITHOUT ROWID;

CREATE TABLE settings (
    owner TEXT NOT NULL,
    key   TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (owner, key)
) STRICT, WITHOUT ROWID;

-- The outbox. A letter that has arrived stays: its key must never be used again.
CREATE TABLE letters (
    number   INTEGER PRIMARY KEY,
    key      TEXT    NOT NULL UNIQUE,
    lane     TEXT    NOT NULL,
    body     TEXT    NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    until    INTEGER NOT NULL DEFAULT 0,  -- not to be tried again before
    done     INTEGER,                     -- when it arrived, or was given up
    remote   TEXT,                        -- the platform's id of it, if it arrived
    why      TEXT                         -- the reason, if it was given up
) STRICT;

CREATE INDEX letters_waiting ON letters (lane, number) WHERE done IS NULL;

-- The first waiting letter of every lane. Hops from lane to lane along the index, so that a thousand
-- letters stuck in one lane cost no more than one.
CREATE VIEW heads AS
WITH RECURSIVE lanes (lane) AS (
    SELECT min(lane) FROM letters WHERE done IS NULL
    UNION ALL
    SELECT (SELECT min(l.lane) FROM letters AS l WHERE l.done IS NULL AND l.lane > lanes.lane)
    FROM lanes WHERE lanes.lane IS NOT NULL
)
SELECT number, key, lane, body, attempts, until FROM letters
WHERE number IN (
    SELECT (SELECT min(l.number) FROM letters AS l WHERE l.done IS NULL AND l.lane = lanes.lane)
    FROM lanes WHERE lanes.lane IS NOT NULL
);
