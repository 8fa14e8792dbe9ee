"""The people of a passage have one role each, and at most one of them is the one whom it may be about."""

import pytest

from core.records import Passage, Role
from screening.people.mentions import Mention
from screening.people.people_here import Person, people_in, subject_of, tells_of_own_health
from screening.people.read_text import ReadText


def read(text: str, *names: str, likelihood: float = 2.0) -> list[Person]:
    """The people of a text, each by the last place of the name."""
    mentions = []
    for name in names:
        surname, given = name.split(" ")[-1].casefold(), name.split(" ")[0].casefold() if " " in name else ""
        start = text.rindex(name)
        mentions.append(Mention(start, start + len(name), f"{surname}\0{given}", " " in name, likelihood))
    return people_in(ReadText(text, (), (0,), {}), mentions, Passage(0, len(text), "paragraph 1"))


def subject(text: str, *names: str, likelihood: float = 2.0) -> str:
    chosen = subject_of(text, Passage(0, len(text), "paragraph 1"), read(text, *names, likelihood=likelihood))
    return "" if chosen is None else text[chosen.mention.start : chosen.mention.end]


def test_what_one_mention_shows_holds_for_a_part_of_the_name() -> None:
    people = read("Dr. Mary Sloan came late. Then Sloan spoke about asthma.", "Mary Sloan", "Sloan")
    assert [person.role for person in people] == [Role.PROFESSIONAL, Role.PROFESSIONAL]


def test_everybody_in_a_list_of_members_is_one() -> None:
    people = read("Members: Mary Sloan, Tom Hart and Lucy Brandt", "Mary Sloan", "Tom Hart", "Lucy Brandt")
    assert {person.role for person in people} == {Role.AUTHOR}


MAIL = (
    "From: Rebecca Avila <ravila@example.net>\nTo: Gabriella Reed <reed@example.com>\nSubject: Mr. Hart\n\n"
    "Hi James,\n\nQuick question about a patient of ours: Tom Hart (H205367, born 30/08/1991), came in with back pain. "
    "I found straight leg raise positive and an absent ankle jerk.\n\nThanks, Lynn\n\n"
    "Lynn Russell, Orthopaedics, Harbourview Clinic, 0161 496 0057\n"
)


def test_in_a_mail_of_a_clinician_the_patient_alone_is_ill() -> None:
    people = read(MAIL, "Rebecca Avila", "Gabriella Reed", "Tom Hart", "Lynn Russell")
    assert [person.role for person in people] == [Role.AUTHOR, Role.AUTHOR, Role.SUBJECT, Role.SUBJECT]
    first = MAIL.index("Lynn")
    mentions = [*(person.mention for person in people[:3]), Mention(first, first + 4, "\0lynn", False, 2.0)]
    signed = people_in(ReadText(MAIL, (), (0,), {}), [*mentions, people[3].mention], Passage(0, len(MAIL), "text"))
    assert [person.role for person in signed[-2:]] == [Role.AUTHOR, Role.AUTHOR]


def test_the_sender_who_names_nobody_else_as_a_patient_may_be_ill() -> None:
    people = read("From: Mary Sloan\n\nHi Tom,\n\nI have asthma. Mr. Hart knows.\n", "Mary Sloan", "Hart")
    assert people[0].role is Role.SUBJECT


@pytest.mark.parametrize(
    ("text", "names", "who"),
    [
        ("Dear Mr. Hart, your biopsy shows a melanoma.", ("Hart",), "Hart"),
        ("Dear Mr. Hart, the dementia ward needs nurses.", ("Hart",), ""),
        ("Hi Tom Hart, our Mary Sloan has asthma.", ("Tom Hart", "Mary Sloan"), "Mary Sloan"),
        ("From: Mary Sloan\nTo: Tom Hart\n\nI have asthma.\n", ("Mary Sloan", "Tom Hart"), "Mary Sloan"),
        ("Sloan - biopsy Monday, still on insulin", ("Sloan",), "Sloan"),
        ("We spoke of biopsies and insulin with Sloan", ("Sloan",), ""),
    ],
)
def test_whom_a_passage_is_about(text: str, names: tuple[str, ...], who: str) -> None:
    assert subject(text, *names) == who


def test_a_name_that_is_hardly_one_is_nobody() -> None:
    assert subject("Sloan - biopsy Monday, still on insulin", "Sloan", likelihood=0.4) == ""


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("I have asthma.", True),
        ("sorry, my chemo is on monday", True),
        ("Ich habe Fieber und bleibe zu Hause.", True),
        ("I heard that she has asthma.", False),
        ("I will come. Asthma is common.", False),
        ("my mum has asthma", False),
        ("Question about a patient of ours. I found mild oedema.", False),
        ("Our patient came with a cough. Next steps from my side: spirometry.", False),
        ("I need your advice on a patient with cough. I think it is asthma.", False),
        ("I am a patient of yours. I think my asthma is back.", True),
        ("I have asthma. I was a patient there.", True),
    ],
)
def test_somebody_tells_of_the_own_health(text: str, own: bool) -> None:
    assert tells_of_own_health(text) is own
