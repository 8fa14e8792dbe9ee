"""Text -> the pieces it is made of, white space included, so that their lengths give every offset."""

import re

LONGEST_WORD = 40

_LETTERS = "A-Za-zÀ-ÖØ-öø-ʯͰ-ͽΆΈ-ԯ"  # `re` tests ranges faster than "any letter"
_NO_NAME = r"(?![sStTmMdD]\b|(?:re|ve|ll|RE|VE|LL)\b)"  # behind an apostrophe
PIECE = re.compile(
    rf" ?[{_LETTERS}]+(?:['’]{_NO_NAME}[{_LETTERS}]+)?"  # O'Brien in one piece
    r"| ?[0-9]+"
    r"|\s*\n\s*"
    r"| ?['’][sS]\b"
    r"| ?(?:\.\.+|--+|__+|==+|\*\*+|##+|[^\w\s]|_)"
    r"|[^\S\n]+"
    r"| ?[^\W\d_]+"
    r"| ?\d+"
    r"|."
)
# The same in texts of ASCII alone, in less time: `re` passes over a branch whose first character does not fit.
_ASCII_WORD = rf"[A-Za-z][A-Za-z]*+(?:'{_NO_NAME}[A-Za-z]++)?+"
_ASCII_MARK = r"'[sS]\b|\.\.++|--++|__++|==++|\*\*++|##++|[^A-Za-z0-9\t-\r\x1c- ]"
ASCII_PIECE = re.compile(
    rf"{_ASCII_WORD}| (?:{_ASCII_WORD}|[0-9][0-9]*+|{_ASCII_MARK})|[0-9][0-9]*+|{_ASCII_MARK}|\s*\n\s*+|[^\S\n]++|."
)


_LETTER = re.compile(f"[{_LETTERS}]")


def is_letter(sign: str) -> bool:
    """Whether a sign is one of those that make words together."""
    return _LETTER.fullmatch(sign) is not None


def pieces(text: str) -> list[str]:
    """Joined again, they are the text; the space before a word belongs to its piece."""
    return (ASCII_PIECE if text.isascii() else PIECE).findall(text)


def is_gap(piece: str) -> bool:
    """White space inside a line that only separates words; tabs and wide gaps do more: they end a column."""
    return piece.isspace() and "\n" not in piece and "\t" not in piece and len(piece) < 3


def word_of(piece: str) -> str:
    return piece[1:] if piece[0] == " " and not piece.isspace() else piece
