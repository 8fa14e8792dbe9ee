"""Records joined to labels -> what is counted as one: a record, a file on disk or a content; labels reach copies."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from fractions import Fraction
from typing import Any, NamedTuple

from core.records import EXAMINED, Status
from evaluation.contributions import Examined, Judged, contents_contributions, contributions
from evaluation.design import CONTENT, FILE, STAGES, design_of
from evaluation.keys import BY_AUDIT, Key, Number, Pair
from evaluation.labels import Label
from pipelines.sampling.strata import Strata

EXAMINED_STATUSES = frozenset(status.value for status in EXAMINED)


class Unit(StrEnum):
    """What n counts."""

    RECORD = "record"  # files on disk and members of containers alike
    FILE = "file"  # files on disk; a container is judged by its members
    CONTENT = "content"  # copies are one


class Outcome(NamedTuple):
    """What a record says of its file."""

    status: str
    rules: tuple[str, ...]
    screened: bool
    referred: bool
    content: str = ""
    container: str = ""
    risk: str = ""


class Found(NamedTuple):
    """A file and the label that it has so far; `examined` is false for a container, which only binds its members."""

    file: Examined
    label: Label | None
    risk: str = ""
    examined: bool = True

    @property
    def top(self) -> str:
        """The file on disk."""
        return self.file.container or self.file.uri


def outcome(row: Mapping[str, Any]) -> Outcome:
    return Outcome(
        row["status"],
        tuple(hit["rule"] for hit in row["rules"]),
        bool(row["screened_positive"]),
        bool(row["referred"]),
        row["sha256"] or "",
        (row["container_uri"] or "").partition("!")[0],
        row["risk"] or "",
    )


def joined(
    uri: str,
    records: Sequence[Outcome],
    labels: Sequence[Label],
    audit: Sequence[Label],
    scan_id: str,
    strata: Strata | None = None,
    share: Fraction = Fraction(1),
) -> Iterator[Key | Found]:
    """One file's record and its labels; keys name labels that cannot count."""
    for group in (labels, audit):
        if len(set(group)) > 1:
            yield ("contradicting", uri)
            return
    label, audited = (group[0] if group else None for group in (labels, audit))
    if label is not None:
        yield ("label",)
    for one in (label, audited):
        if one is not None and one.scan_id not in ("", scan_id):
            yield ("of_another_scan", uri)
            return
    if not records:
        yield ("unknown", uri)
    folder = "" if strata is None else strata.of_file(uri)
    weight = str(1 / (share if strata is None else strata.share(folder)))
    for record in records:
        file = Examined(
            uri, record.rules, record.screened, record.referred, record.content, record.container, weight, folder
        )
        yield from _one(file, record, label, audited)


def _one(file: Examined, record: Outcome, label: Label | None, audited: Label | None) -> Iterator[Key | Found]:
    examined = record.status in EXAMINED_STATUSES
    if audited is not None:
        if not examined:
            yield ("audited_unexamined", file.uri)
        elif record.screened:
            yield ("audited_positives", file.uri)
        elif label is None:
            label = audited if audited.is_drawn else replace(audited, stratum=BY_AUDIT)
    if examined or record.status == Status.CONTAINER:
        yield Found(file, label, record.risk, examined)
    elif label is not None:
        yield ("not_examined",)


def content_of(found: Found) -> str:
    return found.file.content or f"uri:{found.file.uri}"


def as_files(group: Sequence[Found]) -> Iterator[Found]:
    """A file on disk with all its members as one: flagged as any of them, judged by those of its strongest stage.

    A label of the container itself goes before labels of members. A mail has text of its own: that this is not PHI does
    not go before an attachment that is, unless the mail was drawn and judged as a whole.
    """
    members = sorted((found for found in group if found.examined), key=lambda found: found.file.uri)
    if not members:
        return
    outer = next((found for found in group if not found.file.container), None)
    strongest = min(STAGES.index(found.file.stage) for found in members)
    decisive = [found.label for found in members if STAGES.index(found.file.stage) == strongest]
    label = outer.label if outer is not None else None
    if label is None or (not label.phi and outer in members and not _is_by_file(label)):
        label = next((found.label for found in members if found.label is not None and found.label.phi), label)
    if label is None and all(one is not None for one in decisive):
        label = decisive[0]
    file = Examined(
        members[0].top,
        frozenset(rule for found in members for rule in found.file.rules),
        any(found.file.screened for found in members),
        any(found.file.referred for found in members),
        outer.file.content if outer is not None else "",
        "",
        members[0].file.weight,
        members[0].file.folder,
    )
    yield Found(file, label, next(found.risk for found in members if STAGES.index(found.file.stage) == strongest))


def count_content(group: Iterable[Found], unit: Unit, pair: Pair | None) -> Iterator[tuple[Key, Number] | Judged]:
    """What the files of one content add up to; those in containers come out again, to be counted with their fellows."""
    files = sorted(group, key=lambda found: found.file.uri)
    for found in files:
        if not found.examined and found.label is not None:
            yield ("on_container",), 1
    files = [found for found in files if found.examined]
    for found in files:
        if found.label is not None and _is_drawn_otherwise(found.label, unit):
            yield ("drawn_otherwise", found.file.uri), 1
    reaching = [found for found in files if found.label is not None and _reaches(found.label)]
    if len({found.label.phi for found in reaching if found.label is not None}) > 1:
        for found in reaching:
            yield ("contradicting_copies", found.file.uri), 1
        return
    judged = [_judged(found, reaching) for found in files]
    if unit is Unit.CONTENT and judged:
        judged = [_strongest(judged)]
    for file, label, _ in judged:
        for key in contributions(file, label, pair):
            yield key, 1
    yield from contents_contributions(judged, pair)
    yield from (one for one in judged if one.file.container)


def _reaches(label: Label) -> bool:
    """Whether a label speaks for all copies: not if files were drawn one by one, so that copies had their own draws."""
    return not _is_by_file(label) and (bool(label.draw) or label.unit == CONTENT or label.probability is None)


def _is_drawn_otherwise(label: Label, unit: Unit) -> bool:
    """Whether files on disk are to be counted and others were drawn, or the other way round."""
    return label.is_drawn and _is_by_file(label) != (unit is Unit.FILE)


def _is_by_file(label: Label) -> bool:
    return bool(label.draw) and design_of(label.draw).unit == FILE


def _judged(found: Found, reaching: Sequence[Found]) -> Judged:
    label, draw = found.label, found.file.uri
    if reaching:
        label, draw = reaching[0].label if label is None else label, content_of(found)
    if label is not None and label.draw:
        drawn = design_of(label.draw).probability(found.file.stage, found.risk)
        stratum, probability = drawn if drawn else ("", None)
        label = replace(label, stratum=stratum, probability=probability)
    return Judged(found.file, label, draw)


def _strongest(copies: Sequence[Judged]) -> Judged:
    """One of several copies, flagged as any of them; a label that one has is that of all."""
    first = min(copies, key=lambda one: STAGES.index(one.file.stage))
    rules = frozenset(rule for one in copies for rule in one.file.rules)
    label = first.label or next((one.label for one in copies if one.label is not None), None)
    return Judged(first.file._replace(rules=rules), label, first.draw)
