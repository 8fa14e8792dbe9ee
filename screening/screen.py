"""The segments of a document -> its Screening: PII vector, rules fired, masked evidence and risk."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import TypeVar

from core.records import Evidence, Screening, Segment, Span
from screening.key import keyed_hash
from screening.mask import mask, plain_form
from screening.names import NameFinder
from screening.overlap import resolved
from screening.part import WHOLE, Part
from screening.patterns import Patterns
from screening.prototypes import pack
from screening.risk import risk_of
from screening.ruleset import RuleSet

_REMEMBERED_VECTORS = 16_384  # most files of a scan share few vectors
Found = TypeVar("Found", Span, Evidence)


@dataclass(frozen=True, slots=True)
class Seen:
    """What stands in a text, before any rule is asked."""

    counts: Counter[str]
    evidence: tuple[Evidence, ...]


class Screen:
    """A rule set made ready once, for any number of documents."""

    def __init__(self, ruleset: RuleSet, key: bytes, *, evidence: int = 50) -> None:
        self._key = key
        self._most_evidence = evidence
        self._characteristics = ruleset.characteristics
        self._by_id = {each.id: each for each in ruleset.characteristics}
        self._screening_rules = frozenset(rule.id for rule in ruleset.rules if rule.screens)
        self._patterns = Patterns(ruleset)
        self._names = None if ruleset.names is None else NameFinder(ruleset.names)
        self._hits = lru_cache(maxsize=_REMEMBERED_VECTORS)(pack(ruleset.rules).hits)

    def spans(self, text: str) -> list[Span]:
        """Every PII span, in the order of the text; none overlaps another."""
        patterns = self._patterns.candidates(text)
        names = self._names.find(text) if self._names is not None else []
        return resolved([*patterns, *names])

    def screen(self, segments: Sequence[Segment]) -> Screening:
        """Offsets count in the texts of the segments, joined by line breaks."""
        return self.judge(self.look(segments))

    def look(self, segments: Sequence[Segment], part: Part = WHOLE) -> Seen:
        """What stands in a text, or in one part of a text that comes in several."""
        text = "\n".join(segment.text for segment in segments)
        spans = part.own(self.spans(text))
        return Seen(self._counts(spans), self._evidence(text, spans, segments, part.offset))

    def both(self, before: Seen, after: Seen) -> Seen:
        return Seen(before.counts + after.counts, tuple(most_telling([*before.evidence, *after.evidence], self._most_evidence)))

    def judge(self, seen: Seen) -> Screening:
        """What was seen, held against the rules."""
        counts = seen.counts
        bits = sum(self._by_id[name].value for name in counts)
        rules = self._hits(bits)
        return Screening(
            bits=bits,
            counts=tuple((each.id, counts[each.id]) for each in self._characteristics if each.id in counts),
            rules=rules,
            positive=any(hit.rule in self._screening_rules for hit in rules),
            risk=risk_of(bits, self._characteristics),
            evidence=seen.evidence,
        )

    def _counts(self, spans: Sequence[Span]) -> Counter[str]:
        counts: Counter[str] = Counter()
        for name, count in Counter(span.characteristic for span in spans).items():
            for each in (name, *self._by_id[name].implies):
                counts[each] += count
        return counts

    def _evidence(self, text: str, spans: Sequence[Span], segments: Sequence[Segment], offset: int) -> tuple[Evidence, ...]:
        starts = list(accumulate((len(segment.text) + 1 for segment in segments), initial=0))
        shown: dict[tuple[str, str], tuple[str, str]] = {}  # a value that comes again is masked and hashed once
        kept = []
        for span in most_telling(spans, self._most_evidence):
            found = (span.characteristic, text[span.start - offset : span.end - offset])
            masked, hashed = shown.get(found) or shown.setdefault(found, self._disguised(*found))
            where = segments[min(bisect_right(starts, span.start - offset) - 1, len(segments) - 1)].where
            kept.append(Evidence(span.characteristic, span.start, span.end, masked, hashed, where))
        return tuple(kept)

    def _disguised(self, characteristic: str, value: str) -> tuple[str, str]:
        style = self._by_id[characteristic].mask
        return mask(value, style), keyed_hash(self._key, characteristic, plain_form(value, style))


def most_telling(spans: Sequence[Found], most: int) -> list[Found]:
    """At most so many spans: the first of every characteristic before the second of any."""
    if len(spans) <= most:
        return list(spans)
    seen: Counter[str] = Counter()
    ranked = []
    for span in spans:
        ranked.append((seen[span.characteristic], span.start, span))
        seen[span.characteristic] += 1
    ranked.sort(key=lambda entry: entry[:2])
    return sorted((span for _, _, span in ranked[:most]), key=lambda span: span.start)
