"""What several people marked in the same texts -> F by entity, kappas and alpha by token, exact and partial."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import fsum

from evaluation.agreement import cohen_kappa, fleiss_kappa, krippendorff_alpha
from evaluation.formats.document import CorpusDocument
from evaluation.instances import matching
from evaluation.ratios import share
from evaluation.spans import Marked, categories, tokens

Value = str | bool | None


@dataclass(frozen=True, slots=True, repr=False)
class Annotated:
    """A text, and what each person who read it marked in it."""

    text: str
    by_person: Mapping[str, tuple[Marked, ...]]


@dataclass(frozen=True, slots=True)
class Figures:
    """None where undefined: nobody marked anything, or no two people read the same text."""

    entity_f: float | None
    kappa: float | None
    fleiss: float | None
    alpha: float | None


@dataclass(frozen=True, slots=True)
class SpanAgreement:
    """Exact: the same extent and category, by token the same category. Partial: an overlap, by token marked at all."""

    documents: int  # that two people read
    people: int
    entities: int  # that they marked in these documents, added up
    tokens: int
    exact: Figures
    partial: Figures


def annotated(document: CorpusDocument) -> Annotated:
    """What the annotators of a document of TAB marked for masking."""
    names = document.people or tuple(str(number) for number in range(1, len(document.annotators) + 1))
    marked = {
        name: tuple(
            Marked(mention.start, mention.end, entity.kind)
            for entity in entities
            for mention in entity.mentions
            if mention.masked
        )
        for name, entities in zip(names, document.annotators, strict=False)
    }
    return Annotated(document.text, marked)


def span_agreement(documents: Iterable[Annotated]) -> SpanAgreement:
    """F is pooled over pairs of people, kappa is their mean, weighted by tokens; the others take all at once."""
    shared = [document for document in documents if len(document.by_person) > 1]
    values = [_values(document) for document in shared]
    exact, partial = (
        [{person: [reading(value) for value in marked] for person, marked in by_person.items()} for by_person in values]
        for reading in (_category, _is_marked)
    )
    return SpanAgreement(
        documents=len(shared),
        people=len({person for document in shared for person in document.by_person}),
        entities=sum(len(spans) for document in shared for spans in document.by_person.values()),
        tokens=sum(len(next(iter(by_person.values()))) for by_person in values),
        exact=_figures(shared, exact, whole=True),
        partial=_figures(shared, partial, whole=False),
    )


def by_category(documents: Sequence[Annotated]) -> dict[str, SpanAgreement]:
    kinds = {span.category for document in documents for spans in document.by_person.values() for span in spans}
    return {kind: span_agreement(_only(documents, kind)) for kind in sorted(kinds)}


def by_pair(documents: Sequence[Annotated]) -> dict[str, SpanAgreement]:
    people = sorted({person for document in documents for person in document.by_person})
    return {
        f"{first} and {second}": span_agreement(
            Annotated(document.text, {person: document.by_person[person] for person in (first, second)})
            for document in documents
            if first in document.by_person and second in document.by_person
        )
        for first, second in combinations(people, 2)
    }


def entity_f(documents: Iterable[Annotated], whole: bool) -> float | None:
    """Twice what both marked over what each did."""
    both, either = entity_counts(documents, whole)
    return share(2 * both, either)


def entity_counts(documents: Iterable[Annotated], whole: bool) -> tuple[int, int]:
    """What both marked, and what each did, added up; each entity is matched once, with one of its category."""
    both = either = 0
    for document in documents:
        for first, second in combinations(document.by_person.values(), 2):
            for kind in {span.category for span in (*first, *second)}:
                ours, theirs = ({span for span in side if span.category == kind} for side in (first, second))
                matched = matching(ours, theirs)
                both += len(matched.correct) + (0 if whole else len(matched.substituted))
                either += len(ours) + len(theirs)
    return both, either


Decided = list[dict[str, list[Value]]]  # a document each: what every person took each token for


def _figures(documents: Sequence[Annotated], decided: Decided, whole: bool) -> Figures:
    items = [list(said) for by_person in decided for said in zip(*by_person.values(), strict=True)]
    return Figures(entity_f(documents, whole), _mean_kappa(decided), fleiss_kappa(items), krippendorff_alpha(items))


def _mean_kappa(decided: Decided) -> float | None:
    pairs: dict[tuple[str, str], tuple[list[Value], list[Value]]] = {}
    for by_person in decided:
        for first, second in combinations(sorted(by_person), 2):
            ours, theirs = pairs.setdefault((first, second), ([], []))
            ours += by_person[first]
            theirs += by_person[second]
    kappas = [(len(ours), kappa) for ours, theirs in pairs.values() if (kappa := cohen_kappa(ours, theirs)) is not None]
    return share(fsum(size * kappa for size, kappa in kappas), sum(size for size, _ in kappas))


def _values(document: Annotated) -> dict[str, list[str | None]]:
    places = tokens(document.text)
    return {person: categories(places, spans) for person, spans in document.by_person.items()}


def _category(value: str | None) -> Value:
    return value


def _is_marked(value: str | None) -> Value:
    return value is not None


def _only(documents: Iterable[Annotated], kind: str) -> list[Annotated]:
    return [
        Annotated(
            document.text,
            {
                person: tuple(span for span in spans if span.category == kind)
                for person, spans in document.by_person.items()
            },
        )
        for document in documents
    ]
