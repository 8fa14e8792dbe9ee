"""Rows of a scan -> files for other systems: JSON lines, CSV, SARIF, Parquet, CEF and syslog lines; masked values only."""
