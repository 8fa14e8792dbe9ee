"""An exception that no view caught -> a page that says what is wrong, and what to do."""

import sys

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse

_PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title></head>
<body><main><h1>{title}</h1><p>{words}</p></main></body></html>
"""
_SECONDS = "10"


def server_error(request: HttpRequest) -> HttpResponse:
    """Uses neither database nor templates, because either may be broken."""
    if isinstance(sys.exc_info()[1], OperationalError | InterfaceError):
        words = "What you sent was not saved; what was saved before is safe. Try again in a moment."
        return HttpResponse(
            _PAGE.format(title="The database does not answer", words=words),
            status=503,
            headers={"Retry-After": _SECONDS},
        )
    words = "No partial change was saved. Try again, and tell the administrator: the log says where the error occurred."
    return HttpResponse(_PAGE.format(title="Something went wrong", words=words), status=500)
