"""What an arbiter may do in a match that is not their own."""
