"""What came out of each file, and what others found in it -> the two shares of coverage, by kind and in all."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

HALF = 0.5


@dataclass(slots=True)
class Found:
    """What came of one file, its members included."""

    path: Path
    status: str = ""
    reason: str = ""
    media_type: str = ""
    letters: int = 0
    others: dict[str, int] = field(default_factory=dict)  # letters by the name of another extractor

    @property
    def best(self) -> int:
        return max(self.others.values(), default=0)

    @property
    def holds_text(self) -> bool:
        """Somebody else found a letter in it, so what is encrypted or broken for everyone counts for nobody."""
        return self.best > 0

    @property
    def is_half(self) -> bool:
        return self.letters >= HALF * self.best


@dataclass(slots=True)
class Kind:
    files: int = 0
    holding: int = 0
    filled: int = 0
    half: int = 0
    letters: int = 0
    statuses: Counter[str] = field(default_factory=Counter)

    def add(self, entry: Found) -> None:
        self.files += 1
        self.letters += entry.letters
        self.statuses[entry.status or "NONE"] += 1
        if entry.holds_text:
            self.holding += 1
            self.filled += entry.letters > 0
            self.half += entry.is_half


def print_coverage(files: Iterable[Found]) -> None:
    kinds: dict[str, Kind] = defaultdict(Kind)
    together = Kind()
    for entry in files:
        kinds[entry.media_type].add(entry)
        together.add(entry)
    print(f"{'media type':<60}{'files':>6}{'hold':>6}{'text':>6}{'half':>6}{'letters':>13}  statuses")
    for name, kind in [*sorted(kinds.items(), key=lambda item: -item[1].files), ("all", together)]:
        statuses = ", ".join(f"{status} {count}" for status, count in kind.statuses.most_common())
        print(
            f"{name[:59]:<60}{kind.files:>6}{kind.holding:>6}{kind.filled:>6}{kind.half:>6}{kind.letters:>13,}  "
            f"{statuses}"
        )
    if together.holding:
        print(
            f"{together.filled:,} of {together.holding:,} files that hold text yielded some "
            f"({together.filled / together.holding:.1%}),"
        )
        print(
            f"{together.half:,} at least half of the letters of the best other extractor "
            f"({together.half / together.holding:.1%})"
        )


def print_others(files: list[Found]) -> None:
    """The same two shares for each other extractor, over all the files that hold text."""
    holding = [entry for entry in files if entry.holds_text]
    names = sorted({name for entry in holding for name in entry.others})
    for name in names:
        compared = [entry for entry in holding if name in entry.others]
        best = {id(entry): max(entry.best, entry.letters) for entry in compared}
        filled = sum(entry.others[name] > 0 for entry in compared)
        half = sum(entry.others[name] >= HALF * best[id(entry)] for entry in compared)
        shares = f"{filled / len(compared):.1%} with text, {half / len(compared):.1%} with half of the best letters"
        print(f"  {name:<14} asked about {len(compared):>5,}: {shares}")


def print_misses(files: Iterable[Found]) -> None:
    """Files that hold text and yielded less than half of it, the emptiest first."""
    misses = [entry for entry in files if entry.holds_text and not entry.is_half]
    for entry in sorted(misses, key=lambda entry: (entry.letters > 0, entry.media_type)):
        others = " ".join(f"{name}={count}" for name, count in sorted(entry.others.items(), key=lambda item: -item[1]))
        print(
            f"  {entry.letters:>8} < {others:<50} {entry.status:<11} {entry.media_type:<40} {entry.path}  "
            f"{entry.reason}"
        )
