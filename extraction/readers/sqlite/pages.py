"""Pages of an SQLite database -> rows that are no longer part of it: those of free pages, and strings of free space."""

from collections.abc import Iterator

from extraction.readers.text.strings import narrow_runs, wide_runs

MOST_SEARCHED = 60_000  # bytes of free space in which rows are made out; beyond that only strings
HEADER = 100
_LEAF = 0x0D  # of a table
_HEADER_SIZES = {_LEAF: 8, 0x0A: 8, 0x05: 12, 0x02: 12}
_SHORTEST_ROW, _SHORTEST_TEXT = 6, 4
_ENCODINGS = {2: "utf-16-le", 3: "utf-16-be"}
_INTEGERS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}
Row = list[object]


def page_size(data: bytes) -> int:
    size = int.from_bytes(data[16:18], "big")
    size = 65_536 if size == 1 else size
    return size if size >= 512 and not size & (size - 1) else 0


def deleted_rows(data: bytes, widths: frozenset[int] = frozenset()) -> Iterator[Row]:
    """Those of free pages and of free space within other pages; strings where no row can be made out.

    `widths`: how many columns the tables have, which helps where the beginning of a row was overwritten.
    """
    size = page_size(data)
    if not size:
        return
    free = set(_free_pages(data, size))
    encoding = _ENCODINGS.get(data[59], "utf-8")
    looked_at = 0
    for number in range(1, len(data) // size + 1):
        page = data[(number - 1) * size : number * size]
        rows = list(leaf_rows(page, encoding)) if number in free else []
        if rows:
            yield from rows
            continue
        space = page if number in free else _free_space(page, HEADER if number == 1 else 0)
        looked_at += len(space) - space.count(0)
        if looked_at < MOST_SEARCHED:
            yield from _recovered(space, widths, encoding)
        yield from _strings(space)  # a row that only seems to be one may have cut a word


def leaf_rows(page: bytes, encoding: str = "utf-8", start: int = 0) -> Iterator[Row]:
    """The rows of a page of a table; of a row that goes on elsewhere, what this page holds."""
    if page[start : start + 1] != bytes([_LEAF]):
        return
    count = int.from_bytes(page[start + 3 : start + 5], "big")
    for place in range(start + 8, min(start + 8 + 2 * count, len(page) - 1), 2):
        offset = int.from_bytes(page[place : place + 2], "big")
        row = _row(page, offset, encoding)
        if row and any(isinstance(value, str) and value for value in row):
            yield row


def _row(page: bytes, offset: int, encoding: str) -> Row:
    length, place = _varint(page, offset)
    _, place = _varint(page, place)
    head, types_at = _varint(page, place)
    body, end = place + head, min(len(page), place + length)
    kinds: list[int] = []
    while types_at < place + head and types_at < end and len(kinds) < 2_000:
        kind, types_at = _varint(page, types_at)
        kinds.append(kind)
    return [value for value, _ in _values(page[:end], body, kinds, encoding)]


def _values(data: bytes, place: int, kinds: list[int], encoding: str) -> Iterator[tuple[object, int]]:
    """Each value, and where it ends."""
    for kind in kinds:
        size = _size(kind)
        raw = data[place : place + size]
        place += size
        if kind >= 12:
            yield raw.decode(encoding, "replace") if kind % 2 else "", place
        elif kind in (8, 9):
            yield kind - 8, place
        else:
            yield int.from_bytes(raw, "big", signed=True) if kind in _INTEGERS else None, place


def _size(kind: int) -> int:
    return (kind - 12) // 2 if kind >= 12 else _INTEGERS.get(kind, 8 if kind == 7 else 0)


def _recovered(space: bytes, widths: frozenset[int], encoding: str) -> Iterator[Row]:
    """A row begins with the sizes of its values: where those fit what follows, it is taken for one."""
    place = 0
    while place + _SHORTEST_ROW <= len(space):
        if not space[place]:
            place += 1
            continue
        row, end = _row_at(space, place, widths, encoding)
        if row:
            yield row
            place = end
        else:
            place += 1


def _row_at(space: bytes, place: int, widths: frozenset[int], encoding: str) -> tuple[Row, int]:
    """With the length of its header, or without it: it is overwritten when a row is deleted."""
    head = space[place]
    candidates = [_kinds(space, place + 1, length=head - 1)] if 2 < head < 0x80 else []
    candidates += [_kinds(space, place, count=width) for width in widths]
    for kinds, body in candidates:
        if kinds:
            values = list(_values(space, body, kinds, encoding))
            texts = [value for value, _ in values if isinstance(value, str)]
            if all(map(_is_written, texts)) and max(map(len, texts)) >= _SHORTEST_TEXT:
                return [value for value, _ in values], values[-1][1]
    return [], place


def _kinds(space: bytes, place: int, length: int = 0, count: int = 0) -> tuple[list[int], int]:
    """Types of values with a text among them, and the place behind them; no types if they are impossible."""
    kinds: list[int] = []
    end = place + length
    size = 0
    while place < end if length else len(kinds) < count:
        kind, place = _varint(space, place)
        size += _size(kind)
        if kind in (10, 11) or place >= len(space) or place + size > len(space):
            return [], place
        kinds.append(kind)
    is_row = (not length or place == end) and any(kind >= 13 and kind % 2 for kind in kinds)
    return (kinds if is_row else []), place


def _is_written(text: str) -> bool:
    return text.replace("\n", "").replace("\t", "").replace("\r", "").isprintable() and "\ufffd" not in text


def _varint(data: bytes, place: int) -> tuple[int, int]:
    value = 0
    for step, byte in enumerate(data[place : place + 9]):
        if step == 8:
            return value << 8 | byte, place + 9
        value = value << 7 | byte & 0x7F
        if not byte & 0x80:
            return value, place + step + 1
    return 0, len(data)


def _free_pages(data: bytes, size: int) -> Iterator[int]:
    trunk = int.from_bytes(data[32:36], "big")
    seen: set[int] = set()
    while trunk and trunk not in seen and trunk * size <= len(data):
        seen.add(trunk)
        yield trunk
        page = data[(trunk - 1) * size : trunk * size]
        count = min(int.from_bytes(page[4:8], "big"), size // 4 - 2)
        yield from (int.from_bytes(page[place : place + 4], "big") for place in range(8, 8 + 4 * count, 4))
        trunk = int.from_bytes(page[:4], "big")


def _free_space(page: bytes, start: int) -> bytes:
    """Between the pointers and the first cell, and the chain of free blocks; zero bytes between them."""
    header = _HEADER_SIZES.get(page[start]) if len(page) > start else None
    if header is None:
        return b""
    block, count, content = (int.from_bytes(page[start + at : start + at + 2], "big") for at in (1, 3, 5))
    pieces = [page[start + header + 2 * count : content or len(page)]]
    for _ in range(len(page) // 4):
        if not block or block + 4 > len(page):
            break
        following, length = (int.from_bytes(page[block + at : block + at + 2], "big") for at in (0, 2))
        pieces.append(page[block + 4 : block + length])
        if following <= block:
            break
        block = following
    return b"\0".join(pieces)


def _strings(data: bytes) -> Iterator[Row]:
    if data.count(0) < len(data):
        for line in (narrow_runs(data) + "\n" + wide_runs(data)).splitlines():
            yield [line]
