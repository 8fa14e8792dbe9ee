"""An XML part -> what its attributes say to people: descriptions of pictures, messages, items of lists, variables."""

import re
import urllib.parse

from lxml import etree

_FOR_PEOPLE = (
    *("descr", "title", "alt", "string", "displayText", "tooltip", "display", "prompt", "promptTitle"),
    *("error", "errorTitle", "description", "linkedCell", "statusBar"),
)
_LONG = re.compile(rb"""["'>]([^"'<>]{40,})["'<]""")  # no style or font has such a name
_SHORTEST = 20  # characters of any other attribute that may be a sentence
_IN_ATTRIBUTES = etree.XPath(
    "//@*[" + " or ".join(f"local-name() = '{name}'" for name in _FOR_PEOPLE) + f" or string-length() >= {_SHORTEST}]"
)
# Every Word file names that font, and shapes are computed by equations.
_ALL = etree.XPath("//*[local-name() != 'mathFont']/@*[contains(., ' ') and local-name() != 'eqn']")
_WORD = re.compile(r"(?!.*\d).*[^\W\d_]{2,}")  # `w14 w15 w16se` are namespaces
_SENTENCE, _NAME = 3, 2  # words


def said(root: etree._Element | None) -> list[str]:
    """Of a part whose text is read otherwise, each once."""
    if root is None:
        return []
    named = dict.fromkeys(str(value) for value in _IN_ATTRIBUTES(root) if _is_for_people(value))
    return [value.strip() for value in named if value.strip()]


def _is_for_people(value: "etree._ElementUnicodeResult") -> bool:
    attribute = (value.attrname or "").rpartition("}")[2]
    return attribute in _FOR_PEOPLE or is_prose(value)


def all_said(root: etree._Element | None) -> list[str]:
    """Of a part that no other reader knows: names too."""
    values = _ALL(root) if root is not None else ()
    return [value for value in dict.fromkeys(map(str, values)) if is_prose(value, _NAME)]


def is_prose(text: str, words: int = _SENTENCE) -> bool:
    """Words with spaces between them: not a path, a list of styles or a namespace."""
    spaced = [part for part in text.split() if ":" not in part[:-1] and ";" not in part[:-1]]
    return len(spaced) >= words and sum(_WORD.match(part) is not None for part in spaced) >= words


def may_hold_long_prose(data: bytes) -> bool:
    """Whether a part that names styles and fonts has anything longer than such a name, before it is parsed."""
    return any(is_prose(match[1].decode("utf-8", "replace")) for match in _LONG.finditer(data))


def said_by(element: etree._Element) -> list[str]:
    """Of one element of a part that is too large for a tree."""
    named = ((name.rpartition("}")[2], value) for name, value in element.attrib.items())
    return [value for name, value in named if name in _FOR_PEOPLE or (len(value) >= _SHORTEST and is_prose(value))]


def said_by_address(address: str) -> str:
    """What the address of a link says, if it is a sentence."""
    shown = urllib.parse.unquote_plus(address)
    return shown if is_prose(re.sub(r"[&?=_]", " ", shown)) else ""
