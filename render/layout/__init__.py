"""Works out where everything goes on a picture, in pixels."""
