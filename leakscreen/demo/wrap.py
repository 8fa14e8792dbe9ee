"""A draft -> the content of a file: the document alone, compressed, in a zip among others, attached, locked or torn."""

import gzip
from dataclasses import dataclass
from random import Random

from leakscreen.demo import everyday, leaflets, office
from leakscreen.demo.draft import Draft
from leakscreen.demo.formats import pack, render, render_locked
from leakscreen.demo.mail import render_mail
from leakscreen.demo.people import Person
from leakscreen.demo.tree import clean

LOCKED, TORN = "locked", "torn"  # a document that nobody can read: behind a password, or cut off in the middle
_ATTACHMENT_CHANCE = 0.35
_COMPRESSIBLE = ("txt", "csv", "html", "log")
_FOLDERS_IN_ZIP = ("", "documents/", "documents/2019/", "scans/old/")


@dataclass(frozen=True, slots=True)
class Held:
    """A document in a file; `inner` is its name inside, or empty where it is the file itself."""

    inner: str
    draft: Draft
    form: str


@dataclass(frozen=True, slots=True)
class Wrapped:
    name: str  # of the file, without the marks and the folder that the tree adds
    ending: str
    content: bytes
    held: tuple[Held, ...]


def harmless(dice: Random, people: tuple[Person, ...], kind: str) -> Draft:
    """A draft that is not health information about a person: of kind pii, health or plain."""
    if kind == "pii":
        return dice.choice(office.TEMPLATES)(dice, people)
    return dice.choice(leaflets.TEMPLATES if kind == "health" else everyday.TEMPLATES)(dice)


def wrap(dice: Random, people: tuple[Person, ...], draft: Draft, wrapping: str) -> Wrapped:
    """`wrapping` is zip, mail, gz, locked, torn or empty; one that does not suit the draft is left out."""
    compressible = [form for form in draft.formats if form in _COMPRESSIBLE]
    if wrapping == "zip":
        return _zipped(dice, people, draft)
    if wrapping == "mail" and draft.formats != ("eml",):
        return _mailed(dice, people, office.office_mail(dice, people), [draft])
    if wrapping == "gz" and compressible:
        form = dice.choice(compressible)
        name = f"{clean(draft.stem)}.{form}"
        return Wrapped(
            draft.stem, f"{form}.gz", gzip.compress(render(draft, form), mtime=0), (Held(name, draft, form),)
        )
    if wrapping == LOCKED and "pdf" in draft.formats:
        return Wrapped(draft.stem, "pdf", render_locked(draft), (Held("", draft, LOCKED),))
    if wrapping == TORN and "docx" in draft.formats:
        whole = render(draft, "docx")
        return Wrapped(draft.stem, "docx", whole[: len(whole) // 2], (Held("", draft, TORN),))
    form = dice.choice(draft.formats)
    if form == "eml":
        return _mailed(dice, people, draft, [_neighbour(dice, people)] if dice.random() < _ATTACHMENT_CHANCE else [])
    return Wrapped(draft.stem, form, render(draft, form), (Held("", draft, form),))


def _neighbour(dice: Random, people: tuple[Person, ...]) -> Draft:
    return harmless(dice, people, dice.choice(("pii", "health", "plain")))


def _zipped(dice: Random, people: tuple[Person, ...], draft: Draft) -> Wrapped:
    """The draft among harmless neighbours, in folders inside the zip."""
    drafts = [draft, *(_neighbour(dice, people) for _ in range(dice.randint(2, 6)))]
    dice.shuffle(drafts)
    members: dict[str, bytes] = {}
    held = []
    for member in drafts:
        form = dice.choice(member.formats)
        stem = dice.choice(_FOLDERS_IN_ZIP) + clean(member.stem)
        while f"{stem}.{form}" in members:
            stem += "_"
        members[f"{stem}.{form}"] = render_mail(dice, member, people, []) if form == "eml" else render(member, form)
        held.append(Held(f"{stem}.{form}", member, form))
    name = dice.choice(("backup", "export", "for review", "scans", draft.stem))
    return Wrapped(name, "zip", pack(list(members.items())), tuple(held))


def _mailed(dice: Random, people: tuple[Person, ...], body: Draft, attached: list[Draft]) -> Wrapped:
    files, held = [], [Held("", body, "eml")]
    for draft in attached:
        form = dice.choice([form for form in draft.formats if form != "eml"] or ["txt"])
        name = f"{clean(draft.stem)}.{form}"
        files.append((name, render(draft, form)))
        held.append(Held(name, draft, form))
    return Wrapped(body.stem, "eml", render_mail(dice, body, people, files), tuple(held))
