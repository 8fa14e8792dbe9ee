"""Results of scans, and what reviewers verified -> a breach report."""
