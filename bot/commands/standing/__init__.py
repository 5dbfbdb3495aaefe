"""Commands about how people have done: their results and ratings."""
