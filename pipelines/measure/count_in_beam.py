"""A scan's records and verified labels -> counts per rule, by a join in Beam; the same counts as count.py gives."""

import json
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import apache_beam as beam

from core.errors import LabelError
from core.settings import ScanSettings
from evaluation.contributions import Judged, container_contributions
from evaluation.keys import Key, Number, Pair
from evaluation.labels import Label
from pipelines import storage
from pipelines.measure.count import COUNTED_COLUMNS, Counted, as_counts
from pipelines.measure.labels import label_rows
from pipelines.measure.units import Found, Outcome, Unit, as_files, content_of, count_content, joined, outcome
from pipelines.results.folder import ScanFolder
from pipelines.runners.choose import runner_for
from pipelines.sampling.strata import Strata

_DRAWN, _NOT_DRAWN = ("drawn",), ("not_drawn",)
_FAULT = "\0"


def count_in_beam(
    folder: ScanFolder,
    labels: str,
    rule_ids: Sequence[str],
    runner: str,
    options: Sequence[str] = (),
    workers: int = 1,
    *,
    audit: str | None = None,
    pair: Pair | None = None,
    strata: Strata | None = None,
    share: Fraction = Fraction(1),
    unit: Unit = Unit.RECORD,
) -> Counted:
    """Joins records and labels by uri; `labels` and `audit` name files of any size, which the workers read."""
    output = storage.join(folder.uri, f".evaluation-{uuid.uuid4().hex}.jsonl")
    settings = ScanSettings(runner=runner, beam_options=tuple(options))
    with runner_for(settings, workers, f"leakscreen-evaluate-{uuid.uuid4().hex}") as (chosen, beam_options):
        pipeline = beam.Pipeline(runner=chosen, options=beam_options)
        build(pipeline, folder, labels, audit, _Design(folder.scan_id, pair, strata, share, unit), output)
        pipeline.run().wait_until_finish()
    lines = storage.read_whole(output).decode("utf-8").splitlines()
    counts: dict[Key, Number] = {tuple(key): _number(count) for key, count in map(json.loads, lines)}
    storage.delete(output)
    _check(labels, counts)
    return as_counts({key: count for key, count in counts.items() if key not in (_DRAWN, _NOT_DRAWN)}, rule_ids)


@dataclass(frozen=True, slots=True)
class _Design:
    """What the workers need to know beside records and labels."""

    scan_id: str
    pair: Pair | None
    strata: Strata | None
    share: Fraction
    unit: Unit


def build(pipeline: Any, folder: ScanFolder, labels: str, audit: str | None, design: _Design, output: str) -> Any:
    records = (
        pipeline
        | "Units" >> beam.Create(folder.unit_names())
        | "Spread over workers" >> beam.Reshuffle()
        | "Read records" >> beam.FlatMap(_records, folder)
    )
    tags = ("found", "judged")
    files = (
        {"records": records, "labels": _labels(pipeline, "labels", labels), "audit": _labels(pipeline, "audit", audit)}
        | "Join by uri" >> beam.CoGroupByKey()
        | "Join a file" >> beam.FlatMap(_joined, design).with_outputs(tags[0], main="counts")
    )
    found = files[tags[0]]
    if design.unit is Unit.FILE:
        found = (
            found
            | "By file on disk" >> beam.Map(lambda file: (file.top, file))
            | "Gather members" >> beam.GroupByKey()
            | "As one file" >> beam.FlatMapTuple(lambda _, members: as_files(sorted(members)))
        )
    contents = (
        found
        | "By content" >> beam.Map(lambda file: (content_of(file), file))
        | "Gather copies" >> beam.GroupByKey()
        | "Count a content" >> beam.FlatMap(_counted, design).with_outputs(tags[1], main="counts")
    )
    members = (
        contents[tags[1]]
        | "By container" >> beam.Map(lambda judged: (judged.file.container, judged))
        | "Gather fellows" >> beam.GroupByKey()
        | "Count a container" >> beam.FlatMapTuple(lambda _, fellows: _members(fellows, design))
    )
    return (
        (files["counts"], contents["counts"], members)
        | "All counts" >> beam.Flatten()
        | "Add up" >> beam.CombinePerKey(sum)
        | "As JSON" >> beam.MapTuple(lambda key, count: json.dumps([key, str(count)]))
        | "Write" >> beam.io.WriteToText(output, shard_name_template="", num_shards=1)
    )


def _records(unit: str, folder: ScanFolder) -> Iterator[tuple[str, Outcome]]:
    for row in folder.rows(COUNTED_COLUMNS, [unit]):
        yield row["uri"], outcome(row)


def _labels(pipeline: Any, name: str, file: str | None) -> Any:
    return (
        pipeline
        | f"File of {name}" >> beam.Create([file] if file else [])
        | f"Read {name}" >> beam.FlatMap(_label_rows)
    )


def _label_rows(file: str) -> Iterator[tuple[str, Label]]:
    """A fault travels as data, under a key that no file has: runners replace exceptions by their own."""
    try:
        for _, uri, label in label_rows(file):
            yield uri, label
    except LabelError as error:
        yield f"{_FAULT}{error}", Label(phi=False)


def _joined(group: tuple[str, Mapping[str, Iterable[Any]]], design: _Design) -> Iterator[Any]:
    uri, by_name = group
    if uri.startswith(_FAULT):
        yield ("fault", uri.removeprefix(_FAULT)), 1
        return
    records, labels, audit = (list(by_name[name]) for name in ("records", "labels", "audit"))
    for label in labels[:1]:
        yield (_DRAWN if label.is_drawn else _NOT_DRAWN), 1
    for item in joined(uri, records, labels, audit, design.scan_id, design.strata, design.share):
        yield beam.pvalue.TaggedOutput("found", item) if isinstance(item, Found) else (item, 1)


def _counted(group: tuple[str, Iterable[Found]], design: _Design) -> Iterator[Any]:
    for item in count_content(group[1], design.unit, design.pair):
        yield beam.pvalue.TaggedOutput("judged", item) if isinstance(item, Judged) else item


def _members(fellows: Iterable[Judged], design: _Design) -> Iterator[tuple[Key, Number]]:
    return container_contributions(list(fellows), design.pair)


def _number(text: str) -> Number:
    number = Fraction(text)
    return int(number) if number.denominator == 1 else number


def _check(labels: str, counts: Mapping[Key, Number]) -> None:
    for fault in sorted(key[1] for key in counts if key[0] == "fault"):
        raise LabelError(fault)
    if _DRAWN in counts and _NOT_DRAWN in counts:
        raise LabelError(f"{labels}: some lines have a probability and some have none; give all of them one, or none")
    if _DRAWN not in counts and _NOT_DRAWN not in counts:
        raise LabelError(
            f"{labels}: there is no label in it; expected the columns uri and phi and a line for each verified file"
        )
