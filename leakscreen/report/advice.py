"""What a scan found and could not examine -> what to do next, in order."""

from collections.abc import Mapping
from typing import Any

from core.records import Status
from leakscreen.report.format import count, number
from leakscreen.report.view import reconciled, tally

_UNEXAMINED_ADVICE = {
    Status.ENCRYPTED: "ask the owner for a copy without a password, or for the password, and scan that copy.",
    Status.UNSUPPORTED: "of a type without readable text, such as pictures. "
    "A photographed document can still show a person: look at a sample.",
    Status.FAILED: "damaged, or they broke their parser. "
    "Do not open such a file on an ordinary computer: look at it in an isolated place, or restore it from a backup.",
    Status.UNREADABLE: "run the scan with an account that may read them, or find out why they vanished.",
    Status.PARTIAL: "their first part was screened. Raise the limit that is named as the reason, and scan these files again.",
}


def next_steps(summary: Mapping[str, Any]) -> list[tuple[str, str]]:
    """(what, how) pairs; a step that has nothing to act on is left out."""
    steps: list[tuple[str, str]] = []
    referred = number(summary.get("referred"))
    if not reconciled(summary):
        steps.append(
            ("Repeat the scan", "the totals do not agree, so files may be missing from every figure on this page.")
        )
    if referred:
        which = "the referred file" if referred == 1 else f"the {count(referred)} referred files"
        steps.append(
            (
                f"Review {which}",
                "high risk first. Open the file at its place, and decide: health information about an identifiable person, or not. "
                "Where it is, remove or protect the file and follow your breach procedure.",
            )
        )
        steps.append(
            (
                "Keep each decision",
                "leakscreen refer takes these findings into the review service, and leakscreen serve opens it: two people judge each file, "
                "and its dashboard shows the true detection and false referral probability of every rule. Without it, write one row "
                "per file with its uri and phi as 0 or 1, and give it to leakscreen evaluate.",
            )
        )
    counts = tally(summary.get("status"))
    for status, how in _UNEXAMINED_ADVICE.items():
        if amount := counts.get(status.value):
            steps.append((f"{count(amount)} {status.value} {'file' if amount == 1 else 'files'}", how))
    if not steps and not summary.get("files"):
        return [("Check the source", "name a folder that holds files, and look at what the settings exclude.")]
    return steps or [
        ("Keep this report", "nothing was referred and every file was examined. Scan again when files have changed.")
    ]
