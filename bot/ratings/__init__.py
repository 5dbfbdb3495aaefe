"""What finished matches say of their players: results, and ratings that follow from them."""
