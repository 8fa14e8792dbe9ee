"""The one table of the results' columns: what each one means, where its value comes from, and who reads it.

A new column is one entry here, and whatever makes its value. The Parquet schema, the rows, the totals, re-scans,
exports, intake, the dashboard and docs/results.md follow from it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, Flag, auto
from typing import Any

from core.records import FileRecord, HealthVerdict


@dataclass(frozen=True, slots=True)
class Struct:
    """Named fields; a value is an object that has attributes of these names."""

    fields: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        return "{" + ", ".join(name for name, _ in self.fields) + "}"


@dataclass(frozen=True, slots=True)
class ListOf:
    item: "str | Struct"

    def __str__(self) -> str:
        return f"list of {self.item}"


@dataclass(frozen=True, slots=True)
class MapOf:
    """A value is pairs of key and value, and each key is there once."""

    key: str
    value: str

    def __str__(self) -> str:
        return f"map of {self.key} to {self.value}"


ColumnType = str | Struct | ListOf | MapOf  # a str is the name of an Arrow type


class Reader(Flag):
    """Who reads a column of finished results, by its name."""

    EXPORT = auto()  # every export format; see `label`
    INTAKE = auto()  # `refer`: into the review database; see `kept_as`
    DASHBOARD = auto()  # the counts that the dashboard shows
    REPORT = auto()  # the files that a report lists as referred
    UNEXAMINED = auto()  # the files that a report lists as not, or not wholly, examined
    MEASURE = auto()  # `evaluate`: rates of rules
    ESTIMATE = auto()  # what a sampled scan says about all files
    SHEET = auto()  # `sample`: files drawn for verification
    PROTOTYPES = auto()  # `train prototypes`
    NOBODY = 0


class Count(Enum):
    """How a column is counted into a unit's totals and summary.json, under its own name."""

    TRUE = auto()  # the records where it is true
    FALSE = auto()  # the records where it is false, not empty
    VALUES = auto()  # the records with each value
    VALUES_OF_REFERRED = auto()  # the same, of referred records alone
    FIRST_FIELD = auto()  # a list of structs: how often each value of their first field occurs
    SUM_BY_KEY = auto()  # a map: the sum of its values by key


class Rescan(Enum):
    """What becomes of a column when an unchanged file's record is carried over into a new scan."""

    KEPT = auto()
    REFRESHED = auto()  # taken from the new scan and its walk
    RENAMED = auto()  # kept, unless the file moved
    RULES = auto()  # worked out anew from the PII vector where the rules changed
    HEALTH = auto()  # emptied where no rule screens the file any more


@dataclass(frozen=True, slots=True)
class Column:
    """One column; `value` gets a record and gives what the column holds, as attributes of the record hold it."""

    name: str
    type: ColumnType
    value: Callable[[FileRecord], Any]
    meaning: str
    readers: Reader = Reader.NOBODY
    label: str = ""  # its name in flat exports (CSV, CEF, SARIF), where that is another
    kept_as: str = ""  # the model and field of the review database that keep it
    nullable: bool = False  # whether null has a meaning of its own; otherwise a reader takes it for an empty value
    count: Count | None = None
    rescan: Rescan = Rescan.KEPT
    since: int = 1  # the results format that it came with

    @property
    def nested(self) -> bool:
        return not isinstance(self.type, str)

    @property
    def empty(self) -> Any:
        """What is written where there is no value: an empty list or map, or null."""
        return [] if isinstance(self.type, ListOf | MapOf) else None

    @property
    def first_field(self) -> str:
        """Of a list of structs."""
        assert isinstance(self.type, ListOf) and isinstance(self.type.item, Struct)
        return self.type.item.fields[0][0]

    @property
    def flat_name(self) -> str:
        return self.label or self.name


def _health(attribute: Callable[[HealthVerdict], Any]) -> Callable[[FileRecord], Any]:
    """A column of the health stage, which sees screened positives alone."""
    return lambda record: None if record.health is None else attribute(record.health)


def _raw_path(record: FileRecord) -> bytes | None:
    path = record.ref.path
    return path if path.decode("utf-8", "replace") != record.ref.uri else None


RULE_HIT = Struct((("rule", "string"), ("prototype", "string"), ("distance", "int32")))
EVIDENCE = Struct(
    (
        ("characteristic", "string"),
        ("start", "int64"),
        ("end", "int64"),
        ("masked", "string"),
        ("hmac", "string"),
        ("where", "string"),
        ("person", "int32"),
        ("role", "string"),
        ("passage", "string"),
    )
)
PASSAGES = Struct((("judged", "int64"), ("positive", "int64")))
NEIGHBOUR = Struct((("prototype", "string"), ("distance", "float64")))

_EXPORT, _INTAKE, _DASHBOARD, _REPORT = Reader.EXPORT, Reader.INTAKE, Reader.DASHBOARD, Reader.REPORT
_UNEXAMINED, _PROTOTYPES = Reader.UNEXAMINED, Reader.PROTOTYPES
_MEASURE, _ESTIMATE, _SHEET = Reader.MEASURE, Reader.ESTIMATE, Reader.SHEET

COLUMNS = (
    Column(
        "scan_id",
        "string",
        lambda record: record.scan_id,
        "the scan that this record belongs to",
        _EXPORT,
        rescan=Rescan.REFRESHED,
    ),
    Column(
        "uri",
        "string",
        lambda record: record.uri,
        "absolute path; a member is `outer.zip!inner/a.docx`, to any depth; "
        "bytes that are not UTF-8 are percent-escaped",
        _EXPORT | _INTAKE | _DASHBOARD | _REPORT | _UNEXAMINED | _MEASURE | _ESTIMATE | _SHEET | _PROTOTYPES,
        kept_as="ReferralPath.uri",
        rescan=Rescan.RENAMED,
    ),
    Column(
        "container_uri",
        "string",
        lambda record: record.container_uri,
        "the container that a member is in; null for files on disk",
        _EXPORT | _DASHBOARD | _REPORT | _ESTIMATE | _MEASURE | _SHEET | _PROTOTYPES,
        nullable=True,
        rescan=Rescan.RENAMED,
    ),
    Column(
        "size",
        "int64",
        lambda record: record.size,
        "bytes of the file or member",
        _EXPORT | _INTAKE | _DASHBOARD | _REPORT | _UNEXAMINED,
        kept_as="Finding.size",
    ),
    Column(
        "mtime",
        "timestamp",
        lambda record: record.ref.mtime_ns // 1000,
        "when the file was last written to, in UTC; members have that of the file they are in",
        _EXPORT | _INTAKE,
        kept_as="Finding.mtime",
    ),
    Column(
        "owner",
        "string",
        lambda record: record.ref.owner,
        "the file's owner; members have that of the file they are in",
        _EXPORT | _INTAKE | _REPORT,
        kept_as="Finding.owner",
        rescan=Rescan.REFRESHED,
    ),
    Column(
        "sha256",
        "string",
        lambda record: record.sha256,
        "hash of the content; null where only part was read",
        _EXPORT | _INTAKE | _DASHBOARD | _MEASURE | _SHEET | _PROTOTYPES,
        kept_as="Referral.sha256",
        nullable=True,
    ),
    Column(
        "media_type",
        "string",
        lambda record: record.media_type,
        "detected from content, never from the name",
        _EXPORT | _INTAKE | _DASHBOARD | _REPORT | _UNEXAMINED,
        kept_as="Finding.media_type",
    ),
    Column(
        "status",
        "string",
        lambda record: record.status.value,
        "how the examination ended",
        _EXPORT | _INTAKE | _DASHBOARD | _REPORT | _UNEXAMINED | _MEASURE | _ESTIMATE | _SHEET | _PROTOTYPES,
        kept_as="Finding.status",
        count=Count.VALUES,
    ),
    Column(
        "reason",
        "string",
        lambda record: record.reason,
        "why it ended there; empty where there is nothing to say",
        _EXPORT | _INTAKE | _DASHBOARD | _UNEXAMINED,
        kept_as="Finding.reason",
    ),
    Column(
        "language",
        "string",
        lambda record: record.language,
        "of the text, in two letters; `und`: prose in a language unknown to the detector; null where there is no prose",
        _EXPORT,
        nullable=True,
        count=Count.VALUES,
        since=3,
    ),
    Column(
        "judged",
        "bool",
        lambda record: record.judged,
        "false where the models do not know the language (they know English, French, Spanish and German): "
        "such a file is not clear, and `summary.json` counts it as `not_judged`; null where nothing was examined",
        _EXPORT | _ESTIMATE,
        nullable=True,
        count=Count.FALSE,
        since=3,
    ),
    Column(
        "chars",
        "int64",
        lambda record: record.chars,
        "characters of text examined",
        _EXPORT | _INTAKE,
        kept_as="Finding.chars",
    ),
    Column(
        "pii_bits",
        "uint64",
        lambda record: record.screening.bits,
        "the PII vector; its bit order is `screening/rules/vector.toml`",
        _DASHBOARD | _PROTOTYPES,
    ),
    Column(
        "pii_counts",
        MapOf("string", "int64"),
        lambda record: record.screening.counts,
        "characteristic to number of spans",
        _EXPORT | _INTAKE | _REPORT,
        label="characteristics",
        kept_as="Finding.counts",
    ),
    Column(
        "suppressed",
        MapOf("string", "int64"),
        lambda record: record.screening.suppressed,
        "characteristic to number of spans that an allow list removed from all other columns",
        count=Count.SUM_BY_KEY,
    ),
    Column(
        "tied_bits",
        "uint64",
        lambda record: record.screening.tied,
        "the bits found with one and the same person: the one with the most",
    ),
    Column(
        "persons",
        "int32",
        lambda record: record.screening.persons,
        "how many persons are named with anything beside their names",
        _EXPORT | _INTAKE | _REPORT,
        kept_as="Finding.persons",
    ),
    Column(
        "people",
        "int64",
        lambda record: record.people,
        "how many different people the file concerns: subjects, and others of whose health it tells; "
        "each has a row in `people/` ([people.md](people.md))",
        _EXPORT | _INTAKE | _REPORT,
        kept_as="Finding.people",
        nullable=True,
        since=4,
    ),
    Column(
        "known",
        "int64",
        lambda record: record.screening.known,
        "how many people of the organisation's own list are in the file ([known.md](known.md))",
        _EXPORT | _INTAKE | _REPORT,
        kept_as="Finding.known",
        nullable=True,
        since=4,
    ),
    Column(
        "rules",
        ListOf(RULE_HIT),
        lambda record: record.screening.rules,
        "every rule that fired, its nearest prototype and the Hamming distance to it",
        _EXPORT | _INTAKE | _DASHBOARD | _REPORT | _MEASURE,
        kept_as="Finding.rules",
        count=Count.FIRST_FIELD,
        rescan=Rescan.RULES,
    ),
    Column(
        "passage_bits",
        ListOf("uint64"),
        lambda record: record.screening.vectors,
        "the different PII vectors of single persons and passages: what rules with `same_person` are asked about",
        since=2,
    ),
    Column(
        "screened_positive",
        "bool",
        lambda record: record.screening.positive,
        "a rule that screens fired",
        _EXPORT | _DASHBOARD | _MEASURE | _ESTIMATE | _SHEET | _PROTOTYPES,
        count=Count.TRUE,
        rescan=Rescan.RULES,
    ),
    Column(
        "health_distance",
        "float64",
        _health(lambda verdict: verdict.distance),
        "mean distance to the nearest prototypes; like all `health_` columns only for screened positives",
        _EXPORT | _INTAKE | _REPORT,
        kept_as="Referral.health_distance",
        nullable=True,
        rescan=Rescan.HEALTH,
    ),
    Column(
        "health_positive",
        "bool",
        _health(lambda verdict: verdict.positive),
        "the decision of the health stage",
        _EXPORT,
        nullable=True,
        count=Count.TRUE,
        rescan=Rescan.HEALTH,
    ),
    Column(
        "health_terms",
        ListOf("string"),
        _health(lambda verdict: verdict.terms),
        "the terms that weighed most",
        _EXPORT | _INTAKE | _REPORT,
        kept_as="Finding.terms",
        rescan=Rescan.HEALTH,
    ),
    Column(
        "health_class",
        "string",
        _health(lambda verdict: verdict.label.value),
        "`personal-record`, `personal-talk`, `general-health` or `no-health`",
        _EXPORT | _INTAKE | _REPORT,
        kept_as="Finding.health_class",
        nullable=True,
        rescan=Rescan.HEALTH,
    ),
    Column(
        "health_threshold",
        "float64",
        _health(lambda verdict: verdict.threshold),
        "what `health_distance` had to keep within",
        _INTAKE | _REPORT,
        kept_as="Finding.health_threshold",
        nullable=True,
        rescan=Rescan.HEALTH,
    ),
    Column(
        "health_nearest",
        ListOf(NEIGHBOUR),
        _health(lambda verdict: verdict.nearest),
        "the nearest prototypes and their distances",
        _INTAKE | _REPORT,
        kept_as="Finding.neighbours",
        rescan=Rescan.HEALTH,
    ),
    Column(
        "health_person",
        "int32",
        _health(lambda verdict: verdict.person),
        "the number, in the evidence, of the person whom the strongest passage names; "
        "0 where the evidence does not reach so far",
        _REPORT,
        nullable=True,
        rescan=Rescan.HEALTH,
    ),
    Column(
        "passages",
        PASSAGES,
        _health(lambda verdict: verdict.passages),
        "how many passages the health stage judged, and how many of them are about somebody's health",
        _EXPORT | _INTAKE | _REPORT,
        kept_as="Finding.passages",
        nullable=True,
        rescan=Rescan.HEALTH,
        since=2,
    ),
    Column(
        "strongest",
        "string",
        _health(lambda verdict: verdict.strongest),
        "where the passage is that decided, such as `row 3,112`",
        _EXPORT | _INTAKE | _REPORT,
        kept_as="Finding.strongest",
        nullable=True,
        rescan=Rescan.HEALTH,
        since=2,
    ),
    Column(
        "health_role",
        "string",
        _health(lambda verdict: verdict.role and verdict.role.value),
        "what the person is in that passage: `subject`, `relative`, `author` or `other`",
        _EXPORT | _INTAKE | _REPORT,
        kept_as="Finding.health_role",
        nullable=True,
        rescan=Rescan.HEALTH,
        since=2,
    ),
    Column(
        "referred",
        "bool",
        lambda record: record.referred,
        "screened positive and health positive",
        _EXPORT | _DASHBOARD | _ESTIMATE | _MEASURE | _SHEET,
        count=Count.TRUE,
        rescan=Rescan.RULES,
    ),
    Column(
        "risk",
        "string",
        lambda record: record.screening.risk.value,
        "`high`, `medium`, `low`, `none`: three, two, one or none of name, location and other are readable of one "
        "person; a level less where they are merely in the same file as a name",
        _EXPORT | _INTAKE | _DASHBOARD | _REPORT | _SHEET | _MEASURE,
        kept_as="Referral.risk",
        count=Count.VALUES_OF_REFERRED,
    ),
    Column(
        "evidence",
        ListOf(EVIDENCE),
        lambda record: record.screening.evidence,
        "where each piece was found, masked; offsets count in the file's text, its segments joined by line breaks, "
        "and after them the file's name; pieces of one person have the same number, 0 is nobody's",
        _EXPORT | _INTAKE | _REPORT,
        kept_as="Finding.evidence",
    ),
    Column(
        "likeness",  # not exported: of use together with others of the same key alone
        "binary",
        lambda record: record.likeness or None,
        "keyed MinHash of the layout and the medical terms of a referred file, by which the review service groups "
        "copies and filled-in forms; null where the text is too short, or too long to be read at once",
        _INTAKE,
        kept_as="Finding.likeness",
        nullable=True,
        rescan=Rescan.HEALTH,
        since=5,
    ),
    Column(
        "duplicate_of",
        "string",
        lambda record: record.duplicate_of,
        "the file (or member) with the same content whose findings these are: [incremental.md](incremental.md); "
        "null where it was examined itself",
        nullable=True,
    ),
    Column(
        "source",
        "string",
        lambda record: record.ref.source,
        "which source the file came from",
        _EXPORT | _INTAKE | _DASHBOARD,
        kept_as="Referral.source",
        rescan=Rescan.REFRESHED,
    ),
    Column(
        "metadata",  # not exported: a crawler may have filled it with anything
        MapOf("string", "string"),
        lambda record: record.ref.metadata,
        "free metadata from a crawl manifest",
        rescan=Rescan.REFRESHED,
    ),
    Column(
        "path",  # not exported: raw bytes
        "binary",
        _raw_path,
        "the raw path, only where `uri` had to be escaped or names a link to a folder",
        _INTAKE,
        kept_as="ReferralPath.path",
        nullable=True,
        rescan=Rescan.RENAMED,
    ),
    Column(
        "access",
        "string",
        lambda record: record.ref.access or None,
        "who beside the owner may read the file: `everyone`, `group` or `owner`, and what its access list adds, where "
        "that was read ([sources.md](sources.md#who-may-read-a-file)); null where the source does not say",
        _EXPORT | _INTAKE | _DASHBOARD,
        kept_as="Finding.access",
        nullable=True,
        rescan=Rescan.REFRESHED,
    ),
    Column(
        "deleted",
        "bool",
        lambda record: record.origin.deleted,
        "whether it was deleted from the disk that it was read from, or lay in its free space: [disks.md](disks.md)",
        _EXPORT,
        nullable=True,
        since=5,
    ),
    Column(
        "carved_at",
        "int64",
        lambda record: record.origin.carved_at,
        "offset in the image of what was found by its content alone, in free space or in a volume that does not open; "
        "null for all other files",
        _EXPORT,
        nullable=True,
        since=5,
    ),
)


def columns_for(reader: Reader) -> tuple[Column, ...]:
    return tuple(column for column in COLUMNS if reader in column.readers)


def names_for(reader: Reader) -> tuple[str, ...]:
    return tuple(column.name for column in columns_for(reader))


def columns_of_rescan(rescan: Rescan) -> tuple[Column, ...]:
    return tuple(column for column in COLUMNS if column.rescan is rescan)
