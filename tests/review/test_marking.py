"""Spans that two people mark apart and a third settles: from a real file to a corpus that `benchmark` reads."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User

from core.errors import ReviewError
from evaluation.corpus import read_corpus
from evaluation.formats.document import CorpusDocument, Entity, Mention
from evaluation.formats.written import FORMATS, write_corpus
from evaluation.span_agreement import Annotated, span_agreement
from evaluation.spans import Marked
from leakscreen.commands.train import own_texts
from review.marking.agreement import session_agreement
from review.marking.corpus import gather
from review.marking.marking import NotYoursToMarkError, make_session, open_text, save_marks, settled_marks
from review.marking.spans import Mark, as_marked, suggested
from review.models import AuditEntry, Marking, MarkingAgreement, MarkingPart, MarkingSession, Referral
from review.referrals.blind import make_blind
from review.reveal.reveal import reveal
from screening.entities.model import EntityModel
from screening.training.fit import fit
from screening.training.material import held_back
from screening.training.measures import measured
from screening.training.train_names import Plan
from tests.review.conftest import make_user
from tests.review.test_reveal import LETTER, letter, referred

pytestmark = pytest.mark.usefixtures("database_url")
NAME, PHONE = LETTER.index("Margaret Okafor"), LETTER.index("416-555-0142")
NAME_MARK: list[Any] = [NAME, NAME + 15, "last_name", "DIRECT", 1]
PHONE_MARK: list[Any] = [PHONE, PHONE + 12, "phone_number", "DIRECT", 0]


@pytest.fixture(autouse=True)
def own_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEAKSCREEN_HMAC_KEY", "0123456789abcdef" * 4)


@pytest.fixture
def text(tmp_path: Path) -> Referral:
    return referred(letter(tmp_path).decode(), LETTER)


@pytest.fixture
def session(database_url: str) -> MarkingSession:
    return make_session("letters", "mia")


def mark(session: MarkingSession, referral: Referral, user: User, *spans: list[Any]) -> Marking:
    opened = open_text(session, referral, user, "for the corpus")
    return save_marks(session, referral, user, list(spans), opened.text_hmac)


def test_two_mark_apart_and_a_third_settles(session: MarkingSession, text: Referral, tmp_path: Path) -> None:
    ann, bob, eve = make_user("ann", "reviewer"), make_user("bob", "reviewer"), make_user("eve", "adjudicator")
    with pytest.raises(NotYoursToMarkError):
        open_text(session, text, eve, "too early")
    first = open_text(session, text, ann, "for the corpus")
    assert first.text == LETTER and first.others == ()
    assert any((one.start, one.category) == (PHONE, "phone_number") for one in first.marks)  # as the screen found it
    mark(session, text, ann, NAME_MARK, PHONE_MARK)
    second = open_text(session, text, bob, "for the corpus")
    assert (second.others, second.marks) == ((), suggested(reveal(text)))  # blind: nothing of the first
    mark(session, text, bob, PHONE_MARK, [NAME, NAME + 8, "first_name", "DIRECT", 1])
    assert settled_marks(session, text) is None
    with pytest.raises(NotYoursToMarkError, match="no longer"):
        mark(session, text, ann, PHONE_MARK)
    with pytest.raises(NotYoursToMarkError, match="adjudicator"):
        open_text(session, text, make_user("dan", "reviewer"), "me too")
    ruling = open_text(session, text, eve, "to settle")
    assert (ruling.part, len(ruling.others), ruling.marks) == (MarkingPart.CONSENSUS, 2, (Mark(*PHONE_MARK),))
    mark(session, text, eve, NAME_MARK, PHONE_MARK)
    assert settled_marks(session, text) == (Mark(*NAME_MARK), Mark(*PHONE_MARK))
    # The pooled figures are those of the library that `leakscreen agreement --spans` uses.
    sides = {str(one.person_id): as_marked(Mark(*span) for span in one.spans) for one in Marking.objects.all()[:2]}
    expected = span_agreement([Annotated(LETTER, sides)])
    found = session_agreement(session)
    assert (found.texts, found.entities, found.tokens) == (1, 4, expected.tokens)
    assert found.entity_f == expected.exact.entity_f == 0.5
    assert found.kappa == pytest.approx(expected.exact.kappa)
    assert found.kappa_marked == pytest.approx(expected.partial.kappa)


def test_what_both_mark_alike_is_settled(session: MarkingSession, text: Referral) -> None:
    for name in ("ann", "bob"):
        mark(session, text, make_user(name, "reviewer"), PHONE_MARK, NAME_MARK)
    assert settled_marks(session, text) == (Mark(*NAME_MARK), Mark(*PHONE_MARK))
    assert session_agreement(session).entity_f == session_agreement(session).kappa == 1.0


def test_nothing_of_the_text_is_at_rest_and_every_reading_is_on_record(session: MarkingSession, text: Referral) -> None:
    for name in ("ann", "bob"):
        mark(session, text, make_user(name, "reviewer"), PHONE_MARK, NAME_MARK)
    gather(session, "mia", "tab")
    stored = [list(model.objects.values()) for model in (Marking, MarkingAgreement, MarkingSession, AuditEntry)]
    assert not [word for word in ("Okafor", "Margaret", "416-555", "mellitus") if word in repr(stored)]
    actions = list(AuditEntry.objects.values_list("action", flat=True))
    assert actions.count("reveal") == actions.count("revealed") == 4
    assert [action for action in actions if action.startswith("marking export")] == [
        "marking export",
        "marking exported",
    ]


@pytest.mark.parametrize("form", FORMATS)
def test_the_export_is_read_as_a_corpus(session: MarkingSession, text: Referral, tmp_path: Path, form: str) -> None:
    for name in ("ann", "bob"):
        mark(session, text, make_user(name, "reviewer"), NAME_MARK, PHONE_MARK, [0, 7, "demographic", "NO_MASK", 0])
    gathered = gather(session, "mia", form)
    (tmp_path / "corpus").mkdir()
    for name, content in write_corpus(gathered.documents, form):
        (tmp_path / "corpus" / name).write_bytes(content)
    (document,) = read_corpus(tmp_path / "corpus")
    assert document.text == LETTER
    kinds = {Marked(*NAME_MARK[:3]), Marked(*PHONE_MARK[:3])}
    assert set(document.spans) == kinds
    if form == "tab":
        assert [entity.identifier for entity in document.annotators[0]] == ["NO_MASK", "DIRECT", "DIRECT"]


def test_names_are_learned_from_the_export(tmp_path: Path) -> None:
    """A model that saw nothing but exported texts finds their strange name in those that were held back."""
    words = ("ward", "bed", "clinic", "letter", "report", "room")
    texts = [f"Today we saw Zorblax Quinvar in the {word} again." for word in words for _ in range(5)]
    documents = [
        CorpusDocument(
            f"{number:032x}",
            text,
            (),
            ((Entity("last_name", "DIRECT", (Mention(13, 28, True),)),),),
            "",
            ("consensus",),
        )
        for number, text in enumerate(texts)
    ]
    (tmp_path / "corpus").mkdir()
    for file, content in write_corpus(documents, "brat"):
        (tmp_path / "corpus" / file).write_bytes(content)
    own = own_texts(tmp_path / "corpus")
    assert {(mark.start, mark.end, mark.label) for each in own for mark in each.marked} == {(13, 28, "PER")}
    assert 0 < sum(map(held_back, own)) < len(own)
    plan = Plan()
    about = {"points": plan.points, "version": 1}
    model = EntityModel(fit([each for each in own if not held_back(each)], {}, plan.options, about))
    (figures,) = measured(model, [each for each in own if held_back(each)])
    assert (figures.kind, figures.recall, figures.precision) == ("own text", 1.0, 1.0)


def test_a_changed_file_is_neither_saved_nor_exported(session: MarkingSession, text: Referral, tmp_path: Path) -> None:
    ann = make_user("ann", "reviewer")
    opened = open_text(session, text, ann, "for the corpus")
    with pytest.raises(ReviewError, match="not the one"):
        save_marks(session, text, ann, [PHONE_MARK], "0" * 64)
    for name in ("bob", "cem"):
        mark(session, text, make_user(name, "reviewer"), PHONE_MARK)
    (tmp_path / "letter.txt").write_text("something else")
    with pytest.raises(NotYoursToMarkError):
        save_marks(session, text, ann, [PHONE_MARK], opened.text_hmac)
    gathered = gather(session, "mia", "tab")
    assert (gathered.documents, gathered.unreadable) == ([], [text.pk])


@pytest.mark.parametrize(
    "span",
    [
        [5, 5, "last_name", "DIRECT", 0],
        [-1, 5, "last_name", "DIRECT", 0],
        [0, len(LETTER) + 1, "last_name", "DIRECT", 0],
        [0, 5, "colour", "DIRECT", 0],
        [0, 5, "last_name", "SECRET", 0],
        [0, 5, "last_name", "DIRECT"],
        [True, 5, "last_name", "DIRECT", 0],
        "0,5",
    ],
    ids=str,
)
def test_what_is_no_span_of_the_text_is_refused(session: MarkingSession, text: Referral, span: Any) -> None:
    with pytest.raises(ReviewError, match="span 1"):
        mark(session, text, make_user("ann", "reviewer"), span)
    assert not Marking.objects.exists()


def test_what_is_judged_blind_is_not_marked(session: MarkingSession, text: Referral) -> None:
    make_blind("scan-1", 1)
    text.refresh_from_db()
    with pytest.raises(NotYoursToMarkError, match="blind"):
        open_text(session, text, make_user("ann", "reviewer"), "for the corpus")
    assert not AuditEntry.objects.filter(action="reveal").exists()


def test_awkward_texts_keep_their_places(tmp_path: Path) -> None:
    text = "A\x0bb\r\nMary\nJones <&> \u2028 caf\u00e9 \U0001f600 end"
    start = text.index("Mary")
    entity = Entity("last_name", "DIRECT", (Mention(start, start + 10, True),))
    document = CorpusDocument("one", text, (), annotators=((entity,),), people=("consensus",))
    for form in FORMATS:
        folder = tmp_path / form
        folder.mkdir()
        for name, content in write_corpus([document], form):
            (folder / name).write_bytes(content)
        (read,) = read_corpus(folder)
        assert len(read.text) == len(text)
        assert "".join(read.text[span.start : span.end] for span in read.spans).split() in (
            ["Mary", "Jones"],
            ["MaryJones"],
        )
    assert json.loads((tmp_path / "tab" / "corpus.json").read_text())[0]["doc_id"] == "one"
