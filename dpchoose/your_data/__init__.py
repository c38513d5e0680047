"""From the risk that is accepted to the epsilon that keeps it."""
