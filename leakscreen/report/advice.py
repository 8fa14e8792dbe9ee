"""What a scan found and could not examine -> what to do next, in order."""

from collections.abc import Mapping
from typing import Any

from core.records import Status
from leakscreen.report.format import count, number
from leakscreen.report.view import reconciled, tally

_UNEXAMINED_ADVICE = {
    Status.ENCRYPTED: "ask the owner for a copy without a password, or for the password, and scan that copy.",
    Status.UNSUPPORTED: "of a type without readable text, such as pictures. "
    "A photographed document can still identify a person: check a sample.",
    Status.FAILED: "damaged, or they crashed their parser. "
    "Do not open such a file on an ordinary computer: inspect it in an isolated environment, or restore a backup.",
    Status.UNREADABLE: "run the scan with an account that may read them, or find out why they disappeared.",
}
_AT_A_LIMIT = (
    "only the first part was screened. Raise the limit that is given as the reason, and scan these files again."
)
_NOT_ALL_READ = (
    "some of their content could not be read, and no limit was in the way: the reason says what is missing. "
    "Open such a file, or restore a whole copy, and look at the rest."
)


def next_steps(summary: Mapping[str, Any]) -> list[tuple[str, str]]:
    """(what, how) pairs; steps with nothing to act on are omitted."""
    steps: list[tuple[str, str]] = []
    referred = number(summary.get("referred"))
    if not reconciled(summary):
        steps.append(("Repeat the scan", "the totals do not reconcile, so any figure on this page may lack files."))
    if referred:
        which = "the referred file" if referred == 1 else f"the {count(referred)} referred files"
        steps.append(
            (
                f"Review {which}",
                "high risk first. Open the file and decide whether it contains health information about an "
                "identifiable "
                "person. If it does, remove or protect the file and follow your breach procedure.",
            )
        )
        steps.append(
            (
                "Record each decision",
                "leakscreen refer sends these findings to the review service, and leakscreen serve runs it: two people "
                "judge each file, and the dashboard shows the true detection and false referral probability of every "
                "rule. Without it, write a CSV file with the columns uri and phi (0 or 1), and pass it to "
                "leakscreen evaluate.",
            )
        )
    counts = tally(summary.get("status"))
    for status, how in _UNEXAMINED_ADVICE.items():
        if amount := counts.get(status.value):
            steps.append((_files(amount, status.value), how))
    steps += _partial_steps(summary, counts.get(Status.PARTIAL.value, 0))
    if amount := number(summary.get("not_judged")):
        steps.append(
            (
                f"{_files(amount)} in a language that was not judged",
                "the models know English, French, Spanish and German. "
                "Have somebody who knows the language look at them, or translate them and scan the translation.",
            )
        )
    if not steps and not summary.get("files"):
        return [("Check the source", "name a folder that contains files, and check what the settings exclude.")]
    return steps or [
        ("Keep this report", "nothing was referred and every file was examined. Scan again when files change.")
    ]


def _partial_steps(summary: Mapping[str, Any], partial: float) -> list[tuple[str, str]]:
    """A higher limit helps only where a limit was reached."""
    reasons = summary.get("reasons")
    by_reason = tally(reasons.get(Status.PARTIAL.value)) if isinstance(reasons, Mapping) else {}
    limited = sum(amount for reason, amount in by_reason.items() if "limit" in reason)
    steps = []
    if limited:
        steps.append((f"{_files(limited, Status.PARTIAL.value)} that reached a limit", _AT_A_LIMIT))
    if partial > limited:
        steps.append((_files(partial - limited, Status.PARTIAL.value), _NOT_ALL_READ))
    return steps


def _files(amount: float, kind: str = "") -> str:
    return f"{count(amount)} {kind}{' ' if kind else ''}{'file' if amount == 1 else 'files'}"
