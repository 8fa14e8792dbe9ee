"""Decided referrals -> lines of verified labels, as `leakscreen evaluate` reads them."""

import csv
import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from django.db.models import Case, F, Value, When

from evaluation.design import CONTENT
from review.models import Kind, ReferralPath, Seen, State, Verdict
from review.referrals.draws import chances_in
from review.referrals.identity import referral_id
from review.referrals.rows import Row, without_nulls

COLUMNS = ("uri", "phi", "stratum", "probability", "scan_id", "unit")
_WORDS = {Verdict.PHI.value: "yes", Verdict.NOT_PHI.value: "no"}


@dataclass(slots=True)
class Exported:
    """What was written; `open_ends` are files of referrals without a yes or no."""

    labels: int = 0
    open_ends: int = 0


_Said = tuple[str, str, str, str, str]  # file, decision, stratum, probability and scan


def label_lines(kind: Kind | None = None) -> tuple[list[list[str]], Exported]:
    """One line for each file that has the content now; without a kind, of what was referred and of what was drawn."""
    return _lines(_of_present_files(kind))


def label_lines_of(scan_id: str, rows: Iterable[Row], kind: Kind | None = None) -> tuple[list[list[str]], Exported]:
    """One line for each row of a scan whose content was referred or drawn, also if later scans saw it too."""
    return _lines(_of_rows(scan_id, rows, [kind] if kind else [Kind.REFERRED, Kind.NEGATIVE]))


def _lines(said: Iterable[_Said]) -> tuple[list[list[str]], Exported]:
    """If any was drawn, every line has a probability."""
    rows = list(said)
    drawn = any(probability for _, _, _, probability, _ in rows)
    chances = cache(chances_in)
    lines, exported = [], Exported()
    for uri, decision, stratum, probability, scan in rows:
        if decision not in _WORDS:
            exported.open_ends += 1
            continue
        exported.labels += 1
        chance = chances(scan).get((stratum, probability), probability) if probability else ""
        # A referral is one content: all its files were drawn as one.
        drawn_as = [stratum if chance else "", chance or "1", scan, CONTENT] if drawn else ["", "", scan, ""]
        lines.append([uri, _WORDS[decision], *drawn_as])
    return lines, exported


def csv_text(lines: list[list[str]]) -> str:
    """URIs are not escaped, because they are joined with results; they never begin like a formula."""
    sheet = io.StringIO()
    writer = csv.writer(sheet, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(lines)
    return sheet.getvalue()


def _of_rows(scan_id: str, rows: Iterable[Row], kinds: list[Kind]) -> Iterator[_Said]:
    seen = {
        referral: (verdict, stratum, probability)
        for referral, verdict, stratum, probability in Seen.objects.filter(scan=scan_id)
        .exclude(referral__state__in=(State.UNSAMPLED, State.SUPERSEDED))
        .values_list("referral", "verdict", "stratum", "probability")
    }
    for row in map(without_nulls, rows):
        for kind in kinds:
            found = seen.get(referral_id(row["source"], row["sha256"], row["uri"], kind))
            if found is not None:
                yield (row["uri"], *found, scan_id)
                break


def _of_present_files(kind: Kind | None) -> Iterator[_Said]:
    paths = ReferralPath.objects.filter(current=True).exclude(referral__state__in=(State.UNSAMPLED, State.SUPERSEDED))
    if kind is not None:
        paths = paths.filter(referral__kind=kind)
    # What was judged as a group stays open here: nobody looked at each of its files.
    paths = paths.annotate(
        measured=Case(When(referral__by_group=True, then=Value("")), default=F("referral__decision"))
    )
    named = ("uri", "measured", "referral__stratum", "referral__probability", "scan")
    yield from paths.order_by("uri", "pk").values_list(*named).iterator(chunk_size=2_000)
