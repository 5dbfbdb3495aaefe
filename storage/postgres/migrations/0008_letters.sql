-- Later, in pieces: the buckets of letters that an older version has written.

UPDATE letters SET bucket = get_byte(sha256(convert_to(lane, 'UTF8')), 0) % 64
WHERE number IN (SELECT number FROM letters WHERE bucket IS NULL ORDER BY number LIMIT 1000);
