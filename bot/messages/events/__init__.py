"""The sentences for what happens, by subject."""
