"""`leakscreen addressees`: affected people -> a sealed list of names and addresses; every making of one is audited."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from core.atomic import whole_output, write_atomically
from core.errors import OutputError, SettingsError
from core.settings import load_and_configure_log
from leakscreen.commands.people import check_keys
from pipelines.results.folder import open_scan
from remediation.person import person
from screening.privacy.sealed import SealError, passphrase_of, seal, unseal

PASSPHRASE_IN_ENV = "LEAKSCREEN_LIST_PASSPHRASE"  # noqa: S105 - the name, not the passphrase
_MARK = b"leakscreen addressees 1\n"
_SHORTEST_REASON, _LONGEST_REASON = 3, 300


def run(
    scans: Sequence[str], from_reviews: bool, out: Path, reason: str, flags: dict[str, Any], config: Path | None
) -> None:
    passphrase = passphrase_of(os.environ, PASSPHRASE_IN_ENV, "a list of names and addresses")
    if len(reason.strip()) < _SHORTEST_REASON:
        raise SettingsError("a list of names and addresses needs a reason: --reason 'letters to patients, case 12'")
    if not out.absolute().parent.is_dir():
        raise OutputError(f"{out}: cannot be written: no such folder")
    settings = load_and_configure_log(flags, config)
    from review.service.configuration import configure

    configure(settings)
    from leakscreen.breach.addressees import addressees
    from leakscreen.breach.reviewed import existing, read_reviews, scans_in_question
    from review.audit import record
    from review.service.first_start import ensure_database

    ensure_database()
    if not scans and not from_reviews:
        raise SettingsError("name a scan, or take what reviewers verified with --from-reviews")
    folders = [open_scan(scan) for scan in scans] or existing(scans_in_question())
    check_keys(folders)
    subject = ", ".join(folder.scan_id for folder in folders)
    record(person(), "addressees", subject, reason=reason.strip()[:_LONGEST_REASON], verified_only=from_reviews)
    made = addressees(folders, read_reviews().phi if from_reviews else None, settings)
    try:
        write_atomically(out, seal(made.content, passphrase, _MARK))
    except OSError as error:
        raise OutputError(f"{out}: cannot be written: {(error.strerror or type(error).__name__).lower()}") from None
    record(person(), "addressees written", subject, people=made.people, unread_files=made.unread)
    print(f"{made.people:,} people, {made.with_address:,} of them with an address: {out} (sealed)")
    if made.unread:
        print(f"{made.unread:,} files could not be read as the scan saw them; their people have a note in the list")


def run_open(sealed: Path, out: Path | None) -> None:
    passphrase = passphrase_of(os.environ, PASSPHRASE_IN_ENV, "a list of names and addresses")
    try:
        content = unseal(sealed.read_bytes(), passphrase, _MARK)
    except OSError as error:
        raise OutputError(f"{sealed}: cannot be read: {(error.strerror or type(error).__name__).lower()}") from None
    except SealError as error:
        raise OutputError(f"{sealed}: is no list that can be opened: {error}") from None
    with whole_output(out) as sink:
        sink.write(content)
