"""What documents contain and what stays readable -> EMR, LF, HL, OE and levels of risk (Sokolova, 2011)."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.records import Risk
from evaluation.ratios import share

NAME, LOCATION, OTHER = "name", "location", "other"
LABELS = (NAME, LOCATION, OTHER)
_RISKS = (Risk.NONE, Risk.LOW, Risk.MEDIUM, Risk.HIGH)


@dataclass(frozen=True, slots=True)
class Readable:
    """The labels that a document contains, and those of them that are still readable after detection."""

    data: frozenset[str]
    left: frozenset[str]

    def __post_init__(self) -> None:
        if not self.left <= self.data:
            raise ValueError("what is left in a document must have been in it")


@dataclass(frozen=True, slots=True)
class DocumentScores:
    """EMR and LF are better if small, HL and OE if large; None where no document contains what they count."""

    documents: int
    without_labels: int
    with_top: int  # documents behind OE: those that contain the top-ranked label
    labels: int  # labels behind HL: what the documents contain in all
    partial: float  # the sum behind LF
    mismatches: int  # the sum behind HL
    emr: float | None
    lf: float | None
    hl: float | None
    oe: float | None
    risk: dict[str, int]


def document_scores(
    documents: Iterable[Readable], labels: Sequence[str] = LABELS, top: str = LOCATION
) -> DocumentScores:
    """HL and OE are over the labels that a document contains: what was never there was not hidden, and not missed.

    A document that contains none of the labels has nothing to leave readable: it is counted apart.
    """
    if top not in labels:
        raise ValueError(f"{top}: not one of the labels {', '.join(labels)}")
    everything = list(documents)
    labelled = [document for document in everything if document.data]
    n = len(labelled)
    partial = sum(len(document.left) / (len(document.left) + len(document.data)) for document in labelled)
    contained = sum(len(document.data) for document in labelled)
    mismatches = sum(len(document.data - document.left) for document in labelled)
    with_top = [document for document in labelled if top in document.data]
    return DocumentScores(
        documents=n,
        without_labels=len(everything) - n,
        with_top=len(with_top),
        labels=contained,
        partial=partial,
        mismatches=mismatches,
        emr=share(sum(document.left == document.data for document in labelled), n),
        lf=share(2 * partial, n),
        hl=share(mismatches, contained),
        oe=share(sum(top not in document.left for document in with_top), len(with_top)),
        risk=risk_levels(labelled),
    )


def risk_levels(documents: Iterable[Readable]) -> dict[str, int]:
    """Documents by how much of a person stays readable: all of name, location and other, two of them, one, none."""
    counts = Counter(risk_of(document.left) for document in documents)
    return {risk.value: counts[risk] for risk in reversed(_RISKS)}


def risk_of(left: frozenset[str]) -> Risk:
    return _RISKS[len(left & frozenset(LABELS))]
