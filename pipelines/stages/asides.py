"""A document -> its text and the name of its file, and how a passage is read: with what surrounds it, and alone."""

from collections.abc import Sequence
from typing import NamedTuple

from core.records import Candidate, Document, Segment
from pipelines.stages.file_name import NAME, with_name
from screening.passages.mail_parts import message_around, subject_above
from screening.people.candidates import passage_text

_LONGEST_MAIL = 12_000  # characters of a passage that is a whole text
_NO_MAIL = ("row", "field", "record", "message")  # places of passages that are cut from tables, records and chats
_HEADERS = "headers"  # of a mail
# What a program writes around a text, which is not what somebody wrote in it.
_ASIDES = frozenset({"authors", "custom data", _HEADERS, "metadata", "properties", NAME})


class JudgedText(NamedTuple):
    """What the offsets of candidates count in, and where the document's own text is: from `start` up to `end`."""

    text: str
    start: int = 0
    end: int = 0
    is_mail: bool = False

    def passage(self, candidate: Candidate) -> str:
        """What the health stage reads of a candidate."""
        return passage_text(self.text, self._alone(candidate))

    def _alone(self, candidate: Candidate) -> Candidate:
        """If its person is named in the document's own text, that message of it alone.

        Properties, headers and other messages drown a short leak, and make a harmless text look like a letter.
        """
        low, high, *_ = candidate.passage
        start, end = max(low, self.start), min(high, self.end)
        if not start <= candidate.person < end:
            return candidate
        carried = candidate.passage.carried
        if end - start <= _LONGEST_MAIL and not candidate.passage.place.startswith(_NO_MAIL):
            start, end = message_around(self.text, start, end, candidate.person, is_mail=self.is_mail)
            subject = subject_above(self.text, start) if start > low else None
            carried = (*carried, subject) if subject is not None else carried
        return candidate._replace(passage=candidate.passage._replace(start=start, end=end, carried=carried))


def judged_text(document: Document) -> JudgedText:
    """The name of the file comes last; all windows but the last are without it."""
    segments = document.segments if document.more else with_name(document)
    is_mail = any(segment.where == _HEADERS for segment in segments)
    return JudgedText("\n".join(segment.text for segment in segments), *_own_text(segments), is_mail)


def _own_text(segments: Sequence[Segment]) -> tuple[int, int]:
    """From the first segment to the last one that is no aside."""
    start, end, at = -1, 0, 0
    for segment in segments:
        if segment.where not in _ASIDES:
            start = at if start < 0 else start
            end = at + len(segment.text)
        at += len(segment.text) + 1
    return max(start, 0), end
