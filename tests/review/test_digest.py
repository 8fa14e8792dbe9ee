"""Digests tell each person what waits for that person, at most once a period, in counts and links."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import User
from hypothesis import given
from hypothesis import strategies as st

from core.errors import SettingsError
from core.settings.notify import MailSettings, WebhookSettings
from review.audit import verify
from review.models import AuditEntry, DigestMark, Outbox, Queue, Referral, Verdict
from review.notify.mail_address import UnusableAddressError, checked_address, checked_sender, checked_site
from review.notify.outbox import due_drafts, put_in_outbox
from review.notify.period import is_over, period_of
from review.notify.webhook import WEBHOOK
from review.referrals.intake import Intake
from review.referrals.voting import Judgement, decide
from tests.review.conftest import make_user
from tests.review.made_rows import facts, row
from tests.review.telling import NOON, URL, mail_settings, take_in, use_settings

HOSTILE = "/srv/Jane Doe\r\nBcc: all@example.org\r\n\r\n<script>alert(1)</script>=?utf-8?q?x?=.txt"


@pytest.fixture
def mailing(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    use_settings(monkeypatch, mail=mail_settings())


@pytest.fixture
def posting(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    use_settings(monkeypatch, webhook=WebhookSettings(url="https://hooks.example.org/leakscreen"))


@pytest.mark.usefixtures("mailing")
def test_new_waiting_and_overdue_are_counted_for_each_person() -> None:
    ann, bob, eve = make_user("ann", "reviewer"), make_user("bob", "reviewer"), make_user("eve", "adjudicator")
    make_user("boss", "manager")
    take_in(3, asked=NOON - timedelta(days=8))
    take_in(2, scan=2, start=10)
    judged, disputed = Referral.objects.filter(asked_in="scan-1").order_by("pk")[:2]
    decide(judged.pk, ann, Judgement(Verdict.PHI, "ann's"))
    decide(disputed.pk, ann, Judgement(Verdict.PHI, "ann's second"))
    decide(disputed.pk, bob, Judgement(Verdict.NOT_PHI, "bob's"))
    counts = {draft.recipient: (draft.counts["waiting"], draft.counts["overdue"]) for draft in due_drafts(NOON).drafts}
    assert counts == {ann: (3, 1), bob: (4, 2), eve: (1, 1)}


@pytest.mark.usefixtures("mailing")
def test_at_most_one_a_period_and_only_what_came_since_is_new() -> None:
    make_user("ann", "reviewer")
    take_in(3)
    assert len(put_in_outbox(NOON).drafts) == 1
    take_in(2, scan=2, start=10, asked=NOON + timedelta(hours=1))
    assert put_in_outbox(NOON + timedelta(hours=18)).drafts == ()
    (second,) = put_in_outbox(NOON + timedelta(hours=19)).drafts  # seven in the morning
    assert second.counts == {"new": 2, "waiting": 5, "overdue": 0}
    assert Outbox.objects.count() == 2 == len(set(Outbox.objects.values_list("message_id", flat=True)))
    assert AuditEntry.objects.filter(action="digest").count() == 2
    assert verify()[1] == []


@pytest.mark.usefixtures("mailing")
def test_a_message_id_is_the_same_for_the_same_person_and_period() -> None:
    make_user("ann", "reviewer")
    make_user("bob", "reviewer")
    take_in(1)
    first = {draft.key: draft.message_id for draft in due_drafts(NOON).drafts}
    later = {draft.key: draft.message_id for draft in due_drafts(NOON + timedelta(hours=3)).drafts}
    tomorrow = {draft.key: draft.message_id for draft in due_drafts(NOON + timedelta(days=1)).drafts}
    assert first == later
    assert len({*first.values(), *tomorrow.values()}) == 4
    assert all(each.endswith("@example.org>") for each in first.values())


@pytest.mark.usefixtures("mailing")
def test_state_and_outbox_are_one_transaction(monkeypatch: pytest.MonkeyPatch) -> None:
    make_user("ann", "reviewer")
    take_in(1)

    def broken(*words: object, **more: object) -> None:
        raise RuntimeError

    with monkeypatch.context() as patched:
        patched.setattr("review.notify.outbox.record", broken)
        with pytest.raises(RuntimeError):
            put_in_outbox(NOON)
    assert (Outbox.objects.count(), DigestMark.objects.count()) == (0, 0)
    assert len(put_in_outbox(NOON).drafts) == 1


@pytest.mark.usefixtures("mailing")
def test_nothing_of_a_file_gets_into_a_digest() -> None:
    make_user("ann", "reviewer")
    Intake(facts()).take([row(HOSTILE, owner="Doe\r\nX: y")])
    (draft,) = due_drafts(NOON).drafts
    text = "\n".join((draft.subject, draft.text, draft.html, draft.message_id))
    for piece in ("Jane", "Doe", "Bcc", "script", ".txt", "***", "metformin", "diabetes", "/srv"):
        assert piece not in text
    assert f"{URL}/referrals/?queue={Queue.objects.get().pk}&state=waiting" in draft.text
    assert "\n" not in draft.subject


@pytest.mark.usefixtures("mailing")
def test_a_queue_with_a_strange_name_stays_in_the_body_and_is_escaped() -> None:
    make_user("ann", "reviewer")
    take_in(1)
    Queue.objects.update(name="<b>x</b>\r\nBcc: y")
    (draft,) = due_drafts(NOON).drafts
    assert "Bcc" not in draft.subject
    assert "<b>x" not in draft.html
    assert "\nBcc" not in draft.text


@pytest.mark.usefixtures("mailing")
def test_people_without_an_address_are_named_and_the_inactive_get_nothing() -> None:
    make_user("ann", "reviewer")
    make_user("bob", "reviewer")
    make_user("eve", "reviewer")
    User.objects.filter(username="bob").update(email="")
    User.objects.filter(username="eve").update(is_active=False)
    take_in(1)
    made = put_in_outbox(NOON)
    assert [draft.recipient.username for draft in made.drafts] == ["ann"]
    assert made.without_address == ("bob",)


@pytest.mark.usefixtures("mailing")
def test_nobody_is_told_of_other_peoples_queues() -> None:
    ann = make_user("ann", "reviewer")
    make_user("bob", "reviewer")
    take_in(1)
    Queue.objects.get().reviewers.add(ann)
    assert [draft.recipient for draft in due_drafts(NOON).drafts] == [ann]


@pytest.mark.usefixtures("posting")
def test_a_webhook_tells_counts_and_links() -> None:
    take_in(2)
    (draft,) = put_in_outbox(NOON).drafts
    payload = json.loads(draft.text)
    assert (draft.channel, payload["event"], payload["totals"]) == (
        WEBHOOK,
        "queue.digest",
        {"new": 2, "waiting": 2, "overdue": 0},
    )
    assert payload["queues"][0]["link"].startswith(URL)
    assert "srv" not in draft.text
    assert put_in_outbox(NOON + timedelta(minutes=59)).drafts == ()
    assert len(put_in_outbox(NOON + timedelta(minutes=60)).drafts) == 1


def test_links_need_an_address(database_url: str, monkeypatch: pytest.MonkeyPatch, review_settings: object) -> None:
    use_settings(monkeypatch, mail=mail_settings())
    assert callable(review_settings)
    review_settings(url="")
    make_user("ann", "reviewer")
    take_in(1)
    with pytest.raises(SettingsError, match=r"review\.url"):
        due_drafts(NOON)


BERLIN = "Europe/Berlin"


@pytest.mark.parametrize(
    ("moment", "period", "hour", "zone", "name"),
    [
        ("2026-03-02T06:59:00+00:00", "day", 7, "UTC", "day:2026-03-01"),
        ("2026-03-02T07:00:00+00:00", "day", 7, "UTC", "day:2026-03-02"),
        ("2026-03-02T06:00:00+00:00", "day", 7, BERLIN, "day:2026-03-02"),
        ("2026-03-29T05:00:00+00:00", "day", 7, BERLIN, "day:2026-03-29"),  # summer time has begun
        ("2026-03-29T04:59:00+00:00", "day", 7, BERLIN, "day:2026-03-28"),
        ("2026-10-25T00:30:00+00:00", "day", 2, BERLIN, "day:2026-10-25"),  # half past two for the first time
        ("2026-10-25T01:30:00+00:00", "day", 2, BERLIN, "day:2026-10-25"),  # and for the second
        ("2026-03-02T12:00:00+00:00", "week", 7, "UTC", "week:2026-10"),
        ("2027-01-03T12:00:00+00:00", "week", 7, "UTC", "week:2026-53"),
        ("2026-03-02T12:59:59+00:00", "hour", 7, BERLIN, "hour:2026-03-02T12"),
    ],
)
def test_periods(moment: str, period: str, hour: int, zone: str, name: str) -> None:
    assert period_of(datetime.fromisoformat(moment), period, hour, zone) == name


@given(
    st.datetimes(datetime(2025, 1, 1), datetime(2028, 1, 1), timezones=st.just(UTC)),
    st.timedeltas(timedelta(0), timedelta(days=9)),
    st.sampled_from(["hour", "day", "week"]),
    st.integers(0, 23),
    st.sampled_from([BERLIN, "America/Toronto", "Australia/Lord_Howe", "Asia/Tehran"]),
)
def test_periods_only_go_forward(moment: datetime, later: timedelta, period: str, hour: int, zone: str) -> None:
    first, second = period_of(moment, period, hour, zone), period_of(moment + later, period, hour, zone)
    assert first <= second or later < timedelta(hours=1)
    assert not is_over(second, first) or later < timedelta(hours=1)


@pytest.mark.parametrize(
    ("text", "fit"),
    [
        ("ann@example.org", "ann@example.org"),
        ("ann+review@Example.ORG", "ann+review@example.org"),
        ("ann@bücher.example", "ann@xn--bcher-kva.example"),
        *[
            (text, None)
            for text in (
                "",
                "ann",
                "@example.org",
                "ann@",
                "ann@exa mple.org",
                "ann@example.org\r\nBcc: x@y.z",
                "a b@example.org",
            )
        ],
        *[
            (text, None)
            for text in (
                "Ann <ann@example.org>",
                "ann@example.org,bob@example.org",
                '"a\nb"@example.org',
                "änn@example.org",
            )
        ],
        *[
            (text, None)
            for text in ("ann@example.org\0", "a" * 250 + "@example.org", "a@b@example.org", "ann@-.example.org")
        ],
    ],
)
def test_addresses(text: str, fit: str | None) -> None:
    if fit is not None:
        assert checked_address(text) == fit
        return
    with pytest.raises(UnusableAddressError):
        checked_address(text)


@given(st.text(max_size=40))
def test_no_address_ends_a_line(text: str) -> None:
    try:
        fit = checked_address(text)
    except UnusableAddressError:
        return
    assert fit.isascii() and fit.isprintable() and " " not in fit and fit.count("@") == 1


@pytest.mark.parametrize("site", ["", " ", "a\r\nBcc: x", "x" * 61, "a\0b"])
def test_unfit_sites_and_senders_are_refused(site: str) -> None:
    with pytest.raises(SettingsError, match=r"mail\.site"):
        checked_site(site)
    with pytest.raises(SettingsError, match=r"mail\.sender"):
        checked_sender(site)


def test_an_unknown_time_zone_is_refused() -> None:
    with pytest.raises(SettingsError, match=r"mail\.timezone"):
        period_of(NOON, "day", MailSettings().hour, "Europe/Nowhere")
