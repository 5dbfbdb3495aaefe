"""What messages show of a match: its pictures, described as data, and its replays."""
