"""What the command line says: how it refuses, and what it has found."""
