"""Bots, hints and reviews: what thinks, in which order, and for how long."""
