"""The mentions in a passage -> the people there, each with a role, and the one whom the passage may be about."""

import re
from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from core.records import Passage, Role
from screening.passages.messages import PLACE, Message, messages_in
from screening.passages.rows import shape_of
from screening.people.clinicians import is_of_clinician, speaks_of_patient
from screening.people.health_words import hints_at_health, is_health_heading
from screening.people.medical_text import hints_in
from screening.people.mentions import Mention
from screening.people.patient_lists import begins_line
from screening.people.read_text import ReadText
from screening.people.roles import is_personal_heading
from screening.people.staff_columns import staff_columns

LEAST = 0.5  # likelihood of a name that a label announces
LEAST_ALONE = 2.0  # and of one that nothing announces
_LEAST_IN_SHORT = 1.5
_LEAST_ILL = 1.2
_LEAST_IN_MEDICAL = 0.8  # a short passage that is full of medical words
_MANY_IN_SHORT = 2  # medical words
_MANY = 5
_LEAST_SENTENCE = 8  # characters
SHORT = 600  # characters
ANNOUNCED = 1.5
TITLED = 2.0
# The first letter first, because a set of characters is searched fast.
_WRITER = re.compile(
    r"[IiMmJjTtEeHh](?<!\w.)(?:(?<=[Ii])(?:m|ve|ch)?|(?<=[Mm])(?:y|on|ein\w{0,2}|i)|(?<=m)(?:e|yself|a|es|ir|is)"
    r"|(?<=[Jj])(?:e|['’]ai)|(?<=[Tt])engo|(?<=[Ee])stoy|(?<=[Hh])abe?)\b"
)
# A relative of the writer, whose name is not needed: `Dad's results are back`.
_KIN = re.compile(
    r"\b(?:Dad|Mum|Mom|Mummy|Gran|Granny|Grandad|Grandpa|Grandma|Nan|Nana)"
    r"(?:['’]s| (?:is|was|has|had|does|did|fell|went|needs))\b"
)
# Others of whom somebody writes.
_OTHERS = re.compile(
    r"\b(?:s?he|her|hers|his|him|shes|hes|they|their|(?:m[ou]m|dad|mother|father|wife|husband|son|daughter|brother|sister"
    r"|baby|patient|pt|client)(?:['’]?s)?|patients|sie|ihr|er|elle|il|ella|él)\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[^.!?\n]+")
_SAID = re.compile(r" (?:said|says|told|reported|a dit|dit|dijo|dice|sagte|sagt)\b")  # in a note, of oneself
_YOUR = re.compile(r"\b(?:you|your|u|ur|yr|votre|vous|vos|ihre?[nr]?|su|sus)\b", re.IGNORECASE)
_LISTED = re.compile(r"(?:\d{0,2},?)[ \t]*(?:[,;&]|,? and|,? und|,? et|,? y)[ \t]*")
_PREFERRED = (Role.SUBJECT, Role.PROFESSIONAL, Role.AUTHOR, Role.RELATIVE)
# A sign or letters first, because they are searched fast: `2019; 4`, `12(3): 45`.
_CITATIONS = (
    re.compile(r";(?:(?<=19\d\d;)|(?<=20\d\d;)|(?<=19\d\d[a-z];)|(?<=20\d\d[a-z];)) ?\d"),
    re.compile(r"doi[: ]"),
    re.compile(r"\((?<=\d\()\d+\): ?\d"),
)
_AND_OTHERS = re.compile(r"et al(?<!\wet al)\b")
_CITATION_CHARS = 240
# What the table of a directory, a programme or a payroll says of people, and no table of patients does.
_STAFF = re.compile(
    r"\b(?:role|title|job|position|special(?:ty|ties|ity)|ext(?:ension)?|taxonomy|npi|cred(?:entials)?|affiliation"
    r"|institution|session|talk|gross|salary|interests|expertise|qualifications?|department chair|accepting)\b",
    re.IGNORECASE,
)
_STAFF_FIELD = re.compile(
    r"\b(?:special(?:ty|ties|ity)|npi|taxonomy|credentials?|accepting\w*|job_?title)[\"']?[ \t]*[:=]", re.IGNORECASE
)
_IN_STAFF_FIELDS = ("special", "npi", "taxonomy", "credential", "accepting", "title")  # found in a tenth of the time
_PATIENTS = re.compile(r"\b(?:patients?|pts?|pt_|client|resident|insured|claimant|dob|birth)", re.IGNORECASE)
_REMARKS = re.compile(r"\b(?:remarks?|absences?|sick(?:ness)?)\b", re.IGNORECASE)  # of what happens to staff
_MESSAGES = frozenset(
    ("body", "message", "text", "sms", "direction")
)  # columns next to that of who writes or is written to
_CONTACT = "contact"
_SIGNATURE_CHARS = 12  # between the first name of a closing and the signature
_CLOSING_CHARS = 60  # a name alone on the last line of a text is its writer's
_MAIL = re.compile(
    r"^(?:From|Von|De|To|An|Subject|Betreff|Objet|Asunto):|^(?:Hi|Hello|Hey|Dear|Hola|Bonjour|Hallo)\b", re.MULTILINE
)


_LEAST_ENTRIES = 2


class Person(NamedTuple):
    mention: Mention
    role: Role
    likelihood: float
    is_announced: bool = False
    is_labelled: bool = False
    is_greeted: bool = False
    is_patient: bool = False  # by a word such as `patient`, an age or a birth date next to the name

    def may_be_subject(self, least_alone: float) -> bool:
        """Whether the name is likely enough."""
        if self.role in (Role.SUBJECT, Role.RELATIVE) and self.is_announced:
            return self.likelihood >= LEAST
        if self.role in (Role.SUBJECT, Role.RELATIVE):
            least_alone = min(least_alone, _LEAST_ILL)
        if not self.mention.is_full:  # a surname alone with an illness behind it, in a note of a few words
            return (
                self.role is Role.SUBJECT and least_alone <= _LEAST_IN_MEDICAL and self.mention.likelihood >= _LEAST_ILL
            )
        return self.role in (Role.SUBJECT, Role.RELATIVE, Role.OTHER) and self.likelihood >= least_alone


def person_of(read: ReadText, mention: Mention, passage: Passage) -> Person:
    """Somebody by the words beside the name alone."""
    return _person(read, mention, _heading(read.text, mention, passage, *_columns(read.text, passage)))


def _person(read: ReadText, mention: Mention, heading: str, is_known: bool = False) -> Person:
    """`is_known` where the word is a part of a likely name."""
    standing = read.standing(mention.start, mention.end, heading)
    role = standing.role
    announced = role is Role.RELATIVE or (
        role is Role.SUBJECT and (standing.has_title or standing.is_announced or is_personal_heading(heading))
    )
    if role is Role.SUBJECT and not (announced or is_known) and mention.likelihood < _LEAST_ILL:
        role = Role.OTHER  # most likely no name at all
    likelihood = mention.likelihood + (ANNOUNCED if announced else 0.0)
    if standing.has_title:
        likelihood += TITLED
    elif not mention.is_full and role is not Role.PROFESSIONAL:
        likelihood -= ANNOUNCED  # a single word is a name only where a title or much else says so
    is_patient = role is Role.SUBJECT and standing.is_announced
    return Person(mention, role, likelihood, announced, standing.is_labelled, standing.is_greeted, is_patient)


def people_in(read: ReadText, mentions: Sequence[Mention], passage: Passage) -> list[Person]:
    """Everybody who is named in a passage, with what the passage as a whole shows of them."""
    if not mentions:
        return []
    text = read.text
    delimiter, cells = _columns(text, passage)
    known = _parts_of_names(mentions)
    people = [
        _person(read, mention, _heading(text, mention, passage, delimiter, cells), mention.key in known)
        for mention in mentions
    ]
    people = list(_as_listed(text, people, passage))
    if _is_list_of_staff(text, passage):
        people = [person._replace(role=Role.PROFESSIONAL) for person in people]
    people = list(_in_lists(text, list(_at_work(text, people, passage))))
    people = _as_entries(text, people)
    if passage.place.startswith(PLACE):
        people = _as_speakers(text, people, messages_in(text, passage.start, passage.end))
    else:
        people = _as_writer(text, people, passage)
    return _of_one_role_each(people)


def _parts_of_names(mentions: Sequence[Mention]) -> set[str]:
    """First and last names that stand for a likely name in full."""
    if all(one.is_full for one in mentions):
        return set()
    return {name for one in mentions if one.is_full and one.likelihood >= _LEAST_IN_SHORT for name in _names(one)[1:]}


def _at_work(text: str, people: Sequence[Person], passage: Passage) -> Iterator[Person]:
    """Who is in a column of staff."""
    columns = staff_columns(text, passage)
    for person in people:
        if columns is not None and columns.hold(text, person.mention.start):
            person = person._replace(role=Role.PROFESSIONAL)
        yield person


def _as_entries(text: str, people: Sequence[Person]) -> list[Person]:
    """Whoever begins a line as others do who have an illness behind their names."""
    roles = [person.role for person in people]
    if Role.OTHER not in roles or roles.count(Role.SUBJECT) < _LEAST_ENTRIES:
        return list(people)
    entries = [person for person in people if person.mention.is_full and begins_line(text, person.mention)]
    ill = sum(person.role is Role.SUBJECT for person in entries)
    if ill < max(_LEAST_ENTRIES, len(entries) / 2):
        return list(people)
    return [
        person._replace(role=Role.SUBJECT) if person.role is Role.OTHER and person in entries else person
        for person in people
    ]


def about_first(people: Sequence[Person]) -> list[Person]:
    """An entry of a list is about whoever it names first, unless it shows who else that is."""
    if any(person.role is Role.SUBJECT for person in people):
        return list(people)
    first = next((person for person in people if person.mention.is_full), None)
    if first is None or first.role is not Role.OTHER:
        return list(people)
    return [person._replace(role=Role.SUBJECT) if person is first else person for person in people]


def _is_list_of_staff(text: str, passage: Passage) -> bool:
    """Whether records have fields that those of doctors have, and none that those of patients have."""
    body = text[passage.start : passage.end].lower()
    return (
        any(part in body for part in _IN_STAFF_FIELDS)
        and _STAFF_FIELD.search(text, passage.start, passage.end) is not None
        and _PATIENTS.search(text, passage.start, passage.end) is None
    )


def _as_listed(text: str, people: Sequence[Person], passage: Passage) -> Iterator[Person]:
    """Who is in a directory or a bibliography, and has no sign of being a patient."""
    in_rows = bool(passage.carried) and passage.place.startswith("row")
    is_directory = in_rows and _is_directory(text[slice(*passage.carried[0])])
    cites = not is_directory and _cites(text, passage.start, passage.end)
    for person in people:
        if person.role in (Role.OTHER, Role.SUBJECT):
            if is_directory and not person.is_patient:
                person = person._replace(role=Role.PROFESSIONAL)
            elif cites and not person.is_announced and _is_cited(text, person.mention, passage):
                person = person._replace(role=Role.AUTHOR)
        yield person


def _is_cited(text: str, mention: Mention, passage: Passage) -> bool:
    """Whether the name stands in a line of a bibliography."""
    low = max(passage.start, text.rfind("\n", 0, mention.start) + 1, mention.start - _CITATION_CHARS)
    high = text.find("\n", mention.end, passage.end)
    high = min(passage.end if high < 0 else high, mention.end + _CITATION_CHARS)
    return _cites(text, low, high)


def _cites(text: str, start: int, end: int) -> bool:
    stretch = text[start:end]
    return _AND_OTHERS.search(text, start, end) is not None or any(each.search(stretch) for each in _CITATIONS)


def _in_lists(text: str, people: Sequence[Person]) -> Iterator[Person]:
    """`Members: Tom Hart, Mary Sloan` says of both what they are."""
    before: Person | None = None
    for person in people:
        if (
            before is not None
            and before.role is Role.AUTHOR
            and person.role is Role.OTHER
            and _LISTED.fullmatch(text, before.mention.end, person.mention.start)
        ):
            person = person._replace(role=Role.AUTHOR)
        yield person
        before = person


def _as_speakers(text: str, people: Sequence[Person], messages: Sequence[Message]) -> list[Person]:
    """Who speaks in a chat is an author, and the subject where the message is about the speaker's own health."""
    starts = [message.start for message in messages]
    ill = {text[slice(*message.speaker)] for message, body in _turns(text, messages) if tells_of_own_health(body)}
    speaking: list[Person] = []
    for person in people:
        at = bisect_right(starts, person.mention.start) - 1
        if at >= 0 and person.mention.start < messages[at].speaker[1]:
            is_subject = text[slice(*messages[at].speaker)] in ill and person.role is not Role.PROFESSIONAL
            role = Role.SUBJECT if is_subject else person.role if person.role is Role.PROFESSIONAL else Role.AUTHOR
            person = person._replace(role=role, is_announced=is_subject)
        speaking.append(person)
    return speaking


def _turns(text: str, messages: Sequence[Message]) -> Iterator[tuple[Message, str]]:
    """What somebody writes without being answered, as one text."""
    first, body = None, ""
    for message in messages:
        if first is not None and text[slice(*first.speaker)] == text[slice(*message.speaker)]:
            body += text[message.body : message.end]
            continue
        if first is not None:
            yield first, body
        first, body = message, text[message.body : message.end]
    if first is not None:
        yield first, body


def _as_writer(text: str, people: Sequence[Person], passage: Passage) -> list[Person]:
    """The sender of a mail, and who signs it: the subject where the mail is about the sender's own health.

    Where it names a patient, `I found a positive straight leg raise` is what a clinician writes.
    """
    if _MAIL.search(text, passage.start, passage.end):
        people = [_as_signatory(text, person, passage) for person in people]
        people = _signed_in_full(text, people)
    if any(person.is_patient for person in people):
        return list(people)
    writers = [person for person in people if person.role is Role.AUTHOR and not person.is_greeted]
    callers = [person for person in people if _as_caller(person) != person]
    if not (writers or callers) or not tells_of_own_health(text[passage.start : passage.end]):
        return list(people)
    people = list(map(_as_caller, people))
    return [person._replace(role=Role.SUBJECT) if _is_sender(text, person) else person for person in people]


def _as_caller(person: Person) -> Person:
    """`its Aoife, I have shingles`: a first name is enough."""
    is_caller = person.role is Role.SUBJECT and not person.mention.is_full and person.likelihood >= LEAST
    return person._replace(is_announced=True) if is_caller else person


def _is_sender(text: str, person: Person) -> bool:
    """`From:` or the closing; who is written to, or spoken of as an author, is not."""
    line = text[text.rfind("\n", 0, person.mention.start) + 1 : person.mention.start].strip(" \t>*_-").lower()
    return person.role is Role.AUTHOR and (
        line in ("from:", "von:", "de:", "sender:") or not line or line.endswith(",")
    )


def _as_signatory(text: str, person: Person, passage: Passage) -> Person:
    if person.role is not Role.OTHER:
        return person
    mention = person.mention
    before = text[text.rfind("\n", 0, mention.start) + 1 : mention.start]
    after = text[mention.end : passage.end]
    is_alone = not before.strip(" \t-*_>") and after.partition("\n")[0].strip(" \t,.*_") == ""
    if is_alone and len(after.strip()) <= _CLOSING_CHARS:
        return person._replace(role=Role.AUTHOR)
    return person


def _signed_in_full(text: str, people: Sequence[Person]) -> list[Person]:
    """`Thanks, Lynn` and, on a line below, `Lynn Russell, Orthopaedics`: a signature, and nobody who is ill."""
    closing: Person | None = None
    signed: list[Person] = []
    for person in people:
        if closing is not None and not person.is_announced and _repeats(text, closing.mention, person.mention):
            person = person._replace(role=Role.AUTHOR)
        elif person.role is Role.AUTHOR and not person.mention.is_full:
            closing = person
        signed.append(person)
    return signed


def _repeats(text: str, first: Mention, whole: Mention) -> bool:
    """Whether a line soon below a first name begins with the whole name."""
    between = text[first.end : whole.start]
    return (
        whole.is_full
        and len(between) <= _SIGNATURE_CHARS
        and between.rstrip(" \t*_>-").endswith("\n")
        and first.key.strip("\0") in whole.key.split("\0")
    )


def tells_of_own_health(body: str) -> bool:
    """Whether a sentence has the writer and a medical word in it, and nobody else."""
    if not hints_at_health(body) or not _WRITER.search(body):
        return False
    of_patient = speaks_of_patient(body)
    for match in _SENTENCE.finditer(body):
        sentence = match.group()
        if (
            len(sentence) >= _LEAST_SENTENCE
            and _WRITER.search(sentence)
            and not _OTHERS.search(sentence)
            and not (of_patient and is_of_clinician(sentence))
            and hints_at_health(sentence)
        ):
            return True
    return False


def _of_one_role_each(people: Sequence[Person]) -> list[Person]:
    """What one mention shows of somebody holds for those that show less: `Sloan` is the Dr. Mary Sloan above."""
    if len({person.role for person in people}) < 2:
        return list(people)
    roles: dict[str, set[Role]] = {}
    for person in people:
        if person.role is not Role.OTHER:
            for name in _names(person.mention):
                roles.setdefault(name, set()).add(person.role)
    settled: list[Person] = []
    for person in people:
        of_name: Collection[Role] = roles.get(person.mention.key, ())
        if not of_name and person.role is Role.OTHER and person.mention.is_full:
            of_name = _by_first_name(person, people, roles)
        if person.role is Role.OTHER and of_name:
            person = person._replace(role=next(role for role in _PREFERRED if role in of_name))
        elif person.role is Role.SUBJECT and not person.is_announced and Role.PROFESSIONAL in of_name:
            person = person._replace(role=Role.PROFESSIONAL)
        settled.append(person)
    return settled


def _names(mention: Mention) -> list[str]:
    """The whole name first, then the last and the first, which stand for it."""
    surname, _, given = mention.key.partition("\0")
    parts = [f"{surname}\0", f"\0{given}"] if surname and given else []
    return [mention.key, *parts]


def _by_first_name(person: Person, people: Sequence[Person], roles: Mapping[str, set[Role]]) -> Collection[Role]:
    """`Re: Ana Roe`, and then `Ana's asthma`: the patient, where no other is called so."""
    first = _names(person.mention)[-1]
    if Role.SUBJECT not in roles.get(first, ()):
        return ()
    called_so = {other.mention.key for other in people if other.mention.is_full and first in _names(other.mention)}
    return (Role.SUBJECT,) if len(called_so) == 1 else ()


def subject_of(text: str, passage: Passage, people: Sequence[Person]) -> Person | None:
    """The likeliest subject; somebody who is greeted, or who writes, only where there is no other."""
    if not people:
        return None
    least = least_alone(text, passage)
    subjects = [person for person in people if person.may_be_subject(least)]
    others = [person for person in subjects if not person.is_greeted]
    if others or not subjects:
        subjects = others
    elif not _YOUR.search(text, passage.start, passage.end):
        subjects = []
    if not subjects:
        subjects = [
            person
            for person in people
            if person.role is Role.AUTHOR and person.mention.is_full and person.likelihood >= LEAST
        ]
        writes = (
            passage.place.startswith(PLACE)
            or tells_of_own_health(text[passage.start : passage.end])
            or _KIN.search(text, passage.start, passage.end)
        )
        if subjects and not writes:
            is_note = least <= _LEAST_IN_MEDICAL
            subjects = [person for person in subjects if is_note and _SAID.match(text, person.mention.end)]
    return max(subjects, key=lambda person: (person.role is Role.SUBJECT, person.likelihood), default=None)


def least_alone(text: str, passage: Passage) -> float:
    """Less is needed in a short passage, which has little else to be about, and in one full of medical words."""
    hints = hints_in(text, passage.start, passage.end)
    if passage.end - passage.start <= SHORT:
        return _LEAST_IN_MEDICAL if hints >= _MANY_IN_SHORT else _LEAST_IN_SHORT
    return _LEAST_IN_SHORT if hints >= _MANY else LEAST_ALONE


def _columns(text: str, passage: Passage) -> tuple[str, list[str]]:
    """What parts the columns of a table, and their headings; none in prose."""
    if not passage.carried or not passage.place.startswith("row"):
        return "", []
    return _cells(text[slice(*passage.carried[0])])


def _heading(text: str, mention: Mention, passage: Passage, delimiter: str, cells: Sequence[str]) -> str:
    """The heading of the column that a name stands in; empty in prose."""
    if not cells:
        return ""
    row = text.rfind("(" if text[passage.start] == "(" else "\n", passage.start, mention.start) + 1
    column = text.count(delimiter, max(row, passage.start), mention.start)
    heading = cells[column].strip(" \"'`|") if column < len(cells) else ""
    if heading.lower() == _CONTACT and not _MESSAGES.isdisjoint(cell.strip(' "').lower() for cell in cells):
        return ""
    return heading


@lru_cache(maxsize=256)
def _is_directory(heading: str) -> bool:
    plain = heading.replace("_", " ")
    of_patients = is_health_heading(plain) or _PATIENTS.search(plain) or _REMARKS.search(plain)
    return _STAFF.search(plain) is not None and not of_patients


@lru_cache(maxsize=256)
def _cells(heading: str) -> tuple[str, list[str]]:
    delimiter, count = shape_of(heading.strip("()\r"))
    return delimiter, heading.split(delimiter) if count else []
