"""A row of the outbox -> the bytes of a mail, the same ones at each attempt."""

import hashlib
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime

from core.settings.notify import MailSettings
from review.models import Outbox
from review.notify.mail_address import fit_address, fit_sender, fit_site


def mail_bytes(row: Outbox, settings: MailSettings) -> bytes:
    """Plain text and HTML; nothing in it depends on when or how often it is sent."""
    message = EmailMessage(policy=SMTP)
    message["From"] = Address(fit_site(settings.site), addr_spec=fit_sender(settings.sender))
    message["To"] = Address(addr_spec=fit_address(row.recipient.email))
    message["Subject"] = row.subject
    message["Date"] = format_datetime(row.created)
    message["Message-ID"] = row.message_id
    message["Auto-Submitted"] = "auto-generated"
    message["X-Auto-Response-Suppress"] = "All"
    message.set_content(row.text)
    message.add_alternative(row.html, subtype="html")
    message.set_boundary("=_" + hashlib.sha256(row.message_id.encode()).hexdigest()[:32])
    return message.as_bytes()
