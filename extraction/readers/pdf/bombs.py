"""PDF bytes -> a LimitError if a stream would expand beyond reason, before a parser expands it."""

import re
import zlib

from extraction.limits.budget import Budget, LimitError

MOST_STREAMS = 200_000
BOMB_BYTES = 16_000_000  # smaller ones do no harm
MOST_BYTES = 100_000_000  # no honest page, font or object table that starts like a bomb is larger
BOMB_RATIO = 400  # pages compress 3 to 30 times; only pictures of one colour come near deflate's maximum of 1,032
MOST_LAYERS = 4
_SAMPLE = 4_096
_CHUNK = 1 << 16
_STREAM = re.compile(rb"stream\r?\n")
_PICTURE = re.compile(rb"/Subtype\s*/Image\b")


def refuse_bombs(data: bytes, budget: Budget) -> None:
    """Counts what streams inflate to, without keeping it; pictures may be large, since they are not decoded here."""
    for count, match in enumerate(_STREAM.finditer(data)):
        start = match.end()
        if count >= MOST_STREAMS:
            return
        if data[match.start() - 3 : match.start()] == b"end" or not _may_be_bomb(data, start):
            continue
        end = data.find(b"endstream", start)
        end = len(data) if end < 0 else end
        if _is_picture(data, match.start()):
            continue
        most = min(max(BOMB_BYTES, BOMB_RATIO * (end - start)), MOST_BYTES, budget.limits.expanded_bytes)
        if _expanded(data[start:end], most) > most:
            raise LimitError(f"stream size limit ({most:,} bytes)")


def _may_be_bomb(data: bytes, start: int) -> bool:
    """Whether its beginning expands by more than a quarter of the suspicious ratio, or is compressed twice."""
    sample = _inflated_start(data[start : start + _SAMPLE], _SAMPLE * BOMB_RATIO)
    return len(sample) > _SAMPLE * BOMB_RATIO // 4 or bool(_inflated_start(sample[:_SAMPLE], 1))


def _inflated_start(packed: bytes, most: int) -> bytes:
    if len(packed) < 2 or packed[0] & 0x0F != 8 or (packed[0] << 8 | packed[1]) % 31:
        return b""
    try:
        return zlib.decompressobj().decompress(packed, most)
    except zlib.error:
        return b""


def _is_picture(data: bytes, keyword: int) -> bool:
    start = max(data.rfind(b"obj", max(0, keyword - 2_000), keyword), keyword - 2_000, 0)
    return _PICTURE.search(data[start:keyword]) is not None


def _expanded(packed: bytes, most: int) -> int:
    """The size of the innermost layer, up to `most`; layers are inflated chunk by chunk, so memory stays small."""
    layers = 1
    sample = _inflated_start(packed[:_SAMPLE], _SAMPLE)
    while layers < MOST_LAYERS and (sample := _inflated_start(sample, _SAMPLE)):
        layers += 1
    try:
        return _drained([zlib.decompressobj() for _ in range(layers)], packed, most)
    except zlib.error:
        return 0


def _drained(layers: "list[zlib._Decompress]", packed: bytes, most: int) -> int:
    total = 0
    first, rest = layers[0], layers[1:]
    piece = first.decompress(packed, _CHUNK)
    while piece:
        total += _drained(rest, piece, most - total) if rest else len(piece)
        if total > most or first.eof:
            break
        piece = first.decompress(first.unconsumed_tail, _CHUNK)
    return total
