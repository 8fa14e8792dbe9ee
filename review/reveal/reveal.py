"""A referral -> its present text with the detected values marked; read in the sandbox and stored nowhere."""

import hashlib
import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from django.conf import settings

from core.records import Document, FileRef, Span, Status
from core.settings import Settings
from extraction.examine import examine
from extraction.extract import NESTING
from extraction.opening.file_kinds import fault_of_mode
from extraction.opening.local import open_file
from extraction.sandbox import Sandbox
from review.models import Referral, ReferralPath
from review.reveal.blocks import Block, Places, blocks_by_place, cut_at
from review.reveal.drawn_page import MOST_DRAWN, DrawnPage, can_be_drawn, page_of
from review.reveal.health_terms import health_terms_in
from review.reveal.piece import Piece
from review.reveal.sandbox import BusyError, borrowed_sandbox
from screening.privacy.key import load_key
from screening.ruleset.ruleset import rules_of
from screening.screen import Screen

CSV = "text/csv"
SHOWN, CHANGED, GONE, REMOVED, BUSY = "shown", "changed", "gone", "removed", "busy"


@dataclass(frozen=True, slots=True, repr=False)
class Revealed:
    outcome: str
    uri: str = ""
    reason: str = ""
    pieces: tuple[Piece, ...] = ()
    places: Places = ()
    cut: bool = False
    media_type: str = ""
    page: DrawnPage | None = None

    @property
    def blocks(self) -> list[Block]:
        return list(blocks_by_place(cut_at(self.places, self.pieces), self.media_type == CSV))


@dataclass(slots=True, repr=False)
class _Text:
    """The text of one document with its places, and the last document that was read for it."""

    text: str
    places: list[tuple[int, str]]
    last: Document


@dataclass(frozen=True, slots=True)
class Deciding:
    """The passage that decided: its page, and where it begins and ends in the text; 0 where that is not known."""

    page: int = 1
    start: int = 0
    end: int = 0


UNKNOWN = Deciding()


def reveal(referral: Referral, page: int = 0, deciding: Deciding = UNKNOWN) -> Revealed:
    """Its text, and the deciding page of what can be drawn; with a page named, that page alone."""
    here: Settings = settings.LEAKSCREEN
    try:
        with borrowed_sandbox(here) as sandbox:
            if page:
                return _with_page(referral, page, here, sandbox)
            most = here.review.reveal_characters
            found, content = referred_content(referral, here, sandbox, most=max(most, deciding.end))
            if content is None:
                return found
            begin = window_around(content.text, deciding.start, deciding.end, most)
            text = content.text[begin : begin + most]
            spans = screen().spans(text)
            range_ = deciding.start - begin, deciding.end - begin
            pieces = tuple(marked(text, [*spans, *health_terms_in(text, spans)], range_))
            places = places_from(content.places, begin)
            shown = replace(found, pieces=pieces, places=places, cut=len(text) < len(content.text))
            if can_be_drawn(found.media_type):
                return replace(shown, page=_with_page(referral, deciding.page, here, sandbox).page)
            return shown
    except BusyError:
        return Revealed(BUSY)


def _with_page(referral: Referral, page: int, here: Settings, sandbox: Sandbox) -> Revealed:
    with sandbox.drawing(page):
        found, content = referred_content(referral, here, sandbox, most=MOST_DRAWN)
    return found if content is None else replace(found, page=page_of(content.text))


def referred_content(
    referral: Referral, here: Settings, sandbox: Sandbox, most: int | None = None
) -> tuple[Revealed, _Text | None]:
    """Tries the paths of the content one after the other; only content that was referred comes back."""
    paths = list(referral.paths.order_by("-current", "uri")[:20])
    outcome = Revealed(GONE if paths else REMOVED)
    for path in paths:
        if referral.sha256 and _is_other_content(path, referral.sha256, here.limits.streamed_bytes):
            outcome = _worse(outcome, Revealed(CHANGED, path.uri))
            continue
        content = _found(path, sandbox, most or here.review.reveal_characters, referral.sha256)
        if content is None or content.last.status is Status.UNREADABLE:
            outcome = _worse(
                outcome, Revealed(GONE, path.uri, content.last.reason if content else "no longer in its container")
            )
        elif referral.sha256 and content.last.sha256 != referral.sha256:
            outcome = _worse(outcome, Revealed(CHANGED, path.uri))
        else:
            return Revealed(SHOWN, path.uri, content.last.reason, media_type=content.last.media_type), content
    return outcome, None


def window_around(text: str, start: int, end: int, most: int) -> int:
    """Where so much of a text begins that a passage is in it: at its start if it can, else at a line before."""
    if end <= most:
        return 0
    begin = max(0, start - most // 4)
    return text.rfind("\n", 0, begin) + 1 or begin


def places_from(places: Sequence[tuple[int, str]], begin: int) -> Places:
    """The places of what is left of a text after so many characters."""
    before = [place for place in places if place[0] <= begin][-1:]
    later = [place for place in places if place[0] > begin]
    return [(max(0, start - begin), where) for start, where in (*before, *later)]


def marked(text: str, spans: Sequence[Span], deciding: tuple[int, int] = (0, 0)) -> Iterator[Piece]:
    """The whole text, cut where spans begin and end."""
    at = 0
    for span in sorted(spans, key=lambda span: span.start):
        if span.start < at:
            continue
        if span.start > at:
            yield Piece(text[at : span.start])
        yield Piece(text[span.start : span.end], span.characteristic, deciding[0] <= span.start < deciding[1])
        at = span.end
    if at < len(text):
        yield Piece(text[at:])


@lru_cache(maxsize=1)
def screen() -> Screen:
    here: Settings = settings.LEAKSCREEN
    rules = rules_of(here.rules)
    return Screen(rules, load_key(here.privacy.key_file), evidence=0)


def _found(path: ReferralPath, sandbox: Sandbox, most: int, sha256: str) -> _Text | None:
    """The content at the path: of the first file that holds it, else what is known of why there is none."""
    found: _Text | None = None
    for outer in _files_in(path):
        content = _read(path, outer, sandbox, most)
        if content is None:
            continue
        if content.last.status is not Status.UNREADABLE and sha256 in ("", content.last.sha256):
            return content
        if found is None or found.last.status is Status.UNREADABLE:
            found = content
    return found


def _read(path: ReferralPath, outer: str, sandbox: Sandbox, most: int) -> _Text | None:
    """Finds a member of a container by its own name in it."""
    # The file is a source by itself, so that members beyond the limits of one file are reached as in the scan.
    raw = bytes(path.path) if path.path is not None else outer.encode()
    ref = FileRef(uri=outer, path=raw, size=0, mtime_ns=0, source=outer)
    text, last = "", None
    places: list[tuple[int, str]] = []
    deadline = time.monotonic() + 2 * sandbox.limits.file_seconds  # windows and members have a limit each
    for document in examine(ref, sandbox, settings.LEAKSCREEN.sources):
        if time.monotonic() > deadline:
            break
        if document.uri == path.uri:
            last = document
            if len(text) <= most:
                places += _places_of(document, len(text), places[-1][1] if places else None)
                text += document.text[document.repeated_before :]
            if document.container_uri is not None:
                break
        elif document.status is Status.UNREADABLE and document.container_uri is None:
            last = last or document
    return _Text(text, places, last) if last is not None else None


def _places_of(document: Document, at: int, before: str | None) -> Iterator[tuple[int, str]]:
    """Where its segments begin in the text of which it is a window; one that goes on from the last window is known."""
    start = at - document.repeated_before
    for segment in document.segments:
        if start >= at and segment.where != before:
            yield start, segment.where
        elif start + len(segment.text) > at and segment.where != before:
            yield at, segment.where
        before, start = segment.where, start + len(segment.text) + 1


def _is_other_content(path: ReferralPath, sha256: str, most: int) -> bool:
    """Whether a file on disk is known to be another one, so that its parser need not see it."""
    raw = bytes(path.path) if path.path is not None else path.uri.encode()
    if not raw.startswith(b"/") or (path.path is not None and NESTING in path.uri):  # its container, or no local file
        return False
    try:
        descriptor = open_file(raw)
    except (OSError, ValueError):
        return False  # a member of a container, or gone: said by whoever tries to read it
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        if fault_of_mode(status.st_mode) or status.st_size > most:
            return False
        return hashlib.file_digest(file, "sha256").hexdigest() != sha256


def _files_in(path: ReferralPath) -> Iterator[str]:
    """URIs that may be that of the file itself: a member's goes on after a mark that names of files may hold, too."""
    yield str(path.uri)
    at = path.uri.find(NESTING)
    while at > 0:
        outer = path.uri[:at]
        if path.path is not None or not outer.startswith("/") or os.path.isfile(outer):
            yield outer
        at = path.uri.find(NESTING, at + 1)


def _worse(before: Revealed, now: Revealed) -> Revealed:
    """\"Changed\" says more than \"gone\"."""
    return before if before.outcome == CHANGED else now
