"""Draws pieces, marks and words, each as a sprite that knows nothing of what lies around it."""
