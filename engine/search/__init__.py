"""How Riposte chooses turns: search, levels, and what it notices. Pure: nodes are its budget, luck is told."""
