"""What a program may read, as the person whose key it has."""
