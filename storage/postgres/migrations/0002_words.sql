-- What people wrote in their own words, apart from the events: what SQLite's 0008_words.sql makes of a file.

CREATE TABLE words (
    match  bigint NOT NULL REFERENCES matches (number),
    seq    bigint NOT NULL,
    field  text   COLLATE "C" NOT NULL,
    person bigint NOT NULL REFERENCES people (number),
    body   text   NOT NULL,
    sum    bigint NOT NULL,
    PRIMARY KEY (match, seq)
);

CREATE INDEX words_by_person ON words (person);
