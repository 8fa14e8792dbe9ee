"""A folder or a masked value of a referral -> an entry of the allow list that the next scan reads, with an end."""

import re
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

from django.conf import settings
from django.utils import timezone

from core.errors import LeakscreenError
from core.settings import Settings
from review.models import Finding, Referral
from review.translation import gettext as _
from screening.privacy.key import fingerprint, load_key
from screening.ruleset.allowlist import Entry, append_entry, load_entries
from screening.ruleset.ruleset import rules_of

MOST_DAYS = 366
_MAGIC = re.compile(r"[\[*?]")


class IgnoreError(Exception):
    """Nothing was added; the message says why."""


@dataclass(frozen=True, slots=True)
class Grounds:
    reason: str
    author: str
    expires: date


def allow_list() -> str:
    """The file that entries are added to; empty where the settings name none."""
    here: Settings = settings.LEAKSCREEN
    return here.rules.allow[0] if here.rules.allow else ""


def folders_of(uri: str) -> list[str]:
    """The folders that a file is in, the nearest first; never a whole source's first two levels."""
    folders, at = [], len(uri)
    while (at := uri.rfind("/", 0, at)) > 0 and uri.count("/", 0, at) > 1:
        folders.append(uri[:at])
    return folders


def ignore_folder(referral: Referral, folder: str, grounds: Grounds) -> Entry:
    """All files below a folder of the referral."""
    if not any(folder in folders_of(uri) for uri in referral.paths.values_list("uri", flat=True)):
        raise IgnoreError(_("The file is not in this folder."))
    glob = _MAGIC.sub(lambda sign: f"[{sign.group()}]", folder) + "/*"
    return _append(Entry(allow_list(), "", "", "", glob, grounds.reason, grounds.author, grounds.expires))


def ignore_value(referral: Referral, characteristic: str, hashed: str, grounds: Grounds) -> Entry:
    """A value of the referral's evidence by its hash; the value itself is known to nobody here."""
    finding = Finding.objects.filter(pk=referral.pk).first()
    pieces = {(piece["characteristic"], piece["hmac"]) for piece in finding.evidence} if finding else set()
    if (characteristic, hashed) not in pieces:
        raise IgnoreError(_("This value is not in the evidence of the file."))
    here: Settings = settings.LEAKSCREEN
    key = fingerprint(load_key(here.privacy.key_file))
    return _append(
        Entry(allow_list(), characteristic, hashed, key, "", grounds.reason, grounds.author, grounds.expires)
    )


def entries() -> list[Entry]:
    """All that is ignored now or was once."""
    here: Settings = settings.LEAKSCREEN
    files = [file for file in here.rules.allow if Path(file).exists()]
    known = [characteristic.id for characteristic in rules_of(here.rules).characteristics]
    return load_entries(files, known)


def _append(entry: Entry) -> Entry:
    today = timezone.now().date()
    if not entry.file:
        raise IgnoreError(_('No allow list is set: name one in the settings, such as rules.allow = ["allow.toml"].'))
    if not entry.reason.strip():
        raise IgnoreError(_("Say why it may be ignored."))
    if not today < entry.expires <= today + timedelta(days=MOST_DAYS):
        raise IgnoreError(_("The end must be a day after today, at most %s days from now.") % MOST_DAYS)
    try:
        entries()  # do not append to a list that cannot be read
        append_entry(entry)
    except LeakscreenError as error:
        raise IgnoreError(_("The allow list cannot be used: %s") % error) from None
    except OSError as error:
        raise IgnoreError(
            _("%(file)s cannot be written: %(why)s.") % {"file": entry.file, "why": error.strerror}
        ) from None
    return entry
