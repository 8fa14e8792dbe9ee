"""A folder on a WebDAV server, such as Nextcloud -> its files; over TLS only."""

import ssl
from collections.abc import Iterator
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import quote, unquote_to_bytes, urlsplit

import requests
from lxml import etree
from requests.adapters import HTTPAdapter
from requests.auth import HTTPBasicAuth

from core.settings import SourceSettings
from extraction.opening.credentials import Credentials, credentials_for, split_user
from extraction.opening.folders import Subfolder, files_below
from extraction.opening.object_store import TOO_BUSY, Fetched, ObjectError, StoredObject
from extraction.opening.servers import REFUSED, SECONDS, unreachable

_CHUNK = 1 << 20
_DAV = "{DAV:}"
_ASKED = (
    b'<?xml version="1.0"?><propfind xmlns="DAV:"><prop>'
    b"<resourcetype/><getcontentlength/><getlastmodified/><getetag/></prop></propfind>"
)
_LISTED, _PART, _OK, _NO_RANGE = 207, 206, 200, 416
_REASONS = {
    401: REFUSED,
    403: "permission denied",
    404: "vanished",
    410: "vanished",
    412: "changed while it was fetched",
    423: "locked by another program",
    429: TOO_BUSY,
    503: TOO_BUSY,
}


def open_store(place: str, settings: SourceSettings) -> "WebDav":
    host = split_user(place.partition("://")[2])[1]
    return WebDav(f"https://{host}", credentials_for(place, settings), settings.connections)


class _SystemTrust(HTTPAdapter):
    """The certificates that the machine trusts, or those in SSL_CERT_FILE."""

    def init_poolmanager(self, *words: Any, **named: Any) -> None:
        super().init_poolmanager(*words, **named, ssl_context=ssl.create_default_context())


class WebDav:
    def __init__(self, root: str, credentials: Credentials, connections: int) -> None:
        self._root = root
        self._session = requests.Session()
        self._session.trust_env = False
        self._session.max_redirects = 3
        self._session.mount("https://", _SystemTrust(pool_maxsize=connections, pool_block=True))
        if credentials.user:
            self._session.auth = HTTPBasicAuth(credentials.user.encode(), credentials.password.encode())

    def objects(self, prefix: str) -> Iterator[StoredObject]:
        if prefix and not prefix.endswith("/"):
            try:
                found = list(self._entries(prefix, depth=0))
            except ObjectError as error:
                if str(error) != "vanished":
                    raise
                return
            yield from (entry for entry in found if isinstance(entry, StoredObject))
        else:
            yield from files_below(prefix.rstrip("/"), self._listed)

    def close(self) -> None:
        self._session.close()

    def fetch(self, key: str, most: int, start: int = 0, version: str = "") -> Fetched:
        headers = {"Range": f"bytes={start}-{start + most - 1}", "Accept-Encoding": "identity"}
        if version:
            headers["If-Match"] = version
        answer = self._asked("GET", key, headers, {_PART, _OK, _NO_RANGE}, stream=True)
        if answer.status_code == _NO_RANGE:  # an empty file has no first byte
            answer.close()
            return Fetched(0, iter(()))
        etag = answer.headers.get("ETag", "")
        if answer.status_code == _OK and start:
            answer.close()
            raise ObjectError("the server does not send parts of files")
        total = answer.headers.get("Content-Range", "").rpartition("/")[2]
        size = int(total) if total.isdigit() else int(answer.headers.get("Content-Length", 0))
        return Fetched(size, _chunks(answer, most), "" if etag.startswith("W/") else etag)

    def _listed(self, folder: str) -> Iterator[StoredObject | Subfolder]:
        for entry in self._entries(folder, depth=1):
            if entry.key != folder:
                yield entry

    def _entries(self, key: str, depth: int) -> Iterator[StoredObject | Subfolder]:
        path = f"{key}/" if depth and key else key
        headers = {"Depth": str(depth), "Content-Type": "application/xml"}
        answer = self._asked("PROPFIND", path, headers, {_LISTED}, data=_ASKED)
        parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False)
        try:
            tree = etree.fromstring(answer.content, parser)
        except etree.XMLSyntaxError:
            raise ObjectError("the server's answer cannot be read") from None
        for response in tree.iter(f"{_DAV}response"):
            yield _entry(response)

    def _asked(self, method: str, key: str, headers: dict[str, str], wanted: set[int], **how: Any) -> Any:
        url = f"{self._root}/{quote(key.encode('utf-8', 'surrogateescape'))}"
        try:
            answer = self._session.request(method, url, headers=headers, timeout=SECONDS, **how)
        except requests.RequestException as error:
            raise unreachable(_cause(error)) from None
        if answer.status_code not in wanted:
            answer.close()
            code = answer.status_code
            raise ObjectError(_REASONS.get(code) or f"the server refused it ({code})")
        return answer


def _chunks(answer: Any, most: int) -> Iterator[bytes]:
    """No more than requested: a server may ignore the range."""
    try:
        for chunk in answer.iter_content(_CHUNK):
            yield chunk[:most]
            most -= len(chunk)
            if most <= 0:
                break
    except requests.RequestException as error:
        raise unreachable(error) from None
    finally:
        answer.close()


def _entry(response: Any) -> StoredObject | Subfolder:
    path = urlsplit(response.findtext(f"{_DAV}href", "")).path
    key = unquote_to_bytes(path).decode("utf-8", "surrogateescape").strip("/")
    if response.find(f".//{_DAV}resourcetype/{_DAV}collection") is not None:
        return Subfolder(key)
    size = response.findtext(f".//{_DAV}getcontentlength", "0")
    etag = response.findtext(f".//{_DAV}getetag", "").strip('"')
    return StoredObject(key, int(size) if size.isdigit() else 0, _moment(response), etag)


def _moment(response: Any) -> int:
    try:
        return int(parsedate_to_datetime(response.findtext(f".//{_DAV}getlastmodified", "")).timestamp()) * 10**9
    except (TypeError, ValueError):
        return 0


def _cause(error: BaseException) -> BaseException:
    """What OpenSSL said, below what the libraries wrapped it in."""
    seen: BaseException | None = error
    for _ in range(8):
        if isinstance(seen, ssl.SSLCertVerificationError) or seen is None:
            break
        reasons = [arg for arg in seen.args if isinstance(arg, BaseException)]
        seen = getattr(seen, "reason", None) or (reasons[0] if reasons else seen.__cause__ or seen.__context__)
        seen = seen if isinstance(seen, BaseException) else None
    return seen or error
