"""This machine -> what its kernel offers against a hostile parser process."""

import ctypes
import platform
import sys
from dataclasses import asdict, dataclass

from extraction.confinement.landlock import landlock_abi
from extraction.confinement.seccomp import AUDIT_ARCHITECTURES, seccomp_is_offered

__all__ = ["Protection", "probe"]


@dataclass(frozen=True, slots=True)
class Protection:
    """Landlock keeps the file system away, seccomp the network, other processes and most of the kernel."""

    landlock_abi: int  # 0: none
    seccomp: bool
    rlimits: bool = True

    @property
    def exists(self) -> bool:
        return self.landlock_abi > 0 or self.seccomp

    def as_dict(self) -> dict[str, int | bool]:
        return asdict(self)


def probe() -> Protection:
    """Only asks the kernel; the calling process is not changed."""
    if sys.platform != "linux":
        return Protection(0, False)
    library = ctypes.CDLL(None, use_errno=True)
    return Protection(landlock_abi(library), platform.machine() in AUDIT_ARCHITECTURES and seccomp_is_offered(library))
