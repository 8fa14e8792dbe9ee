"""Texts of JSON-lines files -> megabytes that the screen reads in one CPU second, as a whole and by part."""

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path

from core.records import Segment
from screening.names import NameFinder
from screening.patterns import Patterns
from screening.ruleset import load_rules
from screening.screen import Screen


def texts(folder: Path) -> list[str]:
    """The texts of all `.jsonl` files of a folder, in the order of their names."""
    found: list[str] = []
    for path in sorted(folder.glob("*.jsonl")):
        with path.open(encoding="utf-8") as lines:
            found.extend(str(json.loads(line).get("text", "")) for line in lines)
    return found


def megabytes_per_second(work: Callable[[str], object], documents: list[str], size: float) -> float:
    start = time.process_time()
    for document in documents:
        work(document)
    return size / (time.process_time() - start)


def hostile_lines() -> dict[str, str]:
    """Lines of a megabyte that make careless patterns slow."""
    shapes = [
        "1",
        "1-",
        "1 ",
        "12/",
        "a",
        "A",
        "A ",
        "Ab ",
        "Ab.",
        "a@",
        "a.",
        "Dr. ",
        "Jo Smith ",
        "(1",
        "+1 ",
        " St",
        "PID|",
        "é",
        "x@y.zz ",
        "613-555-0142 ",
        "name: ",
    ]
    return {shape: (shape * (1_000_000 // len(shape) + 1))[:1_000_000] for shape in shapes}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with .jsonl files whose rows have a `text`")
    documents = texts(parser.parse_args().data)
    size = sum(len(document.encode("utf-8", "replace")) for document in documents) / 1e6
    ruleset = load_rules()
    start = time.process_time()
    screen = Screen(ruleset, b"benchmark" * 4)
    print(f"make ready      {time.process_time() - start:8.2f} CPU s")
    print(f"texts           {len(documents):8d}, {size:.1f} MB")
    assert ruleset.names is not None
    names = NameFinder(ruleset.names)
    patterns = Patterns(ruleset)
    for label, work in (
        ("patterns", patterns.candidates),
        ("names", names.find),
        ("whole screen", lambda text: screen.screen([Segment("", text)])),
    ):
        print(f"{label:15s} {megabytes_per_second(work, documents, size):8.1f} MB per CPU s")
    for shape, line in hostile_lines().items():
        start = time.process_time()
        screen.screen([Segment("", line)])
        print(f"1 MB of {shape!r:17s} {time.process_time() - start:6.2f} CPU s")


if __name__ == "__main__":
    main()
