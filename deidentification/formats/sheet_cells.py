"""Cells of a sheet -> the text that people see in them, and new text put into them."""

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from lxml import etree

from deidentification.formats.xml_tree import local

_EPOCH = datetime(1899, 12, 30)
_DATE_FORMATS = frozenset({*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)})
_QUOTED = re.compile(r'"[^"]*"|\[[^\]]*\]|\\.')
_LATEST = 2_958_465  # 31 December 9999
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:E[+-]?\d+)?")


class Cells:
    """Shared strings are written into their cells: two cells with the same text may need different replacements."""

    def __init__(self, shared: Any, styles: Any) -> None:
        self._shared = [_joined(item) for item in shared] if shared is not None else []
        self._date_styles = _date_styles(styles) if styles is not None else frozenset()
        self._values: set[Any] = set()
        if shared is not None:
            for item in list(shared):
                shared.remove(item)
            shared.attrib.pop("count", None)
            shared.attrib.pop("uniqueCount", None)

    def shown(self, root: Any) -> Mapping[Any, str]:
        """For cells whose text differs from what is stored: dates, which are stored as numbers of days."""
        dates: dict[Any, str] = {}
        for cell in root.iter():
            if local(cell.tag) != "c":
                continue
            value = next((child for child in cell if local(child.tag) == "v"), None)
            if value is None:
                continue
            if cell.get("t") == "s":
                self._write_inline(cell, value, self._string(value.text))
            elif cell.get("t", "n") == "n":
                self._values.add(value)
                date = self._date(cell, value.text or "")
                if date:
                    dates[value] = date
        return dates

    def put(self, element: Any, text: str) -> bool:
        """Whether the element is the number of a cell, which then becomes a text unless the new one is a number."""
        if element not in self._values:
            return False
        if _NUMBER.fullmatch(text):
            element.text = text
            return True
        cell = element.getparent()
        for child in list(cell):
            if local(child.tag) == "f":
                cell.remove(child)
        self._write_inline(cell, element, text)
        return True

    @staticmethod
    def _write_inline(cell: Any, value: Any, text: str) -> None:
        space = cell.tag.rpartition("}")[0] + "}" if "}" in cell.tag else ""
        cell.remove(value)
        cell.set("t", "inlineStr")
        written = etree.SubElement(etree.SubElement(cell, f"{space}is"), f"{space}t")
        written.text = text

    def _string(self, number: str | None) -> str:
        try:
            return self._shared[int(number or "")]
        except (ValueError, IndexError):
            return ""

    def _date(self, cell: Any, number: str) -> str:
        try:
            days = float(number)
            is_date = int(cell.get("s", "0")) in self._date_styles
        except ValueError:
            return ""
        if not is_date or not 1 <= days <= _LATEST:
            return ""
        moment = _EPOCH + timedelta(days=days)
        return moment.date().isoformat() if days == int(days) else moment.strftime("%Y-%m-%d %H:%M")


def _joined(item: Any) -> str:
    """Without the hints for pronunciation that East Asian texts have."""
    return "".join(
        element.text or ""
        for element in item.iter()
        if local(element.tag) == "t" and local(element.getparent().tag) != "rPh"
    )


def _date_styles(styles: Any) -> frozenset[int]:
    own: dict[str, str] = {}
    formats: list[str] = []
    for element in styles.iter():
        tag = local(element.tag)
        if tag == "numFmt":
            own[element.get("numFmtId", "")] = element.get("formatCode", "")
        elif tag == "xf" and local(element.getparent().tag) == "cellXfs":
            formats.append(element.get("numFmtId", "0"))
    return frozenset(at for at, number in enumerate(formats) if _is_date(number, own))


def _is_date(number: str, own: Mapping[str, str]) -> bool:
    if number in own:
        return bool(set(_QUOTED.sub("", own[number]).lower()) & set("dy"))
    return number.isdecimal() and int(number) in _DATE_FORMATS
