"""Counts of verified files -> rates and intervals: pure functions, no pipeline and no database."""
