"""Summary, manifest and rows -> report.html, escaped and self-contained."""

import base64
import hashlib
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from core.records import Status
from leakscreen.report import findings, view
from leakscreen.report import format as words
from leakscreen.report.access import access_of
from leakscreen.report.advice import next_steps
from leakscreen.report.places import places
from leakscreen.report.reconciliation import sums

_OPENED_AT_FIRST = 3


def render_report(
    summary: dict[str, Any],
    manifest: dict[str, Any],
    top: Sequence[Mapping[str, Any]],
    unexamined: Sequence[Mapping[str, Any]],
    access: Mapping[str | None, int] | None = None,
    people: Mapping[str, int] | None = None,
) -> str:
    """The page as text; it has no script and loads nothing, and its content policy forbids both."""
    environment = _environment()
    style = environment.get_template("style.html.j2").render()
    listed, skipped = top[: findings.MOST_REFERRED], unexamined[: findings.MOST_UNEXAMINED]
    entries = [findings.finding(row) for row in listed]
    counts = view.tally(summary.get("status"))
    incomplete = view.not_examined(summary) + (
        counts.get(Status.PARTIAL.value, 0) if any(_is_partial(row) for row in unexamined) else 0
    )
    return environment.get_template("report.html.j2").render(
        style=style,
        style_hash=_content_hash(style),
        summary=summary,
        manifest=manifest,
        sources=[str(source) for source in manifest.get("sources") or ()],
        reconciliation=summary.get("reconciliation") or {},
        reconciled=view.reconciled(summary),
        not_examined=view.not_examined(summary),
        unprotected=_unprotected(manifest),
        sample=view.sample(summary),
        carried=view.carried(summary),
        funnel=view.funnel(summary),
        statuses=view.statuses(summary),
        reasons=view.reasons(summary),
        not_followed=[(name, amount) for name, amount in view.tally(summary.get("not_followed")).items() if amount],
        media_types=view.media_types(summary),
        rules=view.rules(summary),
        silent_rules=view.silent_rules(summary),
        suppressed=view.suppressed(summary),
        risks=view.risks(summary),
        stages=view.stages(summary),
        sums=sums(summary),
        people=people,
        places=places(top),
        counted_places=len(top),
        access=access_of(access or {}),
        found=entries,
        numbered=any("…" in term for entry in entries for term in entry.terms),
        found_left_out=findings.count_unlisted(len(listed), len(top), summary.get("referred")),
        opened=_OPENED_AT_FIRST,
        missed=[findings.missed(row) for row in skipped],
        missed_left_out=findings.count_unlisted(len(skipped), len(unexamined), incomplete),
        steps=next_steps(summary),
        facts=view.facts(manifest),
        settings=view.flattened(manifest.get("settings") or {}),
    )


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("leakscreen.report", "."),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_printed,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    for name in ("count", "share", "size", "duration", "moment", "plural", "page_title"):
        environment.filters[name] = getattr(words, name)
    return environment


def _printed(value: Any) -> Any:
    """Applied to every printed value: makes invisible characters visible, and None a dash."""
    if value is None:
        return words.UNDEFINED
    return words.visible(value) if type(value) is str else value


def _content_hash(style: str) -> str:
    digest = hashlib.sha256(style.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


def _is_partial(row: Mapping[str, Any]) -> bool:
    return row.get("status") == Status.PARTIAL


def _unprotected(manifest: Mapping[str, Any]) -> bool:
    sandbox = manifest.get("sandbox")
    return (
        isinstance(sandbox, Mapping)
        and bool(sandbox)
        and not any(sandbox.get(name) for name in ("landlock_abi", "landlock", "seccomp"))
    )
