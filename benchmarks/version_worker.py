"""Lines with texts -> for each line the CPU seconds of this checkout's screen, and digests of what it found."""

import hashlib
import json
import sys
import time

from benchmarks.screening_speed import KEY, screened
from pipelines.runners.garbage import look_seldom
from pipelines.stages.screen import SCREENED_TOGETHER
from screening.ruleset.ruleset import load_rules
from screening.screen import Screen


def main() -> None:
    screen = Screen(load_rules(), KEY)
    look_seldom()
    for line in sys.stdin:
        documents = json.loads(line)
        batches = [documents[low : low + SCREENED_TOGETHER] for low in range(0, len(documents), SCREENED_TOGETHER)]
        started = time.process_time()
        found = [screening for batch in batches for screening in screened(screen, batch)]
        seconds = time.process_time() - started
        digests = [hashlib.sha256(repr(screening).encode("utf-8", "replace")).hexdigest() for screening in found]
        print(json.dumps({"seconds": seconds, "findings": digests}), flush=True)


if __name__ == "__main__":
    main()
