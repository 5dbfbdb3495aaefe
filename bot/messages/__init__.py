"""What passes between people and Riposte, as data, and how it is told."""
