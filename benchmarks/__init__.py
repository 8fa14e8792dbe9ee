"""Measurements against the limit and against peers, side by side in one run, given as ratios."""
