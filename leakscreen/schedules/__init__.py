"""Cron expressions of the settings -> scans at their times, each followed by refer and notify, with a history."""
