-- Messages of platforms that repeat nothing, until they are dealt with; letters, to be found by the platform's id.

CREATE TABLE arrivals (
    number INTEGER PRIMARY KEY AUTOINCREMENT,   -- in the order in which they came
    id     TEXT NOT NULL UNIQUE,
    body   TEXT NOT NULL
) STRICT;

CREATE INDEX letters_by_remote ON letters (remote) WHERE remote IS NOT NULL;
