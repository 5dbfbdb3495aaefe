"""Turns, private answers and calls made up by menus: what is picked stands in the ids, so nothing is remembered."""
