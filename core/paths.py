"""The environment -> where leakscreen keeps a user's own data."""

import os
from pathlib import Path


def data_folder() -> Path:
    home = os.environ.get("XDG_DATA_HOME") or os.path.join(os.path.expanduser("~"), ".local", "share")
    return Path(home) / "leakscreen"
