"""Settings -> how many worker processes the local runner has; without Beam, whose import takes seconds."""

import os

LOCAL = "local"


def worker_count(workers: int) -> int:
    """0 means one a core that this process may use."""
    return workers or len(os.sched_getaffinity(0))
