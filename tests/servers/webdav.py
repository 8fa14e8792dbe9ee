"""A real WebDAV server (wsgidav) over TLS on loopback, in a thread."""

import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from socketserver import ThreadingMixIn
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import trustme
from wsgidav.wsgidav_app import WsgiDAVApp

PASSWORD = "pass ü word"


class _Quiet(WSGIRequestHandler):
    def log_message(self, format: str, *words: object) -> None: ...


class _Threads(ThreadingMixIn, WSGIServer):
    daemon_threads = True


@dataclass(frozen=True, slots=True)
class DavServer:
    port: int
    share: Path
    authority: Path

    @property
    def address(self) -> str:
        return f"davs://alice@localhost:{self.port}"


@contextmanager
def webdav(folder: Path) -> Iterator[DavServer]:
    share = folder / "share"
    share.mkdir()
    authority = trustme.CA()
    certificate = authority.issue_cert("localhost")
    authority.cert_pem.write_to_path(folder / "authority.pem")
    app = WsgiDAVApp(
        {
            "provider_mapping": {"/": str(share)},
            "simple_dc": {"user_mapping": {"*": {"alice": {"password": PASSWORD}}}},
            "http_authenticator": {"accept_basic": True, "accept_digest": False, "default_to_digest": False},
            "logging": {"enable": False},
            "verbose": 0,
        }
    )
    server = make_server("127.0.0.1", 0, app, server_class=_Threads, handler_class=_Quiet)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    certificate.configure_cert(context)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield DavServer(server.server_port, share, folder / "authority.pem")
    finally:
        server.shutdown()
        server.server_close()
