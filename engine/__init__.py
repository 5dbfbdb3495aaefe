"""The pure core: games answer about positions, matches about players and terms; nothing here does I/O."""
