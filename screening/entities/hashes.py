"""An attribute -> the number by which its weights are found."""

import zlib
from collections.abc import Iterable


def attribute_hash(attribute: str) -> int:
    return zlib.crc32(attribute.encode("utf-8", "surrogatepass"))


def attribute_hashes(attributes: Iterable[str]) -> list[int]:
    """The same of many, in less time where no text is broken."""
    try:
        return list(map(zlib.crc32, map(str.encode, attributes)))
    except UnicodeEncodeError:
        return [attribute_hash(each) for each in attributes]
