"""Excel's binary records (Excel 2 to 2003) -> cells row by row, notes, drawings and names, each with its place."""

import re
import struct
from collections.abc import Iterator

from core.records import Segment
from extraction.readers.excel.biff_strings import long_string, shared_strings, short_string, unicode_string
from extraction.readers.excel.cells import is_date_format, number_text
from extraction.readers.excel.rows import SheetRows
from extraction.readers.ole.property_set import code_page

CONTINUE, FILE_PASSWORD = 0x3C, 0x2F
_BOF = frozenset({0x0009, 0x0209, 0x0409, 0x0809})
_EOF = 0x0A
_EXCEL_97 = 0x0600
_MAILTO = re.compile(rb"(?:m\0a\0i\0l\0t\0o|t\0e\0l)\0:\0((?:[\x21-\x7e]\0){1,300})", re.I)
_ESCAPES = re.compile(r'&(?:"[^"]*"|[A-Za-z]|\d{1,3}|&)')


def records(data: bytes) -> Iterator[tuple[int, bytes]]:
    place = 0
    while place + 4 <= len(data):
        kind, size = struct.unpack_from("<HH", data, place)
        yield kind, data[place + 4 : place + 4 + size]
        place += 4 + size


class Workbook:
    """Reads the records once; whatever belongs to the whole book comes at the end."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._code_page: str | None = "cp1252"
        self._epoch_1904 = False
        self._formats: dict[int, str] = {}
        self._xf_formats: list[int] = []
        self._is_date: dict[int, bool] = {}
        self._strings: list[str] = []
        self._sheet = 0
        self._rows = SheetRows()
        self._gathered: dict[str, list[str]] = {}
        self._formula_cell: tuple[int, int] | None = None
        self.version = 0

    def segments(self) -> Iterator[Segment]:
        depth = 0
        for kind, parts in self._joined():
            if kind in _BOF:
                depth += 1
                yield from self._begin(kind, parts[0], depth)
            elif kind == _EOF:
                depth = max(0, depth - 1)
            else:
                self._read(kind, parts)
                yield from self._rows.full()
        yield from self._rows.flush()
        for where, texts in self._gathered.items():
            yield Segment(where, "\n".join(texts))

    def _joined(self) -> Iterator[tuple[int, list[bytes]]]:
        """Each record with the records that continue it."""
        current: tuple[int, list[bytes]] | None = None
        for kind, payload in records(self._data):
            if kind == CONTINUE and current is not None:
                current[1].append(payload)
                continue
            if current is not None:
                yield current
            current = (kind, [payload])
        if current is not None:
            yield current

    def _begin(self, kind: int, data: bytes, depth: int) -> Iterator[Segment]:
        self.version = int.from_bytes(data[:2], "little") if kind == 0x0809 else kind
        if self.version == _EXCEL_97 and kind == 0x0809:
            self._code_page = None
        is_book = kind == 0x0809 and data[2:4] == b"\x05\0"
        if depth == 1 and not is_book:
            self._sheet += 1
            yield from self._rows.start(f"sheet {self._sheet}")

    def _read(self, kind: int, parts: list[bytes]) -> None:
        reader = _READERS.get(kind)
        if reader is not None:
            try:
                reader(self, parts)
            except (struct.error, IndexError):
                self._rows.damaged = True

    def _gather(self, where: str, text: str) -> None:
        if text.strip():
            self._gathered.setdefault(where, []).append(text)

    @property
    def damaged(self) -> bool:
        return self._rows.damaged

    def _number(self, row: int, column: int, style: int, value: float) -> None:
        self._rows.add(row, column, number_text(value, self._dates(style), self._epoch_1904) if value == value else "")

    def _dates(self, style: int) -> bool:
        is_date = self._is_date.get(style)
        if is_date is None:
            number = self._xf_formats[style] if style < len(self._xf_formats) else 0
            is_date = self._is_date[style] = is_date_format(number, self._formats.get(number))
        return is_date

    def read_code_page(self, parts: list[bytes]) -> None:
        if self._code_page is not None:
            self._code_page = code_page(int.from_bytes(parts[0][:2], "little"))

    def read_date_mode(self, parts: list[bytes]) -> None:
        self._epoch_1904 = parts[0][:2] == b"\1\0"

    def read_format(self, parts: list[bytes]) -> None:
        data = parts[0]
        text = long_string(data, 2, None) if self._code_page is None else short_string(data, 2, self._code_page)
        self._formats[int.from_bytes(data[:2], "little")] = text

    def read_xf(self, parts: list[bytes]) -> None:
        self._xf_formats.append(int.from_bytes(parts[0][2:4], "little"))

    def read_sheet_name(self, parts: list[bytes]) -> None:
        self._gather("sheet names", short_string(parts[0], 6, self._code_page))

    def read_strings(self, parts: list[bytes]) -> None:
        self._strings = list(shared_strings(parts))

    def read_shared(self, parts: list[bytes]) -> None:
        row, column, _, number = struct.unpack_from("<HHHI", parts[0])
        if number < len(self._strings):
            self._rows.add(row, column, self._strings[number])

    def read_label(self, parts: list[bytes]) -> None:
        row, column = struct.unpack_from("<HH", parts[0])
        self._rows.add(row, column, long_string(parts[0], 6, self._code_page))

    def read_old_label(self, parts: list[bytes]) -> None:
        """Excel 2, and the data sheets of charts made by Microsoft Graph."""
        row, column = struct.unpack_from("<HH", parts[0])
        self._rows.add(row, column, short_string(parts[0], 7, self._code_page or "cp1252"))

    def read_old_number(self, parts: list[bytes]) -> None:
        row, column, value = struct.unpack_from("<HH3xd", parts[0])
        self._number(row, column, 0, value)

    def read_old_integer(self, parts: list[bytes]) -> None:
        row, column, value = struct.unpack_from("<HH3xH", parts[0])
        self._rows.add(row, column, str(value))

    def read_number(self, parts: list[bytes]) -> None:
        self._number(*struct.unpack_from("<HHHd", parts[0]))

    def read_rk(self, parts: list[bytes]) -> None:
        row, column, style, packed = struct.unpack_from("<HHHI", parts[0])
        self._number(row, column, style, unpacked_number(packed))

    def read_many_rk(self, parts: list[bytes]) -> None:
        row, column = struct.unpack_from("<HH", parts[0])
        for offset in range((len(parts[0]) - 6) // 6):
            style, packed = struct.unpack_from("<HI", parts[0], 4 + offset * 6)
            self._number(row, column + offset, style, unpacked_number(packed))

    def read_formula(self, parts: list[bytes]) -> None:
        row, column, style = struct.unpack_from("<HHH", parts[0])
        result = parts[0][6:14]
        self._formula_cell = (row, column)
        if result[6:] != b"\xff\xff":
            self._number(row, column, style, struct.unpack("<d", result)[0])

    def read_formula_string(self, parts: list[bytes]) -> None:
        if self._formula_cell is not None:
            text = long_string(parts[0], 0, self._code_page)
            more = "".join(unicode_string(part, 0, len(part)) for part in parts[1:]) if self._code_page is None else ""
            self._rows.add(*self._formula_cell, text + more)

    def read_note(self, parts: list[bytes]) -> None:
        """Since Excel 97 the text of a note is a drawing, and the note itself names the author."""
        data = parts[0]
        if self._code_page is None:
            self._gather(f"comments {self._sheet}", long_string(data, 8, None))
        elif data[:2] != b"\xff\xff":
            self._gather(f"comments {self._sheet}", data[6:].decode(self._code_page, "replace"))
        else:
            self._gathered.setdefault(f"comments {self._sheet}", [""])[-1] += data[6:].decode(
                self._code_page, "replace"
            )

    def read_text_object(self, parts: list[bytes]) -> None:
        count = int.from_bytes(parts[0][10:12], "little")
        text = ""
        for part in parts[1:]:
            if len(text) < count:
                text += unicode_string(part, 0, count - len(text))
        self._gather(f"comments and drawings {self._sheet}", text)

    def read_heading(self, parts: list[bytes]) -> None:
        text = long_string(parts[0], 0, None) if self._code_page is None else short_string(parts[0], 0, self._code_page)
        self._gather(f"headers and footers {self._sheet}", _ESCAPES.sub(" ", text))

    def read_link(self, parts: list[bytes]) -> None:
        for address in _MAILTO.findall(b"".join(parts)):
            self._gather("links", address.decode("utf-16-le", "replace"))

    def read_user(self, parts: list[bytes]) -> None:
        text = long_string(parts[0], 0, None) if self._code_page is None else short_string(parts[0], 0, self._code_page)
        self._gather("last user", text.strip())

    def read_series_text(self, parts: list[bytes]) -> None:
        self._gather(f"chart {self._sheet}", short_string(parts[0], 2, self._code_page))

    def read_cached_text(self, parts: list[bytes]) -> None:
        self._gather("pivot cache", long_string(parts[0], 0, self._code_page))


def unpacked_number(packed: int) -> float:
    if packed & 2:
        value = float(packed >> 2 if packed < 1 << 31 else (packed >> 2) - (1 << 30))
    else:
        (value,) = struct.unpack("<d", struct.pack("<II", 0, packed & 0xFFFFFFFC))
    return value / 100 if packed & 1 else value


_READERS = {
    0x42: Workbook.read_code_page,
    0x22: Workbook.read_date_mode,
    0x1E: Workbook.read_format,
    0x41E: Workbook.read_format,
    0xE0: Workbook.read_xf,
    0x85: Workbook.read_sheet_name,
    0xFC: Workbook.read_strings,
    0xFD: Workbook.read_shared,
    0x02: Workbook.read_old_integer,
    0x03: Workbook.read_old_number,
    0x04: Workbook.read_old_label,
    0x204: Workbook.read_label,
    0xD6: Workbook.read_label,
    0x203: Workbook.read_number,
    0x27E: Workbook.read_rk,
    0xBD: Workbook.read_many_rk,
    0x06: Workbook.read_formula,
    0x206: Workbook.read_formula,
    0x406: Workbook.read_formula,
    0x207: Workbook.read_formula_string,
    0x1C: Workbook.read_note,
    0x1B6: Workbook.read_text_object,
    0x14: Workbook.read_heading,
    0x15: Workbook.read_heading,
    0x1B8: Workbook.read_link,
    0x5C: Workbook.read_user,
    0x100D: Workbook.read_series_text,
    0xCD: Workbook.read_cached_text,
}
