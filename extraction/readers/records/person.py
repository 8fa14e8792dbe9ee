"""Parts of names, addresses and dates, as record formats keep them -> lines as people write them."""

import functools
import re
from collections.abc import Iterable

_NAME_ORDER = {"prefix": 0, "given": 1, "middle": 2, "family": 3, "suffix": 4}
_TELLING_NAME_PARTS = frozenset({"given", "middle", "family"})
_COMPACT_DATE = re.compile(
    r"((?:18|19|20)\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?:\d{2,6}(?:\.\d+)?)?(?:[+-]\d{4})?"
)
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[_.\-]+")


@functools.lru_cache(maxsize=4096)
def label(key: str) -> str:
    """`birthDate` -> `birth date`, `FIRST_NAME` -> `first name`."""
    return " ".join(_HUMP.sub(" ", key).lower().split())


def name_line(parts: Iterable[tuple[str, str]]) -> str:
    """Given names before the family name, whatever their order in the file; empty if there is no name."""
    kept = [(kind, " ".join(text.split())) for kind, text in parts if text.strip()]
    if not any(kind in _TELLING_NAME_PARTS for kind, _ in kept):
        return ""
    ordered = sorted((entry for entry in kept if entry[0] in _NAME_ORDER), key=lambda entry: _NAME_ORDER[entry[0]])
    return " ".join(text for _, text in ordered)


def address_line(
    street: Iterable[str], city: str = "", state: str = "", postal_code: str = "", country: str = ""
) -> str:
    lines = [*street, city, f"{state} {postal_code}", country]
    return ", ".join(text for text in (" ".join(line.split()) for line in lines) if text)


def iso_date(text: str) -> str:
    """`19741225083000` -> `1974-12-25`; any other text stays as it is."""
    match = _COMPACT_DATE.fullmatch(text.strip())
    return "-".join(match.groups()) if match else text
