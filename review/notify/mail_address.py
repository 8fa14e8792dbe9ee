"""Addresses and names of sites -> the same, fit for the header of a mail, or a refusal."""

import re
from email.errors import HeaderParseError
from email.headerregistry import Address

from core.errors import SettingsError

_HOST = re.compile(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*")
_LONGEST_ADDRESS = 254
_LONGEST_SITE = 60


class UnfitAddressError(ValueError):
    """An address that no mail can go to; the message tells why and does not repeat it."""


def fit_address(text: str) -> str:
    """local@domain in ASCII, the domain as IDNA; anything that could end a header line or add a second address is refused."""
    if not text or len(text) > _LONGEST_ADDRESS:
        raise UnfitAddressError("is empty or too long")
    local, _, domain = text.rpartition("@")
    if not local or not domain or any(not character.isprintable() or character.isspace() for character in text):
        raise UnfitAddressError("is not of the form name@example.org")
    try:
        host = domain.encode("idna").decode("ascii").lower()
        address = Address(addr_spec=f"{local}@{host}")
    except (UnicodeError, ValueError, IndexError, HeaderParseError):
        raise UnfitAddressError("is not of the form name@example.org") from None
    if not _HOST.fullmatch(host):
        raise UnfitAddressError("does not name a host after the @")
    if (
        not local.isascii()
        or address.addr_spec != f"{local}@{host}"
        or any(character in '<>,;:\\"()[]@' for character in local)
    ):
        raise UnfitAddressError("has letters that not every server takes")
    return f"{local}@{host}"


def fit_sender(text: str) -> str:
    try:
        return fit_address(text)
    except UnfitAddressError as fault:
        raise SettingsError(f"mail.sender: {text!r} {fault}; give the address that digests come from") from None


def fit_site(text: str) -> str:
    if not text.strip() or len(text) > _LONGEST_SITE or not text.isprintable():
        raise SettingsError(f"mail.site: {text!r} must have 1 to {_LONGEST_SITE} printable characters on one line")
    return text.strip()
