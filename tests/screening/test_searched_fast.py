"""Expressions that begin with a sign, to be searched fast, find what plain ones find."""

import re
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from screening.folding import _APART, _DASH, _HIDDEN, _MATHEMATICAL_DIGITS, _PLAIN, Folded, _joined, _plain_dash, folded
from screening.names import labels_behind, misread, numbered, sql_values
from screening.names.encoded_texts import encoded_together
from screening.names.figure_places import figure_places
from screening.passages import messages, prose, sql_rows
from screening.passages.sql_inserts import inserts_in
from screening.people import meant, people_here, roles, shaped
from screening.people.cues import read_cues
from screening.same_person import sections_of


def made_of(*pieces: str) -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from(pieces), max_size=14).map("".join)


def _spans(expression: re.Pattern[str], text: str) -> list[tuple[int, int]]:
    return [match.span() for match in expression.finditer(text)]


@given(
    made_of(
        "Mary: ",
        "Tom:\t",
        "Tom",
        ":",
        " ",
        "\n",
        "[12/03/24, 08:01:12] ",
        "12/03/2024, 08:02 - ",
        "9.14",
        "9:14 AM",
        "-",
    ),
    st.integers(0, 3),
    st.sampled_from((messages._STAMPED, messages._SIGNED, messages._SPOKEN)),
)
def test_heads_of_messages(text: str, start: int, plain: re.Pattern[str]) -> None:
    signs = messages._COLON if plain is messages._SPOKEN else messages._CLOCK
    end = max(start, len(text) - 1)
    heads = messages._heads(plain, text, messages._lines_with(signs, text, start, end), end)
    assert [head.span() for head in heads] == [match.span() for match in plain.finditer(text, start, end)]


@given(st.text(st.sampled_from("\n \t\f-=_*a"), max_size=40))
def test_sections(text: str) -> None:
    plain = re.compile(r"\n[ \t]*\n[ \t]*\n|\f|\n[ \t]*[-=_*]{5,}[ \t]*(?=\n)")
    assert sections_of(text) == sorted({0, *(match.end() for match in plain.finditer(text))})


@given(st.text(st.sampled_from("\n \t\fab"), max_size=30))
def test_paragraphs(text: str) -> None:
    at, plain = 0, []
    for blank in re.finditer(r"\n[^\S\n]*\n\s*|\f\s*", text):
        plain += [(at, blank.start())] * (at < blank.start())
        at = blank.end()
    last = [(at, len(text) - text.endswith("\n"))] if at < len(text) and not text[at:].isspace() else []
    assert list(prose._paragraphs(text, 0, len(text))) == plain + last


@given(made_of("2019", "19", "a", ";", "; ", "4", "doi", ":", "(3)", "12", "et al", ".", " ", "x"), st.integers(0, 3))
def test_citations(text: str, start: int) -> None:
    plain = re.compile(r"(?:19|20)\d\d[a-z]?; ?\d|doi[: ]|\d\(\d+\): ?\d|\bet al\b")
    end = max(start, len(text) - 1)
    assert people_here._cites(text, start, end) == (plain.search(text, start, end) is not None)


@given(made_of("patient", "Pt", "name", "of", "_", " ", ":", "é", "Mr", "xmr", "\n", "the", "3"))
def test_words_that_may_announce(text: str) -> None:
    line = " ".join(re.findall(r"[^\W_]+", text.lower()))
    phrases = [phrase for of_word in roles._announcing(read_cues()).values() for phrase in of_word]
    assert roles.may_announce(text, 0, len(text)) == any(phrase in f" {line} " for phrase in phrases)


@given(
    made_of("Ana", "Roe", "O'Brien", "van ", "de ", "St. ", "Mc", " ", ", ", "A", ".", "-", "ROEMER", "the ", "\n", "é")
)
def test_names_in_full(text: str) -> None:
    begins = {place.start() for place in shaped._CAPITALISED.finditer(text)}
    assert all(shaped._IN_FULL.match(text, at) is None for at in range(len(text)) if at not in begins)


@given(made_of("INSERT", "ınsert", "Insert", " ", "INTO ", "ignore ", "t", "(a)", "VALUES", "_", "\n", "x"))
def test_inserts(text: str) -> None:
    plain = (
        r"\bINSERT\s+(?:IGNORE\s+)?INTO\s+[`\"\[]?([\w.]+)[`\"\]]?\s*(\([^)]{0,4000}\))?\s*VALUES\s*",
        r"\bINSERT\s{1,9}(?:IGNORE\s{1,9})?(?:INTO\s{1,9})?([`\"\[\]\w.]{1,128}+)\s{0,9}(?:\(([^()]{0,4000})\))?\s{0,9}"
        r"VALUES\s{0,9}",
    )
    for fast, slow in zip((sql_rows._INSERT, sql_values._INSERT), plain, strict=True):
        assert _spans(fast, text) == _spans(re.compile(slow, re.IGNORECASE), text)
        assert [match.span() for match in inserts_in(fast, text, 0, len(text))] == _spans(fast, text)


_ONE_LOOK: Sequence[tuple[re.Pattern[str], str]] = (
    (
        numbered._FIGURE,
        r"[0-9](?:(?<=[A-Za-zÀ-ÿ]{2} .)|(?<=[A-Za-zÀ-ÿ]{2}.)|(?<=[A-Za-zÀ-ÿ] #.))[0-9]{0,2}+"
        r"(?=[ \t]*(?:[,;:|)\t\r\n]|-[ \t]|$))",
    ),
    (misread._SUSPECT, r"[01358](?:(?<=[A-Za-z].)[A-Za-z]|(?<=\b0)[a-wyz][a-z]{3})"),
    (
        meant._MISREAD,
        r"[015l](?:(?<=[a-z]{2}[015])(?=[a-z]{2})|(?<=\b[a-zA-Z][015])(?=[a-z]{3})|(?<=[A-Z]0)(?=[A-Z]{1,30}\b)"
        r"|(?<=[A-Z]l)(?=[A-Z])|(?<=[A-Z]{2}l)\b|(?<=\bl)(?=[A-Z]{2}))",
    ),
)


@given(made_of("a", "b", "lo", "A", "B", "l", "0", "1", "5", "8", " ", "#", ",", "\n", "é", "ab", "AB", "- "))
def test_figures_and_letters_that_were_misread(text: str) -> None:
    for fast, slow in _ONE_LOOK:
        assert _spans(fast, text) == _spans(re.compile(slow), text)


@given(made_of("Ann ", "Ann, ", "DOB", "dob", "D.O.B.", "MRN", "Acct", "Zip", ":", "#", " ", "3", "."))
def test_labels_behind_names(text: str) -> None:
    plain = re.compile(
        r"[A-Z](?:(?<=[^\W\d_] .)|(?<=[^\W\d_], .))(?:[A-Za-z]{1,5}+|\. ?[A-Z]\. ?[A-Z]\b\.?)(?=\.?[:#]?[ ]{0,2}\d)"
    )
    (places,) = figure_places(encoded_together([text]))
    assert labels_behind.without_labels(text, places) == plain.sub(labels_behind._ordinary, text)


@given(
    made_of(
        "F1n", "ch", "J0hn", " Petrenk0", "0live", "TYR0", "NE", "1ABC", "8", "0", " ", "_", "é", "\n", "x", "MARGUERl"
    )
)
def test_misread_words(text: str) -> None:
    (places,) = figure_places(encoded_together([text]))
    level = misread._CAPITALS_WITH_L.sub(lambda match: match[0].replace("l", "I"), text)
    lines = [
        misread._WORD.sub(misread._mended_word, line) if misread._SUSPECT.search(line) else line
        for line in (level if misread._SMALL_L.search(text) else text).split("\n")
    ]
    assert misread.mended(text, places) == "\n".join(lines)


@given(
    st.lists(
        made_of(
            "a", "A", "l", "é", "0", "1", "35", " ", "#", ",", "\n", "- ", "AB", "DOB ", "D. O. B.", "\u0661", "?", "œ"
        ),
        max_size=5,
    )
)
def test_places_of_figures_have_all_that_expressions_find(texts: list[str]) -> None:
    for text, places in zip(texts, figure_places(encoded_together(texts)), strict=True):
        for pattern, own in (
            (labels_behind._LABEL, places.labels),
            (misread._SUSPECT, places.misread),
            (misread._SMALL_L, places.small_ls),
            (numbered._FIGURE, places.numbering),
        ):
            assert {match.start() for match in pattern.finditer(text)} <= set(own)
            assert list(own) == sorted(place for place in own if 0 <= place < len(text))


_DISGUISED = re.compile("[{}]".format("".join(map(chr, _PLAIN))))


def _level(text: str) -> str:
    plain = _DISGUISED.sub(lambda match: _PLAIN[ord(match[0])], text.translate(_MATHEMATICAL_DIGITS))
    return _DASH.sub(_plain_dash, plain)


@given(
    made_of(
        *(
            "a",
            "e\u0301",
            "é",
            "\u00a0",
            "\u2011",
            "1",
            "\uff11",
            "\u200b",
            "\U0001d7cf",
            "–",
            "œ",
            " ",
            "12",
            "\u00ad",
        ),
        *("\u2009", "\u3000", "\uff21", "\u0301", "\ufeff", "😀", "\u0662", "\u2212"),
    )
)
def test_texts_are_folded_as_by_expressions(text: str) -> None:
    level = _APART.sub(_joined, _level(text))
    if not _HIDDEN.search(level):
        assert folded(text) == Folded(level, level)
    else:
        assert folded(text)[:2] == (_level(_HIDDEN.sub("", level)), level)


@given(
    made_of(
        *("a", "b c", "\t", "|", ";", ",", ",,", '"', '"x,y"', "\n", "\n", "\n\n", "\n \t\n\t", "\r\n", "é", "漢", "\f")
    ),
    st.integers(0, 3),
)
def test_blocks_of_long_texts_are_those_of_short_ones(text: str, start: int) -> None:
    def blocks(stretch: str) -> list[object]:
        found = prose._blocks(stretch, start, len(stretch))
        return [(one.rows, one.delimiter) if isinstance(one, prose._Table) else one for one in found]

    with pytest.MonkeyPatch.context() as patched:
        text = f"{text}\n{text}"
        short = blocks(text)
        patched.setattr(prose, "_LONG", 0)
        assert blocks(text) == short
