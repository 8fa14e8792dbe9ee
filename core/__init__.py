"""The nouns of leakscreen: records, settings and errors, on the standard library alone."""
