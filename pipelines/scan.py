"""The scan as a Beam graph, read top to bottom."""

from collections.abc import Iterable
from typing import Any

import apache_beam as beam

from pipelines.bundle.bundle import BundleRef
from pipelines.stages.stream import Stream
from pipelines.transforms import Extract, Health, Screen, Write


def build(pipeline: Any, units: Iterable[int], *, scan_id: str, plan: str, files: str, bundle: BundleRef) -> Any:
    """Adds the scan of these work units to a pipeline.

    Only unit numbers are shuffled. From Extract to Write a unit is one lazy stream in one fused stage: documents are
    extracted, screened, classified and forgotten before more are read.
    """
    return (
        pipeline
        | "Work units" >> beam.Create(list(units), reshuffle=False)
        | "Spread over workers" >> beam.Reshuffle()
        | "Extract" >> beam.ParDo(Extract(bundle, plan, files)).with_output_types(Stream)
        | "Screen" >> beam.ParDo(Screen(bundle)).with_output_types(Stream)
        | "Health" >> beam.ParDo(Health(bundle, scan_id)).with_output_types(Stream)
        | "Write" >> beam.ParDo(Write(files)).with_output_types(int)
    )
