"""A text that comes in windows -> one screening, one health verdict, one record; one window in memory at a time."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate

from classifiers.health import HealthModel
from core.records import Document, FileRecord, HealthVerdict, PersonSeen, Screening, Segment
from pipelines.stages.asides import judged_text
from pipelines.stages.file_name import with_name
from pipelines.stages.judge import judge_candidates, person_at, settled, stronger
from pipelines.stages.people import PeopleOfWindows, with_health
from pipelines.stages.record import failed, over_limit, record_of
from pipelines.stages.stream import Stream
from pipelines.stages.time_limit import NO_LIMITS, OverLimitError, StepLimits, within
from screening.findings import Findings
from screening.passages.rows import is_heading, shape_of
from screening.screen import Screen
from screening.window import Window

LONG = 3_000_000  # characters
WINDOW = 2_000_000
REPEATED = 4_096
_LONGEST_LINE = 4_096


def in_windows(documents: Iterator[Document]) -> Iterator[Document]:
    """Long texts in windows: their spans are counted window by window, and not all kept at once.

    What a scan keeps of ten megabytes of names would be a gigabyte.
    """
    heading = ""
    for whole in documents:
        for document in _windows_of(whole) if whole.chars > LONG and not whole.is_window else (whole,):
            if document.repeated_before:
                yield _below(heading, document)
            else:
                heading = _heading(document) if document.more else ""
                yield document


def _heading(document: Document) -> str:
    """The first line of a text that is a table."""
    if not document.segments:
        return ""
    first, _, rest = document.segments[0].text.partition("\n")
    shape = shape_of(first)
    is_headed = bool(shape[1]) and shape == shape_of(rest[:_LONGEST_LINE].partition("\n")[0])
    return first if is_headed and is_heading(first, shape[0]) else ""


def _below(heading: str, document: Document) -> Document:
    """The window with the heading of its table in place of rows that belong to the window before."""
    if not heading or len(document.segments) > 1:
        return document
    (segment,) = document.segments
    row = segment.text.rfind("\n", 0, document.repeated_before // 2)
    if row <= len(heading):
        return document
    above = f"\n{heading}".rjust(row)
    return replace(document, segments=(Segment(segment.where, above + segment.text[row:]),))


def _windows_of(document: Document) -> Iterator[Document]:
    """Offsets count in the joined text; a window has the part of each segment that is in it."""
    starts = list(accumulate((len(segment.text) + 1 for segment in document.segments), initial=0))
    length = starts.pop() - 1
    for start in range(0, length - REPEATED, WINDOW - REPEATED):
        is_last = start + WINDOW >= length
        # A segment that ends where the window begins is in it as an empty one, for the line break behind it.
        first = max(0, bisect_right(starts, start) - 1)
        if first and starts[first] == start + 1:
            first -= 1
        last = bisect_right(starts, start + WINDOW)
        parts = (
            Segment(segment.where, segment.text[max(0, start - begin) : start + WINDOW - begin])
            for segment, begin in zip(document.segments[first:last], starts[first:last], strict=True)
        )
        yield replace(
            document,
            segments=tuple(parts),
            offset=start,
            repeated_before=REPEATED if start else 0,
            repeated_after=0 if is_last else REPEATED,
            joints_before=first,
        )


class ScreenedWindows:
    """Adds up the findings of all windows; the rules judge once, on all of them."""

    def __init__(self, screen: Screen, limits: StepLimits = NO_LIMITS) -> None:
        self._screen = screen
        self._limits = limits
        self._over: OverLimitError | None = None
        self._seen: Findings | None = None
        self._error: Exception | None = None

    def add(self, document: Document) -> tuple[Document, Screening]:
        """Every window but the last has its candidates alone, which are judged while its text is at hand."""
        seen: Findings | None = None
        try:
            segments = document.segments if document.more else with_name(document)
            seen = within(self._limits, lambda: self._screen.find(segments, own_window(document), document.uri))
            self._seen = seen if self._seen is None else self._screen.merge(self._seen, seen)
        except OverLimitError as over:
            self._over = over
        except Exception as error:  # one odd text must not stop a scan, and is never counted as clear
            self._error = error
        if document.more:
            return document, Screening(candidates=seen.candidates, people=seen.people) if seen else Screening()
        return self._finish(document)

    def _finish(self, document: Document) -> tuple[Document, Screening]:
        seen, error, over = self._seen, self._error, self._over
        self._seen, self._error, self._over = None, None, None
        if over is not None and error is None:
            return over_limit(document, self._limits, over), Screening() if seen is None else self._screen.judge(seen)
        if error is not None or seen is None:
            return failed(document, "screening", error or ValueError()), Screening()
        return document, self._screen.judge(seen)


def own_window(document: Document) -> Window:
    """Two windows overlap; the middle of the overlap divides them, so a span counts once and has text on both sides."""
    chars = document.chars + len(document.segments) - 1
    end = chars - document.repeated_after + document.repeated_after // 2 if document.more else None
    return Window(document.repeated_before // 2, end, document.offset)


class ClassifiedWindows:
    """Judges the passages of every window: only after the last one is the file known to be positive."""

    def __init__(self, stream: Stream, model: HealthModel, scan_id: str) -> None:
        self._rows = stream.people
        self._people = PeopleOfWindows()
        self._affected = 0  # of people who have their rows already
        self._written = 0
        self._model = model
        self._scan_id = scan_id
        self._strongest: HealthVerdict | None = None
        self._person = -1  # where the strongest passage names its person, in the whole text
        self._error: Exception | None = None

    def add(self, document: Document, screening: Screening) -> Iterator[FileRecord]:
        try:
            self._judge(document, screening)
        except Exception as error:
            self._error = error
        if not document.more:
            yield self._finish(document, screening)

    def _judge(self, document: Document, screening: Screening) -> None:
        ((verdict, candidate, positive),) = judge_candidates(
            [judged_text(document)], [screening.candidates], self._model
        )
        self._note(document.uri, with_health(screening.people, positive))
        if candidate is not None:  # rows and paragraphs are numbered by window, so that their numbers mean nothing here
            verdict = replace(verdict, strongest=f"character {document.offset + candidate.passage.start:,}")
        before = self._strongest
        self._strongest = verdict if before is None else stronger(before, verdict)
        if candidate is not None and self._strongest.strongest == verdict.strongest:
            self._person = document.offset + candidate.person

    def _note(self, uri: str, people: Sequence[PersonSeen]) -> None:
        beyond = self._people.add(people)
        self._affected += self._rows.add(uri, beyond, self._written)
        self._written += len(beyond)

    def _count_people(self, uri: str, *, is_health: bool) -> int:
        affected = self._affected + self._rows.add(uri, self._people.take(is_health=is_health), self._written)
        self._affected = self._written = 0
        return affected

    def _finish(self, document: Document, screening: Screening) -> FileRecord:
        verdict, error, person = self._strongest, self._error, self._person
        self._strongest, self._error, self._person = None, None, -1
        if verdict is not None and screening.positive and error is None:
            verdict = settled(verdict, self._model)
        people = self._count_people(document.uri, is_health=screening.positive and bool(verdict and verdict.positive))
        if not screening.positive:
            return record_of(self._scan_id, document, screening, people=people)
        if error is not None:
            return record_of(self._scan_id, failed(document, "health stage", error), screening, people=people)
        if verdict is not None:
            verdict = replace(verdict, person=person_at(screening.evidence, person))
        return record_of(self._scan_id, document, screening, verdict, people)
