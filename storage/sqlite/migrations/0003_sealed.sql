-- From here on bodies and settings are sealed under a key that lies apart (storage/seal.py). What stands in the clear
-- is sealed when the database is opened, because SQL alone cannot; a Riposte that knows no key refuses the file.

SELECT 1;
