"""Rows -> RFC 5424 lines that carry CEF, to a file, or to a collector by UDP, TCP or TLS."""

import contextlib
import socket
import ssl
from collections.abc import Iterable, Iterator
from typing import BinaryIO
from urllib.parse import urlsplit

from core.errors import OutputError, SettingsError
from core.settings.notify import SyslogSettings
from leakscreen.export.formats import cef
from leakscreen.export.rows import ExportedScan, Row

_LOG_AUDIT = 13
_SEVERITIES = {"high": 3, "medium": 4, "low": 5, "none": 6}
_PORTS = {"udp": 514, "tcp": 601, "tls": 6514}
_LONGEST_DATAGRAM = 65_000


def write(rows: Iterable[Row], scan: ExportedScan, sink: BinaryIO) -> None:
    for line in lines(rows, scan):
        sink.write(line + b"\n")


def lines(rows: Iterable[Row], scan: ExportedScan) -> Iterator[bytes]:
    host = _host()
    for row in rows:
        priority = _LOG_AUDIT * 8 + (_SEVERITIES[row["risk"]] if row["referred"] else 6)
        head = f"<{priority}>1 {scan.finished:%Y-%m-%dT%H:%M:%SZ} {host} leakscreen - {cef.event_of(row)[0]} - "
        yield (head + cef.line(row, scan)).encode("utf-8", "backslashreplace")


def send(rows: Iterable[Row], scan: ExportedScan, settings: SyslogSettings) -> int:
    """The number of lines sent.

    TCP and TLS count octets before each line (RFC 6587, RFC 5425); UDP sends one datagram a line.
    """
    kind, host, port = place(settings.url)
    sent = 0
    try:
        with _connection(kind, host, port, settings) as connection:
            for line in lines(rows, scan):
                if kind == "udp":
                    connection.send(line[:_LONGEST_DATAGRAM])
                else:
                    connection.sendall(b"%d %s" % (len(line), line))
                sent += 1
            if kind != "udp":
                _drain(connection)
    except ssl.SSLCertVerificationError as error:
        raise OutputError(
            f"the certificate of {host} cannot be trusted: {error.verify_message}; see syslog.ca_file"
        ) from None
    except OSError as error:
        what = error.strerror or type(error).__name__
        raise OutputError(
            f"{settings.url}: {sent:,} lines were sent, then: {what}; send again, lines may come twice; see syslog.url"
        ) from None
    return sent


def place(url: str) -> tuple[str, str, int]:
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    if not host or parts.scheme not in _PORTS or parts.username or parts.path not in ("", "/"):
        raise SettingsError(f"syslog.url: {url!r} is not of the form udp://host:514, tcp://host:601 or tls://host:6514")
    return parts.scheme, host, port or _PORTS[parts.scheme]


def _connection(kind: str, host: str, port: int, settings: SyslogSettings) -> socket.socket:
    if kind == "udp":
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_DGRAM)[0]
        datagrams = socket.socket(family, socket.SOCK_DGRAM)
        datagrams.connect(address)
        return datagrams
    plain = socket.create_connection((host, port), timeout=settings.timeout)
    if kind == "tcp":
        return plain
    try:
        context = ssl.create_default_context(cafile=settings.ca_file or None)
        return context.wrap_socket(plain, server_hostname=host)
    except BaseException:
        plain.close()
        raise


def _drain(connection: socket.socket) -> None:
    """Waits until the collector has read everything: closing at once would throw away what is still on the way."""
    with contextlib.suppress(OSError):
        left = connection.unwrap() if isinstance(connection, ssl.SSLSocket) else connection
        left.shutdown(socket.SHUT_WR)
        while left.recv(4_096):
            pass


def _host() -> str:
    name = "".join(
        letter for letter in socket.gethostname() if letter.isascii() and letter.isprintable() and letter != " "
    )
    return name[:255] or "-"
