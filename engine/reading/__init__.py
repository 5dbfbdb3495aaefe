"""Reading what people send: how long it may be, and what a turn typed on a phone was meant to be."""
