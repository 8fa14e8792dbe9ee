"""A text and its spans -> the passages that may tell of somebody's health, each with the person it may be about."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from core.records import Candidate, Passage, Role, Span
from screening.escapes import with_blank_escapes
from screening.folding import shown
from screening.passages.rows import shape_of
from screening.people.also_ill import also_ill
from screening.people.health_words import health_hints, hints_at_health, is_health_heading
from screening.people.meant import as_meant, with_joined_letters
from screening.people.medical_text import is_medical_stretch, without_values
from screening.people.mentions import Mention, mentions_in
from screening.people.mixed_lists import medical_entries
from screening.people.obituary import is_obituary
from screening.people.ordinary_kinds import is_ordinary
from screening.people.patient_lists import lines_of_patients
from screening.people.people_here import (
    ANNOUNCED,
    LEAST,
    LEAST_ALONE,
    SHORT,
    TITLED,
    Person,
    about_first,
    people_in,
    person_of,
    subject_of,
)
from screening.people.read_text import ReadText
from screening.people.roles import is_personal_heading, may_announce
from screening.people.shaped import mentions_by_shape
from screening.people.software import are_about_software, is_about_software

_DISEASE_CODE = re.compile(r"\b[A-TV-Z][0-9][0-9AB]\.[0-9A-Z]{1,4}\b")
_CLAIMED_CODE = re.compile(r"(?<=[*:^~])(A?B[FJKN]):[A-TV-Z]\d[0-9A-Z]{1,5}\b")  # claims write them without a dot
_INSURED = re.compile(r"\bNM1\*(?:IL|QC)\*1\*")  # whose claim it is, in a message between insurers
_JOINED_WORDS = re.compile(r"(?<=[a-z]{2})(?=[A-Z][a-z])")  # BloodGlucose
_STRONG_LABEL = re.compile(
    r"(?:patient(?:'s)?(?: name)?|pt|resident|insured|claimant|member)\s*[:=|\-]\s*[\"']?$", re.IGNORECASE
)
_LABEL_MARKS = frozenset(":=|-")
_BEHIND_LABELS = " \t\r\n\f\v\"'"
SUBJECT, HEALTH_TERM, HEALTH_COLUMN = "subject", "health_term", "health_column"  # characteristics of a candidate
_NAMES = frozenset({"first_name", "last_name", "health_professional_name", "city", "place"})
_CHARS_A_HINT = 150  # ordinary prose has a medical word here and there
_SOLE_CHARS = 12_000
_NOTE_CHARS = 2_500  # a text that is no longer, and has so many medical words, is a note about somebody
_NOTE_HINTS = 4
_NO_NAMES = frozenset({"organization_name", "hospital", "city", "place", "health_professional_name"})
_HEADING_LINES = 8  # in which a short text has the heading of its table
_LINE_END = re.compile(r"\n")
_BLANK_LINE = re.compile(r"\n[ \t\r]*\n")
_NOWHERE = Passage(0, 0, "")  # no table, so that the words beside a name alone decide
_RECORDS = ("row", "line")  # places of short passages, of which there are many
_AROUND = 1_500  # characters around a passage that may show what it is part of
_CARRIED_CHARS = 60  # of the line that names the patient
_CARRIED_PASSAGES = 40  # how far a patient who was named above is carried
TOKENS = {  # what the health stage reads in place of a value: it learns what is there, never whose it is
    Role.SUBJECT: "subjecttoken",
    Role.RELATIVE: "relativetoken",
    Role.PROFESSIONAL: "doctortoken",
    Role.AUTHOR: "authortoken",
    Role.OTHER: "persontoken",
    "birth_date": "birthdatetoken",
    "medical_record_number": "recordnumbertoken",
    "health_plan_number": "recordnumbertoken",
    "health_card_number": "recordnumbertoken",
    "account_number": "recordnumbertoken",
    "other_unique_number": "recordnumbertoken",
    "ssn": "recordnumbertoken",
    "phone_number": "contacttoken",
    "email": "contacttoken",
    "street_address": "contacttoken",
    "organization_name": "orgtoken",
    "hospital": "orgtoken",
    "health_professional_name": "doctortoken",
}
_READ_AS = {TOKENS[Role.RELATIVE]: TOKENS[Role.SUBJECT]}  # health of a relative is somebody's health too


def passage_text(text: str, candidate: Candidate) -> str:
    """What the health stage reads: the passage and what is carried to it, with words for roles instead of names."""
    stretches = (*candidate.passage.carried, candidate.passage[:2])
    # Without blank ends: the last line break of a file is no part of what it says.
    read_as = [(start, end, _READ_AS.get(token, token)) for start, end, token in candidate.replaced]
    stripped = (without_values(text, start, end, read_as).strip() for start, end in stretches)
    pieces = with_blank_escapes(shown("\n".join(stripped)))
    pieces = with_joined_letters(as_meant(pieces))
    pieces = _INSURED.sub(r"\g<0> patient ", _CLAIMED_CODE.sub(r"\1 icdcode ", pieces))
    return _JOINED_WORDS.sub(" ", _DISEASE_CODE.sub(" icdcode ", pieces))


def candidates_in(read: ReadText, bits: Mapping[str, int]) -> Iterator[Candidate]:
    """At most one candidate a passage: of its likely subjects the likeliest, or the patient named above it."""
    text, spans, lists = read.text, read.spans, read.lists
    is_short = len(text) <= _SOLE_CHARS
    meant = as_meant(text) if is_short else text
    if is_short and not any(_may_be_medical(text, meant, passage) for passage in read.passages):
        return
    organizations = {span.start for span in spans if span.characteristic in ("organization_name", "hospital")}
    mentions = [
        mention
        for mention in (read.mentions if meant == text else mentions_in(meant, spans, lists))
        if mention.likelihood > -TITLED - ANNOUNCED and mention.end + 1 not in organizations
    ]
    if not mentions and not is_short:
        return
    taken = frozenset(span.start for span in spans if span.characteristic in _NO_NAMES)
    places = [mention.start for mention in mentions]
    starts_of_spans = [span.start for span in spans]
    above = _sole_subject(read, mentions)
    carried_for = _CARRIED_PASSAGES if above is not None else 0
    for passage, is_entry in _in_lines(read, mentions, places):
        own = mentions[bisect_left(places, passage.start) : bisect_left(places, passage.end)]
        parents = [
            mention
            for low, high in passage.carried
            for mention in mentions[bisect_left(places, low) : bisect_left(places, high)]
        ]
        if not own and not parents and not carried_for and not is_short:
            continue
        heading = _carried(text, passage)
        health_heading = is_health_heading(heading)
        medical = health_heading or hints_at_health(heading) or is_medical_stretch(meant, *passage[:2], own)
        if not medical:  # most passages: all that matters is whether they name a patient for those below
            own = [mention for mention in own if _has_strong_label(text, mention)]
            if not own and above is None:
                continue
        elif not carried_for and _is_of_software_alone(text, passage, own):
            continue
        elif passage.place.startswith("rows") and not (health_heading or is_personal_heading(heading)):
            passage = without_ordinary_rows(text, passage, own)
            own = [mention for mention in own if passage.start <= mention.start < passage.end]
        people = people_in(read, own, passage)
        found_as = {person.mention.start: person.role for person in people}
        if is_entry:
            people = about_first(people)
        people_above = [person_of(read, mention, _NOWHERE) for mention in parents] if medical else []
        if medical and passage.carried and not (own or parents):
            people_above = _labelled_above(read, passage)
        chosen = subject_of(text, passage, people) or subject_of(text, passage, people_above)
        is_unsure = chosen is None or chosen.likelihood < LEAST
        if is_unsure and medical and not (above is not None and carried_for):
            further = _with_further(meant, passage, own, taken, lists)
            if further != own:
                with_further = people_in(read, further, passage)
                instead = subject_of(text, passage, with_further)
                chosen, people = (chosen, people) if instead is None else (instead, with_further)
        people = [*people_above, *people]
        labelled = next((person for person in people if _is_labelled(text, person)), None)
        if labelled is not None:
            above, carried_for = labelled, _CARRIED_PASSAGES
        elif above is not None and carried_for and above.mention.end <= passage.start:
            carried_for -= 1
            if chosen is None or chosen.role is Role.RELATIVE:  # whoever is next of kin to the patient
                chosen, people = above, [*people, above]
                passage = _below(text, passage, above)
        if chosen is None or not medical:
            continue
        if not chosen.is_labelled and (_is_of_software(text, passage) or _is_in_obituary(read, passage)):
            continue
        if is_ordinary(text if len(text) <= _NOTE_CHARS else text[passage.start : passage.end], chosen):
            continue
        passage = without_ordinary_ends(text, passage, chosen.mention.start)
        inside = spans_in(spans, starts_of_spans, passage)
        replaced = [(one.start, one.end, TOKENS[one.characteristic]) for one in inside if one.characteristic in TOKENS]
        replaced += [(*one.mention[:2], TOKENS[one.role]) for one in people if one.likelihood >= LEAST]
        vector = vector_of(inside, bits) | bits.get(SUBJECT, 0) | bits.get(HEALTH_TERM, 0)
        if health_heading or _has_health_columns(text, passage):
            vector |= bits.get(HEALTH_COLUMN, 0)
        others = tuple((one.mention.start, one.role) for one in also_ill(text, passage, people, chosen))
        names = names_among(inside)
        role = found_as.get(chosen.mention.start, chosen.role)
        yield Candidate(passage, role, chosen.mention.start, vector, apart(replaced), names, others)


def names_among(spans: Sequence[Span]) -> tuple[tuple[int, int], ...]:
    """Where people and places are named, so that `Port Dover` and `Mr. Hodgkin` are not shown as medical terms."""
    return tuple((span.start, span.end) for span in spans if span.characteristic in _NAMES)


def _in_lines(read: ReadText, mentions: Sequence[Mention], places: Sequence[int]) -> Iterator[tuple[Passage, bool]]:
    """The passages, cut further where they are lists, and whether they are an entry of a list."""
    for passage in read.passages:
        own = mentions[bisect_left(places, passage.start) : bisect_left(places, passage.end)]
        for part in lines_of_patients(read.text, passage, own):
            for entry in medical_entries(read.text, part, own):
                yield entry, entry is not part


def _is_of_software(text: str, passage: Passage) -> bool:
    if passage.place.startswith(_RECORDS):
        return are_about_software(text, passage.start, passage.end)
    return is_about_software(text[passage.start : passage.end])


def _is_in_obituary(read: ReadText, passage: Passage) -> bool:
    return read.may_have_obituary() and is_obituary(read.text[max(0, passage.start - _AROUND) : passage.end + _AROUND])


def _carried(text: str, passage: Passage) -> str:
    return " ".join(text[low:high] for low, high in passage.carried)


def _may_be_medical(text: str, meant: str, passage: Passage) -> bool:
    """Without a look at the names in it."""
    heading = _carried(text, passage)
    return is_health_heading(heading) or hints_at_health(heading) or is_medical_stretch(meant, *passage[:2], ())


def _is_of_software_alone(text: str, passage: Passage, own: Sequence[Mention]) -> bool:
    """Whether a passage is about software and announces nobody, so that none of its people need be looked at."""
    return (
        bool(own)
        and not passage.carried
        and not any(_has_strong_label(text, mention) for mention in own)
        and _is_of_software(text, passage)
        and not may_announce(text, passage.start, passage.end)
    )


def _has_health_columns(text: str, passage: Passage) -> bool:
    """Whether a short text that stays in one piece has a table of health among its first lines."""
    lines = text[passage.start : passage.end].split("\n", _HEADING_LINES)[:_HEADING_LINES]
    return any(
        is_health_heading(heading) and shape_of(heading)[1] and shape_of(heading) == shape_of(row)
        for heading, row in pairwise(lines)
    )


def _labelled_above(read: ReadText, passage: Passage) -> list[Person]:
    """Whom the line above a table names as the patient, by the shape of the name: `Patient<tab>ROE ANA`."""
    named = (
        mention for low, high in passage.carried for mention in mentions_by_shape(read.text, low, high, read.lists)
    )
    people = [person_of(read, mention, _NOWHERE) for mention in named]
    return [person for person in people if person.role is Role.SUBJECT and person.is_patient]


def _with_further(
    text: str, passage: Passage, own: Sequence[Mention], taken: frozenset[int], lists: Mapping[str, int]
) -> list[Mention]:
    """Also the people whom only the shape of their names gives away; such a name stands for a part of it."""
    further = list(_further(text, passage, [one for one in own if one.is_full], taken, lists))
    return [*(one for one in own if not any(new.start < one.end and one.start < new.end for new in further)), *further]


def _further(
    text: str, passage: Passage, own: Sequence[Mention], taken: frozenset[int], lists: Mapping[str, int]
) -> Iterator[Mention]:
    at = 0
    is_note = len(text) <= _NOTE_CHARS and health_hints(text[passage.start : passage.end]) >= _NOTE_HINTS
    for mention in sorted(mentions_by_shape(text, *passage[:2], lists, is_note=is_note)):
        is_new = all(mention.end <= one.start or one.end <= mention.start for one in own)
        if is_new and mention.start >= at and mention.start not in taken:
            yield mention
            at = mention.end


def without_ordinary_rows(text: str, passage: Passage, mentions: Sequence[Mention]) -> Passage:
    """Each row may be about somebody else: rows before and after that are not medical would hide the one that is."""
    ends = [match.end() for match in _LINE_END.finditer(text, *passage[:2])]
    rows = [row for row in pairwise([passage.start, *ends, passage.end]) if is_medical_stretch(text, *row, mentions)]
    return passage._replace(start=rows[0][0], end=rows[-1][1]) if rows else passage


def without_ordinary_ends(text: str, passage: Passage, person: int) -> Passage:
    """Paragraphs before and after that neither name the person nor are medical would dilute the rest."""
    if passage.end - passage.start <= SHORT or not passage.place.startswith("paragraph"):
        return passage
    borders = [passage.start, *(match.end() for match in _BLANK_LINE.finditer(text, *passage[:2])), passage.end]
    kept = [
        (low, high)
        for low, high in pairwise(borders)
        if low <= person < high or hints_at_health(text[low:high], 1 + (high - low) // _CHARS_A_HINT)
    ]
    return passage._replace(start=kept[0][0], end=kept[-1][1]) if kept else passage


def spans_in(spans: Sequence[Span], starts: Sequence[int], passage: Passage) -> list[Span]:
    """Those of the passage and of what is carried to it; `starts` are where all spans begin."""
    return [
        span
        for low, high in (*passage.carried, passage[:2])
        for span in spans[bisect_left(starts, low) : bisect_left(starts, high)]
    ]


def vector_of(spans: Sequence[Span], bits: Mapping[str, int]) -> int:
    vector = 0
    for span in spans:
        vector |= bits[span.characteristic]
    return vector


def _below(text: str, passage: Passage, person: Person) -> Passage:
    """The passage with the line above in which the person is named."""
    start = person.mention.start
    line = max(text.rfind("\n", 0, start) + 1, start - _CARRIED_CHARS)
    return passage._replace(carried=(*passage.carried, (line, person.mention.end)))


def _sole_subject(read: ReadText, mentions: Sequence[Mention]) -> Person | None:
    """The one person whom a short document is about: a laboratory report names its patient once, above its tables."""
    if len(read.text) > _SOLE_CHARS:
        return None
    subjects = [
        person
        for person in (person_of(read, mention, _NOWHERE) for mention in mentions if mention.is_full)
        if person.role is Role.SUBJECT and person.is_announced and person.likelihood >= LEAST_ALONE
    ]
    return subjects[0] if subjects and len({person.mention.key for person in subjects}) == 1 else None


def _is_labelled(text: str, person: Person) -> bool:
    return person.role is Role.SUBJECT and person.likelihood >= LEAST and _has_strong_label(text, person.mention)


def _has_strong_label(text: str, mention: Mention) -> bool:
    before = text[max(0, mention.start - 24) : mention.start]
    return before.rstrip(_BEHIND_LABELS)[-1:] in _LABEL_MARKS and _STRONG_LABEL.search(before) is not None


def apart(replaced: list[tuple[int, int, str]]) -> tuple[tuple[int, int, str], ...]:
    """In the order of the text, without those that overlap an earlier one."""
    kept: list[tuple[int, int, str]] = []
    for stretch in sorted(replaced):
        if not kept or stretch[0] >= kept[-1][1]:
            kept.append(stretch)
    return tuple(kept)
