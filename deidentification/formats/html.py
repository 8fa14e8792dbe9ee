"""A web page -> its texts and the values of its attributes as runs; comments are dropped."""

import html
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from deidentification.formats.text import without_files
from deidentification.view import Run
from extraction.readers.text.decode import decode
from extraction.readers.xml.parse import declared_encoding

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_TAG = re.compile(r"""<(?:[^<>"']|"[^"]*"|'[^']*')*>""")
_VALUE = re.compile(r"""=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+))""")
_SCRIPT = re.compile(r"<script\b.*?(?:</script\s*>|\Z)", re.IGNORECASE | re.DOTALL)
_STYLE = re.compile(r"<style\b.*?(?:</style\s*>|\Z)", re.IGNORECASE | re.DOTALL)
_HEAD = re.compile(r"<head(?:\s[^>]*)?>", re.IGNORECASE)
_META = re.compile(r"<meta\s[^>]*>", re.IGNORECASE)
_INLINE = re.compile(r"</?(?:a|abbr|b|big|em|font|i|mark|s|small|span|strong|sub|sup|u)\b", re.IGNORECASE)
_CELL = re.compile(r"</(?:td|th)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class OpenedHtml:
    """Fixed runs give the screen line breaks; `markup` is what is written in their place."""

    runs: Sequence[Run]
    markup: Mapping[int, str]
    is_prose: bool = True

    def rewritten(self, new: Mapping[int, str]) -> bytes:
        return "".join(self._written(at, run, new.get(at)) for at, run in enumerate(self.runs)).encode("utf-8")

    def _written(self, at: int, run: Run, new: str | None) -> str:
        if run.is_fixed:
            return self.markup[at]
        return html.escape(run.text if new is None else new)


def open_html(data: bytes, media_type: str) -> OpenedHtml:
    """Without scripts, looks and `meta`: they may hold anything, and name an encoding that the copy does not have."""
    text = decode(data, declared_encoding(data))
    for dropped in (_COMMENT, _SCRIPT, _STYLE, _META):
        text = dropped.sub("", text)
    text = _HEAD.sub(lambda head: f'{head.group()}<meta charset="utf-8">', text, count=1)
    runs: list[Run] = []
    markup: dict[int, str] = {}
    last = 0
    for tag in _TAG.finditer(text):
        runs += _texts(text[last : tag.start()])
        for run, written in _tag(tag.group()):
            if run.is_fixed:
                markup[len(runs)] = written
            runs.append(run)
        last = tag.end()
    runs += _texts(text[last:])
    return OpenedHtml(tuple(runs), markup)


def _texts(text: str) -> list[Run]:
    return list(without_files(html.unescape(text))) if text else []


def _tag(tag: str) -> Iterator[tuple[Run, str]]:
    last = 0
    for match in _VALUE.finditer(tag):
        number = match.lastindex or 0
        start, end = match.span(number)
        bare = number == 3
        yield Run(" ", is_fixed=True), tag[last:start] + ('"' if bare else "")
        for run in _texts(tag[start:end]):
            yield run, ""
        last = end
        if bare:
            yield Run(" ", is_fixed=True), '"'
    gap = (" " if last else "") if _INLINE.match(tag) else "\t" if _CELL.match(tag) else "\n"
    yield Run(gap, is_fixed=True), tag[last:]
