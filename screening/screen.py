"""The segments of a document -> its Screening: PII vector, rules fired, masked evidence and risk."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache, partial
from itertools import accumulate

from core.records import Evidence, Screening, Segment, Span
from screening.entities.model import EntityModel, shipped_model
from screening.findings import Seen, both, most_telling, renumbered
from screening.names.merge import Named
from screening.patterns.overlap import resolved
from screening.patterns.patterns import Patterns
from screening.privacy.disguise import Disguise
from screening.prototypes import pack
from screening.risk import groups_in, risk_of
from screening.ruleset.allowlist import NOTHING_ALLOWED, Allowed
from screening.ruleset.ruleset import RuleSet
from screening.same_person import SamePerson
from screening.window import WHOLE, Part

_REMEMBERED_VECTORS = 16_384  # most files of a scan share few vectors


class Screen:
    """A rule set made ready once, for any number of documents."""

    def __init__(
        self,
        ruleset: RuleSet,
        key: bytes,
        *,
        evidence: int = 50,
        allowed: Allowed = NOTHING_ALLOWED,
        model: EntityModel | None = None,
    ) -> None:
        self._disguise = Disguise(key, ruleset.characteristics)
        self._most_evidence = evidence
        self.allowed = allowed
        self._characteristics = ruleset.characteristics
        self._by_id = {each.id: each for each in ruleset.characteristics}
        self._bit = {each.id: each.value for each in ruleset.characteristics}
        self._screening_rules = frozenset(rule.id for rule in ruleset.rules if rule.screens)
        self._patterns = Patterns(ruleset)
        self._names = _named(ruleset, model or shipped_model()) if ruleset.names is not None else None
        self.reach = ruleset.nearness.after_a_name
        self._same_person = SamePerson(ruleset.nearness, ruleset.names.particles if ruleset.names else ())
        self._values = {
            each.id: each.value | sum(self._by_id[name].value for name in each.implies)
            for each in ruleset.characteristics
        }
        self._names_alone = sum(each.value for each in ruleset.characteristics if each.group == "name")
        self._hits = lru_cache(maxsize=_REMEMBERED_VECTORS)(pack(ruleset.rules).hits)
        self._risk = lru_cache(maxsize=_REMEMBERED_VECTORS)(partial(risk_of, characteristics=ruleset.characteristics))
        self._told = lru_cache(maxsize=_REMEMBERED_VECTORS)(self._groups_and_bits)

    def spans(self, text: str) -> list[Span]:
        """Every PII span, in the order of the text; none overlaps another."""
        return self.spans_of_each([text])[0]

    def spans_of_each(self, texts: Sequence[str]) -> list[list[Span]]:
        """The spans of each text: the same as if it were alone, but many small texts take less time together."""
        patterns = self._patterns.candidates_of_each(texts)
        return [resolved(each) for each in patterns] if self._names is None else self._names.merged(texts, patterns)

    def screen(self, segments: Sequence[Segment], uri: str = "") -> Screening:
        """Offsets count in the texts of the segments, joined by line breaks."""
        return self.judge(self.look(segments, uri=uri))

    def screen_each(self, documents: Sequence[tuple[Sequence[Segment], str]]) -> list[Screening]:
        """The same of many documents with their uris, in less time than one by one."""
        texts = [_joined(segments) for segments, _ in documents]
        found = zip(documents, texts, self.spans_of_each(texts), strict=True)
        return [self.judge(self._seen(segments, text, spans, WHOLE, uri)) for (segments, uri), text, spans in found]

    def look(self, segments: Sequence[Segment], part: Part = WHOLE, uri: str = "") -> Seen:
        """What stands in a text, or in one part of a text that comes in several."""
        text = _joined(segments)
        return self._seen(segments, text, self.spans(text), part, uri)

    def _seen(self, segments: Sequence[Segment], text: str, found: Sequence[Span], part: Part, uri: str) -> Seen:
        starts = list(accumulate((len(segment.text) + 1 for segment in segments), initial=0))[: len(segments)]
        spans, suppressed = self.allowed.split(found, text, uri, self._disguise.of)
        keys = self._same_person.persons(text, spans, starts)
        told = [(span, key) for span, key in zip(spans, keys, strict=True) if part.owns(span)]
        persons = self._persons(told)
        numbers = {key: number for number, key in enumerate(persons, start=1)}
        person_at = {span.start: numbers.get(key, 0) for span, key in told}
        own = [span for span, _ in told]
        evidence = []
        for span in most_telling(own, self._most_evidence):
            masked, hashed = self._disguise.of(span.characteristic, text[span.start : span.end])
            where = segments[bisect_right(starts, span.start) - 1].where
            place = part.offset + span.start, part.offset + span.end
            evidence.append(Evidence(span.characteristic, *place, masked, hashed, where, person_at[span.start]))
        apart = Counter(span.characteristic for span in suppressed if part.owns(span))
        return Seen(self._counts(own), tuple(evidence), persons, apart)

    def both(self, before: Seen, after: Seen) -> Seen:
        return both(before, after, self._most_evidence)

    def judge(self, seen: Seen) -> Screening:
        """What was seen, held against the rules."""
        counts = seen.counts
        bits = sum(self._bit[name] for name in counts)
        known = {key: bits for key, bits in seen.persons.items() if bits & ~self._names_alone}
        tied = max(known.values(), key=self._told, default=0)
        rules = self._hits(bits)
        return Screening(
            bits=bits,
            counts=tuple((each.id, counts[each.id]) for each in self._characteristics if each.id in counts),
            rules=rules,
            positive=any(hit.rule in self._screening_rules for hit in rules),
            risk=self._risk(bits, tied),
            evidence=renumbered(seen.evidence, seen.persons, known),
            tied=tied,
            persons=len(known),
            suppressed=tuple(
                (each.id, seen.suppressed[each.id]) for each in self._characteristics if each.id in seen.suppressed
            ),
        )

    def _counts(self, spans: Sequence[Span]) -> Counter[str]:
        counts: Counter[str] = Counter()
        for name, count in Counter(span.characteristic for span in spans).items():
            for each in (name, *self._by_id[name].implies):
                counts[each] += count
        return counts

    def _groups_and_bits(self, bits: int) -> tuple[int, int]:
        return groups_in(bits, self._characteristics), bits.bit_count()

    def _persons(self, told: Sequence[tuple[Span, str]]) -> dict[str, int]:
        """The bits of all that stands with each person, the name among them."""
        persons: dict[str, int] = {}
        for span, key in told:
            if key:
                persons[key] = persons.get(key, 0) | self._values[span.characteristic]
        return persons


def _joined(segments: Sequence[Segment]) -> str:
    return "\n".join(segment.text for segment in segments)


def _named(ruleset: RuleSet, model: EntityModel) -> Named:
    assert ruleset.names is not None
    words = {
        word for detector in ruleset.detectors for word in (*detector.keywords, *detector.raised_by) if " " not in word
    }
    return Named(ruleset.names, model, ruleset.scoring.threshold, {*words, *ruleset.names.never})
