"""The beginning of a game: term sheet, armies, layouts, initiative."""
