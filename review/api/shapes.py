"""The shapes of what the API takes and answers."""

from datetime import datetime
from typing import Annotated, Any, Literal

from ninja import Schema
from pydantic import ConfigDict, Field, StringConstraints

Text = Annotated[str, StringConstraints(max_length=200, pattern=r"^[^\x00]*$")]
ReferralId = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{32}$")]
Number = Annotated[int, Field(ge=1, le=2**63 - 1)]
Judged = Literal["phi", "not_phi", "unsure", "cannot_tell"]


class Strict(Schema):
    """A key that is not known is refused, so that a misspelt one is not taken for left out."""

    model_config = ConfigDict(extra="forbid")


class Problem(Schema):
    type: str
    title: str
    status: int
    detail: str
    errors: list[dict[str, str]] = Field(default_factory=list)


class ReferralFilter(Strict):
    state: Literal["", "open", "waiting", "disputed", "decided", "unsampled", "superseded", "any"] = ""
    q: Annotated[Text, Field(description="part of a path")] = ""
    owner: Text = ""
    access: Annotated[Literal["", "everyone", "group", "owner"], Field(description="who may read the file")] = ""
    type: Annotated[Text, Field(description="media type")] = ""
    rule: Text = ""
    people: Annotated[int | None, Field(ge=1, le=999_999_999, description="at least so many")] = None
    source: Text = ""
    scan: Text = ""
    queue: Number | None = None
    risk: Literal["", "high", "medium", "low", "none"] = ""
    kind: Literal["", "referred", "negative"] = ""
    verdict: Literal["", "phi", "not_phi", "cannot_tell"] = ""
    sort: Literal["work", "newest", "oldest", "decided"] = "work"
    after: Annotated[str, StringConstraints(pattern=r"^([0-9]{1,18}-[0-9a-f]{32})?$")] = ""
    limit: Annotated[int, Field(ge=1, le=200)] = 50


class Listed(Schema):
    """Risk and kind are null where a referral is judged blind."""

    id: str
    state: str
    decision: str
    risk: str | None
    kind: str | None
    queue: str
    path: str
    paths: int
    media_type: str
    owner: str
    asked: datetime
    decided_at: datetime | None


class ReferralPage(Schema):
    items: list[Listed]
    count: int
    more_than: bool = Field(description="whether there are more than `count`, where counting all takes too long")
    next: str = Field(description="the value of `after` for the next page; empty on the last one")


class PathSeen(Schema):
    uri: str
    current: bool


class Piece(Schema):
    """A detected value, masked."""

    characteristic: str
    masked: str
    start: int
    end: int
    where: str = ""
    person: int = 0
    role: str = ""
    passage: str = ""


class VoteOut(Schema):
    id: int
    referral: str
    round: int
    reviewer: str
    part: str
    verdict: str
    characteristics: list[str]
    at: datetime
    note: str = ""


class Details(Schema):
    """What the scan found; null in a referral that is judged blind, or whose retention has ended."""

    reason: str
    status: str
    chars: int
    persons: int
    strongest: str
    health_distance: float | None
    health_threshold: float | None
    health_class: str
    counts: dict[str, int]
    rules: list[dict[str, Any]]
    terms: list[str]
    neighbours: list[dict[str, Any]]
    evidence: list[Piece]


class ReferralOut(Schema):
    id: str
    round: int
    state: str
    decision: str
    risk: str | None
    kind: str | None
    blind: bool
    queue: str
    scan: str
    media_type: str
    size: int | None
    owner: str
    paths: list[PathSeen]
    more_paths: bool
    found: Details | None
    part: Literal["", "review", "adjudication"] = Field(description="how you may judge it now; empty if you may not")
    why_not: str
    votes: list[VoteOut] = Field(description="of this round, as far as you may see them")
    earlier_votes: list[VoteOut]
    undoable: int | None = Field(description="your vote, as long as it can be undone")
    previous: str | None


class NextIn(Strict):
    queue: Number | None = None
    skip: Annotated[list[ReferralId], Field(max_length=200)] = Field(default_factory=list)


class VoteIn(Strict):
    verdict: Judged
    characteristics: Annotated[list[Text], Field(max_length=200)] = Field(default_factory=list)
    note: Annotated[str, StringConstraints(max_length=4000, pattern=r"^[^\x00]*$")] = ""
    key: Annotated[
        str | None,
        Field(pattern=r"^[A-Za-z0-9_-]{8,64}$", description="a request that is sent twice with one key counts once"),
    ] = None


class QueueOut(Schema):
    id: int
    name: str
    waiting: int
    disputed: int
    decided: int
    mine: int = Field(description="that you could take now")
    risks: dict[str, int]
    blind: int


class ScanOut(Schema):
    id: str
    started: datetime
    taken_in: datetime | None
    sources: list[str]
    rules_sha256: str
    people: dict[str, Any]


class ScanPage(Schema):
    items: list[ScanOut]
    next: str


class PlotColumn(Schema):
    key: str
    label: str
    how: str


class PlotOut(Schema):
    name: str
    title: str
    note: str
    conclusion: str
    columns: list[PlotColumn]
    rows: list[list[Any]]


class DashboardOut(Schema):
    page: str
    scan: str | None
    plots: list[PlotOut]
    words: str = ""


class UnexaminedOut(Schema):
    uri: str
    media_type: str
    size: int
    status: str
    reason: str


class UnexaminedPage(Schema):
    items: list[UnexaminedOut]
    count: int
    next: str


class EntryOut(Schema):
    number: int
    at: str
    actor: str
    action: str
    subject: str
    details: dict[str, Any]


class AuditPage(Schema):
    items: list[EntryOut]
    next: int | None


class FaultOut(Schema):
    number: int
    what: str


class AuditCheck(Schema):
    entries: int
    faults: list[FaultOut]


class Me(Schema):
    token: str
    owner: str
    roles: list[str]
    scopes: list[str]
    expires: datetime
