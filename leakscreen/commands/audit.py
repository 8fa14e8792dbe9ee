"""`leakscreen audit verify`: the audit log -> whether and where it was edited, shortened or reordered."""

import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

from core.errors import ReviewError
from core.settings import load_settings
from review.service.configuration import configure

INTACT, BROKEN = 0, 2


def verify(flags: dict[str, Any], config: Path | None, as_json: bool) -> int:
    """Adds the head of an intact log to the anchor file, if there is one; later logs must still contain it."""
    settings = load_settings(flags, config=config)
    configure(settings)
    from review import audit
    from review.service.first_start import ensure_database

    ensure_database()
    anchor = Path(settings.review.audit_anchor) if settings.review.audit_anchor else None
    count, faults = audit.verify(_anchors(anchor, audit.Head))
    head = audit.current_head()
    if anchor and not faults:
        _append(anchor, head.number, head.hash)
    if as_json:
        print(
            json.dumps(
                {"entries": count, "head": asdict(head), "faults": [asdict(fault) for fault in faults]}, indent=2
            )
        )
    else:
        for fault in faults:
            print(f"entry {fault.number}: {fault.what}")
        print(
            f"{count:,} entries, {f'{len(faults):,} faults' if faults else 'unbroken'}; head {head.number} {head.hash}"
        )
    return BROKEN if faults else INTACT


def _anchors(path: Path | None, head: Any) -> list[Any]:
    if path is None or not path.exists():
        return []
    try:
        lines = [line.split() for line in path.read_text(encoding="ascii").splitlines() if line.strip()]
        return [head(int(number), digest) for number, digest in lines]
    except (OSError, ValueError):
        raise ReviewError(f"{path}: not a file of audit heads; each line must hold a number and a hash") from None


def _append(path: Path, number: int, digest: str) -> None:
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        with os.fdopen(descriptor, "a", encoding="ascii") as file:
            file.write(f"{number} {digest}\n")
    except OSError as error:
        raise ReviewError(f"{path}: cannot write the head of the audit log: {error.strerror}") from None
