"""What is done beside a file, wherever it is: its owner gets a mail, or an allow list an entry that expires."""

import hashlib
import json
import os
import tomllib
from datetime import date
from pathlib import Path
from typing import Any

from core.atomic import write_atomically
from remediation.action import Action, LeftAloneError
from remediation.actions.doing import Here, Letter
from remediation.targets import MEMBER

_SUBJECT = "[{site}] A file of yours needs your attention ({reference})"
_LETTER = """\
Hello,

a scan of shared files by {site} found that a file which belongs to you ({owner})
should not be where it is.
{path}
Please contact {contact} and give the reference {reference}.
They will tell you which file it is and what to do.

This mail says nothing about the content of the file on purpose. Do not forward the file.
"""


class TellOwner:
    """At least once, under one Message-ID: after a crash the same letter may be sent again."""

    can_undo = False

    def would(self, action: Action, here: Here) -> list[str]:
        try:
            return [f"send a mail to {_address(action, here)}, without anything of the content"]
        except LeftAloneError as why:
            return [f"nothing: {why}"]

    def begin(self, action: Action, here: Here) -> dict[str, Any]:
        if here.send is None:
            raise LeftAloneError("no mail server is set up; see mail.host")
        return {"to": _address(action, here)}

    def carry_out(self, action: Action, here: Here) -> str:
        assert here.send is not None
        here.send(letter(action, here, str(action.facts["to"])))
        return f"sent to {action.facts['to']}"

    def take_back(self, action: Action, here: Here) -> str:
        raise LeftAloneError("a mail that was sent cannot be taken back")


def letter(action: Action, here: Here, to: str) -> Letter:
    target, settings = action.target, here.settings
    shown = settings.mail_paths and not target.name_tells
    words = {
        "site": here.site,
        "owner": target.owner or "unknown owner",
        "reference": action.id,
        "contact": settings.contact,
        "path": f"\n    {_printable(target.uri)}\n" if shown else "",
    }
    name = hashlib.sha256(f"{action.id}\0{target.sha256}\0{target.uri}".encode("utf-8", "surrogatepass")).hexdigest()
    return Letter(
        to=to,
        message_id=f"<act.{action.id}.{name[:24]}@{here.mail_domain or 'leakscreen.invalid'}>",
        subject=_SUBJECT.format(**words),
        text=_LETTER.format(**words),
    )


def _address(action: Action, here: Here) -> str:
    owner, settings = action.target.owner, here.settings
    if owner and settings.owner_domain and not owner.isdigit():
        return f"{owner}@{settings.owner_domain}"
    if settings.owner_fallback:
        return settings.owner_fallback
    raise LeftAloneError("its owner has no mail address; see act.owner_domain and act.owner_fallback")


def _printable(text: str) -> str:
    return "".join(letter if letter.isprintable() else "?" for letter in text)


class IgnoreFile:
    """An entry of an allow list by the exact path; the list is replaced as a whole, so that no half entry is in it."""

    can_undo = True

    def would(self, action: Action, here: Here) -> list[str]:
        return [
            f"add its path to the allow list {here.allow_file or '(none is set)'} until {action.options['until']}:"
            " findings in it are counted apart and not referred"
        ]

    def begin(self, action: Action, here: Here) -> dict[str, Any]:
        if not here.allow_file:
            raise LeftAloneError("no allow list is set; see act.allow_file and rules.allow")
        if date.fromisoformat(action.options["until"]) < here.today():
            raise LeftAloneError("the day until which it is ignored has passed")
        return {"file": os.path.abspath(here.allow_file)}

    def carry_out(self, action: Action, here: Here) -> str:
        path, entry = Path(str(action.facts["file"])), _entry(action)
        content = _read(path)
        if entry not in content:
            _write(path, content + entry)
        return ""

    def take_back(self, action: Action, here: Here) -> str:
        path, entry = Path(str(action.facts["file"])), _entry(action)
        content = _read(path)
        if entry in content:
            _write(path, content.replace(entry, ""))
            return ""
        if f"[{action.id}]" in content:
            raise LeftAloneError("somebody changed the entry; remove it by hand")
        return ""


def _entry(action: Action) -> str:
    """One entry; of an archive also one for all that is in it."""
    patterns = [_literal(action.target.uri)]
    if action.target.members:
        patterns.append(f"{patterns[0]}{MEMBER}*")
    return "".join(_lines(action, pattern) for pattern in patterns)


def _lines(action: Action, pattern: str) -> str:
    lines = {
        "glob": json.dumps(pattern),
        "reason": json.dumps(f"{action.reason} [{action.id}]"),
        "author": json.dumps(f"{action.proposed_by}, {action.approved_by}".rstrip(", ")),
        "expires": action.options["until"],
    }
    return "[[path]]\n" + "".join(f"{name} = {value}\n" for name, value in lines.items()) + "\n"


def _literal(path: str) -> str:
    """A pattern that matches this path alone."""
    return "".join(f"[{letter}]" if letter in "*?[" else letter for letter in path)


def _read(path: Path) -> str:
    try:
        content = path.read_text(encoding="utf-8")
        tomllib.loads(content)
    except FileNotFoundError:
        return ""
    except (OSError, ValueError):
        raise LeftAloneError("the allow list cannot be read as TOML; mend it first") from None
    return content if not content or content.endswith("\n\n") else content.rstrip("\n") + "\n\n"


def _write(path: Path, content: str) -> None:
    mode = path.stat().st_mode & 0o777 if path.exists() else 0o600
    try:
        write_atomically(path, content.encode(), mode)
    except OSError as error:
        raise LeftAloneError(f"the allow list cannot be written ({(error.strerror or '').lower()})") from None
