"""The one-line text of a position of Veney."""
