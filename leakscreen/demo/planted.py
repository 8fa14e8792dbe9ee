"""What is known about a generated file -> a row of the truth."""

import csv
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Planted:
    """One document of the share: a file of its own, or a member written `outer.zip!inner/a.docx`."""

    uri: str
    kind: str  # phi, pii, health or plain
    template: str
    form: str

    @property
    def phi(self) -> bool:
        return self.kind == "phi"


def write_truth(planted: Iterable[Planted], path: Path) -> None:
    """CSV with the columns uri, phi (0 or 1) and kind."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("uri", "phi", "kind"))
        writer.writerows((document.uri, int(document.phi), document.kind) for document in planted)
