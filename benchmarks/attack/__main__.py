"""`python -m benchmarks.attack [GROUP ...]`: tries every attack for real and prints how many were tried and held.

It exits with 1 if one was not held, and names it. To add attacks, yield them from a group.
"""

import argparse
import time

from benchmarks.attack.canaries import canaries
from benchmarks.attack.case import Group
from benchmarks.attack.disguises import disguises
from benchmarks.attack.escapes import escapes
from benchmarks.attack.faults import faults
from benchmarks.attack.hostile_files import hostile_files
from benchmarks.attack.lying_child import lying_child
from benchmarks.attack.service import service
from benchmarks.attack.sign_on import sign_on

GROUPS: dict[str, Group] = {
    "sandbox": escapes,
    "lying child": lying_child,
    "hostile files": hostile_files,
    "disguises": disguises,
    "faults": faults,
    "service": service,
    "sign-on": sign_on,
    "canaries": canaries,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("groups", nargs="*", metavar="GROUP", help=f"only these, of {', '.join(GROUPS)}")
    chosen = parser.parse_args().groups or list(GROUPS)
    all_tried = all_held = 0
    print(f"{'group':<16} {'tried':>6} {'held':>6} {'seconds':>8}")
    for group in chosen:
        started = time.monotonic()
        cases = list(GROUPS[group]())
        held = sum(case.held for case in cases)
        print(f"{group:<16} {len(cases):>6,} {held:>6,} {time.monotonic() - started:>8.0f}", flush=True)
        for case in cases:
            if not case.held:
                print(f"    NOT HELD: {case.name}", flush=True)
        all_tried, all_held = all_tried + len(cases), all_held + held
    print(f"{'all':<16} {all_tried:>6,} {all_held:>6,}")
    raise SystemExit(all_held < all_tried)


if __name__ == "__main__":
    main()
