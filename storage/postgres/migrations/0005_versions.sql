-- Expands: what processes of two versions must know of each other while one takes the place of the other.

ALTER TABLE migrations ADD COLUMN expands boolean NOT NULL DEFAULT false;  -- whoever does not know this step works on
ALTER TABLE leases     ADD COLUMN knows   bigint;                          -- how many steps a process knows; null = four
