"""A short note in more and more ordinary text -> whether a scan still refers the file: `python -m benchmarks.dilution`.

The note is referred alone. It must be referred as well amid up to 300 kB of speeches, on page 1,990 of 2,000, as the
last of 120 scanned pages, and as row 999,000 of a million.
"""

import argparse
import json
import random
import tempfile
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path

from benchmarks.real_share import Outcome, scanned

NOTE = (
    "Patient: Marianne Oduya  DOB 14/02/1961\n"
    "Seen today with shortness of breath and ankle swelling. Known heart failure and type 2 diabetes.\n"
    "Started furosemide 40 mg daily, metformin continued. Review in two weeks.\n"
)
MESSAGE = "Hi, Trevor Lindqvist was diagnosed with bipolar disorder last week and is on lithium, please cover for him."
_SIZES = (1, 3, 10, 30, 100, 300)  # kB
_PAGES, _PAGE = 2_000, 1_990
_SCANS = 120
_ROWS, _ROW = 1_000_000, 999_000
_FIRST = ("Ann", "Tom", "Grace", "Peter", "Susan", "Mark", "Helen", "Oscar", "Lucy", "Frank")
_LAST = ("Miller", "Baker", "Okafor", "Jensen", "Walsh", "Romero", "Novak", "Tanaka", "Fraser", "Dubois")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder with nonhealth_speeches.jsonl")
    parser.add_argument("--rows", type=int, default=_ROWS, help="rows of the table; 0 leaves it out")
    parser.add_argument("--workers", type=int, default=2)
    arguments = parser.parse_args()
    speeches = _speeches(arguments.data / "nonhealth_speeches.jsonl")
    with tempfile.TemporaryDirectory() as folder:
        for name, content in _files(speeches):
            Path(folder, name).write_bytes(content)
        if arguments.rows:
            _write_table(Path(folder, "table.csv"), arguments.rows)
        outcomes = scanned([Path(folder)], arguments.workers)
        names = {Path(uri).name: outcome for uri, outcome in outcomes.items()}
    wrong = [name for name, outcome in names.items() if outcome.referred == name.startswith("nothing")]
    for name, outcome in sorted(names.items()):
        print(f"  {name:<28}{_in_words(outcome)}{'  WRONG' if name in wrong else ''}")
    hidden = [name for name in names if not name.startswith("nothing")]
    print(f"{len(set(hidden) - set(wrong))} of {len(hidden)} found; {len(set(wrong) - set(hidden))} wrongly referred")


def _in_words(outcome: Outcome) -> str:
    return "referred" if outcome.referred else "screened" if outcome.screened else "not screened"


def _speeches(file: Path) -> str:
    with file.open(encoding="utf-8") as rows:
        return "\n\n".join(json.loads(row)["text"] for row in rows)


def _files(speeches: str) -> Iterator[tuple[str, bytes]]:
    chance = random.Random(16)
    for kind, hidden in (("note", NOTE), ("message", MESSAGE)):
        yield f"{kind}_alone.txt", hidden.encode()
        for size in _SIZES:
            start = chance.randrange(len(speeches) - 1000 * size)
            text = speeches[start : start + 1000 * size]
            yield f"{kind}_in_{size}_kB.txt", _amid(text, hidden, chance).encode()
    start = chance.randrange(len(speeches) - 300_000)
    yield "nothing_in_300_kB.txt", speeches[start : start + 300_000].encode()
    yield "page_1990.txt", "\f".join(_pages(speeches, _PAGES, _PAGE)).encode()
    yield "page_1990.pdf", _pdf(_pages(speeches, _PAGES, _PAGE))
    yield "last_of_120_scans.pdf", _pdf(_pages(speeches, _SCANS, _SCANS))


def _amid(text: str, hidden: str, chance: random.Random) -> str:
    """Between two paragraphs, in the second half."""
    place = text.find("\n", chance.randrange(len(text) // 2, len(text)))
    place = len(text) if place < 0 else place
    return f"{text[:place]}\n\n{hidden}\n{text[place:]}"


def _pages(speeches: str, count: int, place: int) -> Iterator[str]:
    step = 900
    for number in range(1, count + 1):
        start = number * step % (len(speeches) - step)
        yield NOTE if number == place else speeches[start : start + step]


def _pdf(pages: Iterator[str]) -> bytes:
    from reportlab.lib.pagesizes import A4
    from reportlab.pdfgen.canvas import Canvas

    target = BytesIO()
    canvas = Canvas(target, pagesize=A4)
    for page in pages:
        lines = canvas.beginText(50, 790)
        for line in page.splitlines():
            for low in range(0, max(1, len(line)), 90):
                lines.textLine(line[low : low + 90])
        canvas.drawText(lines)
        canvas.showPage()
    canvas.save()
    return target.getvalue()


def _write_table(target: Path, rows: int) -> None:
    """Customers and what they bought; one row has a diagnosis."""
    chance = random.Random(17)
    pick: Callable[[tuple[str, ...]], str] = chance.choice
    with target.open("w", encoding="utf-8") as lines:
        lines.write("id,name,city,bought,remark\n")
        for number in range(1, rows + 1):
            if number == _ROW * rows // _ROWS:
                lines.write(f"{number},Marianne Oduya,Leeds,blanket,has heart failure and diabetes; furosemide 40 mg\n")
            else:
                bought = pick(("chair", "lamp", "desk", "garden hose", "set of plates", "curtains"))
                lines.write(f"{number},{pick(_FIRST)} {pick(_LAST)},Leeds,{bought},paid by card and delivered\n")


if __name__ == "__main__":
    main()
