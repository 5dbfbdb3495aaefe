"""Commands about tournaments, ladders and clubs."""
