"""Why a scan did not examine a file, as it wrote it down -> the same in the reader's language.

Scans write reasons in English; numbers, names of errors and programs within them are left as they are.
"""

import re

from django.utils.translation import get_language

from core.languages import UNKNOWN, reason_not_judged
from review.translation import gettext, regrouped
from review.translation import gettext_noop as _

_UNKNOWN_LANGUAGE = reason_not_judged(UNKNOWN)
PHRASES = (
    _("OCR is off"),
    _("OCR time limit"),
    _("%s s a file"),
    _("%s bytes"),
    _("%s objects"),
    _("%s pixels"),
    _("%s pixels a page"),
    _("%s s"),
    _("%s s beyond %s times its size"),
    _("%s encrypted pages"),
    _("%s folders or items could not be read"),
    _("%s pages could not be read"),
    _("%s pages hold only pictures"),
    _("a reason that is not known"),
    _("an encrypted part in it"),
    _("became shorter while it was read"),
    _("broken off"),
    _("broken protocol"),
    _("broken records"),
    _("carving limit"),
    _("%s times the free space"),
    _("changed while it was fetched"),
    _("changed while it was read"),
    _("compression of this Avro file"),
    _("compression of this xar member"),
    _("corrupt"),
    _("crashed the parser"),
    _("crashed the parser too often"),
    _("credentials have expired"),
    _("depth limit"),
    _("device"),
    _("directory"),
    _("disk not read"),
    _("earlier version not read"),
    _("electronic book under digital rights management"),
    _("empty"),
    _("encrypted PDF that no reader opens"),
    _("encrypted by %s"),
    _("encrypted mail"),
    _("encrypted password store"),
    _("encrypted vault"),
    _("encrypted volume"),
    _("expanded size limit"),
    _("frame limit"),
    _("git is not installed, or does not answer"),
    _("health stage raised %s"),
    _("impossible name"),
    _("in an archive tier; it must be restored first"),
    _("in no commit"),
    _("in what no page shows"),
    _("input/output error"),
    _("it has too much to do"),
    _("language not judged"),
    _("letters not legible"),
    _("letters not legible on %s pages"),
    _("letters read without tesseract data for %s"),
    _("locked by another program"),
    _("mail under rights protection"),
    _("member limit"),
    _("member size limit"),
    _("missing from the repository"),
    _("name too long"),
    _("named pipe"),
    _("needs libarchive"),
    _("nesting limit"),
    _("no Word header"),
    _("no content"),
    _("no decoder for it"),
    _("no fields"),
    _("no header"),
    _("no mail in the queue file"),
    _("no presentation"),
    _("no reason recorded"),
    _("no such bucket"),
    _("no such file"),
    _("no such folder"),
    _("no such share"),
    _("no tesseract data for %s"),
    _("no text in an unknown binary type"),
    _("no text in its pages, only pictures"),
    _("no user or no password for it"),
    _("no workbook"),
    _("not a git repository, or one that must not be read"),
    _("not a regular file"),
    _("object limit"),
    _("object stream cannot be unpacked"),
    _("object stream limit"),
    _("only its strings were read"),
    _("only streams could be read"),
    _("only the strings of binary values were read"),
    _("outlines that may be letters"),
    _("page cannot be drawn"),
    _("page or picture not read"),
    _("password-protected Office document"),
    _("password-protected OpenDocument file"),
    _("password-protected PDF"),
    _("password-protected Word document"),
    _("password-protected archive"),
    _("password-protected archive member"),
    _("password-protected presentation"),
    _("password-protected workbook"),
    _("password-protected zip entry"),
    _("permission denied"),
    _("picture not read"),
    _("picture size limit"),
    _("pictures on %s pages with text not read"),
    _("pictures or properties of a password-protected presentation"),
    _("pixels cannot be decoded"),
    _("pixels of a FITS file"),
    _("processor time limit"),
    _("properties of a password-protected document"),
    _("read as plain text"),
    _("read limit"),
    _("rows are missing"),
    _("screening limit"),
    _("screening raised %s"),
    _("socket"),
    _("some pages may be missing"),
    _("sound and film are not examined"),
    _("special file"),
    _("stream cannot be unpacked"),
    _("stream size limit"),
    _("streamed size limit"),
    _("streamed text limit"),
    _("strings of an unknown stream"),
    _("symbolic link"),
    _("tesseract cannot load its language data"),
    _("tesseract is not installed"),
    _("text is burned into it"),
    _("text limit"),
    _("text whose font is not known"),
    _("the database refused it"),
    _("the extra disks is not installed"),
    _("the history of the repository cannot be read to its end"),
    _("the mail could not be parsed"),
    _("the mailbox was replaced while it was listed"),
    _("the password has expired"),
    _("the private key cannot be used"),
    _("the repository cannot be read"),
    _("the server cannot be reached"),
    _("the server does not send parts of files"),
    _("the server does not tell %s"),
    _("the server offers no TLS, or its certificate is not valid"),
    _("the server refused it"),
    _("the server's answer cannot be read"),
    _("the server's certificate is not valid"),
    _("the server's key is not known; add it to known_hosts"),
    _("the store cannot be reached"),
    _("the store cannot be used"),
    _("this server takes no password with such characters"),
    _("time limit"),
    _("timed out after %s s"),
    _("too many open files"),
    _("too small to hold letters"),
    _("truncated"),
    _("unreadable"),
    _("vanished"),
    _("vanished or refused by the server"),
    _("while it was fetched"),
    _("zip compression method %s"),
)
_NUMBER = re.compile(r"\d[\d.,]*")
_DETAIL = re.compile(r"(.+?) \((.*)\)(?:,? (.+))?")
_NAMED = re.compile(r"(.+ (?:by|for|raised|method|tell)) (\S.*)")
_JOINED = (": ", ", ")


def reason_in_words(reason: str) -> str:
    """What we have no words for comes as it was written."""
    if reason == _UNKNOWN_LANGUAGE:
        return gettext("language not recognised")
    if (get_language() or "en").startswith("en"):
        return reason
    return regrouped(_phrase(reason) or _in_parts(reason) or reason)


def _phrase(text: str) -> str:
    """As a whole, with its numbers as they are; empty where there are no words for it."""
    for pattern, values in _forms(text):
        said = gettext(pattern)
        if said != pattern:
            return said % values if values else said
    return ""


def _forms(text: str) -> list[tuple[str, tuple[str, ...]]]:
    named = _NAMED.fullmatch(text)
    return [
        (text, ()),
        (_NUMBER.sub("%s", text), tuple(_NUMBER.findall(text))),
        *([(f"{named[1]} %s", (named[2],))] if named else []),
    ]


def _in_parts(text: str) -> str:
    if found := _DETAIL.fullmatch(text):
        head, detail, rest = found[1], found[2], found[3]
        said = f"{reason_in_words(head)} ({reason_in_words(detail)})"
        return f"{said}, {reason_in_words(rest)}" if rest else said
    for mark in _JOINED:
        head, _mark, rest = text.partition(mark)
        if rest and (_phrase(head) or _phrase(rest)):
            words = gettext("%(first)s: %(second)s") if mark == ": " else "%(first)s, %(second)s"
            return words % {
                "first": reason_in_words(head),
                "second": reason_in_words(rest),
            }
    return ""
