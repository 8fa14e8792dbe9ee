"""A draft and attachments -> the bytes of an e-mail."""

import email.policy
from datetime import UTC, datetime, timedelta
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import format_datetime
from mimetypes import guess_type
from random import Random

from leakscreen.demo.draft import Draft, Heading, Paragraph
from leakscreen.demo.people import Person

_FIRST_MAIL = datetime(2017, 1, 2, 8, 0, tzinfo=UTC)
_MINUTES_OF_MAIL = 4_000_000


def render_mail(dice: Random, draft: Draft, people: tuple[Person, ...], attachments: list[tuple[str, bytes]]) -> bytes:
    writer, reader = dice.sample(people, 2)
    message = EmailMessage(policy=email.policy.SMTP)
    message["From"] = _address(writer)
    message["To"] = _address(reader)
    message["Subject"] = draft.title
    message["Date"] = format_datetime(_FIRST_MAIL + timedelta(minutes=dice.randrange(_MINUTES_OF_MAIL)))
    message["Message-ID"] = f"<{dice.getrandbits(64):016x}@example.org>"
    message.set_content(_body(draft))
    for name, content in attachments:
        media, _ = guess_type(name)
        main, _, sub = (media or "application/octet-stream").partition("/")
        message.add_attachment(content, maintype=main, subtype=sub, filename=name)
    if attachments:
        # The library's own boundary is random, and would make each run another file.
        message.set_boundary(f"=={dice.getrandbits(64):016x}==")
    return message.as_bytes()


def _address(person: Person) -> Address:
    return Address(person.name, addr_spec=person.email)


def _body(draft: Draft) -> str:
    lines = []
    for part in draft.parts:
        if isinstance(part, Heading | Paragraph):
            lines += [part.text, ""]
        else:
            lines += ["\t".join(row) for row in part.rows]
    return "\n".join(lines)
