"""What could have been released: the answers of all possible worlds."""
