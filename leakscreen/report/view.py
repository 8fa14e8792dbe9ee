"""A summary and a manifest -> what the page shows, as text and bars, so that the template only prints."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core.in_words import spoken_type
from core.records import NOT_EXAMINED, Status
from leakscreen.report.format import UNDEFINED, count, duration, number, plural, share, size
from leakscreen.report.plots import Bar, Slice, stack, width

MOST_BARS = 16
_SHOWN_ELSEWHERE = frozenset({"scan_id", "sources", "started", "settings", "seal"})
_STATUS_ORDER = (
    Status.COMPLETE,
    Status.PARTIAL,
    Status.CONTAINER,
    Status.UNSUPPORTED,
    Status.ENCRYPTED,
    Status.FAILED,
    Status.UNREADABLE,
)
_RISKS = {
    "high": "name, place and more: enough for a third party to identify the person",
    "medium": "two of the three: one or two other sources are needed",
    "low": "one of the three",
    "none": "none of the three",
}


@dataclass(frozen=True, slots=True)
class Plot:
    bars: list[Bar]
    left_out: int


def tally(counts: Any) -> dict[str, float]:
    """A mapping of counts, without values that are no counts."""
    if not isinstance(counts, Mapping):
        return {}
    return {str(key): known for key, value in counts.items() if (known := number(value)) is not None}


def not_examined(summary: Mapping[str, Any]) -> int:
    counts = tally(summary.get("status"))
    return int(sum(counts.get(status.value, 0) for status in NOT_EXAMINED))


def reconciled(summary: Mapping[str, Any]) -> bool:
    """Only if the summary says so: a missing check counts as a failed one."""
    check = summary.get("reconciliation")
    return isinstance(check, Mapping) and check.get("ok") is True


def carried(summary: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """What was carried over from an earlier scan, if anything was."""
    carried_over = summary.get("carried")
    return carried_over if isinstance(carried_over, Mapping) and number(carried_over.get("files")) else None


def sample(summary: Mapping[str, Any]) -> dict[str, Any] | None:
    """For a scan of a sample: its size, and the estimate for all files."""
    drawn = summary.get("sample")
    if not isinstance(drawn, Mapping):
        return None
    referred = drawn["estimates"]["referred"]
    shown = {name: count(referred[name]) for name in ("low", "high")}
    estimate = f"about {plural(round(referred['files'] or 0), 'file', 'files')}"
    unclear = [
        f"about {plural(round(drawn['estimates'][name]['files']), 'file', 'files')} would be {words}"
        for name, words in (("not_examined", "not examined"), ("not_judged", "read but not judged"))
        if drawn["estimates"].get(name, {}).get("drawn_files")
    ]
    share_drawn = share(drawn["drawn"], drawn["walked"])
    return {**drawn, **shown, "share": share_drawn, "estimate": estimate, "unclear": " and ".join(unclear)}


def funnel(summary: Mapping[str, Any]) -> list[Bar]:
    files, records = number(summary.get("files")), number(summary.get("records"))
    members = int(records - files) if records is not None and files is not None and records > files else 0
    everything = records if members else files
    steps = (
        (
            "Files walked",
            files,
            f"and {plural(members, 'member', 'members')} inside archives and mails" if members else "",
            "files",
        ),
        (
            "Examined",
            number(summary.get("examined")),
            "of files and members" if members else "of the files walked",
            "examined",
        ),
        ("Screened positive", number(summary.get("screened_positive")), "of those examined", "screened"),
        ("Health positive", number(summary.get("health_positive")), "of those screened positive", "health"),
        ("Referred", number(summary.get("referred")), "of those examined", "referred"),
    )
    wholes = (None, everything, steps[1][1], steps[2][1], steps[1][1])
    largest = max((value for value in (everything, *(step[1] for step in steps)) if value is not None), default=None)
    bars = []
    for (label, value, note, tone), whole in zip(steps, wholes, strict=True):
        text = note if tone == "files" else f"{share(value, whole)} {note}"
        ghost = width(everything, largest) if tone == "files" and members else 0.0
        bars.append(Bar(label, count(value), text, width(value, largest), tone, ghost))
    return bars


def statuses(summary: Mapping[str, Any]) -> list[Slice]:
    counts = tally(summary.get("status"))
    total = sum(counts.values())
    ordered = [status.value for status in _STATUS_ORDER]
    names = [name for name in (*ordered, *sorted(set(counts) - set(ordered))) if counts.get(name)]
    return stack(
        (name, count(counts[name]), share(counts[name], total), counts[name], name if name in ordered else "other")
        for name in names
    )


def reasons(summary: Mapping[str, Any]) -> Plot:
    """Why files were not, or only partly, examined: the most frequent reasons first."""
    by_status = summary.get("reasons")
    by_status = by_status if isinstance(by_status, Mapping) else {}
    counted = [
        (amount, str(status), reason or "no reason recorded")
        for status, counts in by_status.items()
        if status not in (Status.COMPLETE, Status.CONTAINER)
        for reason, amount in tally(counts).items()
        if amount
    ]
    counted.sort(key=lambda entry: (-entry[0], entry[1:]))
    largest = counted[0][0] if counted else None
    tones = {status.value for status in Status}
    bars = [
        Bar(reason, count(amount), status, width(amount, largest), status if status in tones else "other")
        for amount, status, reason in counted[:MOST_BARS]
    ]
    return Plot(bars, len(counted) - len(bars))


def media_types(summary: Mapping[str, Any]) -> Plot:
    types = _rows(summary.get("media_types"))
    types.sort(key=lambda entry: (-(number(entry[1].get("files")) or 0), entry[0]))
    largest = number(types[0][1].get("files")) if types else None
    bars = []
    for name, facts in types[:MOST_BARS]:
        files, examined, referred, opened = (
            number(facts.get(key)) for key in ("files", "examined", "referred", "containers")
        )
        read = f"{count(examined)} examined" if examined or not opened else ""
        bars.append(
            Bar(
                spoken_type(name),
                count(files),
                ", ".join(
                    part
                    for part in (size(facts.get("bytes")), read, f"{count(opened)} opened" if opened else "")
                    if part
                ),
                width((examined or 0) + (opened or 0), largest),
                ghost=width(files, largest),
                flag=f"{count(referred)} referred" if referred else "",
            )
        )
    return Plot(bars, len(types) - len(bars))


def rules(summary: Mapping[str, Any]) -> Plot:
    """The tool as a whole, and the rules that fired, most often first."""
    fired = [(name, facts) for name, facts in _rows(summary.get("rules")) if number(facts.get("positive"))]
    fired.sort(key=lambda entry: (-(number(entry[1].get("positive")) or 0), entry[0]))
    largest = number(fired[0][1].get("positive")) if fired else None
    rows = [(name, facts.get("positive"), facts.get("n"), "plain") for name, facts in fired[:MOST_BARS]]
    if fired and number(summary.get("referred")) is not None:
        rows.insert(0, ("referred (both stages)", summary["referred"], summary.get("examined"), "referred"))
    bars = [
        Bar(name, share(positive, n), f"{count(positive)} of {count(n)}", width(positive, largest), tone)
        for name, positive, n, tone in rows
    ]
    return Plot(bars, max(0, len(fired) - MOST_BARS))


def silent_rules(summary: Mapping[str, Any]) -> list[str]:
    return sorted(name for name, facts in _rows(summary.get("rules")) if not number(facts.get("positive")))


def suppressed(summary: Mapping[str, Any]) -> list[str]:
    """Hits removed by allow lists, so that these hide nothing."""
    return [f"{name} {count(hits)}" for name, hits in sorted(tally(summary.get("suppressed")).items()) if hits]


def risks(summary: Mapping[str, Any]) -> list[Bar]:
    counts = tally(summary.get("risk"))
    if not any(counts.values()):
        return []
    largest = max(counts.values())
    return [
        Bar(level.capitalize(), count(counts.get(level)), meaning, width(counts.get(level), largest), level)
        for level, meaning in _RISKS.items()
        if level != "none" or counts.get("none")
    ]


def stages(summary: Mapping[str, Any]) -> list[Bar]:
    steps = _rows(summary.get("stages"))
    largest = max((number(facts.get("seconds")) or 0 for _, facts in steps), default=None)
    bars = []
    for name, facts in steps:
        seconds, amount = number(facts.get("seconds")), number(facts.get("bytes"))
        rate = f"{size(amount / seconds)}/s" if seconds and amount else ""
        note = ", ".join(text for text in (size(amount) if amount else "", rate) if text)
        bars.append(Bar(name, duration(seconds), note, width(seconds, largest)))
    return bars


def flattened(values: Any, prefix: str = "") -> list[tuple[str, str]]:
    """Nested settings as dotted keys, in their order."""
    if isinstance(values, Mapping):
        pairs: list[tuple[str, str]] = []
        for key, value in values.items():
            pairs += flattened(value, f"{prefix}.{key}" if prefix else str(key))
        return pairs
    if isinstance(values, list | tuple):
        return [(prefix, ", ".join(str(value) for value in values) or UNDEFINED)]
    return [(prefix, UNDEFINED if values is None or values == "" else str(values))]


def facts(manifest: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What the scan used apart from its settings: hashes, versions, protection, runner."""
    kept = {key: value for key, value in manifest.items() if key not in _SHOWN_ELSEWHERE}
    return [(key.replace("_", " "), value) for key, value in flattened(kept)]


def _rows(value: Any) -> list[tuple[str, Mapping[str, Any]]]:
    return (
        [(str(key), facts) for key, facts in value.items() if isinstance(facts, Mapping)]
        if isinstance(value, Mapping)
        else []
    )
