"""A file that hides something -> a Case; and the invented letter that all of them hide."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

LINES = (
    "Riverbend Clinic, discharge summary",
    "Patient: Margaret Thompson",
    "Date of birth: 14/03/1961",
    "Address: 48 Larchmont Avenue, Oakville",
    "Phone: (905) 555-0142",
    "MRN: 48813907",
    "Diagnosis: type 2 diabetes mellitus, hypertension",
    "Medication: metformin 500 mg twice daily",
    "She was admitted with chest pain and shortness of breath.",
    "Plan: HbA1c in 3 months, follow-up with cardiology",
)
LETTER = "\n".join(LINES)
HARMLESS_LINES = (
    "Notes for the spring fair",
    "The hall opens at nine. Bring tables, chairs and",
    "bread. The band plays until noon, and the raffle",
    "is drawn before the clean-up starts.",
)
HARMLESS = "\n".join(HARMLESS_LINES)


@dataclass(frozen=True, slots=True, repr=False)
class Case:
    """One file, and those that lie beside it, such as the log of a database.

    A file that leaks must be referred, or end in a status that says what was not read. One that does not leak
    must be `complete` and not referred: a scanner that never says `complete` would be honest and of no use.
    """

    name: str  # of the file, with its extension
    data: bytes
    leaks: bool = True
    beside: dict[str, bytes] = field(default_factory=dict)  # further files of the same folder, by name


Group = Callable[[], Iterator[Case]]
