-- Numbers of matches, for whoever asks: no two get the same, and none waits for another.

CREATE SEQUENCE match_numbers OWNED BY matches.number;
SELECT setval('match_numbers', max(number)) FROM matches HAVING max(number) > 0;
