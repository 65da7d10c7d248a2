"""Bots, hints and reviews: scheduling and budgets of everything that computes for long."""
