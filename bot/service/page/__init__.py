"""What the web page needs to know of people who play elsewhere."""
