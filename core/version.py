"""The versions of the program and of what it writes; asking the installed package for its own takes longer than all else at a start."""

VERSION = "0.1.0"
RESULTS_FORMAT = 1  # of manifest.json and the Parquet files
