"""Groups of files that are alike: copies with small changes, and filled-in copies of one form."""
