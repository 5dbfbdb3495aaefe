"""Measures ourselves beside others: every module here with a `rows()` adds its lines to one table."""
