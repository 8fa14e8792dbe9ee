"""Referrals and cases that wait for a person -> a digest by mail: drafted, as bytes, and handed to a server."""

import contextlib
import hashlib
import ipaddress
import os
import smtplib
import ssl
from collections.abc import Mapping, Sequence
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from typing import TYPE_CHECKING, Any

from core.errors import SettingsError
from core.settings import Settings
from core.settings.notify import MailSettings
from review.notify.channel import Draft, Drafted, NotTakenError, Sender
from review.notify.mail_address import UnusableAddressError, checked_address, checked_sender, checked_site
from review.notify.period import period_of
from review.notify.tls import tls_context
from review.secret_files import read_secret

if TYPE_CHECKING:
    from review.models import Outbox
    from review.notify.counts import QueueDigest

MAIL = "mail"
PASSWORD_IN_ENV = "LEAKSCREEN_MAIL_PASSWORD"  # noqa: S105 - the name of a variable
_ANSWERS = 10  # of the server for one mail, at most


class MailChannel:
    """One digest for each person, with the queues that this person may take from and the cases to be dealt with."""

    name = MAIL
    enabled_by = "mail.host"

    def configured(self, settings: Settings) -> bool:
        return bool(settings.mail.host)

    def sender(self, settings: Settings, environ: Mapping[str, str]) -> Sender:
        return MailServer(settings.mail, environ)

    def drafts(self, now: datetime) -> Drafted:
        from django.contrib.auth import get_user_model

        from review.accounts.roles import Role

        drafts: list[Draft] = []
        unreachable: list[str] = []
        roles = (Role.REVIEWER, Role.ADJUDICATOR, Role.MANAGER)
        people = get_user_model().objects.filter(is_active=True, groups__name__in=roles).distinct().order_by("pk")
        for user in people:
            draft = _draft(user, now)
            if draft is None:
                continue
            if _is_reachable(user):
                drafts.append(draft)
            else:
                unreachable.append(user.get_username())
        return Drafted(tuple(drafts), tuple(unreachable))


def _draft(user: Any, now: datetime) -> Draft | None:
    from django.conf import settings
    from django.template.loader import render_to_string
    from django.utils.translation import override

    from review.notify.counts import counts_for
    from review.notify.digest import due_digest, queue_link, service_address

    mail: MailSettings = settings.LEAKSCREEN.mail
    key, domain = f"user:{user.pk}", checked_sender(mail.sender).rpartition("@")[2]
    period = period_of(now, mail.period, mail.hour, mail.timezone)
    digest = due_digest(key, period, domain, lambda since: counts_for(user, since, now))
    if digest is None:
        return None
    site = checked_site(mail.site)
    with override(mail.language):
        rows = [
            {
                "label": _label(queue),
                "new": queue.new,
                "waiting": queue.waiting,
                "overdue": queue.overdue,
                "link": queue_link(queue),
            }
            for queue in digest.queues
        ]
        page = {
            "site": site,
            "rows": rows,
            "home": service_address() + "/",
            "language": mail.language,
            "why": _why(site, mail.period),
            **digest.totals,
        }
        return Draft(
            key=key,
            message_id=digest.message_id,
            channel=MAIL,
            recipient=user,
            period=period,
            subject=_subject(site, digest.totals, [queue.waiting for queue in digest.queues if queue.is_cases]),
            text=render_to_string("review/mail/digest.txt", page),
            html=render_to_string("review/mail/digest.html", page),
            counts=digest.totals,
        )


def _why(site: str, period: str) -> str:
    from review.translation import gettext

    sentences = {
        "hour": gettext("You get this mail because you review for %s, at most once an hour."),
        "day": gettext("You get this mail because you review for %s, at most once a day."),
        "week": gettext("You get this mail because you review for %s, at most once a week."),
    }
    return sentences[period] % site


def _label(queue: "QueueDigest") -> str:
    from review.models import Awaiting
    from review.notify.counts import CASES_OF_NOBODY, CASES_OF_USER
    from review.translation import gettext

    words = {CASES_OF_USER: gettext("Cases assigned to you"), CASES_OF_NOBODY: gettext("Cases assigned to nobody")}
    if queue.awaiting in words:
        return words[queue.awaiting]
    return gettext("%s (to adjudicate)") % queue.name if queue.awaiting == Awaiting.ADJUDICATION else queue.name


def _subject(site: str, totals: dict[str, int], cases: Sequence[int]) -> str:
    from review.translation import gettext, ngettext, number

    counts = {name: number(count) for name, count in totals.items()}
    review = gettext("%(waiting)s waiting for review, %(new)s new") % counts
    if totals["overdue"]:
        review += gettext(", %(overdue)s overdue") % counts
    if not cases:
        return f"[{site}] {review}"
    words = ngettext("%(number)s case", "%(number)s cases", sum(cases)) % {"number": number(sum(cases))}
    return f"[{site}] {review}, {words}" if totals["waiting"] else f"[{site}] {words}"


def _is_reachable(user: Any) -> bool:
    try:
        checked_address(user.email)
    except UnusableAddressError:
        return False
    return True


def plain_mail(
    settings: MailSettings, to: str, subject: str, text: str, *, message_id: str, created: datetime
) -> EmailMessage:
    message = EmailMessage(policy=SMTP)
    message["From"] = Address(checked_site(settings.site), addr_spec=checked_sender(settings.sender))
    message["To"] = Address(addr_spec=checked_address(to))
    message["Subject"] = subject
    message["Date"] = format_datetime(created)
    message["Message-ID"] = message_id
    message["Auto-Submitted"] = "auto-generated"
    message["X-Auto-Response-Suppress"] = "All"
    message.set_content(text)
    return message


def mail_bytes(row: "Outbox", settings: MailSettings) -> bytes:
    """Plain text and HTML; the same bytes at every attempt."""
    to, message_id = row.recipient.email, row.message_id
    message = plain_mail(settings, to, row.subject, row.text, message_id=message_id, created=row.created)
    message.add_alternative(row.html, subtype="html")
    message.set_boundary("=_" + hashlib.sha256(row.message_id.encode()).hexdigest()[:32])
    return message.as_bytes()


class MailServer:
    """Connects for the first mail, and again after a connection broke."""

    def __init__(self, settings: MailSettings, environ: Mapping[str, str] = os.environ) -> None:
        self._settings = settings
        self._sender = checked_sender(settings.sender)
        checked_site(settings.site)
        self._tls = _tls(settings)
        self._password = read_secret(PASSWORD_IN_ENV, settings.password_file, "mail.password_file", environ)
        if settings.user and not self._password:
            raise SettingsError(
                f"mail.user is set, but there is no password: set {PASSWORD_IN_ENV} or mail.password_file"
            )
        self._connection: smtplib.SMTP | None = None
        self.hold_seconds = _ANSWERS * settings.timeout

    def send(self, row: "Outbox") -> None:
        if row.recipient is None or not row.recipient.is_active:
            raise NotTakenError("the recipient no longer works here", for_good=True)
        try:
            address = checked_address(row.recipient.email)
        except UnusableAddressError as fault:
            raise NotTakenError(f"the recipient's address {fault}", for_good=True) from None
        self.hand_over(address, mail_bytes(row, self._settings))

    def hand_over(self, address: str, content: bytes) -> None:
        """Returns only after the server has accepted the mail; otherwise raises NotTakenError."""
        try:
            self._connected().sendmail(self._sender, [address], content)
        except smtplib.SMTPRecipientsRefused as error:
            code, reply = next(iter(error.recipients.values()))
            raise NotTakenError(
                f"the server refuses the address: {code} {_words(reply)}", for_good=code >= 500
            ) from None
        except smtplib.SMTPDataError as error:
            raise NotTakenError(
                f"the server refuses the mail: {error.smtp_code} {_words(error.smtp_error)}",
                for_good=error.smtp_code >= 500,
            ) from None
        except (smtplib.SMTPException, OSError) as error:
            self.close()
            raise NotTakenError(self._explained(error), stop=True) from None

    def check(self) -> str:
        """Connects and logs in, and sends nothing; why that fails, or empty."""
        try:
            self._connected().noop()
        except (smtplib.SMTPException, OSError) as error:
            return self._explained(error)
        finally:
            self.close()
        return ""

    def close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(smtplib.SMTPException, OSError):
                connection.quit()
            connection.close()

    def _connected(self) -> smtplib.SMTP:
        if self._connection is not None and self._connection.sock is not None:
            return self._connection
        mail = self._settings
        if mail.security == "tls":
            server: smtplib.SMTP = smtplib.SMTP_SSL(mail.host, mail.port, timeout=mail.timeout, context=self._tls)
        else:
            server = smtplib.SMTP(mail.host, mail.port, timeout=mail.timeout)
        self._connection = server
        if mail.security == "starttls":
            server.starttls(context=self._tls)
        if mail.user:
            server.login(mail.user, self._password)
        return server

    def _explained(self, error: Exception) -> str:
        place = f"{self._settings.host}:{self._settings.port}"
        match error:
            case smtplib.SMTPAuthenticationError():
                return f"{place} refuses the log-in ({error.smtp_code}); see mail.user and {PASSWORD_IN_ENV}"
            case smtplib.SMTPSenderRefused():
                return f"{place} refuses mail.sender: {error.smtp_code} {_words(error.smtp_error)}"
            case smtplib.SMTPNotSupportedError():
                return f"{place} offers no STARTTLS or no log-in; see mail.security and mail.port"
            case ssl.SSLCertVerificationError():
                return f"the certificate of {place} cannot be trusted: {error.verify_message}; see mail.ca_file"
            case smtplib.SMTPServerDisconnected():
                return f"{place} broke the connection; it will be tried again"
            case TimeoutError():
                return f"{place} did not answer within {self._settings.timeout:g} s; see mail.timeout"
            case OSError() if not isinstance(error, smtplib.SMTPException):
                return (
                    f"{place} cannot be reached: {error.strerror or type(error).__name__}; see mail.host and mail.port"
                )
            case _:
                return f"{place} does not answer as expected ({type(error).__name__}); see mail.security and mail.port"


def _tls(settings: MailSettings) -> ssl.SSLContext | None:
    if settings.security == "none":
        if not _is_this_machine(settings.host):
            raise SettingsError(
                f"mail.security: `none` would send the log-in and mail to {settings.host} without encryption;"
                " use starttls or tls"
            )
        return None
    return tls_context(settings.ca_file, "mail.ca_file")


def _is_this_machine(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _words(reply: bytes | str) -> str:
    return reply.decode("ascii", "replace") if isinstance(reply, bytes) else reply
