"""A body and a moment -> its signature, and a received signature -> whether it is genuine."""

import hmac
import re
from datetime import datetime

HEADER = "Leakscreen-Signature"
WINDOW_SECONDS = 300
_FORM = re.compile(r"t=([0-9]{1,12}),v1=([0-9a-f]{64})")


def sign(body: bytes, secret: str, moment: datetime) -> str:
    """t=<Unix seconds>,v1=<hex of HMAC-SHA256 over the seconds, a full stop and the body>"""
    seconds = int(moment.timestamp())
    return f"t={seconds},v1={_digest(body, secret, seconds)}"


def is_genuine(body: bytes, header: str, secret: str, now: datetime, window: int = WINDOW_SECONDS) -> bool:
    """What a receiver checks: the signature is right, and too recent to be a replay."""
    match = _FORM.fullmatch(header)
    if not match or abs(now.timestamp() - int(match[1])) > window:
        return False
    return hmac.compare_digest(match[2], _digest(body, secret, int(match[1])))


def _digest(body: bytes, secret: str, seconds: int) -> str:
    return hmac.new(secret.encode(), f"{seconds}.".encode() + body, "sha256").hexdigest()
