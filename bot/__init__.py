"""The bot: what people say comes in through adapters, what follows from it is committed, and what is told goes out."""
