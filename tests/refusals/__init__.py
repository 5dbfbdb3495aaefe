"""What a match refuses: each refusal whole, the fact and the remedy."""
