"""First bytes -> the media type of what only a key opens: OpenPGP, CMS, age, OpenSSL, vaults."""

import re

PGP = "application/pgp-encrypted"
CMS = "application/pkcs7-mime"
AGE = "application/x-age-encrypted"
OPENSSL = "application/x-openssl-encrypted"
VAULT = "application/x-vault-encrypted"
_SIGNATURES = (
    (b"Salted__", OPENSSL),
    (b"age-encryption.org/v1\n", AGE),
    (b"\x00GITCRYPT\x00", VAULT),
    (b"$ANSIBLE_VAULT;", VAULT),
    (b"\x03\xd9\xa2\x9a", "application/x-keepass-encrypted"),
    (b"encrcdsa", VAULT),
)
_ARMOUR = re.compile(
    rb"-----BEGIN (PGP MESSAGE|AGE ENCRYPTED FILE)(?:, PART [0-9/]{1,9})?-----\s"
    rb"(?:[A-Za-z]{1,20}: [^\r\n]{0,200}\r?\n){0,10}\s{0,4}[A-Za-z0-9+/=]{20,}"
)
# ContentInfo of enveloped, encrypted and authenticated enveloped data.
_CMS = re.compile(
    rb"\x30(?:\x80|[\x03-\x7f]|\x81.|\x82..|\x83...|\x84....)"
    rb"\x06(?:\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07[\x03\x04\x06]|\x0b\x2a\x86\x48\x86\xf7\x0d\x01\x09\x10\x01\x17)",
    re.S,
)
_FOR_A_KEY, _FOR_A_PASSWORD = 1, 3
_FIRST_PACKETS = frozenset({_FOR_A_KEY, _FOR_A_PASSWORD})
_LATER_PACKETS = _FIRST_PACKETS | {9, 18, 20}
_VERSIONS = {_FOR_A_KEY: (3, 6), _FOR_A_PASSWORD: (4, 5, 6)}
_KEY_ALGORITHMS = frozenset({1, 2, 16, 18, 25, 26})
_MOST_PACKETS = 20


def encrypted_media_type(data: bytes) -> str:
    """Empty if the bytes do not begin like something encrypted."""
    for beginning, media_type in _SIGNATURES:
        if data.startswith(beginning):
            return media_type
    if data[:1] == b"\x30" and _CMS.match(data):
        return CMS
    if data[:1] == b"-" and (armour := _ARMOUR.match(data)) is not None:
        return PGP if armour[1].startswith(b"PGP") else AGE
    return PGP if data[:1] in (b"\x84", b"\x85", b"\x8c", b"\xc1", b"\xc3") and _is_openpgp(data) else ""


def armour_in(text: str) -> str:
    """What is encrypted within a text, such as `PGP MESSAGE`; empty if nothing is."""
    if "-----BEGIN " not in text:
        return ""
    armour = _ARMOUR.search(text.encode("utf-8", "replace"))
    return armour[1].decode() if armour else ""


def _is_openpgp(data: bytes) -> bool:
    """A packet with a key for somebody, then encrypted data: random bytes do not chain like that."""
    place = 0
    for number in range(_MOST_PACKETS):
        tag, start, length = _packet(data, place)
        if tag not in (_LATER_PACKETS if number else _FIRST_PACKETS):
            return False
        if tag not in _FIRST_PACKETS:
            return True
        body = data[start : start + 10]
        if len(body) < 10 or body[0] not in _VERSIONS[tag]:
            return False
        if tag == _FOR_A_KEY and body[0] == 3 and body[9] not in _KEY_ALGORITHMS:
            return False
        place = start + length
    return True


def _packet(data: bytes, place: int) -> tuple[int, int, int]:
    """Tag, start and length of the body; the tag is -1 where no packet begins."""
    head = data[place : place + 6]
    if len(head) < 3 or not head[0] & 0x80:
        return -1, 0, 0
    if head[0] & 0x40:
        if head[1] < 192:
            return head[0] & 0x3F, place + 2, head[1]
        if head[1] < 224:
            return head[0] & 0x3F, place + 3, ((head[1] - 192) << 8) + head[2] + 192
        return head[0] & 0x3F, place + 6, int.from_bytes(head[2:6], "big")
    size = (1, 2, 4, 0)[head[0] & 3]
    return (head[0] >> 2) & 0x0F, place + 1 + size, int.from_bytes(head[1 : 1 + size], "big")
