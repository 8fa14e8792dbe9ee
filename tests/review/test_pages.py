"""The pages: a reviewer goes from one referral to the next, sees why, and sees nothing of what others judged."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone
from lxml import html

from review.models import AuditEntry, Referral, Scan, State, Verdict, Vote
from review.referrals import search
from review.referrals.intake import Intake
from review.referrals.voting import Judgement, decide
from review.templatetags.wording import details_words
from tests.review.conftest import make_user
from tests.review.made_rows import facts, many, row
from tests.review.test_access import browser

pytestmark = pytest.mark.usefixtures("database_url")


def text(response: Any) -> str:
    return str(response.content.decode())


def judged(client: Any, page: Any, verdict: str = "phi", **more: Any) -> Any:
    """Sends the form of a referral's page and follows to the next."""
    context = page.context if page.context else {}
    return client.post(
        reverse("judge", args=[context["referral"].pk]),
        {"verdict": verdict, "token": context["token"], **more},
        follow=True,
    )


@pytest.fixture(autouse=True)
def contexts() -> Any:
    from django.test.utils import setup_test_environment, teardown_test_environment

    setup_test_environment()
    yield
    teardown_test_environment()


def test_the_first_page_tells_what_to_do_next() -> None:
    page = text(browser(make_user("boss", "manager")).get("/"))
    assert "leakscreen refer" in page and reverse("person-new") in page


def test_from_one_referral_to_the_next_and_back() -> None:
    Intake(facts()).take(many(3))
    client = browser(make_user("ann", "reviewer"))
    page = client.post(reverse("next"), follow=True)
    first = page.context["referral"]
    assert (first.risk, "diabetes mellitus" in text(page), "***-***-1234" in text(page)) == ("high", True, True)
    assert "referral letter, Hamming distance 1" in text(page) and "visit note 12" in text(page)
    page = judged(client, page, characteristics=["phone_number", "invented"], note="a letter")
    assert page.context["referral"].risk == "medium"
    vote = Vote.objects.get()
    assert (vote.characteristics, vote.note.text, vote.seconds is not None) == (["phone_number"], "a letter", True)
    back = client.post(reverse("undo", args=[page.context["last_vote"]]), follow=True)
    assert (back.context["referral"], Vote.objects.count()) == (first, 2)
    page = judged(client, back, "not_phi")
    for _ in range(2):
        page = judged(client, page, "unsure")
    assert "Nothing else is waiting" in text(page)
    assert [entry.action for entry in AuditEntry.objects.filter(subject=f"referral:{first.pk}")] == [
        "sight",
        "decision",
        "undo",
        "sight",
        "decision",
    ]


def test_a_referral_says_first_why_it_was_referred() -> None:
    Intake(facts()).take(many(1))
    page = text(browser(make_user("ann", "reviewer")).post(reverse("next"), follow=True))
    sentence = "Row 3,112 names one patient with a phone number, and mentions 2 health terms: "
    assert page.index(f"{sentence}diabetes mellitus, metformin.") < page.index("Hamming distance")
    assert "2 of 40 judged passages concern somebody" in page


def test_skipping_gives_another_one() -> None:
    Intake(facts()).take(many(2))
    client = browser(make_user("ann", "reviewer"))
    first = client.post(reverse("next"), follow=True).context["referral"]
    second = client.post(reverse("next"), {"skip": first.pk}, follow=True).context["referral"]
    assert first != second
    assert browser(make_user("bob", "reviewer")).post(reverse("next"), follow=True).context["referral"] == first


def test_the_second_reviewer_does_not_see_the_first() -> None:
    Intake(facts()).take([row("/srv/a")])
    referral = Referral.objects.get()
    alberta, bob = make_user("alberta", "reviewer"), make_user("bob", "reviewer")
    decide(referral.pk, alberta, Judgement(Verdict.PHI, "a", note="clearly a patient"))
    client = browser(bob)
    pages = [client.get(url) for url in ("/", reverse("list"), reverse("referral", args=[referral.pk]))]
    for page in pages:
        assert "alberta" not in text(page) and "clearly a patient" not in text(page) and "second" not in text(page)
    judged(client, pages[-1], "not_phi")
    adjudicator = browser(make_user("cleo", "adjudicator"))
    page = adjudicator.post(reverse("next"), follow=True)
    assert "alberta" in text(page) and "clearly a patient" in text(page)
    judged(adjudicator, page, "phi")
    assert (Referral.objects.get().state, Referral.objects.get().decision) == (State.DECIDED, "phi")
    assert "alberta" in text(client.get(reverse("referral", args=[referral.pk])))


def test_the_list_filters_and_goes_on_page_by_page() -> None:
    Intake(facts()).take(many(130))
    client = browser(make_user("ann", "reviewer"))
    url, seen = reverse("list"), []
    while url:
        page = client.get(url)
        assert page.context["count"] == 130
        seen += [entry["referral"].pk for entry in page.context["rows"]]
        url = f"{reverse('list')}?{page.context['next']}" if page.context["next"] else ""
    assert seen == list(Referral.objects.order_by("rank", "pk").values_list("pk", flat=True))
    assert client.get(reverse("list"), {"risk": "low"}).context["count"] == 43
    assert client.get(reverse("list"), {"state": "decided"}).context["count"] == 0
    assert client.get(reverse("list"), {"queue": "9" * 30, "risk": "x' OR 1=1", "after": "zzz"}).context["count"] == 130


@pytest.mark.parametrize(
    "sent", [{}, {"verdict": "withdrawn"}, {"verdict": "maybe"}, {"token": ""}, {"token": "x" * 33}]
)
def test_unfit_judgements_are_refused(sent: dict[str, str]) -> None:
    Intake(facts()).take([row("/srv/a")])
    data = {"token": "0123456789abcdef", "verdict": "phi", **sent} if sent else {}
    browser(make_user("ann", "reviewer")).post(reverse("judge", args=[Referral.objects.get().pk]), data)
    assert Vote.objects.count() == 0


def test_agreement_is_told_by_week_and_pair() -> None:
    Intake(facts()).take(many(4))
    ann, bob = make_user("ann", "reviewer"), make_user("bob", "reviewer")
    verdicts = [("phi", "phi"), ("not_phi", "not_phi"), ("phi", "not_phi"), ("not_phi", "not_phi")]
    for referral, pair in zip(Referral.objects.order_by("rank"), verdicts, strict=True):
        for user, verdict in zip((ann, bob), pair, strict=True):
            decide(referral.pk, user, Judgement(Verdict(verdict), f"{user.pk}{referral.pk}"[:32]))
    page = browser(make_user("boss", "manager")).get(reverse("agreement"))
    (week,) = page.context["weeks"]
    assert (week.pair, week.figures.decided_twice, week.figures.observed, week.figures.kappa) == (
        "ann and bob",
        4,
        0.75,
        0.5,
    )


def test_the_audit_log_is_shown_and_checked() -> None:
    client = browser(make_user("eve", "auditor"))
    assert "log-in" in text(client.get(reverse("audit")))
    assert "unbroken" in text(client.get(reverse("audit-check")))


def test_a_queue_of_others_is_not_there() -> None:
    Intake(facts()).take([row("/srv/a")])
    referral, ann = Referral.objects.get(), make_user("ann", "reviewer")
    referral.queue.reviewers.set([make_user("bob", "reviewer")])
    client = browser(ann)
    data = {"verdict": "phi", "token": "0123456789abcdef", "reason": "to see"}
    assert client.get(reverse("referral", args=[referral.pk])).status_code == 404
    assert [client.post(reverse(name, args=[referral.pk]), data).status_code for name in ("judge", "reveal")] == [
        404,
        404,
    ]
    assert (client.get(reverse("list")).context["count"], client.get("/").context["open"], Vote.objects.count()) == (
        0,
        0,
        0,
    )
    assert browser(make_user("cleo", "adjudicator")).get(reverse("referral", args=[referral.pk])).status_code == 200


def test_who_has_judged_everything_is_told_so() -> None:
    Intake(facts()).take(many(3))
    ann, _ = make_user("ann", "reviewer"), make_user("bob", "reviewer")
    client = browser(ann)
    assert "Review the next one" in text(client.get("/"))
    for number, referral in enumerate(Referral.objects.all()):
        decide(referral.pk, ann, Judgement(Verdict.PHI, f"token-{number}"))
    page = client.get("/")
    assert (page.context["mine"], page.context["open"]) == (0, 3)
    assert "Nothing is waiting for you" in text(page)
    assert "Review the next one" not in text(page) and "<button>Review" not in text(page)


def test_the_overview_counts_everything_once(review_settings: Any) -> None:
    review_settings(double_review=1.0)
    risks = ("high", "high", "medium", "low", "none", "none")
    Intake(facts()).take([row(f"/srv/{number}", risk=risk) for number, risk in enumerate(risks)])
    disputed = Referral.objects.filter(risk="high").order_by("pk")[0]
    people = [make_user(name, "reviewer") for name in ("ann", "bob")]
    for user, verdict in zip(people, (Verdict.PHI, Verdict.NOT_PHI), strict=True):
        decide(disputed.pk, user, Judgement(verdict, f"token-of-{user.username}"))
    page = browser(make_user("boss", "manager")).get("/")
    ((counts, _),) = page.context["queues"]
    assert (dict(counts.risks), counts.disputed) == ({"high": 1, "medium": 1, "low": 1, "none": 2}, 1)
    assert sum(counts.risks.values()) + counts.disputed == page.context["open"] == 6
    assert ">None<" in text(page)


def test_an_undone_vote_comes_back_as_it_was_filled_in() -> None:
    Intake(facts()).take(many(2))
    client = browser(make_user("ann", "reviewer"))
    page = client.post(reverse("next"), follow=True)
    page = judged(client, page, characteristics=["phone_number"], note="a <letter>")
    back = client.post(reverse("undo", args=[page.context["last_vote"]]), follow=True)
    assert 'value="phone_number" checked' in text(back) and 'value="last_name" checked' not in text(back)
    assert ">a &lt;letter&gt;</textarea>" in text(back)


def test_what_can_no_longer_be_undone_is_not_offered() -> None:
    Intake(facts()).take([row("/srv/a")])
    referral = Referral.objects.get()
    ann, bob = make_user("ann", "reviewer"), make_user("bob", "reviewer")
    decide(referral.pk, ann, Judgement(Verdict.PHI, "token-of-ann"))
    client = browser(ann)
    assert "Withdraw my vote" in text(client.get(reverse("referral", args=[referral.pk])))
    decide(referral.pk, bob, Judgement(Verdict.NOT_PHI, "token-of-bob"))
    decide(referral.pk, make_user("cleo", "adjudicator"), Judgement(Verdict.PHI, "token-of-cleo"))
    page = text(client.get(reverse("referral", args=[referral.pk])))
    assert "Withdraw my vote" not in page and "Undo my last vote" not in page


def test_types_and_sizes_are_said_in_words() -> None:
    docx = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
    Intake(facts()).take([row("/srv/a.docx", media_type=docx, size=12_300)])
    client = browser(make_user("ann", "reviewer"))
    for page in (client.post(reverse("next"), follow=True), client.get(reverse("list"))):
        words = str(html.fromstring(text(page)).text_content())
        assert "Word document (docx)" in words and "wordprocessingml" not in words
    assert "12.3 kB" in text(client.get(reverse("referral", args=[Referral.objects.get().pk])))


def test_a_referral_is_the_so_manieth_of_so_many() -> None:
    Intake(facts()).take(many(3))
    client = browser(make_user("ann", "reviewer"))
    page = client.post(reverse("next"), follow=True)
    assert "1 of 3" in text(page)
    page = judged(client, page)
    assert "2 of 3" in text(page)
    assert "1 of 3" in text(client.post(reverse("undo", args=[page.context["last_vote"]]), follow=True))


@pytest.mark.parametrize("few", [5_000, 0])
def test_referrals_are_found_by_what_is_known_of_them(few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether few rows pass a filter, so that they are named by their ids, or many."""
    monkeypatch.setattr(search, "_FEW", few)
    letter = row("/srv/a/Letter 100%.txt", owner="eve", access="everyone, group Staff, inherited")
    sheet = row("/media/x/sheet_1.csv", risk="low", source="/media", access="group, own list")
    sheet |= {"media_type": "text/csv", "rules": [{"rule": "name-and-number", "prototype": "p", "distance": 0}]}
    letter |= {"people": 12}
    Intake(facts(1)).take([letter, {**letter, "uri": "/srv/b/copy.txt"}])
    Intake(facts(2)).take([sheet])
    first, second = Referral.objects.get(source="/srv"), Referral.objects.get(source="/media")
    ann = make_user("ann", "reviewer")
    client = browser(ann)

    def seen(**query: str) -> set[str]:
        page = client.get(reverse("list"), query)
        shown = {entry["referral"].pk for entry in page.context["rows"]}
        assert page.context["count"] == len(shown)
        return shown

    both = {first.pk, second.pk}
    assert seen() == both
    for query in (
        {"q": "letter 100%"},
        {"q": "b/COPY"},
        {"owner": "EV"},
        {"access": "everyone"},
        {"type": "text/plain"},
        {"rule": "name-and-contact"},
        {"people": "12"},
        {"source": "/srv"},
        {"scan": "scan-1"},
        {"risk": "high"},
        {"q": "srv", "owner": "eve", "type": "text/plain", "source": "/srv"},
    ):
        assert seen(**query) == {first.pk}, query
    assert seen(q="sheet_1") == {second.pk} and seen(q="sheet%1") == seen(q="1%") == set()
    assert seen(rule="name-and-number") == {second.pk} and seen(rule="name-and") == set()
    assert seen(people="13") == set() and seen(people="x") == both
    decide(first.pk, ann, Judgement(Verdict.NOT_PHI, "token-1"))
    assert seen() == {second.pk} and seen(verdict="not_phi") == {first.pk} and seen(verdict="phi") == set()
    assert seen(state="any") == both and seen(state="any", sort="decided") == {first.pk}


def test_what_everyone_may_read_comes_first_among_what_is_as_risky() -> None:
    rows = [
        row("/srv/a", distance=0.1, access="group, own list"),
        row("/srv/b", distance=0.9, access="everyone, inherited"),
        row("/srv/c", distance=0.2, access=None),
        row("/srv/d", distance=0.1, risk="medium", access="everyone"),
        row("/srv/e", distance=None, access="everyone"),
    ]
    Intake(facts()).take(rows)
    page = browser(make_user("ann", "reviewer")).get(reverse("list"))
    assert [entry["path"] for entry in page.context["rows"]] == ["/srv/b", "/srv/e", "/srv/a", "/srv/c", "/srv/d"]
    assert [entry["finding"].access for entry in page.context["rows"]][:3] == [
        "everyone, inherited", "everyone", "group, own list"
    ]  # fmt: skip


def test_what_many_rows_pass_is_counted_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "_MOST_COUNTED", 3)
    monkeypatch.setattr(search, "_FEW", 3)
    Intake(facts()).take(many(4))
    client = browser(make_user("ann", "reviewer"))
    assert "more than 3" in text(client.get(reverse("list"), {"q": ".txt"}))
    assert client.get(reverse("list")).context["count"] == 4


def test_findings_of_earlier_versions_are_found_by_their_rules() -> None:
    rules = [{"rule": "name-and-number", "prototype": "p", "distance": 0}]
    Intake(facts()).take([*many(3), row("/srv/number.txt", rules=rules)])
    call_command("migrate", "review", "0014", verbosity=0)
    call_command("migrate", "review", verbosity=0)
    client = browser(make_user("ann", "reviewer"))
    counts = [
        client.get(reverse("list"), {"rule": f"name-and-{name}"}).context["count"] for name in ("contact", "number")
    ]
    assert counts == [3, 1]


@pytest.mark.parametrize("few", [5_000, 0])
@pytest.mark.parametrize("sort", ["work", "newest", "oldest", "decided"])
def test_sorted_pages_follow_each_other_without_loss(sort: str, few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "_FEW", few)
    Intake(facts()).take(many(130))
    ann = make_user("ann", "reviewer")
    if sort == "decided":
        for number, referral in enumerate(Referral.objects.all()[:70]):
            decide(referral.pk, ann, Judgement(Verdict.PHI, f"token-{number}"))
    client = browser(ann)
    url, seen = f"{reverse('list')}?state=any&q=.txt&sort={sort}", []
    while url:
        page = client.get(url)
        seen += [entry["referral"] for entry in page.context["rows"]]
        assert 'value=".txt"' in text(page)
        url = f"{reverse('list')}?{page.context['next']}" if page.context["next"] else ""
    assert len({each.pk for each in seen}) == len(seen) == (70 if sort == "decided" else 130)
    field = {"work": "rank", "decided": "decided_at"}.get(sort, "asked")
    values = [getattr(one, field) for one in seen]
    assert values == sorted(values, reverse=sort in ("newest", "decided"))


def test_the_overview_says_what_waits_longest_and_what_was_scanned_last() -> None:
    Intake(facts()).take(many(3))
    Referral.objects.filter(pk=Referral.objects.order_by("rank")[1].pk).update(
        asked=timezone.now() - timedelta(days=3, hours=2)
    )
    Scan.objects.update(people={"count": 1234})
    page = text(browser(make_user("boss", "manager")).get("/"))
    assert "<b>3\xa0days</b><span>age of the oldest" in page and "<b>Jan 6, 2026</b><span>last scan" in page
    assert "<b>1,234</b><span>people affected" in page


def test_the_audit_log_is_written_in_words() -> None:
    Intake(facts()).take(many(1))
    referral, ann = Referral.objects.get(), make_user("ann", "reviewer")
    decide(referral.pk, ann, Judgement(Verdict.NOT_PHI, "token-token-token"))
    page = text(browser(make_user("boss", "manager")).get(reverse("audit")))
    assert "<td>scan imported</td>" in page
    assert "verdict: not PHI" in page and "state: decided" in page and "{&quot;" not in page
    assert f'href="{reverse("referral", args=[referral.pk])}">referral {referral.pk[:8]}<' in page
    assert f'href="{reverse("referral", args=[referral.pk])}"' not in text(
        browser(make_user("ada", "auditor")).get(reverse("audit"))
    )


@pytest.mark.parametrize(
    ("details", "words"),
    [
        ("", ""),
        ("broken {", "broken {"),
        ('{"alone":true,"filters":[],"roles":["a","b"]}', "alone: yes, filters: none, roles: a, b"),
        ('{"strata":{"general/high":[2,5]},"verdict":"phi","note":""}', "strata: general/high 2, 5, verdict: PHI"),
    ],
)
def test_details_of_an_entry_in_words(details: str, words: str) -> None:
    assert details_words(details) == words


def test_chosen_colours_are_those_of_every_page() -> None:
    client = browser(make_user("ann", "reviewer"))
    for theme, shown in (("dark", True), ("light", True), ('"><script>', False)):
        client.cookies["theme"] = theme
        assert (f'data-theme="{theme}"' in text(client.get("/"))) is shown
