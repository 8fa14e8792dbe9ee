"""Member names as archives give them -> labels that are safe to print, unique, and never used as a path."""

import re

BEHIND = "behind the end"  # what no reader of the format shows
LONGEST = 1_000
LONGEST_LABEL = LONGEST * 9 + 20  # escaped, with a number
_UNSAFE = re.compile("[!\x00-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]")


def is_label(name: str) -> bool:
    """Whether a name is what `label` and UniqueNames make, of members within members too."""
    return not _UNSAFE.search(name.replace("!", "")) and all(0 < len(part) <= LONGEST_LABEL for part in name.split("!"))


def label(name: str) -> str:
    """Escapes control characters, lone surrogates, characters that reorder a line, and the `!` between members."""
    name = _UNSAFE.sub(_escape, name[: LONGEST + 1])
    if len(name) > LONGEST:
        name = name[:LONGEST] + "..."
    return name or "unnamed"


def _escape(match: re.Match[str]) -> str:
    character = match.group()
    if "\udc80" <= character <= "\udcff":
        return f"%{ord(character) - 0xDC00:02X}"
    return "".join(f"%{byte:02X}" for byte in character.encode("utf-8", "surrogatepass"))


class UniqueNames:
    """Hands out each label once; a repeated name gets `#2`, `#3`, in the order of the archive."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._next: dict[str, int] = {}

    def take(self, name: str) -> str:
        wanted = label(name)
        unique = wanted
        while unique in self._taken:
            number = self._next.get(wanted, 1) + 1
            self._next[wanted] = number
            unique = f"{wanted}#{number}"
        self._taken.add(unique)
        return unique
