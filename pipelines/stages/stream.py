"""A work unit on its way through the fused stages: its refs, its lazy items and what was spent on them."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NoReturn

from core.records import Document, FileRef, Screening
from pipelines.results.people import PeopleFile
from pipelines.stages.duplicates import Duplicate

Screened = tuple[Document, Screening]


@dataclass(slots=True)
class Stream:
    """It cannot be pickled, so its content never crosses a shuffle."""

    unit: int
    items: Iterator[Any]
    refs: list[FileRef]
    figures: dict[str, dict[str, float]] = field(default_factory=dict)
    people: PeopleFile = field(default_factory=PeopleFile)
    duplicates: list[Duplicate] = field(default_factory=list)  # files whose content another file of the unit has

    def __reduce__(self) -> NoReturn:
        self.refuse_to_move()

    @staticmethod
    def refuse_to_move() -> NoReturn:
        raise TypeError(
            "a Stream carries content; this runner must keep Extract, Screen, Health and Write in one fused stage"
        )

    def spent(self, stage: str, seconds: float, size: int = 0) -> None:
        figures = self.figures.setdefault(stage, {"seconds": 0.0, "bytes": 0})
        figures["seconds"] += seconds
        figures["bytes"] += size
