"""Scans in the browser: what ran, what runs, what is scheduled, and what changed from one scan to another."""
