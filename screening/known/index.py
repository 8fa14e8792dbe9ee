"""The index of a list of people: keyed hashes alone, sorted, in a file that is refused under any other key.

Of each person it has eight bytes for the primary value and four for each supporting value, which are hashed together
with the primary one: without the key nothing can be looked up, and with it a supporting value only beside its primary.
"""

import hashlib
import hmac
import json
import mmap
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import SettingsError
from screening.privacy.key import fingerprint

MAGIC = b"leakscreen known people 1\n"
_PURPOSE = b"leakscreen known people"
_SEAL_BYTES = 32
_BLOCK = 1 << 22
_MOST_SHAPES = 200
_GROUPED = 8  # digits that people write in groups


class Hashes:
    def __init__(self, key: bytes) -> None:
        self._key = hmac.digest(key, _PURPOSE, "sha256")

    def primary(self, plain: str) -> int:
        return int.from_bytes(hmac.digest(self._key, plain.encode("utf-8", "surrogatepass"), "sha256")[:8], "little")

    def supporting(self, primary: int, kind: str, plain: str) -> int:
        """Never 0, which stands for a value that is not in the list."""
        message = b"%d\0%b" % (primary, f"{kind}\0{plain}".encode("utf-8", "surrogatepass"))
        return int.from_bytes(hmac.digest(self._key, message, "sha256")[:4], "little") or 1

    def sealing(self) -> hmac.HMAC:
        return hmac.new(self._key, digestmod="sha256")


def shape_of(plain: str) -> str:
    """`a2d6`: two letters, then six digits."""
    return "".join(f"{'d' if run[0].isdigit() else 'a'}{len(run)}" for run in re.findall(r"\d+|[^\W\d_]+", plain))


def pattern_of(shapes: Iterable[str]) -> re.Pattern[str]:
    """Finds values of these shapes; separators may stand between letters and digits, and in long rows of digits."""
    alternatives = [
        "[-./ ]?".join(_run(kind, int(size)) for kind, size in re.findall(r"([ad])(\d+)", shape))
        for shape in sorted(shapes, key=len, reverse=True)
    ]
    return re.compile(rf"(?<![^\W_])(?:{'|'.join(alternatives)})(?![^\W_])")


def _run(kind: str, size: int) -> str:
    if kind == "a":
        return rf"[^\W\d_]{{{size}}}"
    return rf"\d(?:[-. ]?\d){{{size - 1}}}" if size >= _GROUPED else rf"\d{{{size}}}"


@dataclass(frozen=True, slots=True)
class Header:
    kinds: tuple[str, ...]  # of the supporting values
    rows: int
    shapes: tuple[str, ...]
    key_fingerprint: str
    sha256: str = ""  # of the whole file


class KnownIndex:
    """Looked up by many processes at once: the file is mapped, not read."""

    def __init__(self, path: Path, key: bytes) -> None:
        self.header, start = read_header(path, key)
        with path.open("rb") as file:
            self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        rows = self.header.rows
        self._primary = np.frombuffer(self._map, "<u8", rows, start)
        self._supporting = [
            np.frombuffer(self._map, "<u4", rows, start + 8 * rows + 4 * rows * number)
            for number in range(len(self.header.kinds))
        ]
        self.hashes = Hashes(key)
        self.pattern = pattern_of(self.header.shapes)
        self.kinds = frozenset(self.header.kinds)

    def rows_of(self, primaries: Sequence[int]) -> list[tuple[int, int]]:
        """For each hash the first row that has it, and the one after the last; equal where there is none."""
        wanted = np.array(primaries, np.uint64)
        low = np.searchsorted(self._primary, wanted, "left")
        high = np.searchsorted(self._primary, wanted, "right")
        return list(zip(low.tolist(), high.tolist(), strict=True))

    def supporting(self, row: int) -> set[tuple[str, int]]:
        return {(kind, int(column[row])) for kind, column in zip(self.header.kinds, self._supporting, strict=True)} - {
            (kind, 0) for kind in self.header.kinds
        }


def read_header(path: Path, key: bytes) -> tuple[Header, int]:
    """The header and where the hashes begin; a file that is no index, was changed, or is of another key is refused."""
    try:
        with path.open("rb") as file:
            if file.read(len(MAGIC)) != MAGIC:
                raise SettingsError(f"{path}: is no index of known people; make one with `leakscreen known build`")
            line = file.readline()
            start = file.tell()
            told: dict[str, Any] = json.loads(line)
            if told["key_fingerprint"] != fingerprint(key):
                raise SettingsError(
                    f"{path}: was built with another HMAC key ({told['key_fingerprint']}, this one is "
                    f"{fingerprint(key)}); give the key that it was built with, or build it anew"
                )
            file.seek(0)
            sealing, digest, left = Hashes(key).sealing(), hashlib.sha256(), path.stat().st_size - _SEAL_BYTES
            while left > 0 and (block := file.read(min(left, _BLOCK))):
                sealing.update(block)
                digest.update(block)
                left -= len(block)
            if not hmac.compare_digest(sealing.digest(), file.read()):
                raise SettingsError(f"{path}: is damaged or was changed; build it anew")
    except OSError as error:
        raise SettingsError(f"{path}: the index of known people cannot be read: {error.strerror}") from None
    except (ValueError, KeyError):
        raise SettingsError(f"{path}: is damaged; build it anew with `leakscreen known build`") from None
    header = Header(
        tuple(told["kinds"]), told["rows"], tuple(told["shapes"]), told["key_fingerprint"], digest.hexdigest()
    )
    return header, start


def index_bytes(
    kinds: Sequence[str],
    shapes: Sequence[str],
    primary: NDArray[np.uint64],
    supporting: Sequence[NDArray[np.uint32]],
    key: bytes,
) -> Iterable[bytes]:
    """The whole file piece by piece; `primary` is sorted, and `supporting` in its order."""
    told = {"kinds": list(kinds), "rows": len(primary), "shapes": list(shapes), "key_fingerprint": fingerprint(key)}
    line = json.dumps(told).encode()
    line += b" " * (-(len(MAGIC) + len(line) + 1) % 8) + b"\n"  # hashes begin at a multiple of eight
    sealing = Hashes(key).sealing()
    parts = [MAGIC, line, primary.astype("<u8", copy=False).tobytes()]
    for content in (*parts, *(one.astype("<u4", copy=False).tobytes() for one in supporting)):
        for start in range(0, len(content), _BLOCK):
            block = content[start : start + _BLOCK]
            sealing.update(block)
            yield block
    yield sealing.digest()


def few_shapes(shapes: dict[str, int]) -> tuple[str, ...]:
    """The most frequent; lists have a handful."""
    return tuple(sorted(sorted(shapes, key=lambda shape: -shapes[shape])[:_MOST_SHAPES]))
