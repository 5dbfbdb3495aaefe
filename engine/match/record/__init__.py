"""The record of a match as text that a person can read and a program can play again."""
