"""Rows of a scan -> files for other systems, with masked values only."""
