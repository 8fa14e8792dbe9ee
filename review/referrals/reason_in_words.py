"""What a scan found in the deciding passage -> one sentence in the reader's language."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import get_language

from core.in_words import shown_terms, spoken_term
from core.reasons import patients_in, people_named, reason_sentence, telling_details
from core.records import Role
from review.models import Finding
from review.templatetags.wording import place_words, spoken, words
from review.translation import gettext as _
from review.translation import ngettext, number

_MOST_TERMS, _COUNTED_TERMS = 6, 10


def reason_in_words(finding: Finding) -> str:
    """English has a sentence of its own; other languages list the same facts, which needs no articles."""
    if (get_language() or "en").startswith("en"):
        return reason_sentence(finding.strongest, finding.health_role, finding.evidence, finding.terms, finding.persons)
    pieces = [piece for piece in finding.evidence if piece.get("passage") == finding.strongest]
    place = place_words(finding.strongest)
    parts = [_people(pieces, finding.health_role)]
    details = [words(name) for name in telling_details(pieces)]
    if details:
        parts.append(", ".join(details))
    if finding.terms:
        parts.append(_health(finding.terms))
    said = _("%(place)s: %(parts)s.") % {"place": place[:1].upper() + place[1:], "parts": _("; ").join(parts)}
    whole = _("The whole file identifies %s people.") % number(finding.persons)
    return said.replace("….", "…") + (f" {whole}" if finding.persons > max(1, len(people_named(pieces))) else "")


def _people(pieces: Sequence[Mapping[str, Any]], role: str | None) -> str:
    count = max(1, len(people_named(pieces)))
    if role == Role.SUBJECT and max(1, patients_in(pieces)) == count:
        return ngettext("%s patient named", "%s patients named", count) % count
    people = ngettext("%s person named", "%s people named", count) % count
    return f"{people} ({spoken(role)})" if role in (Role.RELATIVE, Role.AUTHOR) and count == 1 else people


def _health(terms: Sequence[str]) -> str:
    shown = shown_terms(terms) or [spoken_term(term) for term in terms]
    count = len(shown)
    listed = ", ".join(shown[:_MOST_TERMS]) + ("…" if count > _MOST_TERMS else "")
    if len(terms) >= _COUNTED_TERMS:
        return _("at least %(count)s health terms: %(terms)s") % {"count": count, "terms": listed}
    words = ngettext("%(count)s health term: %(terms)s", "%(count)s health terms: %(terms)s", count)
    return words % {"count": count, "terms": listed}
