-- Expands: the last transaction of each process on each of its connections, so that it can be asked
-- whether one was committed whose answer was lost.

CREATE TABLE commits (
    lease text   COLLATE "C" NOT NULL REFERENCES leases (name) ON DELETE CASCADE,
    slot  bigint NOT NULL,
    mark  bigint NOT NULL,
    PRIMARY KEY (lease, slot)
);
