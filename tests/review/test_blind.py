"""An audit is judged blind: no page tells a reviewer how far the scan let a file go, until it is decided."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from review.models import Kind, Referral, State, Verdict
from review.referrals.blind import make_blind
from review.referrals.intake import Intake
from review.referrals.voting import Judgement, decide
from tests.review.conftest import make_user
from tests.review.made_rows import facts, row

# What a page may differ in: names and ids of the file, and tokens of forms.
OWN = re.compile(r"[0-9a-f]{32}|[a-zA-Z0-9]{64}|file-\d+")


@pytest.fixture
def audited(database_url: str, review_settings: Callable[..., None]) -> dict[str, Referral]:
    review_settings(double_review=0)
    referred = [row(f"/srv/file-{number}.txt") for number in range(20)]
    others = [
        row(
            f"/srv/file-{number}.txt",
            risk="none",
            distance=None,
            rules=[],
            evidence=[],
            health_terms=[],
            health_nearest=[],
            health_class=None,
            health_threshold=None,
            passages=None,
            strongest=None,
            persons=0,
            pii_counts={},
            stratum="screened negative",
            probability="20/900",
        )
        for number in range(20, 40)
    ]
    Intake(facts()).take(referred)
    Intake(facts(), Kind.NEGATIVE).take(others)
    assert make_blind("scan-1", 7) == 40
    assert make_blind("scan-1", 7) == 0
    return {kind: Referral.objects.filter(kind=kind).order_by("pk")[0] for kind in Kind}


def page(client: Client, name: str, *words: Any, query: str = "") -> str:
    return str(client.get(reverse(name, args=words) + query).content.decode())


def reviewer() -> Client:
    client = Client(SERVER_NAME="localhost")
    client.force_login(make_user("ann", "reviewer"))
    return client


def test_pages_of_all_stages_look_alike(audited: dict[str, Referral]) -> None:
    client = reviewer()
    pages = {kind: OWN.sub("", page(client, "referral", one.pk)) for kind, one in audited.items()}
    assert "To be judged blind" in pages[Kind.REFERRED]
    assert pages[Kind.REFERRED] == pages[Kind.NEGATIVE]


def test_lists_neither_sort_nor_filter_nor_show_by_stage(audited: dict[str, Referral]) -> None:
    client = reviewer()
    whole = page(client, "list")
    assert whole.count("file-") == 40
    assert "risk high" not in whole and "0.500" not in whole
    order = [int(number) for number in re.findall(r"file-(\d+)", whole)]
    assert 4 < sum(number < 20 for number in order[:20]) < 16
    for query in ("?kind=negative", "?kind=referred", "?risk=high", "?risk=none", "?rule=name-and-contact"):
        assert "file-" not in page(client, "list", query=query)


def test_a_decision_ends_the_blindness(audited: dict[str, Referral]) -> None:
    client = reviewer()
    chosen = audited[Kind.REFERRED]
    user = make_user("bob", "reviewer")
    decide(chosen.pk, user, Judgement(Verdict.PHI, "token-of-this-vote"))
    chosen.refresh_from_db()
    assert chosen.state == State.DECIDED
    assert "Why it was referred" in page(client, "referral", chosen.pk)


def test_a_repeated_intake_keeps_the_order(audited: dict[str, Referral]) -> None:
    before = dict(Referral.objects.values_list("pk", "rank"))
    Intake(facts(2)).take([row(f"/srv/file-{number}.txt") for number in range(20)])
    assert dict(Referral.objects.values_list("pk", "rank")) == before


def test_the_overview_does_not_tell_what_was_just_judged(audited: dict[str, Referral]) -> None:
    """Its counts by risk are the same whatever is judged next; only the number of blind ones falls."""
    client = reviewer()
    ann = client.get("/").wsgi_request.user

    def figures() -> tuple[dict[str, int], int]:
        from review.referrals.counts import counts_by_queue

        (counts,) = counts_by_queue()
        return {risk: count for risk, count in counts.risks.items() if count}, counts.blind

    before = page(client, "home")
    assert figures() == ({}, 40) and "Blind" in before
    for number, one in enumerate(audited.values()):
        decide(one.pk, ann, Judgement(Verdict.PHI, f"token-{number}"))
        assert figures() == ({}, 39 - number)
