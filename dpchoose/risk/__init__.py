"""How sure an output can make the adversary."""
