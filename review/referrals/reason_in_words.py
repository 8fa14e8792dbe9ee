"""What a scan found in the deciding passage -> one sentence in the reader's language."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import get_language

from core.reasons import people_named, reason_sentence
from review.models import Finding
from review.templatetags.wording import place_words, spoken, words
from review.translation import gettext as _
from review.translation import ngettext

_NAME_PARTS = ("first_name", "last_name", "initials")
_SAYS_LITTLE = ("other_detail", "time", "quantity", "demographic", "organization_name", "place")
_MOST_DETAILS, _MOST_TERMS, _COUNTED_TERMS = 4, 6, 10


def reason_in_words(finding: Finding) -> str:
    """English has a sentence of its own; other languages list the same facts, which needs no articles."""
    if (get_language() or "en").startswith("en"):
        return reason_sentence(finding.strongest, finding.health_role, finding.evidence, finding.terms)
    pieces = [piece for piece in finding.evidence if piece.get("passage") == finding.strongest]
    place = place_words(finding.strongest)
    parts = [_people(pieces, finding.health_role)]
    details = _details(pieces)
    if details:
        parts.append(", ".join(details))
    if finding.terms:
        parts.append(_health(finding.terms))
    said = _("%(place)s: %(parts)s.") % {"place": place[:1].upper() + place[1:], "parts": _("; ").join(parts)}
    return said.replace("….", "…")


def _people(pieces: Sequence[Mapping[str, Any]], role: str | None) -> str:
    count = max(1, len(people_named(pieces)))
    people = ngettext("%s person named", "%s people named", count) % count
    return f"{people} ({spoken(role)})" if role and count == 1 else people


def _details(pieces: Sequence[Mapping[str, Any]]) -> list[str]:
    names = dict.fromkeys(str(piece.get("characteristic") or "") for piece in pieces)
    kept = [name for name in names if name and name not in _NAME_PARTS and name not in _SAYS_LITTLE]
    return [words(name) for name in kept[:_MOST_DETAILS]]


def _health(terms: Sequence[str]) -> str:
    count = len(terms)
    listed = ", ".join(terms[:_MOST_TERMS]) + ("…" if count > _MOST_TERMS else "")
    if count >= _COUNTED_TERMS:
        return _("at least %(count)s health terms: %(terms)s") % {"count": count, "terms": listed}
    words = ngettext("%(count)s health term: %(terms)s", "%(count)s health terms: %(terms)s", count)
    return words % {"count": count, "terms": listed}
