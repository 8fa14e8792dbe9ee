"""Operations on the breach report: its facts, and the report as a file."""

from datetime import date
from http import HTTPStatus
from typing import Annotated, Any, Literal

from django.http import HttpResponse
from ninja import Query, Router, Schema
from ninja.errors import HttpError
from pydantic import Field

from core.errors import LeakscreenError
from review.accounts.roles import Role, roles_of
from review.api.access import ApiRequest, permitted, refuse_unknown
from review.api.scope import Scope
from review.api.shapes import Problem, Strict
from review.audit import record
from review.breach.reporting import reporter
from review.views import breach as page

router = Router(tags=["breach"])
_FILE: dict[str, Any] = {
    "responses": {
        200: {
            "description": "OK",
            "content": {kind.partition(";")[0]: {"schema": {}} for kind in page.TYPES.values()},
        }
    }
}
_Discovered = Annotated[date | None, Field(description="the day of discovery, from which deadlines are worked out")]


class BreachChoice(Strict):
    discovered: _Discovered = None


class FileChoice(BreachChoice):
    form: Literal["html", "docx", "json"] = "html"


class PeopleOut(Schema):
    count: int
    surely_distinct: int
    at_most: int


class DiagnosisOut(Schema):
    name: str
    sensitive: bool
    files: int
    people: int


class ListedOut(Schema):
    uri: str
    people: int | None
    owner: str
    access: str
    since: str | None
    first_seen: str | None
    case: str | None


class AffectedOut(Schema):
    """Counts of people and of files. What each is about is the name of the field."""

    files: int
    people: PeopleOut
    with_health: int
    known: int
    people_by_characteristic: dict[str, int]
    people_by_jurisdiction: dict[str, int]
    people_by_source: dict[str, int]
    files_by_access: dict[str, int]
    files_by_owner: dict[str, int]
    files_by_risk: dict[str, int]
    diagnoses: list[DiagnosisOut]
    first_seen: str | None
    oldest: str | None
    newest: str | None
    listed: list[ListedOut] = Field(description="the files with most people, for managers")


class DutyOut(Schema):
    law: str
    source: str
    in_force: str
    whom_it_binds: str
    place: str
    people: int
    threshold: int
    notify: str
    by: str
    latest: str | None
    checked: str
    against: str
    note: str


class BreachOut(Schema):
    made: str
    discovered: date | None
    verified: AffectedOut | None
    unverified: AffectedOut | None
    done: dict[str, dict[str, int]]
    duties: list[DutyOut]
    not_advice: str


@router.get("/breach", response={200: BreachOut, 409: Problem})
@permitted(Scope.BREACH_READ, page.breach)
def read_breach(request: ApiRequest, choice: Query[BreachChoice]) -> Any:
    """Who is affected, what was exposed, what was done, and whom laws ask to tell."""
    refuse_unknown(request, BreachChoice)
    facts = _facts(choice.discovered)
    record(request.user.get_username(), "breach report", "", shown=True)
    named = Role.MANAGER in roles_of(request.user)
    parts = {name: _affected(facts[name], named) for name in ("verified", "unverified")}
    return {**facts, "done": facts["done"] or {}, **parts}


@router.get("/breach/file", openapi_extra=_FILE, response={409: Problem})
@permitted(Scope.BREACH_READ, page.breach_file)
def export_breach(request: ApiRequest, choice: Query[FileChoice]) -> HttpResponse:
    """The same as a page for printing, a Word document or JSON."""
    refuse_unknown(request, FileChoice)
    made_by = reporter()
    facts = _facts(choice.discovered)
    content = made_by.written(facts, choice.form) if made_by else b""
    record(request.user.get_username(), "breach report downloaded", choice.form)
    return page.as_file(content, choice.form)


def _facts(discovered: date | None) -> dict[str, Any]:
    made_by = reporter()
    if made_by is None:
        raise HttpError(HTTPStatus.CONFLICT, "Start the service with leakscreen serve: this reads results of scans.")
    try:
        return made_by.facts(discovered)
    except LeakscreenError as error:
        raise HttpError(HTTPStatus.CONFLICT, str(error)) from None


def _affected(part: dict[str, Any] | None, named: bool) -> dict[str, Any] | None:
    if part is None:
        return None
    people = part["people"]
    return {
        **{name: part[name] for name in ("files", "known", "first_seen", "oldest", "newest")},
        "people": people["people"],
        "with_health": people["with_health"],
        "people_by_characteristic": people["by_characteristic"],
        "people_by_jurisdiction": people["by_jurisdiction"],
        "people_by_source": people["by_source"],
        **{f"files_{name}": part[name] for name in ("by_access", "by_owner", "by_risk")},
        "diagnoses": part["by_diagnosis"],
        "listed": part["listed"] if named else [],
    }
