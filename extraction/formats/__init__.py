"""One module per format; adding a format is adding a module here (see extraction/format.py for what it must hold)."""
