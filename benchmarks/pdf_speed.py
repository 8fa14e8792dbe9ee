"""PDFs -> files read and CPU seconds, by this project and by pdfminer.six alone, side by side in one run."""

import argparse
import contextlib
import io
import logging
import random
import signal
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from pdfminer.high_level import extract_text
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfgen.canvas import Canvas

from core.records import IN_PLACE, Origin, Status
from core.settings import LimitSettings
from extraction.content import Content
from extraction.extract import Extraction
from extraction.registry import Registry

_WORDS = "visit report Monday result number street dose ward plan of the and with for patient clinic letter history"
WORDS = [*_WORDS.split(), "review"]
SECONDS = 20


class Gathered:
    """A sink that counts letters; text of properties and attachments does not make a file read."""

    def __init__(self) -> None:
        self.letters = 0
        self.depth = 0

    def start(self, path: str, origin: Origin = IN_PLACE) -> None:
        self.depth += 1

    def identified(self, media_type: str, sha256: str | None, size: int) -> None: ...

    def text(self, where: str, encoded: bytes) -> None:
        if self.depth == 0 and where.startswith("page"):
            self.letters += len(encoded.strip())

    def window(self) -> None: ...

    def end(self, status: Status, reason: str) -> None:
        self.depth -= 1


@dataclass(slots=True)
class Figures:
    read: int = 0
    letters: int = 0
    stopped: int = 0
    seconds: float = 0.0


def generated(count: int) -> Iterator[bytes]:
    """Letters of one to eight pages, some with forms, some under an empty password."""
    chance = random.Random(1)
    for number in range(count):
        out = io.BytesIO()
        lock = StandardEncryption("", ownerPassword="owner", strength=128) if number % 10 == 0 else None
        canvas = Canvas(out, encrypt=lock, pageCompression=number % 2)
        for _ in range(chance.randint(1, 8)):
            for line in range(45):
                canvas.drawString(60, 780 - 16 * line, " ".join(chance.choices(WORDS, k=12)))
            if number % 5 == 0:
                canvas.acroForm.textfield(name="name", value="Filled in", x=60, y=40, width=300, height=20)
            canvas.showPage()
        canvas.save()
        yield out.getvalue()


def ours() -> Callable[[bytes], int]:
    """Without OCR, which the other has not."""
    registry = Registry()
    limits = LimitSettings()

    def read(data: bytes) -> int:
        sink = Gathered()
        Extraction(registry, limits, sink).examine(Content(data, len(data)))
        return sink.letters

    return read


def theirs(data: bytes) -> int:
    return len(extract_text(io.BytesIO(data)).strip())


@contextlib.contextmanager
def no_longer_than(seconds: int) -> Iterator[None]:
    def stop(*_: object) -> None:
        raise TimeoutError

    signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)


def measured(read: Callable[[bytes], int], files: list[bytes]) -> Figures:
    figures = Figures()
    read(files[-1])
    for data in files:
        started = time.process_time()
        letters = 0
        try:
            with no_longer_than(SECONDS):
                letters = read(data)
        except TimeoutError:
            figures.stopped += 1
        except Exception:  # a file that a reader cannot read is a file not read
            pass
        figures.seconds += time.process_time() - started
        figures.read += letters > 0
        figures.letters += letters
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, help="folder with further PDFs, searched to any depth")
    parser.add_argument("--generated", type=int, default=100, help="PDFs made for the run")
    arguments = parser.parse_args()
    logging.disable()
    warnings.simplefilter("ignore")
    paths = sorted(arguments.data.rglob("*.pdf")) if arguments.data else []
    files = [path.read_bytes() for path in paths if path.is_file()] + list(generated(arguments.generated))
    print(f"{len(files)} PDFs, {sum(map(len, files)) / 1e6:.1f} MB, of them {len(paths)} found")
    mine, other = measured(ours(), files), measured(theirs, files)
    for name, figures in (("leakscreen", mine), ("pdfminer.six", other)):
        per_second = len(files) / figures.seconds
        print(
            f"{name:13} read {figures.read}, {figures.letters:,} letters, stopped after {SECONDS} s: "
            f"{figures.stopped}, "
            f"{figures.seconds:.2f} CPU s, {per_second:.1f} files/s"
        )
    print(f"speed {other.seconds / mine.seconds:.1f} times pdfminer.six, {mine.read - other.read:+d} files read")


if __name__ == "__main__":
    main()
