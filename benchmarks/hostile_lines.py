"""Lines of a megabyte that make careless patterns slow -> CPU seconds of the patterns and of the whole screen."""

import argparse
import random
import time
from collections.abc import Iterator

from core.records import Segment
from screening.patterns.patterns import Patterns
from screening.ruleset.ruleset import load_rules
from screening.screen import Screen

SIZE = 1_000_000
REPEATED = (
    *(
        "1",
        "0 ",
        "1-",
        "1 ",
        "1.",
        "1,",
        "12/",
        "1:",
        "(1",
        "+1 ",
        "a",
        "A",
        "a ",
        "A ",
        "Ab ",
        "Ab.",
        "a.",
        "a@",
        "@",
        ".",
        ",",
        '"',
        "'",
        "[",
        "](",
    ),
    *(
        " ",
        "\t",
        "-",
        "_",
        "é",
        "😀",
        "Dr. ",
        "Jo Smith ",
        " St",
        " Street",
        "1 A St ",
        "PID|",
        "x@y.zz ",
        "613-555-0142 ",
        "name: ",
        "SSN ",
        "health ",
    ),
    *(
        "University ",
        "of University ",
        "Ab University ",
        "card 1 ",
        "Patient: ",
        "www.",
        "http://",
        "MRN: 1",
        "https://a",
        "2019-",
        "Jan 1 ",
        "DE89",
        "A1",
        "1A",
    ),
    *(
        "passport ",
        "driver license ",
        "order 1",
        "Mr. A",
        "O'",
        "A-",
        ", MD",
        "a, CA ",
        "00:",
        "::",
        "ff:",
        "1.1.1.1 ",
        "\n",
        "a\n",
        "SLOAN , CHARLES ",
        "{",
        "<a>",
    ),
)


def lines() -> Iterator[tuple[str, str]]:
    for piece in REPEATED:
        yield piece, (piece * (SIZE // len(piece) + 1))[:SIZE]
    source = random.Random(1)
    yield "one long word", "".join(source.choice("abcdefghij") for _ in range(SIZE))
    yield "capitals and spaces", "".join(source.choice("ABC ") for _ in range(SIZE))
    yield "digits and joints", "".join(source.choice("0123456789-. /") for _ in range(SIZE))
    yield "hexadecimal", "".join(source.choice("0123456789abcdef") for _ in range(SIZE))
    yield "printable", "".join(chr(source.randint(32, 126)) for _ in range(SIZE))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--slower-than", type=float, default=0.0, help="show only lines that take longer than so many seconds"
    )
    options = parser.parse_args()
    ruleset = load_rules()
    patterns = Patterns(ruleset)
    screen = Screen(ruleset, b"benchmark" * 4)
    slowest = 0.0
    print(f"{'1 MB of':24s} {'patterns':>9s} {'screen':>9s}   CPU seconds")
    for name, line in lines():
        started = time.process_time()
        patterns.candidates(line)
        between = time.process_time()
        screen.screen([Segment("", line)])
        ended = time.process_time()
        slowest = max(slowest, ended - between)
        if ended - between > options.slower_than:
            print(f"{name!r:24s} {between - started:9.2f} {ended - between:9.2f}")
    print(f"{'slowest':24s} {'':9s} {slowest:9.2f}")


if __name__ == "__main__":
    main()
