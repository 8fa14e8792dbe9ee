"""A scan's records and verified labels -> counts per rule, by a join in Beam; the same counts as measure.py gives."""

import json
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import apache_beam as beam

from evaluation.rates import RuleCounts
from pipelines import storage
from pipelines.measure import COUNTED_COLUMNS, EXAMINED_STATUSES, Counted
from pipelines.options import runner_for
from pipelines.results import ScanFolder

_ALL, _NOT_EXAMINED, _UNKNOWN = "n", "not_examined", "unknown"


def count_in_beam(
    folder: ScanFolder, labels: Mapping[str, bool], rule_ids: Sequence[str], runner: str, options: Sequence[str] = (), workers: int = 1
) -> Counted:
    """The same counts by a join on the file's uri, for results and labels of any size."""
    output = storage.join(folder.uri, f".evaluation-{uuid.uuid4().hex}.jsonl")
    with runner_for(runner, workers, options) as (chosen, beam_options):
        pipeline = beam.Pipeline(runner=chosen, options=beam_options)
        build(pipeline, folder, labels, output)
        pipeline.run().wait_until_finish()
    lines = storage.read_whole(output).decode("utf-8").splitlines()
    storage.delete(output)
    return _counted(dict(json.loads(line) for line in lines), rule_ids)


def build(pipeline: Any, folder: ScanFolder, labels: Mapping[str, bool], output: str) -> Any:
    records = (
        pipeline
        | "Units" >> beam.Create(folder.unit_names())
        | "Spread over workers" >> beam.Reshuffle()
        | "Read records" >> beam.FlatMap(_records, folder)
    )
    verified = pipeline | "Labels" >> beam.Create(sorted(labels.items()))
    return (
        {"records": records, "labels": verified}
        | "Join by uri" >> beam.CoGroupByKey()
        | "Count a file" >> beam.FlatMapTuple(_contributions)
        | "Add up" >> beam.CombinePerKey(_add_up)
        | "As JSON" >> beam.MapTuple(lambda key, counts: json.dumps([key, counts]))
        | "Write" >> beam.io.WriteToText(output, shard_name_template="", num_shards=1)
    )


def _records(unit: str, folder: ScanFolder) -> Iterator[tuple[str, tuple[bool, tuple[str, ...]]]]:
    for row in folder.rows(COUNTED_COLUMNS, [unit]):
        yield row["uri"], (row["status"] in EXAMINED_STATUSES, tuple(hit["rule"] for hit in row["rules"]))


def _contributions(uri: str, joined: Mapping[str, Iterable[Any]]) -> Iterator[tuple[str, tuple[int, int, int]]]:
    """(positive, verified PHI, verified not PHI) that one file adds to each rule that fired, and to the totals."""
    records, labels = list(joined["records"]), list(joined["labels"])
    phi, not_phi = int(labels == [True]), int(labels == [False])
    if labels and not records:
        yield f"{_UNKNOWN}:{uri}", (1, 0, 0)
    for examined, rules in records:
        if examined:
            yield _ALL, (1, phi, not_phi)
            for rule in set(rules):
                yield f"rule:{rule}", (1, phi, not_phi)
        elif labels:
            yield _NOT_EXAMINED, (1, 0, 0)


def _add_up(counts: Iterable[tuple[int, int, int]]) -> tuple[int, int, int]:
    positive = phi = not_phi = 0
    for one in counts:
        positive, phi, not_phi = positive + one[0], phi + one[1], not_phi + one[2]
    return positive, phi, not_phi


def _counted(counts: Mapping[str, Sequence[int]], rule_ids: Sequence[str]) -> Counted:
    n = counts.get(_ALL, (0,))[0]
    fired = {key.partition(":")[2] for key in counts if key.startswith("rule:")}
    rules = [RuleCounts(rule, n, *counts.get(f"rule:{rule}", (0, 0, 0))) for rule in sorted({*rule_ids, *fired})]
    unknown = sorted(key.partition(":")[2] for key in counts if key.startswith(f"{_UNKNOWN}:"))
    return Counted(n, rules, counts.get(_NOT_EXAMINED, (0,))[0], unknown)
