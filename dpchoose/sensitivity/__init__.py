"""How far one query can change between neighbouring datasets, exactly."""
