"""The setting of a certificate authority -> a TLS context that verifies certificates."""

import ssl

from core.errors import SettingsError


def tls_context(ca_file: str, setting: str) -> ssl.SSLContext:
    try:
        return ssl.create_default_context(cafile=ca_file or None)
    except (OSError, ssl.SSLError):
        raise SettingsError(f"{setting}: {ca_file} cannot be read as PEM") from None
