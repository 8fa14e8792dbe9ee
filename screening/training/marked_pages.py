"""JSON lines of pages with marks -> labelled texts: `{"text": ..., "marks": [[start, end, label], ...]}`."""

import json
from collections.abc import Iterator
from pathlib import Path

from screening.training.labelled import Labelled, Marked


def marked_pages(path: Path) -> Iterator[Labelled]:
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file):
            page = json.loads(line)
            yield Labelled(
                path.stem, f"{path.stem} {number}", page["text"], tuple(Marked(*each) for each in page["marks"])
            )
