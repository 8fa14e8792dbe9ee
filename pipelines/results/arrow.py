"""pyarrow -> `pa`, kept from importing pandas.

pyarrow looks for pandas when its first array is made, which takes half a second and serves nothing here.
"""

import sys
from importlib.abc import MetaPathFinder
from typing import Any

import pyarrow as pa

__all__ = ["pa"]


class _NoPandas(MetaPathFinder):
    def find_spec(self, name: str, path: Any = None, target: Any = None) -> None:
        if name == "pandas":
            raise ImportError("not for pyarrow")


def _make_first_array() -> None:
    """pyarrow asks for pandas once and remembers the answer; whoever else wants it later gets it."""
    refusing = _NoPandas()
    sys.meta_path.insert(0, refusing)
    try:
        pa.array([])
    finally:
        sys.meta_path.remove(refusing)


if "pandas" not in sys.modules:
    _make_first_array()
