"""Settings -> everything that actions need: journal, register, vault, a mail server and an allow list."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from core.errors import SettingsError
from core.log import log_event
from core.paths import data_folder
from core.settings import Settings
from core.settings.act import ACTIONS
from remediation.action import Action, LeftAloneError
from remediation.actions.doing import Here, Letter
from remediation.journal import Journal, has_journal, locked
from remediation.person import person
from remediation.register import Register
from remediation.run import doing_of
from remediation.vault import KEY_IN_ENV, KEY_NAME, Vault
from screening.privacy.key import default_key_file, load_key


@dataclass(frozen=True, slots=True)
class Setup:
    settings: Settings
    register: Register
    here: Here
    who: str


@contextmanager
def opened(settings: Settings, *, to_change: bool = True) -> Iterator[Setup]:
    """The journal is read anew and, where it is to change, held against other processes until the end."""
    unknown = sorted(set(settings.act.one_person) - set(ACTIONS))
    if unknown:
        raise SettingsError(f"act.one_person: {unknown[0]!r} is not one of {', '.join(ACTIONS)}")
    folder = folder_of(settings)
    with locked(folder) if to_change else nullcontext():
        key = vault_key(settings) if to_change or has_journal(folder) else os.urandom(32)  # nothing to read yet
        register = Register(Journal.open(folder, key), frozenset(settings.act.one_person))
        before = len(register.journal.entries)
        yield Setup(settings, register, here_of(settings, Vault(folder / "vault", key)), person())
        if len(register.journal.entries) > before:
            _anchor(settings, register.journal)
        if to_change:
            _show_in_cases(settings, register)


def folder_of(settings: Settings) -> Path:
    return Path(settings.act.folder).expanduser().absolute() if settings.act.folder else data_folder() / "act"


def vault_key(settings: Settings) -> bytes:
    path = Path(settings.act.key_file).expanduser() if settings.act.key_file else default_key_file(name=KEY_NAME)
    is_new = KEY_IN_ENV not in os.environ and not path.exists()
    key = load_key(settings.act.key_file, in_env=KEY_IN_ENV, name=KEY_NAME)
    if is_new:
        log_event(
            "act.key", f"made the key of the vault: {path}. Keep a copy elsewhere; without it, no file comes back"
        )
    return key


def here_of(settings: Settings, vault: Vault) -> Here:
    return Here(
        vault=vault,
        settings=settings.act,
        allow_file=settings.act.allow_file or next(iter(settings.rules.allow), ""),
        site=settings.mail.site,
        mail_domain=settings.mail.sender.rpartition("@")[2],
        send=_Sender(settings) if settings.mail.host else None,
        sources=settings.sources,
    )


class _Sender:
    """Connects with the first letter."""

    def __init__(self, settings: Settings) -> None:
        from review.notify.mail import MailServer

        self._settings = settings.mail
        self._server = MailServer(settings.mail)

    def __call__(self, letter: Letter) -> None:
        from review.notify.channel import NotTakenError
        from review.notify.mail import plain_mail
        from review.notify.mail_address import UnusableAddressError, checked_address

        try:
            to = checked_address(letter.to)
            mail = plain_mail(
                self._settings,
                to,
                letter.subject,
                letter.text,
                message_id=letter.message_id,
                created=datetime.now(UTC),
            )
            self._server.hand_over(to, mail.as_bytes())
        except UnusableAddressError as fault:
            raise LeftAloneError(f"the owner's address {fault}") from None
        except NotTakenError as fault:
            raise LeftAloneError(f"the mail was not taken: {fault}") from None


def looked_at(action: Action, here: Here) -> tuple[list[str], str]:
    """What would happen to the file, step by step, or why it would be left alone; looks as closely as a run does."""
    members = action.target.members
    whole = [f"act on the whole archive, for {members:,} referred members"] if members else []
    try:
        doing_of(action).begin(action, here)
        return [*whole, *doing_of(action).would(action, here)], ""
    except LeftAloneError as why:
        return [], str(why)


def uses_service(settings: Settings) -> bool:
    from review.service.database import default_file

    return bool(settings.review.database) or default_file().exists()


def open_service(settings: Settings) -> bool:
    """Whether there is a review service; its database is ready then."""
    if not uses_service(settings):
        return False
    from review.service.configuration import configure

    configure(settings)
    from review.service.first_start import ensure_database

    ensure_database()
    return True


def _show_in_cases(settings: Settings, register: Register) -> None:
    if open_service(settings):
        from review.acting.following import show

        show(register.actions)


def _anchor(settings: Settings, journal: Journal) -> None:
    """Where a review service is in use, its audit log keeps the head of the journal: neither can be cut alone."""
    if not open_service(settings):
        return
    from review.audit import record

    last = journal.entries[-1]
    record(last.who, "act", f"journal:{last.number}", hash=last.hash)
