"""Everything that listens, decides when, and speaks: grammar, manager, narrator, courier and adapters."""
