"""Chirality's boards: Penrose rhombs, what a board makes of them, which boards there are and what is attacked there."""
