"""What is asked of somebody: puzzles to solve, the riddle of the day, turns to judge."""
