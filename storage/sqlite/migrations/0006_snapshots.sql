-- Matches as they stood at some event: a long log is read from there. What does not fit its log is not used.
CREATE TABLE snapshots (
    match INTEGER PRIMARY KEY REFERENCES matches (number),
    seq   INTEGER NOT NULL,
    body  BLOB    NOT NULL
) STRICT;
