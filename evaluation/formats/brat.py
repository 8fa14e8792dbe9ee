"""A text and the .ann file beside it, as BRAT keeps them -> a document."""

from collections.abc import Iterator

from evaluation.formats.document import CorpusDocument
from evaluation.formats.source import Source
from evaluation.spans import Marked


def brat_documents(source: Source) -> Iterator[CorpusDocument]:
    """One .ann file, or all of a folder; a text without one is refused, because nobody may have looked at it."""
    folder = source.path if source.path.is_dir() else source.path.parent
    marked = sorted(source.path.rglob("*.ann")) if source.path.is_dir() else [source.path]
    if source.path.is_dir():
        for text in sorted(source.path.rglob("*.txt")):
            if not text.with_suffix(".ann").exists():
                source.at(text).refuse("", "there is no .ann file beside it; make an empty one if nothing is marked")
    for path in marked:
        yield _document(source.at(path), str(path.relative_to(folder).with_suffix("")))


def _document(source: Source, name: str) -> CorpusDocument:
    beside = source.path.with_suffix(".txt")
    # BRAT counts a byte order mark as a character.
    own = source.at(beside).characters("utf-8") if beside.exists() or not source.texts else None
    text = source.text_of("", name, own)
    lines = enumerate(source.characters().split("\n"), 1)
    return CorpusDocument(
        name, text, tuple(span for number, line in lines for span in _spans(source, text, number, line))
    )


def _spans(source: Source, text: str, number: int, line: str) -> Iterator[Marked]:
    """Only marked text (T) counts; a span in several pieces becomes several spans."""
    if not line.startswith("T"):
        return
    where, columns = f"line {number}", line.rstrip("\r").split("\t")
    kind, _, places = columns[1].partition(" ") if len(columns) > 1 else ("", "", "")
    try:
        pieces = [tuple(map(int, piece.split(" "))) for piece in places.split(";")]
    except ValueError:
        pieces = []
    if not kind or not pieces or any(len(piece) != 2 for piece in pieces):
        source.refuse(where, "expected an id, a tab, the type with start and end, a tab, and the text")
    covered = columns[2] if len(columns) > 2 and len(pieces) == 1 else None
    for start, end in pieces:
        yield source.span(where, text, start, end, kind, covered)
