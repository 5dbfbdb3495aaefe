"""Carries turns out on a working board, tenable or not."""
