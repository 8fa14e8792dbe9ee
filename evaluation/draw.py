"""A seed and names of files -> which of them are drawn, and a budget -> how many of each stratum: the same every time.

Every draw takes the files with the smallest numbers, and a file's number depends on the seed and its name alone. So a
draw depends on neither order nor machine, and a larger one contains every smaller one. Three recipes for numbers
exist because draws that were made with them are on record: changing one would draw other files for the same seed.
"""

import hashlib
import heapq
from collections.abc import Iterable, Mapping
from fractions import Fraction

_SCAN_BYTES = 8
_CHANCE_DIGITS = 32


def scan_numbers(seed: int, uris: Iterable[str]) -> bytes:
    """The numbers of a scan's sample: for each file 8 bytes, lowest first, all in one piece for numpy."""
    start = hashlib.blake2b(f"{seed}\0".encode(), digest_size=_SCAN_BYTES)
    digests = []
    for uri in uris:
        digest = start.copy()
        digest.update(uri.encode("utf-8", "surrogatepass"))
        digests.append(digest.digest())
    return b"".join(digests)


def chance(seed: int, *words: str) -> Fraction:
    """A number in [0, 1) that looks random and is always the same: the review service draws referrals by it."""
    joined = "\0".join(f"{len(word)}:{word}" for word in (str(seed), *words))
    digest = hashlib.sha256(joined.encode("utf-8", "surrogatepass")).hexdigest()[:_CHANCE_DIGITS]
    return Fraction(int(digest, 16), 16**_CHANCE_DIGITS)


class Reservoir:
    """Keeps so many of the files that it is offered, whatever their number and order."""

    def __init__(self, count: int, seed: int) -> None:
        self._count = count
        self._seed = seed
        self._kept: list[tuple[int, str]] = []  # a heap of negative numbers: the largest kept number comes first
        self.offered = 0

    def offer(self, uri: str) -> None:
        self.offered += 1
        number = int.from_bytes(hashlib.sha256(f"{self._seed}\0{uri}".encode("utf-8", "surrogatepass")).digest())
        if len(self._kept) < self._count:
            heapq.heappush(self._kept, (-number, uri))
        elif self._kept:
            heapq.heappushpop(self._kept, (-number, uri))

    def drawn(self) -> list[str]:
        """In the order of their numbers, so that a larger draw begins with the smaller one."""
        return [uri for _, uri in sorted(self._kept, reverse=True)]


def allocate(sizes: Mapping[str, int], budget: int, at_least: int) -> dict[str, int]:
    """How many files of each stratum are drawn: first so many of each, the others in proportion to what is left of it.

    Together they are exactly the budget, unless there are fewer files, or more strata than it can serve: then every
    stratum has its least number. Fractions are rounded by Webster's method and not by the largest remainder, because
    a larger budget must never draw fewer files of any stratum.
    """
    drawn = {name: min(size, at_least) for name, size in sizes.items()}
    left = {name: size - drawn[name] for name, size in sizes.items() if size > drawn[name]}
    more = min(budget, sum(sizes.values())) - sum(drawn.values())
    if more <= 0:
        return drawn
    # Rounded quotas of slightly less than is to be given never give too much; the few that lack go by priority.
    everything, less = sum(left.values()), max(0, 2 * more - len(left))
    extra = {name: (less * size + everything) // (2 * everything) if less else 0 for name, size in left.items()}
    queue = [(-Fraction(size, 2 * extra[name] + 1), name) for name, size in left.items()]
    heapq.heapify(queue)
    for _ in range(more - sum(extra.values())):
        name = queue[0][1]
        extra[name] += 1
        heapq.heapreplace(queue, (-Fraction(left[name], 2 * extra[name] + 1), name))
    return {name: count + extra.get(name, 0) for name, count in drawn.items()}
