"""The address of a Flink and a job's name -> what still runs there under that name is ended."""

import json
import time
import urllib.request
from typing import Any

from core.errors import LeakscreenError

_SECONDS_TO_ANSWER = 10
_SECONDS_TO_END = 60
_ENDED = {"FINISHED", "CANCELED", "FAILED"}


def rest_call(address: str, path: str, method: str = "GET") -> Any:
    """What the REST service of a job manager says; OSError where none does."""
    request = urllib.request.Request(f"{address}/{path}", method=method)  # noqa: S310 - the user names the master
    with urllib.request.urlopen(request, timeout=_SECONDS_TO_ANSWER) as answer:  # noqa: S310
        return json.load(answer)


def cancel_jobs(address: str, name: str) -> None:
    """Cancels the jobs of this name and waits until their last task has ended: a scan never has two jobs at once."""
    until = time.monotonic() + _SECONDS_TO_END
    asked_to_end: set[str] = set()
    while running := _running(address, name):
        for job in running - asked_to_end:
            rest_call(address, f"jobs/{job}?mode=cancel", "PATCH")
            asked_to_end.add(job)
        if time.monotonic() > until:
            raise LeakscreenError(
                f"the Flink at {address} goes on with job {min(running)}; cancel it there, then go on with --resume"
            )
        time.sleep(0.1)


def _running(address: str, name: str) -> set[str]:
    return {
        job["jid"]
        for job in rest_call(address, "jobs/overview")["jobs"]
        if job["name"] == name and job["state"] not in _ENDED
    }
