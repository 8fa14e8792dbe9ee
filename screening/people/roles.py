"""The words around a mention -> how the person stands in the text: role, and what shows that somebody is named."""

import re
from collections.abc import Mapping
from functools import cache, lru_cache, partial
from typing import NamedTuple

from core.records import Role
from screening.entities.titled_patients import is_said_to_be_ill, is_titled_patient
from screening.people.cue_edges import may_close_cue, may_open_cue
from screening.people.cues import COLON, GREETED, MARKED_BY, Cues, read_cues
from screening.people.health_words import is_hint

_BEFORE = 48  # characters that are looked at
_FAR_BEFORE = 110
_AFTER = 60
_WORD = re.compile(r"[^\W_]+")
_BLANKS = " \t\r\n"
_BLANKS_FOR_MARKS = bytes(code if chr(code).isalnum() else 0x20 for code in range(256))
_MARKS_BEFORE = " \t\r\n\"'`*_.:#=-–—>|,(["
_MARKS_AFTER = " \t\"'’`*_,;(|:-–—"
_MOST_MARKS = 6
_LONGEST_CUE = 4  # words
_STRONG_LABELS = ("patient", "pt", "resident", "insured", "claimant", "member")
_COPYRIGHT = ("©", "(c)", "(C)")
_PERSONAL_HEADING = re.compile(
    r"\b(?:patient|pat|pt|client|member|mbr|employee|student|resident|insured|subscriber|claimant|donor|child|worker"
    r"|beneficiary|participant|first|last|f ?name|l ?name|surname|forename|lst|frst|prénom|prenom|vorname|nachname"
    r"|paciente|apellidos?)\b",
    re.IGNORECASE,
)
# `a 62-year-old female with stage IV lung cancer, ` stands before the name of a patient.
_AGED = re.compile(r"\b\d{1,3}[- ]?(?:years?[- ]old|yrs?[- ]old|yo|y/o|yr)\b[^.;\n]{0,80}$", re.IGNORECASE)
_ASKS = re.compile(r"(?:^|\n)[a-z][a-z ]{2,30}(?::| [—–-]) ?$")  # `ivf nurse: Mrs. Hart has`: a nurse asks about her
_ADDRESSED = re.compile(r"\b[Dd]r\.?,\s*$")  # `Dear Dr, Mrs. Hart came alone`
_ACTS = re.compile(r"\w+ (?:says?|said|told|thinks?|wants?|gave|put|found)\b")  # `Tom Hart, doctor says it is gout`
_NEXT_ONE = re.compile(
    r"(?:Nurse|Doctor|Professor|Midwife|Matron) (?!Manager|Practitioner|Specialist)[A-Z][a-z]+ (?:here|from)\b"
)
_FORM = re.compile(
    r"(?:^|[\n\t]|  )(?:\d{1,2}[.)]? )?(?:Name|NAME)[ \t]*:[ \t]*$"
)  # `Name: ` of a form; in JSON it is quoted
_FORM_CHARS = 20
_MATTER = re.compile(r"\b(?:Re|RE|re)[:.]?[ \t]+(?:\w+\.? )$")
_MATTER_CHARS = 14
_OWNS = re.compile(r"['’]s\b")  # `Hello Mr. Hart's family`
_IN_AGES = ("old", "yo", "y/o", "yr")  # one of these is in every match
_FIGURE = re.compile(r"\d")
# Behind a name: an age, a sex or a date of birth.
_PERSONAL = re.compile(
    r"[ \t]*[\"'|]?[,;(|:\-–]{0,2}[ \t]*(?:(?:bed|room|rm|bay)[ \t]?\d{1,3}[ \t]?[,;:|-]?[ \t]*)?"
    r"(?:\(?\d{1,3}[ \t]*/?[ \t]*(?:yo|y/o|y\.o|yrs?|years?|jahre|j|ans|años|[mfw])\b"
    r"|\(\d{1,3}\)(?!:)|(?<=,)[ \t]*\d{1,3},|\*?[ \t]?\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}\b|(?:19|20)\d\d-?\d\d-?\d\d\b"
    r"|[mf][ \t,/]{1,2}\d{1,3}\b|\(?(?:yr|grade|gr) ?\d)",
    re.IGNORECASE,
)
# `(H205367, born 30/08/1991)`; `(née Hill)` and `(geb. Hill)` are maiden names.
_BORN = re.compile(r"[ \t]?\([^()\n]{0,30}\b(?:born|dob|d\.o\.b|geb|née?|nacid[oa])\b[^()\n]{0,12}\d", re.IGNORECASE)
_PERSONAL_BEGINS = frozenset("0123456789mfygbrMFYGBR")
# Authors of papers have marks of their institutions behind their names, and other authors behind the marks; senders
# have an address. A figure alone, or `#3`, may number anybody.
_MARKED = re.compile(
    r"(?:\d{1,2}|[ \t]\d{1,2}(?=[ \t]?[,#*†‡§-]))(?:[,#*†‡§-]+\d{0,2})*(?=[ \t]*[,;]?[ \t]+"
    r"(?:(?:[A-Z][a-z'’-]+|[A-Z]\.?)[ \t]+(?:[A-Z]\.?[ \t]+){0,2}[A-Z][a-z]|[A-Z][a-z'’-]+[\d*†‡§]|and\b))"
    r"|[ \t]?(?:[†‡§¹²³⁴⁵⁶⁷⁸⁹]|\*(?![\w*])|#(?!\w))+|[ \t]*<[^>\n]+@"
)
_MARKED_BEGINS = frozenset("0123456789*#†‡§<¹²³⁴⁵⁶⁷⁸⁹")
_CLAUSE_ENDS = re.compile(r"[,.;()|\t:]")
_CLAUSE_END = re.compile(r"[.;!?](?!\w)")
_CLAUSE_WORDS = 6
_DEPARTMENT = re.compile(r"[A-ZÀ-Þ][a-zà-ÿ]+olog(?:y|ie|ía)[,\n]")  # `Kimberly Castillo, Nephrology, ` works there
_MAIL_ADDRESS = re.compile(r"\S*@\S*")  # `mark@monitor.example` says nothing of Mark
_SENTENCE_END = re.compile(r"[.!?]\s")
_DEGREES = frozenset(("do", "d o", "pa", "msc", "bsc", "np"))  # in small letters they mean something else
_LETTER = re.compile(r"[^\W\d_]")
_NOTHING: frozenset[str] = frozenset()
_MAIL_HEADERS = frozenset(("from", "to", "cc", "bcc", "von", "an", "de", "para", "à"))
_SPEAKS = "speaks"  # `Mrs Sloan says`: in the news, or on the phone of a clinic


class Standing(NamedTuple):
    """What the neighbouring words, or the heading of the column, show of somebody."""

    role: Role
    is_announced: bool = False  # a word that stands beside people alone shows that somebody is named here
    is_labelled: bool = False  # a word such as `patient` stands right before the name
    has_title: bool = False  # `Mr` or the like does
    is_greeted: bool = False


_standing = partial(tuple.__new__, Standing)  # half the time of Standing(...)


def standing_of(text: str, start: int, end: int, heading: str = "") -> Standing:
    """The heading is that of the column which the name stands in, where it stands in one."""
    cues = read_cues()
    before, titled = _before(text, start, cues)
    if not heading and _is_on_form(text, start):
        before |= {Role.SUBJECT}
    if Role.PROFESSIONAL in before and not heading and is_titled_patient(text, start, end):
        return Standing(Role.SUBJECT, is_announced=True, is_labelled=True, has_title=titled)
    after = text[end : end + _AFTER].partition("\n")[0]
    behind = _after(after, cues)
    if Role.PROFESSIONAL in before | behind and is_said_to_be_ill(text, end):  # a nurse may be a patient
        before, behind = before - {Role.PROFESSIONAL}, frozenset((Role.SUBJECT,))
    personal = _is_personal(after)
    is_labelled = Role.SUBJECT in before
    is_announced = is_labelled or Role.SUBJECT in behind or personal
    if heading:
        role = _role_by_heading(heading, cues)
    else:
        if titled and Role.AUTHOR in behind and not before:
            behind = frozenset((_SPEAKS,))
        role = _role(
            text,
            start,
            _together(before, behind, titled and (personal or _is_matter(text, start))),
            after,
            personal,
            titled,
        )
    is_greeted = GREETED in before and not (personal or Role.SUBJECT in behind or _OWNS.match(after))
    return _standing((role, is_announced, is_labelled or titled, titled, is_greeted))


def may_announce(text: str, start: int, end: int) -> bool:
    """Whether a stretch has anything that, right before a name, is a title or the label of a subject."""
    stretch = text[max(0, start - _BEFORE) : end].lower()
    plain = _ascii_words(stretch) if stretch.isascii() else " ".join(_WORD.findall(stretch))
    phrases = _announcing(read_cues())
    found = phrases.keys() & plain.split(" ")
    return bool(found) and any(phrase in f" {plain} " for word in found for phrase in phrases[word])


def _ascii_words(stretch: str) -> str:
    """As an expression would find them, in a fifth of the time."""
    return b" ".join(stretch.encode().translate(_BLANKS_FOR_MARKS).split()).decode()


@cache
def _announcing(cues: Cues) -> Mapping[str, tuple[str, ...]]:
    """Phrases with blanks around them, by the longest word of each."""
    labels = (phrase.rstrip(COLON) for phrase, shown in cues.before.items() if Role.SUBJECT in shown)
    phrases: dict[str, tuple[str, ...]] = {}
    for phrase in (*labels, *cues.personal_titles, *_STRONG_LABELS):
        word = max(phrase.split(" "), key=len)
        phrases[word] = (*phrases.get(word, ()), f" {phrase} ")
    return phrases


def _is_on_form(text: str, start: int) -> bool:
    before = text[max(0, start - _FORM_CHARS) : start]
    return before.rstrip(" \t")[-1:] == ":" and _FORM.search(before) is not None


def _is_matter(text: str, start: int) -> bool:
    """`Re: Mrs. Hart, nurse`: a letter is about her."""
    return _MATTER.search(text, max(0, start - _MATTER_CHARS), start) is not None


def _together(before: frozenset[str], behind: frozenset[str], is_surely_personal: bool) -> frozenset[str]:
    """A nurse may be a patient: a label before the name, or a title and an age, outweigh a profession."""
    if is_surely_personal or (Role.SUBJECT in before and Role.PROFESSIONAL not in before):
        return (before | behind) - {Role.PROFESSIONAL}
    return before | behind


def _role(text: str, start: int, shown: frozenset[str], after: str, personal: bool, titled: bool) -> Role:
    """The first that shows something decides; a title alone says least."""
    if Role.PROFESSIONAL in shown:
        return Role.PROFESSIONAL
    if Role.SUBJECT in shown:
        return Role.SUBJECT
    if _is_marked(after):
        return Role.AUTHOR
    if personal:
        return Role.SUBJECT
    if Role.RELATIVE in shown:
        return Role.RELATIVE
    far = text[max(0, start - _FAR_BEFORE) : start]
    if _is_aged(far):
        return Role.SUBJECT
    if (titled and Role.AUTHOR in shown) or "<author" in far:
        return Role.AUTHOR
    if _SPEAKS in shown:
        return Role.OTHER
    if titled or MARKED_BY in shown:
        return Role.SUBJECT
    if Role.AUTHOR in shown:
        return Role.AUTHOR
    return Role.SUBJECT if _is_ill(after) else Role.OTHER


def _is_marked(after: str) -> bool:
    return after.lstrip(" \t")[:1] in _MARKED_BEGINS and _MARKED.match(after) is not None


def _is_ill(after: str) -> bool:
    """Whether a medical word follows in the same clause: ` (hip replacement, home Tuesday)`, ` - asthma`."""
    rest = after.lstrip(_MARKS_AFTER)
    marks = after[: len(after) - len(rest)]
    if not marks or (not marks.strip() and rest[:1].isupper()) or (marks.isspace() and "\t" in marks):
        return False  # a longer name, such as that of a hospital
    end = _CLAUSE_END.search(rest)
    clause = _MAIL_ADDRESS.sub("", rest[: end.start()] if end else rest)
    return not _DEPARTMENT.match(clause) and any(is_hint(word) for word in _WORD.findall(clause)[:_CLAUSE_WORDS])


def names_department(text: str, end: int) -> bool:
    """Whether nothing but where somebody works follows the name, as in a signature."""
    return _DEPARTMENT.match(text[end : end + _AFTER].lstrip(_MARKS_AFTER)) is not None


def _is_personal(after: str) -> bool:
    if "(" in after[:2] and _BORN.match(after) is not None:
        return True
    return after.lstrip(_MARKS_AFTER)[:1] in _PERSONAL_BEGINS and _PERSONAL.match(after) is not None


def _is_aged(before: str) -> bool:
    plain = before.lower()
    return (
        any(part in plain for part in _IN_AGES)
        and _FIGURE.search(before) is not None
        and _AGED.search(before) is not None
    )


def _before(text: str, start: int, cues: Cues) -> tuple[frozenset[str], bool]:
    """What the words right before a name show; a title may stand between."""
    before = text[max(0, start - _BEFORE) : start]
    if not may_close_cue(before.rstrip(_MARKS_BEFORE)):
        return _NOTHING, False
    shown, last, rest = _ending(before, cues)
    if last not in cues.titles or before[len(rest) + len(last) :].rstrip(" \t") not in ("", "."):
        return shown, False
    further, _, _ = _ending(rest, cues)
    if _ASKS.search(rest) is not None or _ADDRESSED.search(rest) is not None:
        further -= {Role.PROFESSIONAL}
    return shown | further, last in cues.personal_titles


def _ending(before: str, cues: Cues) -> tuple[frozenset[str], str, str]:
    """What the last words show, the last word, and what stands before it."""
    words_end = before.rstrip(_MARKS_BEFORE)
    gap = before[len(words_end) :]
    if words_end.endswith(_COPYRIGHT):
        return frozenset((Role.AUTHOR,)), "", ""
    if not words_end or not words_end[-1].isalnum() or gap.count("\n") > 1 or len(gap.strip(_BLANKS)) > _MOST_MARKS:
        return frozenset(), "", ""
    words = [word.lower() for word in _WORD.findall(words_end)[-_LONGEST_CUE:]]
    last = words[-1]
    if "." in gap and last not in cues.abbreviations:
        return frozenset(), "", ""  # the end of another sentence
    rest = words_end[: -len(last)]
    if last in cues.speaking:
        has_subject = rest.rstrip(_BLANKS)[-1:].isalnum()
        return frozenset() if has_subject else frozenset((Role.AUTHOR,)), last, rest
    colon = ":" in gap
    shown: frozenset[str] = frozenset()
    phrase = ""
    for word in reversed(words):
        phrase = f"{word} {phrase}" if phrase else word
        shown |= cues.before.get(phrase, shown)
        if colon and (phrase not in _MAIL_HEADERS or _begins_line(rest)):
            shown |= cues.before.get(phrase + COLON, shown)
    return shown - {GREETED} if "," in gap or "\n" in gap else shown, last, rest


def _begins_line(before: str) -> bool:
    """`To:` heads a mail, `Deliver to:` does not."""
    line = before.rpartition("\n")[2]
    return not line.strip(_MARKS_BEFORE)


def _after(after: str, cues: Cues) -> frozenset[str]:
    rest = after.lstrip(_MARKS_AFTER)
    if not may_open_cue(rest):
        is_parted = bool(after[: len(after) - len(rest)].strip())
        return _apposition(rest, cues) if is_parted and _SENTENCE_END.match(rest) is None else _NOTHING
    if _SENTENCE_END.match(rest):
        return _NOTHING
    originals = _WORD.findall(rest)[: _LONGEST_CUE + 2]
    words = [word.lower() for word in originals]
    at = 0
    while at < len(words) and words[at] in cues.articles:
        at += 1
    shown: frozenset[str] = frozenset()
    phrase = ""
    for word, original in zip(words[at : at + _LONGEST_CUE], originals[at:], strict=False):
        phrase = f"{phrase} {word}" if phrase else word
        if phrase not in _DEGREES or original.isupper():
            shown = cues.after.get(phrase, shown)  # the longest decides: `D.O.B.` is no degree
    marks = after[: len(after) - len(rest)]
    if not at and Role.PROFESSIONAL in shown and (_ACTS.match(rest) or _NEXT_ONE.match(rest)):
        return _NOTHING
    if not shown and words[:1] == ["is"] and words[1:2] and words[1] in cues.articles:
        return _apposition(rest.partition(" ")[2].partition(" ")[2], cues)
    if not shown and marks.strip():
        return _apposition(rest, cues)
    if not marks.strip() and originals[at : at + 1] and originals[at].istitle():
        return shown - {Role.SUBJECT}  # `Case Reports` is a journal, and nobody who reports something
    return shown


def _apposition(rest: str, cues: Cues) -> frozenset[str]:
    """`, echo technician, ` is what somebody is; `, seen by a technician` is not."""
    end = _CLAUSE_ENDS.search(rest)
    clause = rest[: end.start()] if end else rest
    if _LETTER.search(clause) is None:
        return _NOTHING
    for word in _WORD.findall(clause)[:_LONGEST_CUE]:
        plain = word.lower()
        if plain in cues.professions:
            return frozenset((Role.PROFESSIONAL,))
        if plain in cues.joints:
            break
    return frozenset()


@lru_cache(maxsize=1024)
def _role_by_heading(heading: str, cues: Cues) -> Role:
    """Columns of other names, such as those of products, say nothing of a person."""
    words = [f"{word} " for word in _WORD.findall(heading.lower())]
    for role in (Role.PROFESSIONAL, Role.SUBJECT):
        if any(word.startswith(cues.headings[role]) for word in words):
            return role
    return Role.OTHER


def is_staff_heading(heading: str) -> bool:
    """Whether a column holds doctors, teachers or others at work."""
    return _role_by_heading(heading, read_cues()) is Role.PROFESSIONAL


@lru_cache(maxsize=1024)
def is_personal_heading(heading: str) -> bool:
    """Whether a column holds people, and not merely names of whatever else a table lists."""
    return bool(heading) and _PERSONAL_HEADING.search(heading.replace("_", " ")) is not None
