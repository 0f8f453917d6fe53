"""Which shapes of the guides a design has: found in the trees of its scripts, not in its names."""
