"""Looks for whatever tells what nobody may know: every output of a match held beside that of its twin."""
