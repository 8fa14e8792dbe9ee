"""A scan's records and verified labels -> counts per rule, by a join in Beam; the same counts as count.py gives."""

import json
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import apache_beam as beam

from core.errors import LabelError
from core.settings import ScanSettings
from evaluation.labels import Label
from evaluation.tally import Key, Pair
from pipelines import storage
from pipelines.measure.count import COUNTED_COLUMNS, Counted, Outcome, as_counts, file_contributions, outcome
from pipelines.measure.labels import label_rows
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
) -> Counted:
    """Joins records and labels by uri; `labels` and `audit` name files of any size, which the workers read."""
    output = storage.join(folder.uri, f".evaluation-{uuid.uuid4().hex}.jsonl")
    settings = ScanSettings(runner=runner, beam_options=tuple(options))
    with runner_for(settings, workers, f"leakscreen-evaluate-{uuid.uuid4().hex}") as (chosen, beam_options):
        pipeline = beam.Pipeline(runner=chosen, options=beam_options)
        build(pipeline, folder, labels, audit, pair, strata, output)
        pipeline.run().wait_until_finish()
    counts = {
        tuple(key): count for key, count in map(json.loads, storage.read_whole(output).decode("utf-8").splitlines())
    }
    storage.delete(output)
    _check(labels, counts)
    return as_counts({key: count for key, count in counts.items() if key not in (_DRAWN, _NOT_DRAWN)}, rule_ids)


def build(
    pipeline: Any,
    folder: ScanFolder,
    labels: str,
    audit: str | None,
    pair: Pair | None,
    strata: Strata | None,
    output: str,
) -> Any:
    records = (
        pipeline
        | "Units" >> beam.Create(folder.unit_names())
        | "Spread over workers" >> beam.Reshuffle()
        | "Read records" >> beam.FlatMap(_records, folder)
    )
    return (
        {"records": records, "labels": _labels(pipeline, "labels", labels), "audit": _labels(pipeline, "audit", audit)}
        | "Join by uri" >> beam.CoGroupByKey()
        | "Count a file" >> beam.FlatMap(_contributions, folder.scan_id, pair, strata)
        | "Add up" >> beam.CombinePerKey(sum)
        | "As JSON" >> beam.MapTuple(lambda key, count: json.dumps([key, count]))
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


def _contributions(
    group: tuple[str, Mapping[str, Iterable[Any]]], scan_id: str, pair: Pair | None, strata: Strata | None
) -> Iterator[tuple[Key, int]]:
    uri, joined = group
    if uri.startswith(_FAULT):
        yield ("fault", uri.removeprefix(_FAULT)), 1
        return
    records, labels, audit = (list(joined[name]) for name in ("records", "labels", "audit"))
    for label in labels[:1]:
        yield (_NOT_DRAWN if label.probability is None else _DRAWN), 1
    for key in file_contributions(uri, records, labels, audit, scan_id, pair, strata):
        yield key, 1


def _check(labels: str, counts: Mapping[Key, int]) -> None:
    for fault in sorted(key[1] for key in counts if key[0] == "fault"):
        raise LabelError(fault)
    if _DRAWN in counts and _NOT_DRAWN in counts:
        raise LabelError(f"{labels}: some lines have a probability and some have none; give all of them one, or none")
    if _DRAWN not in counts and _NOT_DRAWN not in counts:
        raise LabelError(
            f"{labels}: there is no label in it; expected the columns uri and phi and a line for each verified file"
        )
