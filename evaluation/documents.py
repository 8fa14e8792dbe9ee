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
    """EMR and LF are better if small, HL and OE if large; all are None if no document contains anything."""

    documents: int
    without_labels: int
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
    """A document that contains none of the labels has nothing to leave readable: it is counted apart."""
    if top not in labels:
        raise ValueError(f"{top}: not one of the labels {', '.join(labels)}")
    everything = list(documents)
    labelled = [document for document in everything if document.data]
    n = len(labelled)
    partial = sum(len(document.left) / (len(document.left) + len(document.data)) for document in labelled)
    mismatches = sum(len(document.left ^ document.data) for document in labelled)
    return DocumentScores(
        documents=n,
        without_labels=len(everything) - n,
        partial=partial,
        mismatches=mismatches,
        emr=share(sum(document.left == document.data for document in labelled), n),
        lf=share(2 * partial, n),
        hl=share(mismatches, n * len(labels)),
        oe=share(sum((top in document.left) != (top in document.data) for document in labelled), n),
        risk=risk_levels(labelled),
    )


def risk_levels(documents: Iterable[Readable]) -> dict[str, int]:
    """Documents by how much of a person stays readable: all of name, location and other, two of them, one, none."""
    counts = Counter(risk_of(document.left) for document in documents)
    return {risk.value: counts[risk] for risk in reversed(_RISKS)}


def risk_of(left: frozenset[str]) -> Risk:
    return _RISKS[len(left & frozenset(LABELS))]
