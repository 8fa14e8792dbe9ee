"""JSON, also FHIR and one document per line -> its strings and long numbers as runs, with escapes read."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from deidentification.formats.text import without_files
from deidentification.view import Run
from extraction.readers.text.decode import decode

_TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)"|(?<![\w.+-])(-?\d{4,})(?![\w.])', re.DOTALL)
_PACKED = re.compile(r"[A-Za-z0-9+/\s]{40,}={0,2}")
_DATA = re.compile(r'"data"\s*:\s*$')
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")


@dataclass(frozen=True, slots=True)
class OpenedJson:
    runs: Sequence[Run]
    numbers: frozenset[int]  # runs that are not within quotation marks
    is_ascii: bool
    is_prose: bool = True

    def rewritten(self, new: Mapping[int, str]) -> bytes:
        return "".join(self._written(at, run, new.get(at)) for at, run in enumerate(self.runs)).encode("utf-8")

    def _written(self, at: int, run: Run, new: str | None) -> str:
        if run.is_fixed:
            return run.text
        text = run.text if new is None else new
        if at in self.numbers:
            return text if re.fullmatch(r"-?(?:0|[1-9]\d*)", text) or new is None else json.dumps(text)
        return json.dumps(text, ensure_ascii=self.is_ascii)[1:-1]


def open_json(data: bytes, media_type: str) -> OpenedJson:
    """Files that are written into it in base64 are dropped."""
    text = decode(data)
    runs: list[Run] = []
    numbers = set()
    last = 0
    for match in _TOKEN.finditer(text):
        if match.group(2) is not None:
            runs += [Run(text[last : match.start()], is_fixed=True), Run(match.group(2))]
            numbers.add(len(runs) - 1)
            last = match.end()
            continue
        before = text[last : match.start(1)]
        runs.append(Run(before, is_fixed=True))
        is_packed = _PACKED.fullmatch(match.group(1)) is not None and _ends_with_data(runs)
        runs += [] if is_packed else _unescaped(match.group(1))
        last = match.end(1)
    runs.append(Run(text[last:], is_fixed=True))
    return OpenedJson(tuple(runs), frozenset(numbers), _NOT_ASCII.search(text) is None)


def _ends_with_data(runs: Sequence[Run]) -> bool:
    """Whether the key `data` comes before, as FHIR names what it contains."""
    return _DATA.search("".join(run.text for run in runs[-3:])[:-1]) is not None


def _unescaped(literal: str) -> Iterator[Run]:
    try:
        text = json.loads(f'"{literal}"', strict=False) if "\\" in literal else literal
    except ValueError:
        text = literal
    return without_files(text)
