"""`leakscreen export-markings`: a session of marked texts -> a corpus that `leakscreen benchmark` reads."""

import os
import sys
from pathlib import Path
from typing import Any

from core.errors import OutputError, ReviewError
from core.in_words import counted
from core.settings import load_settings
from evaluation.formats.written import FORMATS, write_corpus
from review.service.configuration import configure

_OWNER_ONLY, _FILE_OWNER_ONLY = 0o700, 0o600


def run(session: str, form: str, out: Path, flags: dict[str, Any], config: Path | None) -> None:
    """The files hold whole texts, so their folder is new and its owner's alone."""
    if form not in FORMATS:
        raise ReviewError(f"--format: {form!r} is not one of {', '.join(FORMATS)}")
    if out.exists():
        raise OutputError(f"{out}: exists already; name a new folder, because what is written holds whole texts")
    configure(load_settings(flags, config=config))
    from review.audit import SYSTEM
    from review.marking.corpus import gather
    from review.models import MarkingSession
    from review.service.first_start import ensure_database

    ensure_database()
    found = MarkingSession.objects.filter(name=session).first()
    if found is None:
        there = ", ".join(MarkingSession.objects.values_list("name", flat=True)[:20]) or "none"
        raise ReviewError(f"there is no session {session!r}; there is: {there}")
    gathered = gather(found, SYSTEM, form)
    if gathered.documents:
        _write(out, write_corpus(gathered.documents, form))
    words = f"{counted(len(gathered.documents), 'text')} written, {len(gathered.unsettled):,} not settled yet"
    print(f"{words}, {len(gathered.unreadable):,} changed or gone since they were marked", file=sys.stderr)
    if gathered.documents:
        print(f"Whole texts with personal data are in {out}: protect it, and delete it after use.", file=sys.stderr)
        print(f"Next: leakscreen benchmark {out}   (how well the screen finds what people marked)", file=sys.stderr)


def _write(out: Path, files: Any) -> None:
    try:
        out.mkdir(mode=_OWNER_ONLY, parents=True)
        for name, content in files:
            descriptor = os.open(out / name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _FILE_OWNER_ONLY)
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)
    except OSError as error:
        raise OutputError(f"{out}: cannot be written: {error.strerror}") from None
