"""Mode bits -> the widest circle that may read a file, in the word that results use."""

from core.access import EVERYONE, GROUP, OWNER

READ = 4


def from_mode(mode: int) -> str:
    """Where there is a list, the bits of the group tell of all that it names."""
    if mode & READ:
        return EVERYONE
    return GROUP if mode & READ << 3 else OWNER
