"""A share of invented files with known truth, for the demo, for tests and for measuring."""

from leakscreen.demo.make import make_share, make_small_files
from leakscreen.demo.planted import Planted, write_truth

__all__ = ["Planted", "make_share", "make_small_files", "write_truth"]
