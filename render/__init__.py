"""Pictures and words of a position, both made from the same Diagram."""
