"""A text and its medical terms -> a keyed MinHash of its layout, by which copies and filled-in forms are known again.

What a form asks for stays the same from one patient to the next, what is filled in does not: words with digits, and
words in capitals behind the first of a line, count as blanks. Runs of three words, and the terms, are hashed with a
key, and of each of 64 orders of these hashes only the smallest is kept, so that nothing can be read from it. The share
of equal places of two such lists estimates the share of what the two texts have in common (Broder 1997).

The functions are our own few lines because signatures are kept for years: a library's next version may hash otherwise.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice

import numpy as np
import numpy.typing as npt

PLACES = 64
_DTYPE = np.dtype("<u4")
_Numbers = npt.NDArray[np.uint64]
_RUN = 3
_LEAST_RUNS = 12  # a shorter text is like too many others
_MOST_WORDS = 20_000
_NUMBER, _NAME = "0", "X"  # blanks
_WORD = re.compile(r"[^\W_]+")
_AT_ONCE = 2_000
_PURPOSE = b"leakscreen likeness 1"


def likeness(text: str, terms: Iterable[str], key: bytes) -> bytes:
    """256 bytes; empty where the text is too short."""
    words = list(islice(_words(text), _MOST_WORDS))
    runs = {" ".join(words[at : at + _RUN]) for at in range(len(words) - _RUN + 1)}
    if len(runs) < _LEAST_RUNS:
        return b""
    own_key = hashlib.blake2b(_PURPOSE, key=key[:64]).digest()
    hashed = [_number(run, own_key) for run in (*runs, *(f"term {term}" for term in terms))]
    return _smallest(np.array(hashed, dtype=np.uint64), own_key).tobytes()


def share_in_common(signature: bytes, others: Iterable[bytes]) -> npt.NDArray[np.float64]:
    """Of one text with each of the others."""
    mine = np.frombuffer(signature, _DTYPE)
    theirs = np.frombuffer(b"".join(others), _DTYPE).reshape(-1, PLACES)
    shares: npt.NDArray[np.float64] = (theirs == mine).mean(axis=1)
    return shares


def _words(text: str) -> Iterator[str]:
    """Neighbouring blanks of one kind are one: names have two words or four."""
    before = ""
    for line in text.splitlines():
        for place, found in enumerate(_WORD.finditer(line)):
            word = found.group()
            written = _NUMBER if not word.isalpha() else _NAME if place and word[0].isupper() else word.casefold()
            if written != before or written not in (_NUMBER, _NAME):
                yield written
            before = written


def _number(run: str, key: bytes) -> int:
    digest = hashlib.blake2b(run.encode("utf-8", "surrogatepass"), digest_size=8, key=key).digest()
    return int.from_bytes(digest, "little")


def _smallest(hashed: _Numbers, key: bytes) -> npt.NDArray[np.uint32]:
    factors, steps = _orders(key)
    smallest = np.full(PLACES, np.iinfo(np.uint32).max, dtype=np.uint64)
    for low in range(0, len(hashed), _AT_ONCE):
        mixed = (hashed[low : low + _AT_ONCE, None] * factors + steps) >> np.uint64(32)
        smallest = np.minimum(smallest, mixed.min(axis=0))
    return smallest.astype(_DTYPE)


@lru_cache(maxsize=4)
def _orders(key: bytes) -> tuple[_Numbers, _Numbers]:
    """The factors are odd, so that no bit of a hash is lost."""
    stream = hashlib.shake_256(key).digest(16 * PLACES)
    numbers = np.frombuffer(stream, dtype="<u8")
    return numbers[:PLACES] | np.uint64(1), numbers[PLACES:]
