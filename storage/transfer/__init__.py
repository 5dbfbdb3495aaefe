"""Copies everything from one database into another, whichever kinds they are."""
