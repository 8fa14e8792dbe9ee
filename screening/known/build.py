"""A list of people as CSV -> their index, read line by line; a list that cannot be right is refused by column."""

import csv
import re
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.atomic import atomic_file
from core.errors import SettingsError
from screening.known.encoding import encoding_of, unknown_encoding
from screening.known.index import Hashes, few_shapes, index_bytes, shape_of
from screening.known.values import KINDS, kind_of, name_of, pair_of, plain_code, plain_value
from screening.privacy.person_keys import birth_of, plain_name

_LEAST_CHARACTERS = 6  # of a primary value: shorter ones match by chance
_LEAST_DIGITS = 4
_MOST_EMPTY = 0.3  # share of rows without a primary value
_MOST_UNREADABLE = 0.3  # share of values of a column that are none of its kind
_LOOKED_AT = 1_000  # rows that are looked at before anything is built
_MOST_SHARED = 0.3  # share of rows whose primary value is also somebody else's
_EXCEL_DATE = re.compile(r"\d{5}(?:\.\d+)?")
_DATE = re.compile(r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}")
_DELIMITERS = ",;\t|"


@dataclass(frozen=True, slots=True)
class Built:
    rows: int
    indexed: int
    empty: int
    refused: Mapping[str, int]  # why -> primary values
    bytes: int
    values: int

    @property
    def bytes_a_value(self) -> float:
        return self.bytes / self.values if self.values else 0.0


def build_index(source: Path, primary: str, supporting: Sequence[str], out: Path, key: bytes) -> Built:
    """Writes the index whole or not at all; one that is there stays as it is until the new one is complete."""
    with source.open("r", encoding=encoding_of(source), newline="", errors="strict") as file:
        try:
            return _build(file, source, primary, supporting, out, key)
        except UnicodeDecodeError:
            raise unknown_encoding(source) from None
        except csv.Error as error:
            raise SettingsError(f"{source}: is no CSV file that can be read: {error}") from None


def _build(file: Iterator[str], source: Path, primary: str, supporting: Sequence[str], out: Path, key: bytes) -> Built:
    rows = _rows(file, source)
    headings = next(rows, [])
    columns = _Columns(source, headings, primary, supporting)
    hashes = Hashes(key)
    first, supports = array("Q"), [array("I") for _ in columns.kinds]
    shapes: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    unreadable: Counter[str] = Counter()
    total = empty = values = 0
    for row in rows:
        if not any(row):
            continue
        total += 1
        if total == _LOOKED_AT:
            _check(source, primary, total, empty, refused, unreadable)
        plain = columns.primary(row)
        if not plain:
            empty += 1
            continue
        if reason := _reason(plain, columns.written(row)):
            refused[reason] += 1
            continue
        hashed = hashes.primary(plain)
        first.append(hashed)
        shapes[shape_of(plain)] += 1
        values += 1
        for own, (kind, value, is_written) in zip(supports, columns.supporting(row), strict=True):
            own.append(hashes.supporting(hashed, kind, value) if value else 0)
            values += bool(value)
            unreadable[kind] += is_written and not value
    _check(source, primary, total, empty, refused, unreadable)
    if not first:
        raise SettingsError(f"{source}: has no row with a usable value in column {primary!r}; nothing was built")
    order = np.argsort(np.frombuffer(first, np.uint64), kind="stable")
    sorted_first = np.frombuffer(first, np.uint64)[order]
    ordered = [np.frombuffer(own, np.uint32)[order] for own in supports]
    if (shared := _shared(sorted_first, ordered)) > _MOST_SHARED * len(first):
        raise SettingsError(
            f"{source}: {shared:,} of {len(first):,} values in column {primary!r} are of several people; "
            "choose a number that each has alone"
        )
    size = 0
    with atomic_file(out) as sink:
        for block in index_bytes(columns.kinds, few_shapes(shapes), sorted_first, ordered, key):
            size += sink.write(block)
    return Built(total, len(first), empty, dict(refused), size, values)


def _check(
    source: Path, primary: str, total: int, empty: int, refused: Mapping[str, int], unreadable: Mapping[str, int]
) -> None:
    """A wrong column shows at once, and not after ten million rows."""
    if empty > _MOST_EMPTY * total:
        raise SettingsError(
            f"{source}: {empty:,} of {total:,} rows have nothing in column {primary!r}; "
            "choose a column that nearly everybody has a value in"
        )
    if refused and sum(refused.values()) > _MOST_UNREADABLE * total:
        told = ", ".join(f"{count:,} {reason}" for reason, count in refused.items())
        raise SettingsError(
            f"{source}: column {primary!r} holds values that would match by chance ({told}); "
            "choose record or insurance numbers of at least six characters"
        )
    for kind, count in unreadable.items():
        if count > _MOST_UNREADABLE * total:
            raise SettingsError(
                f"{source}: {count:,} of {total:,} values are no {kind.replace('_', ' ')}; name the right column as "
                f"HEADING={kind}, and save the list as UTF-8"
            )


def _shared(primary: NDArray[np.uint64], supporting: Sequence[NDArray[np.uint32]]) -> int:
    """Rows that have the primary value of the row before, and no supporting value of it; one person may have many."""
    if len(primary) < 2:
        return 0
    agrees = np.zeros(len(primary) - 1, bool)
    for own in supporting:
        agrees |= (own[1:] == own[:-1]) & (own[1:] > 0)
    return int(((primary[1:] == primary[:-1]) & ~agrees).sum())


def _reason(plain: str, written: str) -> str:
    """Why a primary value is refused, with how often such a value meets another by chance."""
    if _DATE.fullmatch(written) and birth_of(written):
        return "dates (1 of some 36,500 days is each of them)"
    digits = sum(map(str.isdigit, plain))
    if not digits:
        return "words without a digit (any text may hold them)"
    if len(plain) < _LEAST_CHARACTERS:
        return f"short numbers (1 of {10 ** len(plain):,} numbers of that length is each of them)"
    if digits < _LEAST_DIGITS:
        return f"values with fewer than {_LEAST_DIGITS} digits (1 of {10**digits:,} by chance)"
    return "one digit over and over (placeholders)" if len(set(plain)) == 1 else ""


class _Columns:
    def __init__(self, source: Path, headings: Sequence[str], primary: str, supporting: Sequence[str]) -> None:
        self._source = source
        self._at = _places(source, headings)
        self._primary = self._place(source, primary.partition("=")[0])
        wanted = [_kinded(source, one) for one in supporting]
        if not wanted:
            raise SettingsError("name at least one supporting column with --with: a number alone shows nobody")
        at = {kind: self._place(source, heading) for heading, kind in wanted}
        if self._primary in at.values():
            raise SettingsError(f"{source}: column {primary!r} is the key, so it supports nothing; name another --with")
        if ("first_name" in at) != ("last_name" in at):
            raise SettingsError(
                "a first name or a last name alone supports nothing; name both columns, or a whole name"
            )
        self._split_name = (at.pop("first_name"), at.pop("last_name")) if "first_name" in at else None
        self._others = at
        self.kinds = tuple(sorted({*at, *(["name"] if self._split_name else [])}))

    def _place(self, source: Path, heading: str) -> int:
        if heading not in self._at:
            raise SettingsError(f"{source}: has no column {heading!r}; its columns are {', '.join(self._at)}")
        return self._at[heading]

    def primary(self, row: Sequence[str]) -> str:
        return plain_code(_cell(row, self._primary))

    def written(self, row: Sequence[str]) -> str:
        return _cell(row, self._primary).strip()

    def supporting(self, row: Sequence[str]) -> Iterator[tuple[str, str, bool]]:
        for kind in self.kinds:
            if kind == "name" and self._split_name:
                given, surname = (_cell(row, place) for place in self._split_name)
                whole = pair_of(plain_name(given.split()[0]) if given.split() else "", plain_name(surname))
                yield kind, whole, bool(given or surname)
            else:
                value = _cell(row, self._others[kind]).strip()
                plain = name_of(value) if kind == "name" else plain_value(kind, value)
                if kind == "birth_date" and value and not plain and _EXCEL_DATE.fullmatch(value):
                    raise SettingsError(
                        f"{self._source}: holds Excel's numbers of days instead of dates of birth; "
                        "format the column as a date (YYYY-MM-DD) and save the list again"
                    )
                yield kind, plain, bool(value)


def _cell(row: Sequence[str], place: int) -> str:
    return row[place] if place < len(row) else ""


def _kinded(source: Path, told: str) -> tuple[str, str]:
    heading, _, kind = told.partition("=")
    kind = kind or kind_of(heading) or ""
    if kind not in KINDS:
        raise SettingsError(
            f"{source}: what column {heading!r} holds is not known; write {heading}=KIND with one of {', '.join(KINDS)}"
        )
    return heading, kind


def _places(source: Path, headings: Sequence[str]) -> dict[str, int]:
    plain = [heading.strip().lstrip("\ufeff") for heading in headings]
    twice = [heading for heading, count in Counter(plain).items() if heading and count > 1]
    if twice:
        raise SettingsError(f"{source}: two columns are called {twice[0]!r}; rename one of them")
    if not any(plain):
        raise SettingsError(f"{source}: is empty; its first line must hold the names of the columns")
    return {heading: place for place, heading in enumerate(plain) if heading}


def _rows(file: Iterator[str], source: Path) -> Iterator[list[str]]:
    first = next(iter(file), "")
    if not first.strip(' "\r\n'):
        raise SettingsError(f"{source}: is empty; its first line must hold the names of the columns")
    counts = {delimiter: first.count(delimiter) for delimiter in _DELIMITERS}
    delimiter = max(counts, key=lambda one: counts[one])
    if not counts[delimiter]:
        raise SettingsError(f"{source}: its first line holds one column only; separate columns by commas or semicolons")
    yield next(csv.reader([first], delimiter=delimiter))
    yield from csv.reader(file, delimiter=delimiter)
