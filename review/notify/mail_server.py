"""Mails -> an SMTP server, by STARTTLS or TLS and with a log-in."""

import contextlib
import ipaddress
import os
import smtplib
import ssl
from collections.abc import Mapping

from core.errors import SettingsError
from core.settings.notify import MailSettings
from review.models import Outbox
from review.notify.channel import NotTakenError
from review.notify.mail import mail_bytes
from review.notify.mail_address import UnfitAddressError, fit_address, fit_sender, fit_site
from review.secret_files import given_secret

PASSWORD_IN_ENV = "LEAKSCREEN_MAIL_PASSWORD"  # noqa: S105 - the name of a variable
_ANSWERS = 10  # of the server for one mail, at most


class MailServer:
    """Connects when the first mail comes, and again when a connection broke."""

    def __init__(self, settings: MailSettings, environ: Mapping[str, str] = os.environ) -> None:
        self._settings = settings
        self._sender = fit_sender(settings.sender)
        fit_site(settings.site)
        self._tls = _tls(settings)
        self._password = given_secret(PASSWORD_IN_ENV, settings.password_file, "mail.password_file", environ)
        if settings.user and not self._password:
            raise SettingsError(
                f"mail.user is set, but there is no password: set {PASSWORD_IN_ENV} or mail.password_file"
            )
        self._connection: smtplib.SMTP | None = None
        self.hold_seconds = _ANSWERS * settings.timeout

    def send(self, row: Outbox) -> None:
        if row.recipient is None or not row.recipient.is_active:
            raise NotTakenError("the recipient does not work here any more", for_good=True)
        try:
            address = fit_address(row.recipient.email)
        except UnfitAddressError as fault:
            raise NotTakenError(f"the recipient's address {fault}", for_good=True) from None
        content = mail_bytes(row, self._settings)
        try:
            self._connected().sendmail(self._sender, [address], content)
        except smtplib.SMTPRecipientsRefused as error:
            code, said = next(iter(error.recipients.values()))
            raise NotTakenError(
                f"the server refuses the address: {code} {_words(said)}", for_good=code >= 500
            ) from None
        except smtplib.SMTPDataError as error:
            raise NotTakenError(
                f"the server refuses the mail: {error.smtp_code} {_words(error.smtp_error)}",
                for_good=error.smtp_code >= 500,
            ) from None
        except (smtplib.SMTPException, OSError) as error:
            self.close()
            raise NotTakenError(self._what(error), stop=True) from None

    def close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(smtplib.SMTPException, OSError):
                connection.quit()
            connection.close()

    def _connected(self) -> smtplib.SMTP:
        if self._connection is not None and self._connection.sock is not None:
            return self._connection
        given = self._settings
        if given.security == "tls":
            made: smtplib.SMTP = smtplib.SMTP_SSL(given.host, given.port, timeout=given.timeout, context=self._tls)
        else:
            made = smtplib.SMTP(given.host, given.port, timeout=given.timeout)
        self._connection = made
        if given.security == "starttls":
            made.starttls(context=self._tls)
        if given.user:
            made.login(given.user, self._password)
        return made

    def _what(self, error: Exception) -> str:
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
                return f"{place} broke the connection; it is tried again"
            case TimeoutError():
                return f"{place} did not answer within {self._settings.timeout:g} s; see mail.timeout"
            case OSError() if not isinstance(error, smtplib.SMTPException):
                return (
                    f"{place} cannot be reached: {error.strerror or type(error).__name__}; see mail.host and mail.port"
                )
            case _:
                return f"{place} does not talk as expected ({type(error).__name__}); see mail.security and mail.port"


def _tls(settings: MailSettings) -> ssl.SSLContext | None:
    if settings.security == "none":
        if not _is_here(settings.host):
            raise SettingsError(
                f"mail.security: `none` would send a log-in and mail to {settings.host} in the open; use starttls or tls"
            )
        return None
    return trusting(settings.ca_file, "mail.ca_file")


def trusting(ca_file: str, setting: str) -> ssl.SSLContext:
    try:
        return ssl.create_default_context(cafile=ca_file or None)
    except (OSError, ssl.SSLError):
        raise SettingsError(f"{setting}: {ca_file} cannot be read as PEM") from None


def _is_here(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _words(said: bytes | str) -> str:
    return said.decode("ascii", "replace") if isinstance(said, bytes) else said
