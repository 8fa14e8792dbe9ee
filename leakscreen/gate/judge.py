"""A mail or file in an open descriptor -> its records, by the stages of a scan without Beam."""

import os
import time
from collections.abc import Iterable
from dataclasses import dataclass, replace

from core.records import FileRecord, FileRef, PersonSeen
from extraction.sandbox import Question, Sandbox
from pipelines.bundle.bundle import Engines
from pipelines.results.people import PeopleFile
from pipelines.stages.health import classify_documents
from pipelines.stages.screen import screen_documents
from pipelines.stages.stream import Stream
from pipelines.stages.time_limit import StepLimits

SeenPeople = tuple[str, tuple[PersonSeen, ...]]  # a document, and who is in it as keyed hashes
Figures = dict[str, dict[str, float]]


@dataclass(frozen=True, slots=True)
class Judged:
    """What is kept of a mail: records and keyed hashes of people, and the seconds that it took."""

    records: tuple[FileRecord, ...]
    people: tuple[SeenPeople, ...]
    figures: Figures


class _Gathered(PeopleFile):
    """Keeps the people of one mail in memory, to be written later with those of others."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[SeenPeople] = []

    def add(self, uri: str, people: Iterable[PersonSeen], before: int = 0) -> int:
        seen = tuple(person._replace(mentions=()) for person in people)
        if seen:
            self.rows.append((uri, seen))
        return sum(person.is_affected for person in seen)


class Judge:
    """One sandbox and the loaded models; for one thread at a time."""

    def __init__(self, engines: Engines, seconds: float) -> None:
        """`seconds` for one mail; 0 means the limits of a scan."""
        limits = engines.limits
        if seconds:  # short of the whole time, so that what was read until then is still judged
            file_seconds, screening_seconds = 0.6 * seconds, 0.3 * seconds
            limits = replace(
                limits,
                file_seconds=min(limits.file_seconds, file_seconds),
                screening_seconds=min(limits.screening_seconds, screening_seconds),
            )
        self._limits = StepLimits(limits.screening_seconds, limits.screening_bytes)
        self._engines = engines
        self._sandbox = Sandbox(
            limits,
            ocr=engines.ocr,
            require=engines.require_sandbox,
            passwords_file=engines.passwords_file,
        )

    def judge(self, uri: str, descriptor: int, scan_id: str) -> Judged:
        size = os.fstat(descriptor).st_size
        ref = FileRef(uri=uri, path=os.fsencode(uri), size=size, mtime_ns=time.time_ns())
        gathered = _Gathered()
        stream = Stream(0, iter(()), [ref], people=gathered)
        started = time.perf_counter()
        documents = list(self._sandbox.answers(Question(ref, descriptor, size)))
        stream.spent("extract", time.perf_counter() - started, size)
        engines = self._engines
        screened = screen_documents(stream, iter(documents), engines.screen, self._limits)
        records = classify_documents(
            stream, screened, engines.health, engines.health_batch, scan_id, self._limits, engines.key
        )
        return Judged(tuple(records), tuple(gathered.rows), stream.figures)

    def prepare(self) -> None:
        """A fresh parser process is forked now, if the last file used one up, and not when the next mail waits."""
        _ = self._sandbox.child_pid

    def close(self) -> None:
        self._sandbox.close()
