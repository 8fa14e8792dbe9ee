"""Passages -> what their terms and their shape say, a row of numbers each: kinds of terms, people, nearness, layout."""

import re
from collections.abc import Sequence

import numpy as np

from classifiers.matcher import Matches, TermMatcher
from classifiers.vectors import Floats, Weights, concept_counts
from classifiers.vocabulary import CATEGORIES
from classifiers.word_ids import Ints
from classifiers.wording import with_english_terms

DECISIVE = tuple(  # kinds that say what somebody has or is given; headings, units and parts of the body do not
    CATEGORIES.index(kind)
    for kind in ("abbreviation", "code", "disease", "drug", "finding", "laboratory", "procedure", "record", "symptom")
)
_HALF = tuple(CATEGORIES.index(kind) for kind in ("abbreviation", "record"))  # they have other meanings in offices
_PEOPLE = re.compile(r"(?:subject|person|author)token")
_TOKENS = (
    "subjecttoken",
    "persontoken",
    "authortoken",
    "doctortoken",
    "birthdatetoken",
    "recordnumbertoken",
    "contacttoken",
    "orgtoken",
)
_RECORD_OF_PATIENT = ("subjecttoken", "birthdatetoken", "recordnumbertoken")
_DOSE = re.compile(
    r"\b\d+(?:[.,]\d+)?\s?(?:mg|mcg|[µμ]g|ml|g|units?|tabs?|puffs?|cp|comprim[ée]s?|comprimidos?|tabletas?|tabl|tbl"
    r"|gouttes?|gotas?|tropfen|hub|unités?|unidades|einheiten|ui|ie)\b"
    r"|\b(?:bid|tid|tds|qid|prn|po|od|nocte|qhs|sig|refills?)\b"
    r"|\b\d-\d-\d(?:-\d)?\b|\bc/\d{1,2} ?h\b|\bcada \d{1,2} h(?:oras?|rs?)?\b|\b\d ?x ?(?:tgl|tägl|täglich|/ ?j)\b"
    r"|\bfois (?:par|/) ?j(?:our)?\b",
    re.IGNORECASE,
)
_READING = re.compile(
    r"\b\d+(?:[.,]\d+)?\s?(?:mg/dl|g/dl|mmol/l|umol/l|mg/l|g/l|u/l|ui/l|ie/l|iu/ml|k/ul|m/ul|fl|%|bpm|mmhg|kg|cm"
    r"|[µμ]mol/l|[µμ]g/l|ng/ml|giga/l|/min)\b"
    r"|\b\d{2,3}/\d{2,3}\b",
    re.IGNORECASE,
)
_AGE = re.compile(
    r"\b\d{1,3}[- ]?(?:yo|y/o|year[- ]old|yrs?|years old)\b|\b\d{1,3} ?[MF]\b|\b[MF] ?\d{1,3}\b|\bage[d:]? ?\d"
    r"|\b\d{1,3} ?(?:ans|años|anos|jahre|jahren|j\.|jährige[rnms]?)(?!\w)|\b\d{1,3}[- ]?jährig",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[a-z][.!?](?:\s|$)")
_SIGNS = (b"ABCDEFGHIJKLMNOPQRSTUVWXYZ", b"0123456789", rb"<>{}[]=;/\_")  # capitals, figures, marks
_FAR = 400.0  # characters from a person beyond which a term is as good as absent
_NEAR = 150.0
_WEIGHTY = 0.3
_COUNTED = 3  # times that the same term adds to the evidence
_SPREAD = 10  # words that every passage is given, so that a handful of terms does not fill it


def passage_features(texts: Sequence[str], matcher: TermMatcher, weights: Weights) -> Floats:
    """One row a passage."""
    texts = list(map(with_english_terms, texts))
    matches, starts, _ = matcher.match_in_place(texts)
    return np.hstack([_of_kinds(matches, weights), _of_people(texts, matches, starts, weights), _of_shape(texts)])


def is_patients_record(text: str) -> bool:
    """Whether somebody is said to be a patient, by name, birth date and number: that alone is health information."""
    return all(token in text for token in _RECORD_OF_PATIENT) and "patient" in text.lower()


def evidence_of(matches: Matches, weights: Weights) -> Floats:
    """What the different decisive terms of each text weigh together."""
    counts = concept_counts(matches, weights)
    decisive = np.isin(weights.kind[counts.indices], DECISIVE)
    row = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))[decisive]
    repeated = np.minimum(counts.data[decisive], _COUNTED) - 1  # a table of codes has one word for all of them
    weight = weights.weight[counts.indices[decisive]] * (1.0 + repeated / 2)
    weight = np.where(np.isin(weights.kind[counts.indices[decisive]], _HALF), weight / 2, weight)
    evidence: Floats = np.bincount(row, weights=weight, minlength=counts.shape[0]).astype(np.float64)
    return evidence


def _of_kinds(matches: Matches, weights: Weights) -> Floats:
    """Of each kind its share of the passage and the weight of its different terms; and the length."""
    counts = concept_counts(matches, weights)
    texts, kinds = counts.shape[0], len(CATEGORIES)
    row = np.repeat(np.arange(texts), np.diff(counts.indptr))
    cell = row * kinds + weights.kind[counts.indices]
    weight = weights.weight[counts.indices]
    total = np.bincount(cell, weights=counts.data * weight, minlength=texts * kinds).reshape(texts, kinds)
    different = np.bincount(cell, weights=weight, minlength=texts * kinds).reshape(texts, kinds)
    length = matches.lengths.astype(np.float64)[:, None]
    return np.hstack([3.0 * np.sqrt(total / (length + _SPREAD)), np.log1p(different), np.log1p(length)])


def _of_people(texts: Sequence[str], matches: Matches, starts: Ints, weights: Weights) -> Floats:
    """How near the decisive terms are to a person, and what they weigh."""
    concepts = weights.concept_of_term[matches.term]
    kept = np.isin(weights.kind[concepts], DECISIVE) & (weights.weight[concepts] > _WEIGHTY)
    rows = np.zeros((len(texts), 4))
    bounds = np.searchsorted(matches.document[kept], np.arange(len(texts) + 1))
    places, weight = starts[kept].astype(np.float64), weights.weight[concepts[kept]]
    evidence = evidence_of(matches, weights)
    for number, text in enumerate(texts):
        low, high = bounds[number], bounds[number + 1]
        people = np.array([match.start() for match in _PEOPLE.finditer(text)], dtype=np.float64)
        nearest, near_weight = _FAR, 0.0
        if high > low and len(people):
            gaps = np.abs(places[low:high, None] - people[None, :]).min(axis=1)
            nearest = min(_FAR, float(gaps.min()))
            near_weight = float((weight[low:high] * np.exp(-gaps / _NEAR)).sum())
        per_word = evidence[number] / (len(text) / 6 + _SPREAD)
        rows[number] = np.log1p(nearest), np.log1p(evidence[number]), per_word, np.log1p(near_weight)
    return rows


def _of_shape(texts: Sequence[str]) -> Floats:
    return np.array([_shape(text) for text in texts], dtype=np.float64).reshape(len(texts), 9 + len(_TOKENS))


def _shape(text: str) -> list[float]:
    size = len(text) + 1
    raw = text.encode("utf-8", "surrogatepass")
    sentences = len(_SENTENCE_END.findall(text))
    counts = [len(pattern.findall(text)) for pattern in (_DOSE, _READING, _AGE)]
    return [
        *((len(raw) - len(raw.translate(None, signs))) / size for signs in _SIGNS),
        *(float(np.log1p(count)) for count in (*counts, sentences, text.count("\n"))),
        sentences / (len(text) / 100 + 1),
        *(float(np.log1p(text.count(token))) for token in _TOKENS),
    ]
