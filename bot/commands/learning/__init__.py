"""What helps to learn a game: `games`, `rules`, `learn`."""
