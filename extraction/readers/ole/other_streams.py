"""A compound file whose known streams were read -> macros, files and sentences in all others: none stays unread."""

import re
from collections.abc import Callable, Iterator
from functools import partial

from lxml import etree

from core.records import Segment
from extraction.format import Member
from extraction.limits.budget import Budget
from extraction.media_types import UNKNOWN, is_textual
from extraction.readers.ole.compound import Compound, Path
from extraction.readers.ole.macros import macro_source
from extraction.readers.streams.read_member import embedded_content
from extraction.readers.text.strings import narrow_runs, wide_runs
from extraction.readers.xml.parse import safe_parser

SENTENCES = "strings of an unknown stream"
LEAST = 64  # bytes
# Marks of class and link, what a form or an object looks like, compiled macros and their names.
_WITHOUT_SENTENCES = re.compile(
    r"\x01(?:ole|compobj)|\x03(?:objinfo|linkinfo|ocxname|ocxdata|print)|\x05.+|_vba_project|__srp_\w+|dir|project(?:wm|lk)?"
    r"|\x02olepres\w+|\x03(?:meta|eprint|pict)|current user|\x01compobj"
)
_CUSTOM_XML = "msodatastore"
_WORD = re.compile(r"[^\W\d_]{2,}")
_LEAST_WORDS = 4


def other_streams(compound: Compound, budget: Budget, identify: Callable[[bytes], str]) -> Iterator[Segment | Member]:
    for path in compound.untaken():
        data = compound.read(*path)
        if len(data) < LEAST or _WITHOUT_SENTENCES.fullmatch(path[-1].lower()):
            continue
        if path[0].lower() == _CUSTOM_XML:
            if text := _xml_text(data):
                yield Segment("custom data", text)
        elif source := macro_source(data):
            yield Segment(f"macro {path[-1]}", source)
        elif (kind := identify(data)) != UNKNOWN and not is_textual(kind):
            yield Member(_name(path), partial(embedded_content, data, budget, path[-1]), len(data))
        elif text := sentences(data):
            compound.fault = compound.fault or SENTENCES
            yield Segment(_name(path), text)


def _xml_text(data: bytes) -> str:
    root = etree.fromstring(data, safe_parser(recover=True))
    return "\n".join(text.strip() for text in root.itertext() if text.strip()) if root is not None else ""


def _name(path: Path) -> str:
    return "stream " + " ".join("".join(filter(str.isprintable, name)) for name in path)


def sentences(data: bytes) -> str:
    """The runs of letters that are several words."""
    runs = [*narrow_runs(data).splitlines(), *wide_runs(data).splitlines()]
    return "\n".join(
        run for run in runs if run.count(" ") >= _LEAST_WORDS - 1 and len(_WORD.findall(run)) >= _LEAST_WORDS
    )
