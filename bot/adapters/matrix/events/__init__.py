"""Between the JSON of Matrix events and values of our own: reading, addressing, content and HTML."""
