-- What people wrote in their own words stands apart from the events, which hold `true` in its place: it can be erased,
-- and the chain stays whole. The words are taken out of the events when the database is opened (storage/words.py).

CREATE TABLE words (
    match  INTEGER NOT NULL REFERENCES matches (number),
    seq    INTEGER NOT NULL,                               -- of the event in which they stood
    field  TEXT    NOT NULL,
    person INTEGER NOT NULL REFERENCES people (number),    -- who wrote them
    body   TEXT    NOT NULL,                               -- sealed; empty once that person is erased
    sum    INTEGER NOT NULL,
    PRIMARY KEY (match, seq)
) STRICT, WITHOUT ROWID;

CREATE INDEX words_by_person ON words (person);
