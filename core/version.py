"""The versions of the program and of what it writes; constants, as asking the installed package is slow."""

VERSION = "0.1.0"
RESULTS_FORMAT = 5  # of manifest.json and the Parquet files
