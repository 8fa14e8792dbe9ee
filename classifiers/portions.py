"""Texts of any number and length -> runs of neighbours below a size, so that one pass takes bounded memory."""

from collections.abc import Iterator, Sequence


def portions(texts: Sequence[str], characters: int) -> Iterator[tuple[int, int]]:
    """Bounds of neighbouring texts of together at most so many characters; a longer text goes alone."""
    low, taken = 0, 0
    for index, text in enumerate(texts):
        if index > low and taken + len(text) > characters:
            yield low, index
            low, taken = index, 0
        taken += len(text)
    if low < len(texts):
        yield low, len(texts)


def parts(text: str, characters: int) -> Iterator[str]:
    """Cuts a text at blanks into parts of about this many characters; a part without blanks goes on to the next one."""
    low = 0
    while low < len(text):
        cut = text.find(" ", low + characters)
        high = cut if cut >= 0 else len(text)
        yield text[low:high]
        low = high
