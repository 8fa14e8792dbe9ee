"""Environment or key file -> the service's key, and from it one key for each use."""

import hmac
import os
from collections.abc import Mapping

from core.errors import SettingsError
from screening.privacy.key import KEY_BYTES, default_key_file, load_key

KEY_IN_ENV = "LEAKSCREEN_SECRET_KEY"


def load_service_key(key_file: str, environ: Mapping[str, str] = os.environ) -> bytes:
    """The key from the environment, else from the file, which is created on first use with mode 0600."""
    if KEY_IN_ENV in environ:
        text = environ[KEY_IN_ENV].strip()
        if len(text) < KEY_BYTES:
            raise SettingsError(
                f"{KEY_IN_ENV}: must have at least {KEY_BYTES} characters;"
                f" `openssl rand -hex {KEY_BYTES}` prints a good one"
            )
        return text.encode()
    path = key_file or str(default_key_file(environ).with_name("review.key"))
    return load_key(path, environ={})


def derived(key: bytes, use: str) -> bytes:
    """Sessions and audit log have keys of their own, so that neither can be used to forge the other."""
    return hmac.digest(key, b"leakscreen review: " + use.encode(), "sha256")
