"""One module for each export format, named after it: `write(rows, scan, sink)` turns exported rows into the bytes of a file.

A new format is a new module here; the command line lists what is in this folder.
"""
