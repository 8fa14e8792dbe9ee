"""Characters as Word stores them -> readable text: field codes dropped, their results and mail addresses kept."""

import re

from extraction.readers.text.decode import clean

_ROW_END = "\x07\x07"  # the end of the last cell and that of its row
_MARKS = re.compile("[\x13\x14\x15]")
_MAILTO = re.compile(r'HYPERLINK\s+"?(?:mailto|tel):([^"\s]{1,300})', re.I)
_READABLE = str.maketrans(
    {
        "\x00": None,
        "\x01": None,
        "\x02": None,
        "\x03": None,
        "\x04": None,
        "\x05": None,
        "\x07": "\t",
        "\x08": None,
        "\x0b": "\n",
        "\x0c": "\n",
        "\x0d": "\n",
        "\x0e": "\n",
        "\x13": None,
        "\x14": None,
        "\x15": None,
        "\x1e": "-",
        "\x1f": None,
    }
)


def readable(text: str) -> str:
    if "\x13" in text:
        text = _without_field_codes(text)
    text = text.replace(_ROW_END, "\t\n").translate(_READABLE)
    return clean(text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")).strip("\n")


def _without_field_codes(text: str) -> str:
    """Keeps everything if the marks do not pair: a stray code is better than a lost page."""
    pieces: list[str] = []
    in_code: list[bool] = []
    hidden = 0
    place = 0
    for match in _MARKS.finditer(text):
        run = text[place : match.start()]
        place = match.end()
        if not hidden:
            pieces.append(run)
        else:
            pieces.extend(f" {address} " for address in _MAILTO.findall(run))
        mark = match.group()
        if mark == "\x13":
            in_code.append(True)
            hidden += 1
        elif in_code and (mark == "\x15" or in_code[-1]):
            hidden -= in_code[-1]
            in_code[-1] = False
            if mark == "\x15":
                in_code.pop()
    if in_code:
        return text
    return "".join(pieces) + text[place:]
