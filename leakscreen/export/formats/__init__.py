"""One module for each export format, named after it; its `write(rows, scan, sink)` turns exported rows into a file.

A new format is a new module here; the command line lists what is in this folder.
"""
