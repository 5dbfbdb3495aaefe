"""One file or folder for each chat platform; they translate and know nothing of games."""
