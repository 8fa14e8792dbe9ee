"""The segments of a document -> its Screening: PII vector, rules fired, masked evidence and risk."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from itertools import accumulate
from typing import NamedTuple

from core.records import Candidate, Evidence, PersonSeen, Screening, Segment, Span
from screening.entities.model import EntityModel, shipped_model
from screening.findings import Findings, merged, most_informative, new_numbers, renumbered
from screening.folding import Folded, folded
from screening.known.index import KnownIndex
from screening.known.match import known_in
from screening.names.merge import NameScreen
from screening.passages.places import Places
from screening.patterns.overlap import resolved
from screening.patterns.patterns import Patterns
from screening.people.candidates import HEALTH_COLUMN, HEALTH_TERM, SUBJECT, candidates_in, passage_text
from screening.people.evidence import Noted
from screening.people.health_words import is_medical
from screening.people.nameless import nameless_in
from screening.people.persons import KNOWN_PERSON, Persons, with_known
from screening.people.read_text import ReadText
from screening.people.written import Written, written_in
from screening.privacy.mask import Masker
from screening.privacy.person_keys import Keyed
from screening.prototypes import RuleTable
from screening.risk import groups_in, risk_of
from screening.ruleset.allowlist import NOTHING_ALLOWED, Allowed
from screening.ruleset.ruleset import RuleSet
from screening.same_person import SamePerson
from screening.window import WHOLE, Window

_TOGETHER = 64  # texts that are searched together for training
_MOST_VECTORS = 256  # of one file that are kept: real files have a handful
_REMEMBERED_VECTORS = 16_384  # most files of a scan share few vectors


class _Place(NamedTuple):
    """Where the segments of a text begin and what they are called; `offset` characters come before the first."""

    starts: Sequence[int]
    wheres: Sequence[str]
    offset: int = 0

    def of(self, span: Span) -> str:
        return self.wheres[bisect_right(self.starts, span.start) - 1]


class Screen:
    """A rule set, compiled once for any number of documents."""

    def __init__(
        self,
        ruleset: RuleSet,
        key: bytes,
        *,
        evidence: int = 50,
        allowed: Allowed = NOTHING_ALLOWED,
        model: EntityModel | None = None,
        known: KnownIndex | None = None,
    ) -> None:
        self._masker = Masker(key, ruleset.characteristics)
        self._most_evidence = evidence
        self.allowed = allowed
        self._characteristics = ruleset.characteristics
        self._by_id = {each.id: each for each in ruleset.characteristics}
        self._bit = {each.id: each.value for each in ruleset.characteristics}
        self._screening_rules = frozenset(rule.id for rule in ruleset.rules if rule.screens)
        self._patterns = Patterns(ruleset)
        self._names = _name_screen(ruleset, model or shipped_model()) if ruleset.names is not None else None
        self._same_person = SamePerson(ruleset.nearness, ruleset.names.particles if ruleset.names else ())
        self._values = {
            each.id: each.value | sum(self._by_id[name].value for name in each.implies)
            for each in ruleset.characteristics
        }
        self._names_alone = sum(  # a name without anything else identifies nobody
            each.value for each in ruleset.characteristics if each.group == "name"
        )
        self._hits = lru_cache(maxsize=_REMEMBERED_VECTORS)(RuleTable(ruleset.rules).hits)
        self._lists = (model or shipped_model()).gazetteer
        self._people = Persons(self._same_person, Keyed(key), self._values)
        self._known = known
        self._risk = lru_cache(maxsize=_REMEMBERED_VECTORS)(partial(risk_of, characteristics=ruleset.characteristics))
        self._rank = lru_cache(maxsize=_REMEMBERED_VECTORS)(self._groups_and_bits)

    def spans(self, text: str) -> list[Span]:
        """Every PII span, in the order of the text; none overlaps another."""
        return self.spans_of_each([text])[0]

    def spans_of_each(self, texts: Sequence[str]) -> list[list[Span]]:
        """The spans of each text, as if it were alone: one call for many small texts is faster."""
        return self._spans([folded(text) for text in texts])

    def _spans(self, readings: Sequence[Folded]) -> list[list[Span]]:
        plain = [reading.text for reading in readings]
        patterns = self._patterns.candidates_of_each(plain)
        spans = (
            [resolved(candidates) for candidates in patterns]
            if self._names is None
            else self._names.merged(plain, patterns)
        )
        return [reading.in_original(own) for reading, own in zip(readings, spans, strict=True)]

    def screen(self, segments: Sequence[Segment], uri: str = "") -> Screening:
        """The screening of one document; offsets count in its segments, joined by line breaks."""
        return self.judge(self.find(segments, uri=uri))

    def screen_each(self, documents: Sequence[tuple[Sequence[Segment], str]]) -> list[Screening]:
        """The screenings of many documents, each with its uri, in less time than one by one."""
        readings = [folded(_joined(segments)) for segments, _ in documents]
        rows = zip(documents, readings, self._spans(readings), strict=True)
        return [self.judge(self._findings(segments, text, spans, WHOLE, uri)) for (segments, uri), text, spans in rows]

    def passages_of_each(self, texts: Sequence[str]) -> list[list[str]]:
        """Of each text the passages that the health stage would judge, as it reads them."""
        passages: list[list[str]] = []
        for low in range(0, len(texts), _TOGETHER):
            batch = texts[low : low + _TOGETHER]
            readings = [folded(text) for text in batch]
            for text, reading, spans in zip(batch, readings, self._spans(readings), strict=True):
                read = ReadText(reading.text, reading.here(spans), (0,), self._lists)
                passages.append([passage_text(text, one) for one in self._candidates(reading, read, WHOLE, ("",))])
        return passages

    def find(self, segments: Sequence[Segment], window: Window = WHOLE, uri: str = "") -> Findings:
        """The findings of a whole text, or of one window of a long text."""
        reading = folded(_joined(segments))
        return self._findings(segments, reading, self._spans([reading])[0], window, uri)

    def _findings(
        self, segments: Sequence[Segment], reading: Folded, all_spans: Sequence[Span], window: Window, uri: str
    ) -> Findings:
        text = reading.levelled
        starts = _starts(segments)
        spans, suppressed = self.allowed.split(all_spans, text, uri, self._masker.masked_and_hashed)
        # Persons are tied over the whole text, then cut to the window: the name may be in the overlap before it.
        read = ReadText(reading.text, reading.here(spans), reading.places(starts), self._lists)
        keys = self._same_person.persons(read.text, read.spans, read.sections)
        own = list(zip(spans, keys, strict=True))
        if window is not WHOLE:
            own = [(span, key) for span, key in own if window.owns(span)]
        persons = self._persons(own)
        numbers = {key: number for number, key in enumerate(persons, start=1)}
        person_at = {span.start: numbers.get(key, 0) for span, key in own}
        own_spans = [span for span, _ in own]
        covered = self.allowed.covers(uri)
        wheres = [segment.where for segment in segments]
        candidates = () if covered else self._candidates(reading, read, window, wheres)
        noted = Noted(candidates)
        shown = most_informative(own_spans, self._most_evidence, noted.is_judged)
        place = _Place(starts, wheres, window.offset)
        evidence = [
            self._piece(span, text[span.start : span.end], person_at[span.start], noted, place) for span in shown
        ]
        left_out = _left_out(own_spans, shown, noted, person_at) if len(shown) < len(own_spans) else ()
        suppressed_counts = Counter(span.characteristic for span in suppressed if window.owns(span))
        counts = self._counts(own_spans) + self._counts_of_candidates(candidates)
        vectors = frozenset(candidate.bits for candidate in candidates)
        people = () if covered else self._people_in(reading, read, window, candidates)
        known: frozenset[int] = frozenset()
        if self._known is not None:
            here = [one for one in known_in(text, spans, starts, self._known) if window.owns_place(one.start)]
            known = frozenset(one.row for one in here)
            people = with_known(people, here, self._bit[KNOWN_PERSON])
        return Findings(
            counts, tuple(evidence), persons, suppressed_counts, candidates, vectors, people, known, left_out
        )

    def evidence_with(
        self, screening: Screening, segments: Sequence[Segment], judged: Candidate
    ) -> tuple[Evidence, ...]:
        """The evidence, in which that of this passage comes first: a long text has more than can be kept."""
        start, end = judged.passage[:2]
        more = [(span, person) for span, person in screening.left_out if start <= span.start < end]
        if not more:
            return screening.evidence
        noted, place = Noted([judged]), _Place(_starts(segments), [segment.where for segment in segments])
        text = folded(_joined(segments)[start:end]).levelled
        added = [
            self._piece(span, text[span.start - start : span.end - start], person, noted, place)
            for span, person in more[: self._most_evidence]
        ]
        pieces = sorted([*screening.evidence, *added], key=lambda piece: piece.start)
        return tuple(most_informative(pieces, self._most_evidence, lambda piece: start <= piece.start < end))

    def _piece(self, span: Span, value: str, person: int, noted: Noted, place: _Place) -> Evidence:
        masked, hashed = self._masker.masked_and_hashed(span.characteristic, value)
        start, end = place.offset + span.start, place.offset + span.end
        return Evidence(span.characteristic, start, end, masked, hashed, place.of(span), person, *noted.of(span))

    def people_written_in(self, segments: Sequence[Segment]) -> list[tuple[PersonSeen, Written]]:
        """The people of a text, with names and addresses as they are written: for whoever must write to them."""
        reading = folded(_joined(segments))
        starts = _starts(segments)
        spans, _ = self.allowed.split(self._spans([reading])[0], reading.levelled, "", self._masker.masked_and_hashed)
        read = ReadText(reading.text, reading.here(spans), reading.places(starts), self._lists)
        judged = self._candidates(reading, read, WHOLE, [segment.where for segment in segments])
        here = [_here(candidate, reading) for candidate in judged] if reading.taken else judged
        people = list(self._people.with_places(read, here))
        written = written_in(read.text, [places for _, places in people])
        return [(person, own) for (person, _), own in zip(people, written, strict=True)]

    def _people_in(
        self, reading: Folded, read: ReadText, window: Window, judged: Sequence[Candidate]
    ) -> tuple[PersonSeen, ...]:
        if self._names is None:
            return ()
        here = [_here(candidate, reading) for candidate in judged] if reading.taken else judged
        people = self._people.in_text(read, here)
        if reading.taken:
            people = [
                person._replace(mentions=tuple(reading.original(at, at + 1)[0] for at in person.mentions))
                for person in people
            ]
        return tuple(person for person in people if window.owns_place(person.mentions[0]))

    def _candidates(
        self, reading: Folded, read: ReadText, window: Window, wheres: Sequence[str]
    ) -> tuple[Candidate, ...]:
        if self._names is None:
            return ()
        named = list(candidates_in(read, self._values))
        nameless = nameless_in(read, self._values, named)
        candidates = sorted([*named, *nameless], key=lambda candidate: candidate.passage.start)
        if candidates:
            places = Places(read.passages, read.starts, wheres)
            candidates = [
                one if (named_as := places.named(one.passage)) is one.passage else one._replace(passage=named_as)
                for one in candidates
            ]
        if reading.taken:
            candidates = [_in_original(candidate, reading) for candidate in candidates]
        return tuple(candidate for candidate in candidates if window.owns_part(*candidate.passage[:2]))

    def _counts_of_candidates(self, candidates: Sequence[Candidate]) -> Counter[str]:
        counts: Counter[str] = Counter()
        for name in (SUBJECT, HEALTH_TERM, HEALTH_COLUMN):
            number = sum(bool(candidate.bits & self._bit.get(name, 0)) for candidate in candidates)
            if number:
                counts[name] = number
        return counts

    def merge(self, before: Findings, after: Findings) -> Findings:
        """The findings of two neighbouring windows as one."""
        return merged(before, after, self._most_evidence)

    def judge(self, findings: Findings) -> Screening:
        """The verdict of the rules on the findings of a whole text."""
        bits = sum(self._bit[name] for name in findings.counts)
        if findings.known:
            bits |= self._bit[KNOWN_PERSON]
        identified = {key: bits for key, bits in findings.persons.items() if bits & ~self._names_alone}
        tied = max(identified.values(), key=self._rank, default=0)
        tied_vectors = {bits for bits in findings.persons.values() if bits & ~self._names_alone}
        vectors = tuple(sorted(tied_vectors | findings.vectors))[:_MOST_VECTORS]
        rules = self._hits(bits, vectors)
        numbers = new_numbers(findings.persons, identified)
        return Screening(
            bits=bits,
            counts=self._in_order(findings.counts),
            rules=rules,
            positive=any(hit.rule in self._screening_rules for hit in rules),
            risk=self._risk(bits, tied),
            evidence=renumbered(findings.evidence, numbers),
            tied=tied,
            persons=len(identified),
            suppressed=self._in_order(findings.suppressed),
            vectors=vectors,
            candidates=findings.candidates,
            people=findings.people,
            known=len(findings.known),
            left_out=findings.left_out
            if numbers == list(range(len(numbers)))
            else tuple((span, numbers[person]) for span, person in findings.left_out),
        )

    def _in_order(self, counts: Counter[str]) -> tuple[tuple[str, int], ...]:
        """Counts in the order of the vector."""
        return tuple(sorted(counts.items(), key=lambda count: self._bit[count[0]]))

    def _counts(self, spans: Sequence[Span]) -> Counter[str]:
        counts: Counter[str] = Counter()
        for name, count in Counter(span.characteristic for span in spans).items():
            for implied in (name, *self._by_id[name].implies):
                counts[implied] += count
        return counts

    def _groups_and_bits(self, bits: int) -> tuple[int, int]:
        return groups_in(bits, self._characteristics), bits.bit_count()

    def _persons(self, keyed_spans: Sequence[tuple[Span, str]]) -> dict[str, int]:
        """For each person, by key, the bits of everything tied to them, the name included."""
        persons: dict[str, int] = {}
        for span, key in keyed_spans:
            if key:
                persons[key] = persons.get(key, 0) | self._values[span.characteristic]
        return persons


def _in_original(candidate: Candidate, reading: Folded) -> Candidate:
    """The same places, counted in the text as it was."""
    passage = candidate.passage
    start, end = reading.original(*passage[:2])
    carried = tuple(reading.original(*stretch) for stretch in passage.carried)
    return candidate._replace(
        passage=passage._replace(start=start, end=end, carried=carried),
        person=reading.original(candidate.person, candidate.person + 1)[0],
        replaced=tuple((*reading.original(low, high), word) for low, high, word in candidate.replaced),
        others=tuple((reading.original(at, at + 1)[0], role) for at, role in candidate.others),
    )


def _here(candidate: Candidate, reading: Folded) -> Candidate:
    """The same passage and names, counted in the folded text."""
    person, *passage = reading.places((candidate.person, *candidate.passage[:2]))
    return candidate._replace(
        passage=candidate.passage._replace(start=passage[0], end=passage[1]),
        person=person,
        replaced=tuple((*_pair(reading.places((low, high))), word) for low, high, word in candidate.replaced),
        others=tuple((reading.places((at,))[0], role) for at, role in candidate.others),
    )


def _pair(places: Sequence[int]) -> tuple[int, int]:
    return places[0], places[1]


def _left_out(
    spans: Sequence[Span], shown: Sequence[Span], noted: Noted, person_at: Mapping[int, int]
) -> tuple[tuple[Span, int], ...]:
    known = {span.start for span in shown}
    return tuple((span, person_at[span.start]) for span in spans if span.start not in known and noted.is_judged(span))


def _starts(segments: Sequence[Segment]) -> list[int]:
    return list(accumulate((len(segment.text) + 1 for segment in segments), initial=0))[: len(segments)]


def _joined(segments: Sequence[Segment]) -> str:
    return "\n".join(segment.text for segment in segments)


def _name_screen(ruleset: RuleSet, model: EntityModel) -> NameScreen:
    assert ruleset.names is not None
    words = {
        word for detector in ruleset.detectors for word in (*detector.keywords, *detector.raised_by) if " " not in word
    }
    labels = {*words, *ruleset.names.never}
    return NameScreen(ruleset.names, model, ruleset.scoring.threshold, labels, is_medical)
