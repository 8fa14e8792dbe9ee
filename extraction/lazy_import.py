"""Name of a heavy library -> the library, loaded by the first parser process that meets a file for it."""

import contextlib
import functools
import importlib
import os
from typing import Any

from extraction.confinement.protection import probe


class LazyModule:
    """Most scans have no file for such a library, and loading them all would delay every start by seconds.

    If the sandbox cannot open files (no Landlock), the library is loaded at once: later it could not be.
    """

    def __init__(self, *names: str) -> None:
        self._names = names
        if not probe().landlock_abi:
            with contextlib.suppress(ImportError):  # of an extra that is not installed; said where it is needed
                self.load()

    @functools.cached_property
    def _modules(self) -> list[Any]:
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # a parser process can start no threads
        return [importlib.import_module(name) for name in self._names]

    def load(self) -> Any:
        """The first of the modules, with the others loaded as well."""
        return self._modules[0]
