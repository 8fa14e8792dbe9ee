"""The content of a document before it has a format: headings, paragraphs and tables -> plain text."""

from dataclasses import dataclass

from leakscreen.demo.people import Person


@dataclass(frozen=True, slots=True)
class Heading:
    text: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    text: str


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells; the first row holds the column names."""

    rows: tuple[tuple[str, ...], ...]


Part = Heading | Paragraph | Table


@dataclass(frozen=True, slots=True)
class Draft:
    """One document to be written: its kind, the template it came from, a file name without ending, and its parts."""

    kind: str
    template: str
    stem: str
    title: str
    parts: tuple[Part, ...]
    formats: tuple[str, ...] = ("docx", "pdf", "txt", "html")
    about: tuple[Person, ...] = ()  # whose health it tells of

    @property
    def tables(self) -> tuple[Table, ...]:
        return tuple(part for part in self.parts if isinstance(part, Table))


def as_text(draft: Draft) -> str:
    """The draft as a plain text file would hold it."""
    lines = [draft.title, "=" * len(draft.title), ""] if draft.title else []
    for part in draft.parts:
        if isinstance(part, Heading):
            lines += [part.text, "-" * len(part.text)]
        elif isinstance(part, Paragraph):
            lines += [part.text, ""]
        else:
            lines += ["\t".join(row) for row in part.rows]
            lines.append("")
    return "\n".join(lines)
