"""An exception that no view caught -> a page that says in plain words what is wrong, and what to do."""

import sys

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse

_PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title></head>
<body><main><h1>{title}</h1><p>{words}</p></main></body></html>
"""
_SECONDS = "10"


def server_error(request: HttpRequest) -> HttpResponse:
    """Asks nothing of a database or a template, either of which may be what is broken."""
    if isinstance(sys.exc_info()[1], OperationalError | InterfaceError):
        words = "What you sent was not saved; what was saved before is safe. Try again in a moment."
        return HttpResponse(
            _PAGE.format(title="The database does not answer", words=words),
            status=503,
            headers={"Retry-After": _SECONDS},
        )
    words = (
        "Nothing half done was kept. Try again, and tell whoever runs this service: its log says where it went wrong."
    )
    return HttpResponse(_PAGE.format(title="Something went wrong", words=words), status=500)
