-- What a program was told is found again by its number, so that it can go on from where it was.

CREATE INDEX letters_of_programs ON letters (lane, number) WHERE lane >= 'api/' AND lane < 'api0';
