"""The scan as a Beam graph, read top to bottom; its four steps are in pipelines/steps.py."""

from collections.abc import Iterable, Iterator
from typing import Any, NoReturn

import apache_beam as beam
from apache_beam.coders.typecoders import registry

from core.settings import ScanSettings
from pipelines.bundle.bundle import BundleRef
from pipelines.results.folder import ScanFolder
from pipelines.stages.stream import Stream
from pipelines.steps import Step, steps_of


def build(
    pipeline: Any, units: Iterable[int], folder: ScanFolder, bundle: BundleRef, settings: ScanSettings | None = None
) -> Any:
    """Adds the scan of these work units to a pipeline.

    Only unit numbers are shuffled. From Extract to Write a unit is one lazy stream in one fused stage: documents are
    extracted, screened, classified and forgotten before more are read.
    """
    step = steps_of(folder, bundle, settings or ScanSettings())
    return (
        pipeline
        | "Work units" >> beam.Create(list(units), reshuffle=False)
        | "Spread over workers" >> beam.Reshuffle()
        | "Extract" >> beam.ParDo(StepFn(step["Extract"])).with_output_types(Stream)
        | "Screen" >> beam.ParDo(StepFn(step["Screen"])).with_output_types(Stream)
        | "Health" >> beam.ParDo(StepFn(step["Health"])).with_output_types(Stream)
        | "Write" >> beam.ParDo(StepFn(step["Write"])).with_output_types(int)
    )


class StepFn(beam.DoFn):
    """A step as Beam calls it."""

    def __init__(self, step: Step) -> None:
        self.step = step

    def setup(self) -> None:
        self.step.setup()

    def process(self, element: Any) -> Iterator[Any]:
        yield from self.step.process(element)

    def teardown(self) -> None:
        self.step.teardown()


class _NoCoder(beam.coders.Coder):
    """What Beam is given for a Stream: a size for its statistics, and a refusal where a runner would move it."""

    def encode(self, value: Stream) -> NoReturn:
        value.refuse_to_move()

    def decode(self, encoded: bytes) -> NoReturn:
        raise TypeError("a Stream is never encoded")

    def estimate_size(self, value: Stream) -> int:
        return 1

    def is_deterministic(self) -> bool:
        return False


registry.register_coder(Stream, _NoCoder)
