"""The front door of leakscreen: the command line, which alone composes the rooms."""
