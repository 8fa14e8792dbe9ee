"""What scans and reviewers did -> pages that show at a glance which rules work."""
