"""`leakscreen known build`: a list of the organisation's people -> an index without values for `rules.known_file`."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from core.errors import OutputError, SettingsError
from core.settings import load_settings
from screening.known.build import Built, build_index
from screening.privacy.key import load_key


def run(
    source: Path,
    primary: str,
    supporting: Sequence[str],
    out: Path,
    flags: Mapping[str, Any],
    config: Path | None,
    as_json: bool,
) -> None:
    key = load_key(load_settings(flags, config=config).privacy.key_file)
    if out.exists() and source.exists() and out.samefile(source):
        raise SettingsError(f"{out}: is the list itself; give --out another file")
    try:
        built = build_index(source, primary, supporting, out, key)
    except OSError as error:
        raise OutputError(f"{out}: cannot be written: {error.strerror}; what was there before is untouched") from None
    if as_json:
        print(json.dumps({**asdict(built), "bytes_a_value": round(built.bytes_a_value, 2), "index": str(out)}))
    else:
        _print(built, out)


def _print(built: Built, out: Path) -> None:
    print(f"{built.indexed:,} of {built.rows:,} people indexed, {built.bytes_a_value:.1f} bytes a value: {out}")
    if built.empty:
        print(f"{built.empty:,} have no primary value and cannot be found")
    for reason, count in built.refused.items():
        print(f"{count:,} were left out: {reason}")
    print(f"scan with --set rules.known_file={out}")
