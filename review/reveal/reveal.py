"""A referral -> its present text with the detected values marked; read in the sandbox and stored nowhere."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NoReturn

from django.conf import settings

from core.records import Document, FileRef, Span, Status
from core.settings import Settings
from extraction.examine import examine
from extraction.sandbox import Sandbox
from review.models import Referral, ReferralPath
from review.reveal.sandbox import borrowed_sandbox
from screening.privacy.key import load_key
from screening.ruleset.ruleset import rules_of
from screening.screen import Screen

SHOWN, CHANGED, GONE, REMOVED = "shown", "changed", "gone", "removed"


@dataclass(frozen=True, slots=True, repr=False)
class Piece:
    """A piece of the text, and its characteristic if it has one."""

    text: str
    characteristic: str = ""

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Piece holds content, which must not leave the page")


@dataclass(frozen=True, slots=True, repr=False)
class Revealed:
    outcome: str
    uri: str = ""
    reason: str = ""
    pieces: tuple[Piece, ...] = ()
    cut: bool = False


@dataclass(slots=True)
class _Text:
    """The text of one document, and the last document that was read for it."""

    text: str
    last: Document


def reveal(referral: Referral) -> Revealed:
    """Tries the paths of the content one after the other; shows only content that was referred."""
    here: Settings = settings.LEAKSCREEN
    paths = list(referral.paths.order_by("-current", "uri")[:20])
    if not paths:
        return Revealed(REMOVED)
    outcome = Revealed(GONE)
    with borrowed_sandbox(here) as sandbox:
        for path in paths:
            content = _read(path, sandbox, here.review.reveal_characters)
            if content is None or content.last.status is Status.UNREADABLE:
                outcome = _worse(
                    outcome, Revealed(GONE, path.uri, content.last.reason if content else "no longer in its container")
                )
            elif referral.sha256 and content.last.sha256 != referral.sha256:
                outcome = _worse(outcome, Revealed(CHANGED, path.uri))
            else:
                text, most = content.text, here.review.reveal_characters
                return Revealed(
                    SHOWN,
                    path.uri,
                    content.last.reason,
                    tuple(marked(text[:most], screen().spans(text[:most]))),
                    len(text) > most,
                )
    return outcome


def marked(text: str, spans: Sequence[Span]) -> Iterator[Piece]:
    """The whole text, cut where spans begin and end."""
    at = 0
    for span in sorted(spans, key=lambda span: span.start):
        if span.start < at:
            continue
        if span.start > at:
            yield Piece(text[at : span.start])
        yield Piece(text[span.start : span.end], span.characteristic)
        at = span.end
    if at < len(text):
        yield Piece(text[at:])


@lru_cache(maxsize=1)
def screen() -> Screen:
    here: Settings = settings.LEAKSCREEN
    rules = rules_of(here.rules)
    return Screen(rules, load_key(here.privacy.key_file), evidence=0)


def _read(path: ReferralPath, sandbox: Sandbox, most: int) -> _Text | None:
    """Finds a member of a container by its own name in it."""
    # The file is a source by itself, so that members beyond the limits of one file are reached as in the scan.
    uri = _outer(path)
    ref = FileRef(
        uri=uri, path=bytes(path.path) if path.path is not None else path.uri.encode(), size=0, mtime_ns=0, source=uri
    )
    text, last = "", None
    for document in examine(ref, sandbox):
        if document.uri == path.uri:
            last = document
            if len(text) <= most:
                text += document.text[document.repeated_before :]
            if document.container_uri is not None:
                break
        elif document.status is Status.UNREADABLE and document.container_uri is None:
            last = last or document
    return _Text(text, last) if last is not None else None


def _outer(path: ReferralPath) -> str:
    """The URI of the file itself; that of a member continues after it."""
    if path.path is None:
        return str(path.uri)
    plain = bytes(path.path).decode("utf-8", "replace")
    return plain if path.uri.startswith(plain + "!") else str(path.uri).partition("!")[0]


def _worse(before: Revealed, now: Revealed) -> Revealed:
    """\"Changed\" says more than \"gone\"."""
    return before if before.outcome == CHANGED else now
