"""Decided referrals -> lines of verified labels, as `leakscreen evaluate` reads them."""

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import Case, F, Value, When

from evaluation.design import CONTENT
from review.models import Kind, ReferralPath, State, Verdict

COLUMNS = ("uri", "phi", "stratum", "probability", "scan_id", "unit")
_WORDS = {Verdict.PHI.value: "yes", Verdict.NOT_PHI.value: "no"}


@dataclass(slots=True)
class Exported:
    """What was written; `open_ends` are files of referrals without a yes or no."""

    labels: int = 0
    open_ends: int = 0


def label_lines(kind: Kind | None = None, scan_id: str | None = None) -> tuple[list[list[str]], Exported]:
    """One line for each file that has the content now; if any was drawn, every line has a probability.

    Without a kind: of what was referred and of what was drawn from all other files.
    """
    rows = list(_rows(kind, scan_id))
    drawn = any(probability for _, _, _, probability, _ in rows)
    lines, exported = [], Exported()
    for uri, decision, stratum, probability, scan in rows:
        if decision not in _WORDS:
            exported.open_ends += 1
            continue
        exported.labels += 1
        # A referral is one content: all its files were drawn as one.
        drawn_as = [stratum, probability or "1", scan, CONTENT] if drawn else [stratum, "", scan, ""]
        lines.append([uri, _WORDS[decision], *drawn_as])
    return lines, exported


def csv_text(lines: list[list[str]]) -> str:
    """URIs are not escaped, because they are joined with results; they never begin like a formula."""
    sheet = io.StringIO()
    writer = csv.writer(sheet, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(lines)
    return sheet.getvalue()


def _rows(kind: Kind | None, scan_id: str | None) -> Iterator[tuple[str, str, str, str, str]]:
    paths = ReferralPath.objects.filter(current=True).exclude(referral__state__in=(State.UNSAMPLED, State.SUPERSEDED))
    if kind is not None:
        paths = paths.filter(referral__kind=kind)
    if scan_id is not None:
        paths = paths.filter(scan=scan_id)
    # What was judged as a group stays open here: nobody looked at each of its files.
    paths = paths.annotate(
        measured=Case(When(referral__by_group=True, then=Value("")), default=F("referral__decision"))
    )
    named = ("uri", "measured", "referral__stratum", "referral__probability", "scan")
    yield from paths.order_by("uri", "pk").values_list(*named).iterator(chunk_size=2_000)
