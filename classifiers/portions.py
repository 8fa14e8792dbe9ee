"""Texts of any number and length -> neighbouring ones that together stay below a size, so that a pass takes bounded memory."""

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
    """Cuts a text at blanks, into parts of some so many characters; a stretch without any is cut where the next one is."""
    low = 0
    while low < len(text):
        cut = text.find(" ", low + characters)
        high = cut if cut >= 0 else len(text)
        yield text[low:high]
        low = high
