"""The API by tokens: the permissions of the pages, errors in one shape, and nothing raw."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from core.errors import ReviewError
from review.accounts.roles import Role
from review.api.scope import Scope
from review.api.service import schema
from review.api.shapes import ReferralFilter
from review.api.tokens import make_token, revoke_token
from review.models import ApiToken, AuditEntry, Kind, Referral, State, Vote
from review.referrals.blind import make_blind
from review.referrals.intake import Intake
from review.referrals.on_record import verify_all
from review.referrals.search import Search
from tests.review.conftest import make_user
from tests.review.made_rows import facts, many, row
from tests.review.test_access import browser

pytestmark = pytest.mark.usefixtures("database_url")
READERS = {Role.REVIEWER, Role.ADJUDICATOR, Role.MANAGER}
WORKERS = {Role.REVIEWER, Role.ADJUDICATOR}
OVERSEERS = {Role.MANAGER, Role.AUDITOR}
UNKNOWN = "0" * 32
# Every operation: its scope, the roles that may, and what answers where there is nothing.
OPERATIONS: dict[tuple[str, str], tuple[Scope | None, set[Role], int]] = {
    ("get", "/me"): (None, set(Role), 200),
    ("get", "/referrals"): (Scope.REFERRALS_READ, READERS, 200),
    ("get", "/referrals/{pk}"): (Scope.REFERRALS_READ, READERS, 404),
    ("post", "/next"): (Scope.REFERRALS_JUDGE, WORKERS, 204),
    ("post", "/referrals/{pk}/release"): (Scope.REFERRALS_JUDGE, WORKERS, 404),
    ("post", "/referrals/{pk}/votes"): (Scope.REFERRALS_JUDGE, WORKERS, 404),
    ("post", "/votes/{number}/undo"): (Scope.REFERRALS_JUDGE, WORKERS, 404),
    ("get", "/cases"): (Scope.REFERRALS_READ, READERS, 200),
    ("get", "/cases/{pk}"): (Scope.REFERRALS_READ, READERS, 404),
    ("post", "/cases/{pk}"): (Scope.CASES_CHANGE, READERS, 404),
    ("get", "/cases/{pk}/actions"): (Scope.REFERRALS_READ, READERS, 404),
    ("post", "/cases/{pk}/actions"): (Scope.CASES_ACT, READERS, 404),
    ("post", "/cases/{pk}/actions/wish"): (Scope.CASES_ACT, READERS, 404),
    ("get", "/groups/{pk}"): (Scope.REFERRALS_READ, READERS, 404),
    ("post", "/groups/{pk}/votes"): (Scope.REFERRALS_JUDGE, WORKERS, 404),
    ("get", "/views"): (Scope.REFERRALS_READ, READERS, 200),
    ("post", "/views/{number}/remove"): (Scope.VIEWS_CHANGE, READERS, 404),
    ("post", "/views"): (Scope.VIEWS_CHANGE, READERS, 200),
    ("get", "/ignored"): (Scope.SCANS_READ, OVERSEERS, 200),
    ("post", "/referrals/{pk}/ignore"): (Scope.IGNORED_CHANGE, {Role.MANAGER}, 404),
    ("get", "/scans/desk"): (Scope.SCANS_READ, OVERSEERS, 200),
    ("post", "/scans/start"): (Scope.SCANS_START, {Role.MANAGER}, 404),
    ("get", "/scans/compare"): (Scope.SCANS_READ, OVERSEERS, 404),
    ("get", "/marking"): (Scope.REFERRALS_READ, READERS, 200),
    ("post", "/marking"): (Scope.MARKING_MANAGE, {Role.MANAGER}, 200),
    ("get", "/marking/{number}"): (Scope.REFERRALS_READ, WORKERS, 404),
    ("get", "/queues"): (Scope.SCANS_READ, set(Role), 200),
    ("get", "/scans"): (Scope.SCANS_READ, set(Role), 200),
    ("get", "/unexamined"): (Scope.SCANS_READ, {Role.MANAGER}, 200),
    ("get", "/dashboard/{name}"): (Scope.DASHBOARD_READ, OVERSEERS, 200),
    ("get", "/agreement"): (Scope.DASHBOARD_READ, OVERSEERS, 200),
    ("get", "/samples"): (Scope.DASHBOARD_READ, OVERSEERS, 200),
    ("get", "/breach"): (Scope.BREACH_READ, OVERSEERS, 409),
    ("get", "/breach/file"): (Scope.BREACH_READ, {Role.MANAGER}, 409),
    ("get", "/labels.csv"): (Scope.LABELS_EXPORT, {Role.MANAGER}, 200),
    ("get", "/audit"): (Scope.AUDIT_READ, OVERSEERS, 200),
    ("post", "/audit/check"): (Scope.AUDIT_READ, {Role.AUDITOR}, 200),
}
BODIES: dict[str, dict[str, Any]] = {
    "/next": {},
    "/referrals/{pk}/votes": {"verdict": "phi"},
    "/groups/{pk}/votes": {"verdict": "phi", "members": [UNKNOWN]},
    "/cases/{pk}/actions": {"kind": "quarantine"},
    "/cases/{pk}/actions/wish": {"wish": "approve", "actions": ["0123456789abcdef"]},
    "/scans/start": {"source": "/srv"},
    "/marking": {"name": "corpus"},
    "/views": {"name": "high", "query": "risk=high&nonsense=1"},
    "/referrals/{pk}/ignore": {"folder": "/srv/share/a", "reason": "test data", "expires": "2026-12-31"},
}
QUERIES = {"/scans/compare": {"first": "a", "second": "b"}}


class Program:
    """A program with a token."""

    def __init__(self, owner: User, *scopes: str) -> None:
        self.token, self.secret = make_token(owner, "a test", scopes or tuple(Scope), 30, "mia")
        self.client = Client(SERVER_NAME="localhost", headers={"authorization": f"Bearer {self.secret}"})

    def get(self, path: str, **query: Any) -> Any:
        return self.client.get(f"/api/v1{path}", query)

    def post(self, path: str, body: Any = None) -> Any:
        return self.client.post(f"/api/v1{path}", json.dumps(body or {}), content_type="application/json")


def ask(program: Program, method: str, path: str) -> Any:
    address = path.format(pk=UNKNOWN, number=1, name="rules")
    if method == "get":
        return program.get(address, **QUERIES.get(path, {}))
    return program.post(address, BODIES.get(path))


def is_problem(response: Any, status: int) -> bool:
    body = json.loads(response.content)
    return (
        response.status_code == status == body["status"]
        and response.headers["Content-Type"] == "application/problem+json"
        and {"type", "title", "status", "detail"} <= set(body)
    )


def test_every_operation_is_in_the_table_and_none_reveals() -> None:
    described = schema()
    assert described["openapi"].startswith("3.1")
    operations = {
        (method, path.removeprefix("/api/v1")) for path, methods in described["paths"].items() for method in methods
    }
    assert operations == set(OPERATIONS)
    assert not any("reveal" in path for _, path in operations)


def test_programs_can_filter_by_whatever_the_page_filters_by() -> None:
    assert set(ReferralFilter.model_fields) - {"after", "limit"} == set(Search.__slots__)


@pytest.mark.parametrize("role", [*Role, "none"], ids=str)
def test_every_operation_for_every_role_with_and_without_its_scope(
    role: Role | str, review_settings: Callable[..., None]
) -> None:
    user = make_user("someone", *([role] if role in set(Role) else []))
    whole = Program(user)
    for (method, path), (scope, roles, status) in OPERATIONS.items():
        response = ask(whole, method, path)
        if role in roles or scope is None:
            assert (path, response.status_code) == (path, status)
        else:
            assert (path, is_problem(response, 403)) == (path, True)
        if scope is not None:
            others = Program(user, *(set(Scope) - {scope}))
            response = ask(others, method, path)
            assert (path, is_problem(response, 403)) == (path, True)
            assert scope.value in response.json()["detail"]
        stranger = Client(SERVER_NAME="localhost")
        response = getattr(stranger, method)("/api/v1" + path.format(pk=UNKNOWN, number=1, name="rules"))
        assert (path, is_problem(response, 401)) == (path, True)
        assert response.headers["WWW-Authenticate"] == "Bearer"


def test_a_session_is_no_token() -> None:
    assert is_problem(browser(make_user("mia", *Role)).get("/api/v1/referrals"), 401)


def test_a_token_is_hashed_and_ends_by_time_by_revocation_and_with_its_owner() -> None:
    ann = make_user("ann", "reviewer")
    program = Program(ann)
    assert program.secret not in repr(ApiToken.objects.values()) and len(program.token.digest) == 64
    assert program.get("/me").json()["owner"] == "ann"
    assert ApiToken.objects.get().last_used is not None
    ApiToken.objects.update(expires=timezone.now() - timedelta(seconds=1))
    assert is_problem(program.get("/me"), 401)
    ApiToken.objects.update(expires=timezone.now() + timedelta(days=1))
    User.objects.update(is_active=False)
    assert is_problem(program.get("/me"), 401)
    User.objects.update(is_active=True)
    assert program.get("/me").status_code == 200
    revoke_token(program.token.pk, "mia")
    assert is_problem(program.get("/me"), 401)
    assert list(AuditEntry.objects.values_list("actor", "action")) == [("mia", "token"), ("mia", "token revoked")]
    assert program.secret not in repr(list(AuditEntry.objects.values()))


@pytest.mark.parametrize(
    ("scopes", "days", "name"), [(["all"], 30, "x"), ([], 30, "x"), (["audit:read"], 0, "x"), (["audit:read"], 9, " ")]
)
def test_a_token_without_scope_name_or_end_is_refused(scopes: list[str], days: int, name: str) -> None:
    with pytest.raises(ReviewError):
        make_token(make_user("ann"), name, scopes, days, "mia")
    assert not ApiToken.objects.exists()


def test_managers_make_and_revoke_tokens_on_a_page() -> None:
    mia, ann = make_user("mia", "manager"), make_user("ann", "reviewer")
    client = browser(mia)
    data = {"name": "<b>ticket system</b>", "owner": "ann", "scopes": ["referrals:read"], "days": 7}
    page = client.post(reverse("tokens"), data).content.decode()
    token = ApiToken.objects.get()
    assert (token.owner, token.made_by, token.scopes) == (ann, "mia", ["referrals:read"])
    secret = page.partition("lsk_")[2].partition("<")[0]
    program = Client(SERVER_NAME="localhost", headers={"authorization": f"Bearer lsk_{secret}"})
    assert program.get("/api/v1/me").status_code == 200
    assert "<b>ticket" not in page and secret not in client.get(reverse("tokens")).content.decode()
    assert client.post(reverse("tokens"), {**data, "scopes": ["everything"]}).status_code == 200
    assert ApiToken.objects.count() == 1
    client.post(reverse("token-revoke", args=[token.pk]))
    assert program.get("/api/v1/me").status_code == 401


def test_too_many_requests_of_one_token_have_to_wait(review_settings: Callable[..., None]) -> None:
    review_settings(api_requests=3)
    ann = make_user("ann", "reviewer")
    program, other = Program(ann), Program(ann)
    assert [program.get("/me").status_code for _ in range(4)] == [200, 200, 200, 429]
    refused = program.get("/me")
    assert is_problem(refused, 429) and 0 < int(refused.headers["Retry-After"]) <= 61
    assert other.get("/me").status_code == 200


def test_pages_lead_over_all_referrals_once() -> None:
    Intake(facts()).take(many(23))
    program = Program(make_user("ann", "reviewer"))
    for query in ({}, {"sort": "newest"}, {"sort": "oldest", "risk": "high"}):
        seen, after = [], ""
        while True:
            page = program.get("/referrals", limit=5, after=after, **query).json()
            seen += [item["id"] for item in page["items"]]
            after = page["next"]
            if not after:
                break
        assert len(seen) == len(set(seen)) == page["count"] == (8 if "risk" in query else 23)


def test_work_by_two_reviewers_and_an_adjudicator() -> None:
    Intake(facts()).take([row("/srv/letter.txt")])
    ann, bob, eve = (Program(make_user(name, role)) for name, role in NAMES)
    taken = ann.post("/next").json()
    assert (taken["part"], taken["found"]["counts"]) == ("review", {"last_name": 2, "phone_number": 1})
    assert taken["found"]["evidence"][0]["masked"] == "***-***-1234" and "hmac" not in taken["found"]["evidence"][0]
    address = f"/referrals/{taken['id']}"
    assert bob.post("/next").status_code == 204
    assert is_problem(bob.post(f"{address}/votes", {"verdict": "phi"}), 409)
    body = {"verdict": "phi", "characteristics": ["last_name", "made_up"], "note": "a letter", "key": "my-key-1"}
    first, again = (ann.post(f"{address}/votes", body).json() for _ in range(2))
    assert first == again and first["characteristics"] == ["last_name"]
    # The second reviewer sees no trace of the first.
    seen = bob.post("/next").json()
    assert (seen["state"], seen["votes"], seen["undoable"]) == ("waiting", [], None)
    mine = bob.post(f"{address}/votes", {"verdict": "not_phi", "key": "my-key-1"}).json()
    assert mine["id"] != first["id"]
    assert is_problem(ann.post(f"/votes/{first['id']}/undo"), 409)
    assert is_problem(ann.post(f"/votes/{mine['id']}/undo"), 404)
    assert bob.post(f"/votes/{mine['id']}/undo").json()["verdict"] == "withdrawn"
    bob.post(f"{address}/votes", {"verdict": "unsure"})
    ruling = eve.post("/next").json()
    assert (ruling["part"], len(ruling["votes"])) == ("adjudication", 4)
    assert eve.post(f"{address}/votes", {"verdict": "phi"}).status_code == 200
    decided = ann.get("/referrals", verdict="phi").json()["items"]
    assert [(item["state"], item["decision"]) for item in decided] == [("decided", "phi")]
    assert verify_all()[1] == []
    used = AuditEntry.objects.filter(action="api", subject=f"token:{ann.token.pk}").values_list("details", flat=True)
    assert '{"operation":"vote_on_referral"}' in used


NAMES = (("ann", "reviewer"), ("bob", "reviewer"), ("eve", "adjudicator"))


def test_a_case_is_read_changed_and_kept_in_order(review_settings: Callable[..., None]) -> None:
    review_settings(double_review=0.0)
    Intake(facts()).take(many(5))
    ann = Program(make_user("ann", "reviewer"))
    for item in ann.get("/referrals").json()["items"]:
        assert ann.post(f"/referrals/{item['id']}/votes", {"verdict": "phi"}).status_code == 200
    first, second, *others = [case["id"] for case in ann.get("/cases").json()["items"]]
    change = {"state": "told", "assignee": "me", "due": "2026-05-01", "note": "called the ward"}
    changed = ann.post(f"/cases/{second}", change).json()
    assert (changed["state"], changed["assignee"], changed["due"]) == ("told", "ann", "2026-05-01")
    assert {event["kind"] for event in changed["events"]} >= {"state", "assignee", "due", "note"}
    kept = ann.post(f"/cases/{second}", {"due": None}).json()
    assert (kept["due"], kept["assignee"], kept["state"]) == (None, "ann", "told")
    ann.post(f"/cases/{second}", {"due": "2026-05-01"})
    assert is_problem(ann.post(f"/cases/{first}", {"assignee": 999}), 409)
    assert is_problem(ann.post(f"/cases/{first}", {"state": "void"}), 422)
    seen, after = [], ""
    while True:
        page = ann.get("/cases", limit=2, after=after).json()
        seen += [case["id"] for case in page["items"]]
        after = page["next"]
        if not after:
            break
    assert (seen, page["count"]) == ([second, first, *others], 5)
    assert [case["id"] for case in ann.get("/cases", assignee="me").json()["items"]] == [second]
    assert verify_all()[1] == []


def test_what_is_judged_blind_shows_nothing_of_the_stages() -> None:
    Intake(facts()).take([row("/srv/a.txt")])
    Intake(facts(), Kind.NEGATIVE).take([row("/srv/b.txt", risk="none")])
    make_blind("scan-1", 1)
    program = Program(make_user("ann", "reviewer"))
    for item in program.get("/referrals").json()["items"]:
        one = program.get(f"/referrals/{item['id']}").json()
        assert (item["risk"], item["kind"], one["risk"], one["kind"], one["found"]) == (None,) * 5
        assert one["blind"] and one["media_type"] == "text/plain"
    assert program.get("/referrals", risk="none").json()["items"] == []


def test_a_closed_queue_is_closed_to_programs_too() -> None:
    Intake(facts()).take([row("/srv/ward-seven/list.txt")])
    referral, bob = Referral.objects.get(), make_user("bob", "reviewer")
    referral.queue.reviewers.set([bob])
    ann = Program(make_user("ann", "reviewer"))
    assert "ward-seven" not in ann.get("/referrals", state="any").content.decode()
    assert ann.get("/queues").json() == []
    for response in (
        ann.get(f"/referrals/{referral.pk}"),
        ann.post(f"/referrals/{referral.pk}/votes", {"verdict": "phi"}),
        ann.post(f"/referrals/{referral.pk}/release"),
        ann.post("/next", {"queue": referral.queue_id}),
    ):
        assert is_problem(response, 404)
    assert ann.post("/next").status_code == 204
    assert (Vote.objects.count(), Referral.objects.get().leased_to_id) == (0, None)


def test_a_vote_cannot_be_withdrawn_by_a_program_from_a_queue_that_closed_since() -> None:
    Intake(facts()).take([row("/srv/ward-seven/list.txt")])
    referral, ann = Referral.objects.get(), Program(make_user("ann", "reviewer"))
    vote = ann.post(f"/referrals/{referral.pk}/votes", {"verdict": "phi"}).json()
    referral.queue.reviewers.set([make_user("bob", "reviewer")])
    assert is_problem(ann.post(f"/votes/{vote['id']}/undo"), 404)


def test_errors_have_one_shape_and_repeat_nothing() -> None:
    program = Program(make_user("ann", *Role))
    wrong = program.post(f"/referrals/{UNKNOWN}/votes", {"verdict": "Margaret Okafor"})
    assert is_problem(wrong, 422) and "Okafor" not in wrong.content.decode()
    assert wrong.json()["errors"][0]["where"] == "body.vote.verdict"
    assert is_problem(program.get("/referrals", colour="red"), 422)
    assert is_problem(program.get("/referrals", limit="many"), 422)
    assert is_problem(program.get("/nowhere"), 404)
    assert is_problem(program.get(f"/referrals/{UNKNOWN}"), 404)
    refused = program.client.delete("/api/v1/referrals")
    assert is_problem(refused, 405) and refused.headers["Allow"] == "GET"
    broken = program.client.post("/api/v1/next", "{", content_type="application/json")
    assert is_problem(broken, 400)


def test_an_unchanged_answer_is_not_sent_again() -> None:
    Intake(facts()).take(many(3))
    program = Program(make_user("ann", "reviewer"))
    first = program.get("/queues")
    again = program.client.get("/api/v1/queues", headers={"if-none-match": first.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    Referral.objects.update(state=State.DECIDED, wants="")
    assert program.client.get("/api/v1/queues", headers={"if-none-match": first.headers["ETag"]}).status_code == 200


def test_scans_come_page_by_page_and_the_audit_log_too() -> None:
    for number in (1, 2, 3):
        Intake(facts(number)).take([row(f"/srv/{number}.txt")])
    program = Program(make_user("aud", "auditor"))
    first = program.get("/scans", limit=2).json()
    second = program.get("/scans", limit=2, after=first["next"]).json()
    assert [scan["id"] for scan in first["items"] + second["items"]] == ["scan-3", "scan-2", "scan-1"]
    assert second["next"] == ""
    log = program.get("/audit", limit=2).json()
    assert log["items"][0]["number"] - 1 == log["items"][1]["number"] == log["next"]
    assert program.get("/audit", before=log["next"]).json()["items"][0]["number"] == log["next"] - 1
    assert program.get("/audit", action="intake").json()["items"][0]["details"]["kind"] == "referred"
    assert program.post("/audit/check").json()["faults"] == []


def test_a_group_is_judged_by_a_program_once() -> None:
    Intake(facts()).take(many(3))
    referrals = list(Referral.objects.order_by("pk"))
    Referral.objects.filter(pk__in=[each.pk for each in referrals[:2]]).update(group="ab" * 16)
    program = Program(make_user("ann", "reviewer"))
    shown = program.get(f"/groups/{'ab' * 16}").json()
    assert [member["waits"] for member in shown["members"]] == [True, True]
    body = {"verdict": "phi", "members": [referrals[0].pk, referrals[2].pk], "key": "once-only"}
    assert program.post(f"/groups/{'ab' * 16}/votes", body).json() == {"judged": 1, "refused": 0}
    program.post(f"/groups/{'ab' * 16}/votes", body)
    vote = Vote.objects.get()
    assert (vote.referral_id, vote.group) == (referrals[0].pk, "ab" * 16)
    assert is_problem(program.post(f"/groups/{'ab' * 16}/votes", {**body, "verdict": "unsure"}), 422)


def test_a_program_makes_and_reads_marking_sessions() -> None:
    program = Program(make_user("moe", "manager", "reviewer"))
    made = program.post("/marking", {"name": "corpus"}).json()
    assert program.get(f"/marking/{made['id']}").json()["waiting"] == []
    assert [session["name"] for session in program.get("/marking").json()] == ["corpus"]
    assert is_problem(program.post("/marking", {"name": " "}), 422)


def test_a_program_keeps_views_and_says_what_is_ignored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    allow = tmp_path / "allow.toml"
    here = settings.LEAKSCREEN
    monkeypatch.setattr(settings, "LEAKSCREEN", replace(here, rules=replace(here.rules, allow=(str(allow),))))
    monkeypatch.setenv("LEAKSCREEN_HMAC_KEY", "0123456789abcdef" * 4)
    Intake(facts()).take([row("/srv/share/a/letter.txt")])
    pk = Referral.objects.get().pk
    boss, ann = Program(make_user("boss", "manager")), Program(make_user("ann", "reviewer"))
    view = boss.post("/views", {"name": " high  risk ", "query": "risk=high&nonsense=1", "shared": True}).json()
    assert (view["name"], view["query"], view["owner"]) == ("high risk", "risk=high", "boss")
    assert [each["id"] for each in ann.get("/views").json()] == [view["id"]]
    assert is_problem(ann.post(f"/views/{view['id']}/remove"), 404)
    assert boss.post(f"/views/{view['id']}/remove").status_code == 204 and ann.get("/views").json() == []

    until = (timezone.now() + timedelta(days=30)).date().isoformat()
    piece = boss.get(f"/referrals/{pk}").json()["found"]["evidence"][0]
    value = {"characteristic": piece["characteristic"], "start": piece["start"], "reason": "ours", "expires": until}
    assert boss.post(f"/referrals/{pk}/ignore", value).json()["characteristic"] == piece["characteristic"]
    folder = {"folder": "/srv/share/a", "reason": "test data", "expires": until}
    assert boss.post(f"/referrals/{pk}/ignore", folder).json()["folder"] == "/srv/share/a/*"
    assert is_problem(boss.post(f"/referrals/{pk}/ignore", {**folder, "folder": "/etc"}), 409)
    assert is_problem(boss.post(f"/referrals/{pk}/ignore", {**value, "start": piece["start"] + 1}), 409)
    assert is_problem(boss.post(f"/referrals/{pk}/ignore", {**folder, **value}), 422)
    assert [each["reason"] for each in boss.get("/ignored").json()] == ["ours", "test data"]
    assert AuditEntry.objects.filter(action="ignore", actor="boss").count() == 2
    allow.write_text("broken")
    assert is_problem(boss.get("/ignored"), 409)


def test_the_next_one_is_taken_without_a_body() -> None:
    Intake(facts()).take(many(1))
    ann = Program(make_user("ann", "reviewer"))
    assert ann.client.generic("POST", "/api/v1/next").json()["id"] == Referral.objects.get().pk
