"""The piste as geometry: squares, lines of sight, movements, points of the grid, and the board that is drawn."""
