"""Bytes packed by LZX, from one reset of its state to the next -> what was packed."""

import array
import sys

FRAME = 1 << 15  # after each the bits begin anew at a word
_VERBATIM, _ALIGNED, _STORED = 1, 2, 3
_LITERALS, _LENGTHS, _PRETREE = 256, 249, 20
_LONGEST = 16  # bits of a code
_SLOTS = {15: 30, 16: 32, 17: 34, 18: 36, 19: 38, 20: 42, 21: 50}
_EXTRA = [0, 0, 0, 0, *(min(slot // 2 - 1, 17) for slot in range(4, 51))]
_BASE = [sum(1 << bits for bits in _EXTRA[:slot]) - 2 for slot in range(51)]
_UNIT = 48  # bits that are taken at once: three words
_ENOUGH = 49  # bits of the longest match: two codes of 16 and an offset of 17


class LzxError(Exception):
    """The packed bytes are damaged, or packed in a way that is not read here."""


def unpack(packed: bytes, length: int, window_bits: int) -> bytes:
    """Exactly `length` bytes."""
    if window_bits not in _SLOTS:
        raise LzxError
    try:
        return bytes(_Interval(packed, _SLOTS[window_bits]).unpacked(length))
    except IndexError:
        raise LzxError from None


class _Bits:
    """Words of 16 bits, their low byte first, read from their highest bit on."""

    def __init__(self, packed: bytes) -> None:
        self.packed = packed
        self.start_at(0)

    def start_at(self, place: int) -> None:
        self._start = place
        words = array.array("H", self.packed[place : place + (len(self.packed) - place) // 2 * 2])
        if sys.byteorder == "big":
            words.byteswap()
        words.extend([0] * (6 + -len(words) % 3))
        self.units = [
            first << 32 | second << 16 | third for first, second, third in zip(*[iter(words)] * 3, strict=True)
        ]
        self.unit = 0
        self.waiting = 0
        self.left = 0

    def take(self, count: int) -> int:
        if self.left < count:
            self.waiting = (self.waiting & ((1 << self.left) - 1)) << _UNIT | self.units[self.unit]
            self.unit += 1
            self.left += _UNIT
        self.left -= count
        return self.waiting >> self.left & ((1 << count) - 1)

    def align(self) -> None:
        self.left -= self.left % 16

    @property
    def place(self) -> int:
        return self._start + (self.unit * _UNIT - self.left) // 8

    def decode(self, table: list[int]) -> int:
        entry = table[self.take(_LONGEST)]
        self.left += _LONGEST - (entry & 31)
        return entry >> 5


class _Interval:
    def __init__(self, packed: bytes, slots: int) -> None:
        self._bits = _Bits(packed)
        self._main_lengths = [0] * (_LITERALS + 8 * slots)
        self._length_lengths = [0] * _LENGTHS
        self._recent = (1, 1, 1)
        self._out = bytearray()

    def unpacked(self, length: int) -> bytearray:
        if self._bits.take(1):
            raise LzxError  # addresses in programs are changed before packing: help files never use it
        while len(self._out) < length:
            kind, size = self._bits.take(3), self._bits.take(24)
            if kind == _STORED:
                self._stored(size, length)
            elif kind in (_VERBATIM, _ALIGNED):
                self._packed(kind == _ALIGNED, size, length)
            else:
                raise LzxError
        del self._out[length:]
        return self._out

    def _stored(self, size: int, length: int) -> None:
        bits = self._bits
        bits.take(bits.left % 16 or 16)
        place = bits.place
        numbers = [int.from_bytes(bits.packed[place + start : place + start + 4], "little") for start in (0, 4, 8)]
        self._recent = (numbers[0], numbers[1], numbers[2])
        stored = bits.packed[place + 12 : place + 12 + size]
        self._out += stored
        if len(stored) < size and len(self._out) < length:
            raise LzxError
        bits.start_at(place + 12 + size + size % 2)

    def _packed(self, is_aligned: bool, size: int, length: int) -> None:
        bits = self._bits
        aligned = _table([bits.take(3) for _ in range(8)]) if is_aligned else []
        self._read_lengths(self._main_lengths, 0, _LITERALS)
        self._read_lengths(self._main_lengths, _LITERALS, len(self._main_lengths))
        self._read_lengths(self._length_lengths, 0, _LENGTHS)
        main = _table(self._main_lengths)
        lengths = _table(self._length_lengths) if any(self._length_lengths) else []
        end = min(len(self._out) + size, length)
        while len(self._out) < end:
            frame_end = (len(self._out) // FRAME + 1) * FRAME
            self._tokens(main, lengths, aligned, min(end, frame_end))
            if len(self._out) >= frame_end:
                bits.align()

    def _tokens(self, main: list[int], lengths: list[int], aligned: list[int], end: int) -> None:
        """Nearly all of the time is spent here, so the bits are kept in local variables."""
        bits, out = self._bits, self._out
        units, unit, waiting, left = bits.units, bits.unit, bits.waiting, bits.left
        first, second, third = self._recent
        while len(out) < end:
            if left < _ENOUGH and unit < len(units):
                waiting = (waiting & ((1 << left) - 1)) << _UNIT | units[unit]
                unit += 1
                left += _UNIT
            elif left < _LONGEST:
                raise LzxError
            entry = main[waiting >> left - 16 & 0xFFFF]
            left -= entry & 31
            symbol = entry >> 5
            if symbol < _LITERALS:
                out.append(symbol)
                continue
            count = (symbol & 7) + 2
            if count == 9:
                entry = lengths[waiting >> left - 16 & 0xFFFF]
                left -= entry & 31
                count += entry >> 5
            slot = symbol - _LITERALS >> 3
            if slot > 2:
                extra = _EXTRA[slot]
                if aligned and extra > 2:
                    left -= extra - 3
                    offset = _BASE[slot] + ((waiting >> left & ((1 << extra - 3) - 1)) << 3)
                    entry = aligned[waiting >> left - 16 & 0xFFFF]
                    left -= entry & 31
                    offset += entry >> 5
                else:
                    left -= extra
                    offset = _BASE[slot] + (waiting >> left & ((1 << extra) - 1))
                first, second, third = offset, first, second
            elif slot == 1:
                first, second = second, first
            elif slot == 2:
                first, third = third, first
            start = len(out) - first
            if start < 0 or not first:
                raise LzxError
            if first >= count:
                out += out[start : start + count]
            else:
                out += (out[start:] * (count // first + 1))[:count]
        bits.unit, bits.waiting, bits.left = unit, waiting, left
        self._recent = first, second, third

    def _read_lengths(self, lengths: list[int], place: int, end: int) -> None:
        """Lengths of codes, each as its difference from that of the block before."""
        bits = self._bits
        pretree = _table([bits.take(4) for _ in range(_PRETREE)])
        while place < end:
            symbol = bits.decode(pretree)
            count = 1
            if symbol == 17:
                count = bits.take(4) + 4
            elif symbol == 18:
                count = bits.take(5) + 20
            elif symbol == 19:
                count = bits.take(1) + 4
                symbol = bits.decode(pretree)
            length = 0 if symbol in (17, 18) else (lengths[place] - symbol) % 17
            for position in range(place, min(place + count, end)):
                lengths[position] = length
            place += count


def _table(lengths: list[int]) -> list[int]:
    """For any 16 bits the code they begin with: 32 times its symbol, plus its length."""
    table: list[int] = []
    for length in range(1, _LONGEST + 1):
        for symbol, own in enumerate(lengths):
            if own == length:
                table += [symbol << 5 | length] * (1 << _LONGEST - length)
        if len(table) > 1 << _LONGEST:
            raise LzxError
    if len(table) != 1 << _LONGEST:
        raise LzxError
    return table
