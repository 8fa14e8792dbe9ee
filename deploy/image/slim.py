"""An installed environment -> the same without what no command loads, and with bytecode of what is left.

The Dockerfile runs it: `python slim.py /opt/leakscreen/lib/python3.11/site-packages`. A pattern that matches nothing is
an error, so that this list does not outlive the packages that it was written for.
"""

import compileall
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

LEFT_OUT = (
    # sources and headers of compiled modules, and tests
    "**/*.pxd",
    "**/*.pyx",
    "**/*.pyi",
    "**/*.c",
    "**/*.cpp",
    "**/*.h",
    "numpy/**/tests",
    "scipy/**/tests",
    "sklearn/**/tests",
    "pyarrow/tests",
    "pyarrow/include",
    "pyarrow/src",
    "pyarrow/*.pxi",
    "numpy/_core/include",
    "numpy/_core/lib/*.a",
    "lxml/includes",
    "numpy/distutils",
    "sqlalchemy/testing",
    # Arrow's network protocol: results are Parquet files alone
    "pyarrow/*arrow_flight*",
    "pyarrow/_flight*",
    "pyarrow/*arrow_python_flight*",
    "pyarrow/_pyarrow_cpp_tests*",
    # the slower of two backends
    "zstandard/_cffi*",
    # parts of Beam that neither the local runner nor Flink has any use for
    "apache_beam/examples",
    "apache_beam/testing/benchmarks",
    "apache_beam/testing/load_tests",
    "apache_beam/yaml/examples",
    "apache_beam/**/*_test.py",
    # a database client that Beam imports where it is there, and does without, and what that client alone needs
    "pymongo",
    "bson",
    "gridfs",
    "dns",
    # parts of Django that the service does not install
    "django/contrib/admin",
    "django/contrib/admindocs",
    "django/contrib/flatpages",
    "django/contrib/gis",
    # pages about the API, which the service does not show, and codes of structured reports, which nothing writes
    "ninja/static",
    "pydicom/sr",
    # data of examples, and translations: the pages are in English and French
    "sklearn/datasets/data",
    "sklearn/datasets/images",
    "pydicom/data/test_files",
    "pydicom/data/charset_files",
    "django/**/*.po",
    "django/contrib/*/locale/[!ef]*",
    "django/contrib/*/locale/f[!r]*",
    "django/conf/locale/[!ef]*/LC_MESSAGES",
    "django/conf/locale/f[!r]*/LC_MESSAGES",
)
# of the services of Amazon, what credentials and objects need
_AWS = re.compile(r"s3|sso|sso-oidc|sts|signin")
# Nothing of these is loaded by a scan, or by the service at its start.
NOT_COMPILED = re.compile(
    r"/(sklearn|joblib|pygments|tests|conf/app_template|conf/project_template|conf/locale)/"
    r"|/apache_beam/(yaml|ml|dataframe|testing|tools)/|/scipy/(?!sparse|_lib)\w+/|/olefile2\.py$"
)


def slim(packages: Path) -> None:
    faults = [pattern for pattern in LEFT_OUT if not _remove(packages.glob(pattern))]
    if faults:
        raise SystemExit("nothing matches these patterns any more: " + ", ".join(faults))
    _remove(
        path for path in (packages / "botocore" / "data").iterdir() if path.is_dir() and not _AWS.fullmatch(path.name)
    )
    one_of_each(packages / "pyarrow")
    _strip(packages)
    if not compileall.compile_dir(packages, quiet=1, rx=NOT_COMPILED, workers=0):
        raise SystemExit("a module could not be compiled: see above")


def _remove(paths: Iterator[Path]) -> int:
    number = 0
    for path in list(paths):
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
        number += 1
    return number


def one_of_each(folder: Path) -> None:
    """A wheel cannot hold links, so a library is there three times: libx.so, libx.so.25 and libx.so.25.1.0."""
    for longest in folder.glob("lib*.so.*.*.*"):
        for path in folder.glob(longest.name.partition(".so")[0] + ".so*"):
            if path != longest and path.read_bytes() == longest.read_bytes():
                path.unlink()
                path.symlink_to(longest.name)


def _strip(packages: Path) -> None:
    """Symbols for debuggers are most of many modules. Libraries in *.libs were patched, which strip can break."""
    modules = [
        str(path)
        for path in packages.rglob("*.so*")
        if not path.is_symlink() and not path.parent.name.endswith(".libs")
    ]
    subprocess.run(["strip", "--strip-unneeded", *modules], check=True)


if __name__ == "__main__":
    slim(Path(sys.argv[1]))
