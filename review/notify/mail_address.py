"""E-mail addresses and names of sites -> the same, safe in the header of a mail, or an error."""

import re
from email.errors import HeaderParseError
from email.headerregistry import Address

from core.errors import SettingsError

_HOST = re.compile(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*")
_LONGEST_ADDRESS = 254
_LONGEST_SITE = 60


class UnusableAddressError(ValueError):
    """An address that cannot receive mail; the message says why and does not repeat the address."""


def checked_address(text: str) -> str:
    """local@domain in ASCII, the domain as IDNA; refuses what could end a header line or add a second address."""
    if not text or len(text) > _LONGEST_ADDRESS:
        raise UnusableAddressError("is empty or too long")
    local, _, domain = text.rpartition("@")
    if not local or not domain or any(not character.isprintable() or character.isspace() for character in text):
        raise UnusableAddressError("is not of the form name@example.org")
    try:
        host = domain.encode("idna").decode("ascii").lower()
        address = Address(addr_spec=f"{local}@{host}")
    except (UnicodeError, ValueError, IndexError, HeaderParseError):
        raise UnusableAddressError("is not of the form name@example.org") from None
    if not _HOST.fullmatch(host):
        raise UnusableAddressError("does not name a host after the @")
    if (
        not local.isascii()
        or address.addr_spec != f"{local}@{host}"
        or any(character in '<>,;:\\"()[]@' for character in local)
    ):
        raise UnusableAddressError("has characters that not every server accepts")
    return f"{local}@{host}"


def checked_sender(text: str) -> str:
    try:
        return checked_address(text)
    except UnusableAddressError as fault:
        raise SettingsError(f"mail.sender: {text!r} {fault}; give the address that digests come from") from None


def checked_site(text: str) -> str:
    if not text.strip() or len(text) > _LONGEST_SITE or not text.isprintable():
        raise SettingsError(f"mail.site: {text!r} must have 1 to {_LONGEST_SITE} printable characters on one line")
    return text.strip()
