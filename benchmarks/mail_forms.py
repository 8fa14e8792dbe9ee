"""Our own texts as plain text and inside of mails -> leaks and look-alikes referred: `python -m benchmarks.mail_forms`.

A text must be judged alike wherever it is. Mistakes of the half `find` were looked at, those of `judge` never.
"""

from collections.abc import Callable, Sequence
from typing import Any

from benchmarks.language_sets import PARTS
from benchmarks.own_texts import part_of, referred, texts_kept_apart
from core.records import Segment

_HEADERS = (
    "From: Karen Hill <karen.hill@example.org>\nTo: Bob Stone <bob@example.org>\nSubject: update\n"
    "Date: Mon, 3 Jun 2024 10:00:00 +0000"
)
_NOTICE = (
    "This email and any attachments are confidential and intended solely for the addressee. If you have received it in "
    "error please delete it and notify the sender."
)
_FORMS: dict[str, Callable[[str], str]] = {
    "mail": lambda text: text,
    "signed": lambda text: (
        f"Hi Bob,\n\n{text}\n\nBest regards,\n\nKaren Hill\nOffice Manager | Northside Holdings\nT 613-555-0142"
    ),
    "forwarded": lambda text: (
        "Bob, see below.\n\nThanks,\nKaren Hill\nOffice manager\n\n-----Original Message-----\n"
        + f"{text}\n\n{_NOTICE}\n"
    ),
    "answered": lambda text: (
        "Noted.\n\nOn Mon, 3 Jun 2024 at 10:00, Bob Stone <bob@example.org> wrote:\n"
        + "".join(f"> {line}\n" for line in text.split("\n"))
    ),
}


def main() -> None:
    rows = [row for own in texts_kept_apart().values() for row in own]
    print_referred("plain text", rows, [(Segment("", row["text"]),) for row in rows])
    for name, form in _FORMS.items():
        mails = [(Segment("headers", _HEADERS), Segment("body", form(row["text"]))) for row in rows]
        print_referred(name, rows, mails)


def print_referred(name: str, rows: list[dict[str, Any]], texts: Sequence[tuple[Segment, ...]]) -> None:
    are_referred = referred(texts)
    for part in PARTS:
        counts = []
        for phi in (True, False):
            own = [
                is_referred
                for row, is_referred in zip(rows, are_referred, strict=True)
                if row["phi"] is phi and part_of(row["text"]) == part
            ]
            counts.append(f"{sum(own):>4} of {len(own):<4}")
        print(f"{name:<11} {part:<6} leaks {counts[0]} look-alikes {counts[1]}")


if __name__ == "__main__":
    main()
