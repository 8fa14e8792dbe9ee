"""What flows through the rooms: FileRef -> Document -> Screening -> HealthVerdict -> FileRecord."""

# No `from __future__ import annotations` here: Beam infers coders from the real types.

from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple, NoReturn

from core.languages import is_judged
from core.status import EXAMINED as EXAMINED
from core.status import NOT_EXAMINED as NOT_EXAMINED
from core.status import Risk as Risk
from core.status import Status as Status


@dataclass(frozen=True, slots=True)
class FileRef:
    """A file as the walk saw it: where it is, and what `stat` returned, but no content."""

    uri: str
    path: bytes
    size: int
    mtime_ns: int
    inode: int = 0
    owner: str = ""
    source: str = ""
    metadata: tuple[tuple[str, str], ...] = ()
    fault: str = ""  # why the walk already knows that it cannot be read
    etag: str = ""  # of an object in a store: changes with its content, as inode and time do of a file
    device: int = 0  # the file system that the inode is of
    access: str = ""  # who besides the owner may read it, according to mode and access list

    @property
    def is_source(self) -> bool:
        """Whether the user named this very file, and did not merely leave it to be found in a folder."""
        return bool(self.source) and self.source == self.uri


class Origin(NamedTuple):
    """Where on a disk a file was that no file system names any more; members of such a file have the same origin."""

    deleted: bool = False
    carved_at: int | None = None  # offset in the image of what was found by its content alone


IN_PLACE = Origin()  # of every other file


@dataclass(frozen=True, slots=True, repr=False)
class Segment:
    """A piece of a document's text and the place it came from, such as `page 3`."""

    where: str
    text: str

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Segment holds content and never leaves its stage")


@dataclass(frozen=True, slots=True, repr=False)
class Document:
    """One file, or one member of a container, with its text: the only record that holds content.

    A text beyond the read limit comes in windows. Each repeats the end of the one before; the last one has the status.
    A Document lives inside one fused stage. It cannot be pickled, so a runner that tried to move it would fail
    instead of leaking it.
    """

    ref: FileRef
    uri: str
    container_uri: str | None
    size: int
    sha256: str | None
    media_type: str
    status: Status
    reason: str = ""
    segments: tuple[Segment, ...] = ()
    offset: int = 0  # characters of the file before this window
    repeated_before: int = 0  # characters at the start that the window before has as well
    repeated_after: int = 0  # characters at the end that the next window has as well
    joints_before: int = 0  # of the characters before this window, those that only join two segments
    origin: Origin = IN_PLACE

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Document holds content and never leaves its stage")

    @property
    def more(self) -> bool:
        """Whether further windows of the same text follow."""
        return self.repeated_after > 0

    @property
    def is_window(self) -> bool:
        return self.repeated_before > 0 or self.more

    @property
    def chars(self) -> int:
        return sum(len(segment.text) for segment in self.segments)

    @property
    def text(self) -> str:
        """All segments, one line break between two; offsets of evidence count in this text."""
        return "\n".join(segment.text for segment in self.segments)


class Span(NamedTuple):
    """Where a characteristic is in a text, without its value. A tuple: a scan makes thousands a second."""

    start: int
    end: int
    characteristic: str
    score: float


class Passage(NamedTuple):
    """A stretch of a text that is judged by itself, such as a row or a paragraph; it holds places, not content."""

    start: int
    end: int
    place: str  # for people: `row 3,112`, `paragraph 4`
    carried: tuple[
        tuple[int, int], ...
    ] = ()  # stretches before it that apply to it too, such as the heading of a table


class Role(StrEnum):
    """What a person is in a text; health information counts for subjects, and for relatives who are ill."""

    SUBJECT = "subject"
    RELATIVE = "relative"
    PROFESSIONAL = "professional"
    AUTHOR = "author"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Evidence:
    """A span as it may be shown and stored: masked, and keyed where equality matters."""

    characteristic: str
    start: int
    end: int
    masked: str
    hmac: str
    where: str
    person: int = 0  # evidence of one person bears the same number; 0 is nobody's
    role: str = ""  # of the person, for parts of a name
    passage: str = ""  # the passage that was judged with it, such as `row 12`


@dataclass(frozen=True, slots=True)
class RuleHit:
    """A rule that fired: its nearest prototype and the Hamming distance to it."""

    rule: str
    prototype: str
    distance: int


class Candidate(NamedTuple):
    """A passage that may tell of somebody's health, and who that may be; it holds places, not content."""

    passage: Passage
    role: Role
    person: int  # where the person is named
    bits: int  # the PII vector of the passage
    replaced: tuple[tuple[int, int, str], ...]  # names and numbers, and the words that the health stage reads instead
    names: tuple[tuple[int, int], ...] = ()  # where people, likely or not, and places are named
    others: tuple[tuple[int, Role], ...] = ()  # where further people are named of whose health the passage may tell


class Passages(NamedTuple):
    """How many passages of a document the health stage judged, and how many of them tell of somebody's health."""

    judged: int = 0
    positive: int = 0


NO_PASSAGES = Passages()


class PersonKeys(NamedTuple):
    """Keyed hashes of what identifies somebody, each 0 or empty where it is unknown; equal values have equal hashes."""

    given: int = 0
    given_sound: int = 0
    given_initial: int = 0
    surname: int = 0
    surname_sound: int = 0
    surname_head: int = 0
    surname_tail: int = 0
    birth: int = 0
    birth_year: int = 0
    birth_day: int = 0
    record_numbers: tuple[int, ...] = ()
    health_numbers: tuple[int, ...] = ()
    national_numbers: tuple[int, ...] = ()
    phones: tuple[int, ...] = ()
    emails: tuple[int, ...] = ()
    addresses: tuple[int, ...] = ()


class PersonSeen(NamedTuple):
    """Somebody in one document: what is known with them, and keyed hashes by which they are known again elsewhere."""

    identity: int  # keyed hash of the name and the strongest identifier
    role: Role
    bits: int  # the PII vector of what is tied to them, the name included
    place: str  # the passage that names them first
    mentions: tuple[int, ...]  # where they are named; not kept
    keys: PersonKeys
    country: str = ""
    region: str = ""
    health: bool = False  # whether health information stands with them
    known: bool = False  # whether they are in the organisation's own list
    is_name_alone: bool = False  # so that only a medical passage makes them a person

    @property
    def is_affected(self) -> bool:
        """Somebody whose data these are: a subject, or anybody of whose health is told."""
        return self.role is Role.SUBJECT or self.health


@dataclass(frozen=True, slots=True)
class Screening:
    """What the PII screen saw in one document."""

    bits: int = 0
    counts: tuple[tuple[str, int], ...] = ()
    rules: tuple[RuleHit, ...] = ()
    positive: bool = False
    risk: Risk = Risk.NONE
    evidence: tuple[Evidence, ...] = ()
    suppressed: tuple[tuple[str, int], ...] = ()  # hits that an allow list took out of all of the above
    tied: int = 0  # the bits that stand with one and the same person: the person of whom most is told
    persons: int = 0  # persons with whom anything beside the name stands
    vectors: tuple[int, ...] = ()  # the different PII vectors of persons and passages
    candidates: tuple[Candidate, ...] = ()  # what the health stage judges; not kept in the record
    people: tuple[PersonSeen, ...] = ()  # of this document, or this window of it; kept apart from the record
    known: int = 0  # people of the organisation's own list
    # In judged passages, but not in the evidence; with the person's number. Not kept in the record.
    left_out: tuple[tuple[Span, int], ...] = field(default=(), compare=False)


class HealthClass(StrEnum):
    """What a text has to do with anyone's health; the first two are what is referred."""

    RECORD = "personal-record"  # a note, a report, a prescription, a message of a hospital system
    TALK = "personal-talk"  # a mail or a conversation about someone's illness
    GENERAL = "general-health"  # a leaflet, a paper, an encyclopaedia: about no person
    NONE = "no-health"


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A stored prototype near a document; its name says where it was learned from."""

    prototype: str
    distance: float


@dataclass(frozen=True, slots=True)
class HealthVerdict:
    """What the health stage decided about one screened-positive document, and why."""

    distance: float | None
    positive: bool
    terms: tuple[str, ...] = ()
    label: HealthClass = HealthClass.NONE
    threshold: float | None = (
        None  # what the distance had to keep within: the learned one, or that of the nearest non-personal prototypes
    )
    nearest: tuple[Neighbour, ...] = ()
    person: int = 0  # number, in the evidence, of the person whom the strongest passage names; 0 where it has none
    role: Role | None = None  # of that person
    strongest: str = ""  # the place of the strongest passage
    passages: Passages = NO_PASSAGES


@dataclass(frozen=True, slots=True)
class FileRecord:
    """One row of the results: everything that is kept about a file, and no raw value."""

    scan_id: str
    ref: FileRef
    uri: str
    container_uri: str | None
    size: int
    sha256: str | None
    media_type: str
    status: Status
    reason: str
    chars: int
    screening: Screening = field(default_factory=Screening)
    health: HealthVerdict | None = None
    duplicate_of: str | None = None  # the file with the same content that was examined in its stead
    language: str | None = None  # of its text; None where it has none, as a table of numbers
    people: int = 0  # how many different people it concerns
    origin: Origin = IN_PLACE
    likeness: bytes = b""  # keyed MinHash of its layout and terms; empty where not referred, or too short or long

    @property
    def judged(self) -> bool | None:
        """Whether the models know the language; None where nothing was examined."""
        return is_judged(self.language) if self.status in EXAMINED else None

    @property
    def referred(self) -> bool:
        return self.screening.positive and self.health is not None and self.health.positive
