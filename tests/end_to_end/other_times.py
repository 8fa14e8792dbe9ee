"""A scan by another clock, or resumed by another version: the same command, in a process that is told so."""

import shutil
from pathlib import Path

ROOT = Path(__file__).parents[2]
# Only where a scan reads the time it begins: Arrow does not bear another class in place of the real one.
_CLOCK = """
import datetime, importlib.machinery, sys

class Ahead(datetime.datetime):
    @classmethod
    def now(cls, tz=None):
        return datetime.datetime.now(tz) + datetime.timedelta(seconds={seconds})

class Loader(importlib.machinery.SourceFileLoader):
    def exec_module(self, module):
        super().exec_module(module)
        module.datetime = Ahead

class Finder:
    def find_spec(self, name, path, target=None):
        spec = importlib.machinery.PathFinder.find_spec(name, path) if name == "pipelines.request" else None
        if spec is not None:
            spec.loader = Loader(name, spec.origin)
        return spec

sys.meta_path.insert(0, Finder())
"""


def clock_ahead(folder: Path, seconds: int) -> dict[str, str]:
    """The environment of a process whose clock is ahead."""
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(_CLOCK.format(seconds=seconds))
    return {"PYTHONPATH": str(folder)}


def upgraded(folder: Path) -> dict[str, str]:
    """The environment of a process that runs the next version, with a newer extraction."""
    folder.mkdir()
    for package in ROOT.iterdir():
        if (package / "__init__.py").exists() and package.name not in ("extraction", "core"):
            (folder / package.name).symlink_to(package)
    for name, old, new in (
        ("extraction", "EXTRACTOR_VERSION: int = ", "EXTRACTOR_VERSION: int = 1"),
        ("core", 'VERSION = "', 'VERSION = "9.'),
    ):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        version = folder / name / "version.py"
        version.write_text(version.read_text().replace(old, new, 1))
    return {"PYTHONPATH": str(folder)}
