-- Events tell people by numbers from here on, and this table alone says whose they are: whoever is erased keeps a
-- number and has no name. `erasures` says which erasures this file has been through, by a digest that names nobody.
-- The numbers are put into the events when the database is opened, because SQL alone cannot (storage/persons.py).

CREATE TABLE people (
    number INTEGER PRIMARY KEY AUTOINCREMENT,   -- never given twice
    player TEXT    NOT NULL UNIQUE,
    sum    INTEGER NOT NULL
) STRICT;

CREATE TABLE erasures (
    digest TEXT    NOT NULL PRIMARY KEY,
    at     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
