"""From a message heard to a change committed."""
