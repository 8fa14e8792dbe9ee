"""`leakscreen deidentify`: a file, a folder or standard input -> checked copies, and what became of each file."""

import contextlib
import dataclasses
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from core.atomic import whole_output
from core.errors import LeakscreenError, OutputError, SourceError
from core.settings import load_settings
from deidentification.deidentify import WRITTEN, Deidentifier, Outcome
from deidentification.folder import Copied, check_places, copy_file, copy_tree, totals
from deidentification.mapping import passphrase_of, write_mapping

NOT_ALL = 3  # some files have no copy
_STDIN = "-"


def run(
    source: str,
    out: Path | None,
    mapping: Path | None,
    flags: dict[str, Any],
    config: Path | None,
    *,
    quiet: bool,
    as_json: bool,
) -> int:
    settings = load_settings(flags, config=config)
    passphrase = passphrase_of(os.environ) if mapping is not None else ""
    path = Path(source)
    if source != _STDIN and not path.exists():
        raise SourceError(f"{source}: no such file or folder")
    if source != _STDIN and out is None:
        raise OutputError("name the copy with --out")
    if out is not None and source != _STDIN:
        check_places(path, out)
    with contextlib.closing(Deidentifier(settings, mapping=mapping is not None)) as deidentifier:
        if source == _STDIN:
            code = _standard_input(out, deidentifier)
        else:
            assert out is not None
            copies = copy_tree(path, out, deidentifier) if path.is_dir() else iter([copy_file(path, out, deidentifier)])
            code = _report(copies, quiet=quiet, as_json=as_json)
        if mapping is not None and deidentifier.mapping:
            write_mapping(mapping, deidentifier.mapping, passphrase)
    return code


def _standard_input(out: Path | None, deidentifier: Deidentifier) -> int:
    outcome, output = deidentifier.copy(sys.stdin.buffer.read(), "standard input")
    if outcome.status != WRITTEN:
        raise LeakscreenError(f"standard input: {outcome.status}: {outcome.reason}; nothing was written")
    with whole_output(out) as file:
        file.write(output)
    return 0


def _report(copies: Iterator[Copied], *, quiet: bool, as_json: bool) -> int:
    done = []
    for copied in copies:
        done.append(copied)
        if not quiet and not as_json:
            print(_line(copied), flush=True)
    counts = totals(done)
    if as_json:
        rows = [_row(copied) for copied in done]
        print(json.dumps({"files": rows, "totals": counts}, indent=2, ensure_ascii=False))
    elif not quiet or counts.get(WRITTEN, 0) < len(done):
        print(", ".join(f"{count:,} {status}" for status, count in counts.items()) or "no files", file=sys.stderr)
    return 0 if counts.get(WRITTEN, 0) == len(done) else NOT_ALL


def _line(copied: Copied) -> str:
    outcome = copied.outcome
    if outcome.status == WRITTEN:
        replaced = sum(count for _, count in outcome.replaced)
        return f"{copied.source} -> {copied.target}: {replaced:,} replaced, {_share_kept(outcome)} of the text kept"
    return f"{copied.source}: {outcome.status}: {outcome.reason}; nothing was written"


def _share_kept(outcome: Outcome) -> str:
    return f"{100 * outcome.kept / outcome.characters:.0f}%" if outcome.characters else "all"


def _row(copied: Copied) -> dict[str, Any]:
    outcome = dataclasses.asdict(copied.outcome)
    outcome["replaced"] = dict(copied.outcome.replaced)
    return {"source": str(copied.source), "copy": str(copied.target) if copied.target else None, **outcome}
