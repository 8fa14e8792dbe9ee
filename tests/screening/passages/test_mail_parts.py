"""The message around a place in a mail, without what is above and below it."""

import pytest

from screening.passages.mail_parts import message_around, subject_above

MESSAGE = "Tom Hart has asthma and cannot come."
THREADS = [
    f"Noted.\n\nOn Mon, 3 Jun 2024 at 10:00, Bob Stone <b@example.org> wrote:\n{MESSAGE}",
    f"See below.\n-----Original Message-----\n{MESSAGE}",
    f"> see below\n> ---- Forwarded message ----\n{MESSAGE}",
    f"Voici\nDe : Anne Roy\nEnvoyé : lundi\nÀ : Luc\nObjet : absence\n{MESSAGE}",
    f"{MESSAGE}\n\nBest regards,\nKaren Hill\nOffice manager",
    f"{MESSAGE}\n-- \nKaren Hill",
    f"{MESSAGE}\nMit freundlichen Grüßen\nKaren Hill",
    f"{MESSAGE}\nThis e-mail and any attachments are confidential.",
    f"{MESSAGE}\nSent from my iPhone",
    f"id: 7\ncreated_at: 2024-02-03\n{MESSAGE}",
    f"Ok\n\nLe lundi 3 juin 2024 à 10:00, Anne Roy <a@example.org> a écrit :\n{MESSAGE}\n\nCordialement,\nAnne Roy",
]


@pytest.mark.parametrize("thread", THREADS)
def test_the_message_is_parted_from_the_others(thread: str) -> None:
    start, end = message_around(thread, 0, len(thread), thread.index("Tom"), is_mail=True)
    assert thread[start:end].strip() == MESSAGE


@pytest.mark.parametrize(
    "text",
    [
        f"Patient seen.\nFrom: 2024-01-02\nTo: 2024-01-09\n{MESSAGE}",
        f"{MESSAGE}\nThis message is to say that the results are back: positive.",
        f"{MESSAGE}\nNotice how the cough is worse at night.",
        f"{MESSAGE}\nThanks for the salbutamol.",
    ],
)
def test_what_belongs_to_the_message_stays(text: str) -> None:
    assert message_around(text, 0, len(text), text.index("Tom"), is_mail=True) == (0, len(text))


def test_what_ends_a_mail_ends_no_other_text() -> None:
    text = f"{MESSAGE}\n\nBest regards\n\nwas the last chapter. The next begins with a cough."
    assert message_around(text, 0, len(text), 0) == (0, len(text))
    mail = f"Ok.\n-----Original Message-----\n{text}"
    start, end = message_around(mail, 0, len(mail), mail.index("Tom"))
    assert mail[start:end].strip() == MESSAGE


def test_the_nearest_subject_above_is_the_messages() -> None:
    mail = "Subject: other\n\nFrom: a\nSubject: Re: FW: biopsy result\n\nTom Hart"
    found = subject_above(mail, mail.index("Tom"))
    assert found is not None
    assert mail[slice(*found)] == "biopsy result"
    assert subject_above(mail, 0) is None
