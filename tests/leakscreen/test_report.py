"""The report page: escaped, complete in itself, honest about what is missing."""

import base64
import hashlib
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leakscreen.report import format as words
from leakscreen.report.findings import MOST_REFERRED, MOST_UNEXAMINED
from leakscreen.report.plots import stack, width
from leakscreen.report.render import render_report
from leakscreen.report.view import media_types

VOID = {"meta", "rect", "br", "hr", "img", "link"}


class Page(HTMLParser):
    """Collects tags with their attributes, checks nesting, and joins the text outside of the style."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.pieces: list[str] = []
        self.feed(html)
        self.close()
        assert not self.open, f"unclosed: {self.open}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.pieces.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.pieces).split())

    def named(self, tag: str) -> Iterator[dict[str, str | None]]:
        return (attrs for name, attrs in self.tags if name == tag)


def summary(**changes: Any) -> dict[str, Any]:
    values: dict[str, Any] = {
        "scan_id": "20260102T030405Z-ab12",
        "started": "2026-01-02T03:04:05+00:00",
        "finished": "2026-01-02T03:05:05+00:00",
        "seconds": 61.2,
        "files": 1200,
        "records": 1300,
        "bytes": 52_000_000,
        "status": {
            "complete": 1203,
            "partial": 2,
            "encrypted": 3,
            "unsupported": 40,
            "failed": 4,
            "unreadable": 1,
            "container": 47,
        },
        "reasons": {"failed": {"timed out": 4}, "encrypted": {"password needed": 3}, "partial": {"400 MB expanded": 2}},
        "media_types": {
            "text/plain": {"files": 900, "bytes": 1_000_000, "examined": 900, "referred": 2},
            "image/jpeg": {"files": 40, "bytes": 9_000_000, "examined": 0, "referred": 0},
        },
        "rules": {"street-address": {"n": 1205, "positive": 241}, "sin": {"n": 1205, "positive": 0}},
        "risk": {"high": 1, "medium": 1, "low": 0, "none": 0},
        "examined": 1205,
        "screened_positive": 300,
        "health_positive": 2,
        "referred": 2,
        "stages": {"extract": {"seconds": 50.0, "bytes": 52_000_000}, "write": {"seconds": 1.0, "bytes": 0}},
        "reconciliation": {"walked": 1200, "recorded": 1200, "ok": True},
        "not_followed": {"symbolic links": 7, "excluded": 0},
    }
    return values | changes


def manifest(**changes: Any) -> dict[str, Any]:
    values: dict[str, Any] = {
        "scan_id": "20260102T030405Z-ab12",
        "sources": ["/srv/share"],
        "started": "2026-01-02T03:04:05+00:00",
        "settings": {"limits": {"seconds": 120.0}, "scan": {"exclude": ["*.tmp"]}},
        "rules": {"sha256": "ab" * 32, "version": "1"},
        "health_model": {"sha256": "cd" * 32},
        "code_version": "0.1.0",
        "sandbox": {"landlock_abi": 3, "seccomp": True},
        "runner": "in_memory",
        "workers": 2,
    }
    return values | changes


def referred(**changes: Any) -> dict[str, Any]:
    evidence = {
        "characteristic": "phone_number",
        "start": 4,
        "end": 16,
        "masked": "***-***-0142",
        "hmac": "k1",
        "where": "page 2",
    }
    values: dict[str, Any] = {
        "uri": "/srv/share/a.zip!in/note.docx",
        "container_uri": "/srv/share/a.zip",
        "size": 4096,
        "media_type": "text/plain",
        "status": "complete",
        "risk": "high",
        "health_distance": 0.4321,
        "health_terms": ["metformin", "hypertension"],
        "rules": [{"rule": "street-address", "prototype": "address", "distance": 1}],
        "pii_counts": {"phone_number": 3, "person_name": 1},
        "evidence": [evidence, evidence | {"where": "page 9"}, evidence | {"masked": "***-***-0199", "hmac": "k2"}],
        "owner": "root",
    }
    return values | changes


def unexamined(**changes: Any) -> dict[str, Any]:
    return {
        "uri": "/srv/share/x.docx",
        "status": "encrypted",
        "reason": "password needed",
        "size": 10,
        "media_type": "application/zip",
    } | changes


def test_who_may_read_them_begins_with_the_conclusion() -> None:
    access: dict[str | None, int] = {
        "everyone, inherited": 3,
        "group, group CLINIC\\Nurses, user CLINIC\\ada, own list": 4,
        "group, group CLINIC\\Nurses, inherited": 1,
        "group, own list, share only for user WARD\\bob": 1,
        "owner, own list": 2,
        None: 1,
    }
    text = Page(render_report(summary(referred=12), manifest(), [referred()], [], access)).text
    assert "Who may read them Everyone may read 3 of 12 referred files: begin with these. Of 1 it is not known." in text
    shown = text[text.index("Who may read them") : text.index("Referred files")]
    wanted = ("everyone 25.0 % 3", "named groups or users 50.0 % 6", "the owner alone 16.7 % 2", "not known 8.3 % 1")
    for expected in (*wanted, "group CLINIC\\Nurses 5", "user CLINIC\\ada 4", "user WARD\\bob 1"):
        assert expected in " ".join(shown.split()), expected
    closed = Page(render_report(summary(), manifest(), [referred()], [], {"owner": 2})).text
    assert "No referred file can be read by anybody but its owner." in closed
    shared = Page(render_report(summary(), manifest(), [referred()], [], {"owner": 1, "group": 1})).text
    assert "No referred file is open to everyone; 1 of 2 can be read by others than the owner." in shared
    nothings: tuple[dict[str | None, int], ...] = ({}, {None: 2})
    for nothing in nothings:
        assert "Who may read them" not in Page(render_report(summary(), manifest(), [referred()], [], nothing)).text


def test_the_story_is_told_with_its_numbers() -> None:
    text = Page(render_report(summary(), manifest(), [referred()], [unexamined()])).text
    for expected in (
        "2 files may leak someone’s health information",
        "48 files were not examined",
        "and 100 members inside archives and mails",
        "92.7 % of files and members",
        "1,200 walked = 1,200 recorded: the totals reconcile",
        "symbolic links 7",
        "/srv/share/a.zip! in/note.docx",
        "health distance 0.432",
        "street-address (1 bit off)",
        "phone number × 3",
        "Did not fire: sin",
        "241 of 1,205 20.0 %",
        "limits.seconds 120.0",
        "ab" * 32,
        "1 min 01 s",
    ):
        assert expected in text, expected


def test_the_reason_comes_first() -> None:
    name = {"characteristic": "last_name", "masked": "S***", "hmac": "k3", "where": "", "person": 1, "role": "subject"}
    evidence = [name | {"passage": "row 3,112"}, name | {"characteristic": "birth_date", "passage": "row 3,112"}]
    judged = {"strongest": "row 3,112", "health_role": "subject", "passages": {"judged": 40, "positive": 2}}
    text = Page(render_report(summary(), manifest(), [referred(evidence=evidence, **judged)], [])).text
    sentence = "Row 3,112 names one patient with a birth date, and mentions 2 health terms: "
    assert f"in/note.docx {sentence}metformin, hypertension." in text
    assert "2 of 40 judged passages positive" in text
    assert "last name S*** 1 (subject)" in text


def test_totals_can_be_added_up_by_hand() -> None:
    text = Page(render_report(summary(), manifest(), [referred()], [unexamined()])).text
    for expected in ("1,203 complete + 2 partial = 1,205 examined", "1 high + 1 medium = 2 referred, by risk"):
        assert expected in text, expected
    assert "≠" not in text
    wrong = Page(render_report(summary(examined=1204), manifest(), [referred()], [unexamined()])).text
    assert "1,203 complete + 2 partial ≠ 1,204 examined" in wrong


def test_folders_with_most_referred_files_come_first() -> None:
    rows = [referred(uri=f"/srv/b/{number}.txt", container_uri=None, risk="low") for number in range(3)]
    rows += [referred(uri="/srv/a/x.zip!in/1.txt", container_uri="/srv/a/x.zip", risk="high")]
    text = Page(render_report(summary(referred=4), manifest(), rows, [])).text
    assert "/srv/b/ 3 /srv/a/ 1 high risk 1" in text


def test_equal_values_become_one_line_of_evidence() -> None:
    text = Page(render_report(summary(), manifest(), [referred()], [])).text
    assert "Evidence, masked (2)" in text
    assert "phone number ***-***-0142 – 2 page 2, page 9" in text
    assert "k1" not in text


HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "{{ 7 * 7 }}",
    "&lt;b&gt;",
    "</style><style>*{display:none}",
    "-->",
    "</title><base href=//evil.example>",
)


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_stay_text_everywhere(name: str) -> None:
    page = render_report(
        summary(
            scan_id=name,
            media_types={name: {"files": 1, "bytes": 1, "examined": 1, "referred": 1}},
            rules={name: {"n": 4, "positive": 2}, f"{name}2": {"n": 4, "positive": 0}},
            reasons={"failed": {name: 3}, name: {name: 1}},
            status={"complete": 3, name: 2},
            stages={name: {"seconds": 1.0, "bytes": 1}},
            not_followed={name: 1},
        ),
        manifest(sources=[name], settings={name: {name: name}}, runner=name),
        [
            referred(
                uri=name,
                container_uri=None,
                risk=name,
                owner=name,
                media_type=name,
                health_terms=[name],
                rules=[{"rule": name, "prototype": name, "distance": 0}],
                pii_counts={name: 2},
                evidence=[{"characteristic": name, "masked": name, "where": name, "hmac": name}],
            )
        ],
        [unexamined(uri=name, status=name, reason=name, media_type=name)],
    )
    harmless = Page(render_report(summary(), manifest(), [referred()], [unexamined()]))
    hostile = Page(page)
    allowed = {tag for tag, _ in harmless.tags}
    assert {tag for tag, _ in hostile.tags} <= allowed
    assert not any(key.startswith("on") or key == "style" for _, attrs in hostile.tags for key in attrs)
    assert sum(tag == "style" for tag, _ in hostile.tags) == 1
    assert name.rpartition("/")[2] in "".join(hostile.pieces)


@pytest.mark.parametrize(
    "char", ["\u202e", "\u2066", "\u200b", "\x00", "\x1b", "\n", "\x7f", "\u2028", "\udc80", "\ufeff", "\u00ad"]
)
def test_invisible_characters_are_spelt_out(char: str) -> None:
    page = render_report(
        summary(),
        manifest(),
        [referred(uri=f"/srv/inv{char}fdp.exe", container_uri=None)],
        [unexamined(uri=f"/srv/{char}")],
    )
    assert f"inv[U+{ord(char):04X}]fdp.exe" in page
    if char != "\n":
        assert char not in page
    page.encode("utf-8")


@given(st.text())
def test_visible_text_has_only_printing_characters(text: str) -> None:
    shown = words.visible(text)
    assert all(char.isprintable() or char.isspace() for char in shown)
    assert not any(char in shown for char in "\n\r\t\u2028\u2029")
    shown.encode("utf-8")


def test_the_page_loads_nothing_and_runs_nothing() -> None:
    html = render_report(summary(), manifest(sources=["https://bucket.example/share"]), [referred()], [unexamined()])
    page = Page(html)
    assert {tag for tag, _ in page.tags}.isdisjoint(
        {"script", "link", "img", "iframe", "object", "embed", "base", "form"}
    )
    for _, attrs in page.tags:
        assert "src" not in attrs
        assert (attrs.get("href") or "#").startswith("#")
    style = re.search(r"<style>(.*?)</style>", html, re.DOTALL)
    assert style is not None
    assert "url(" not in style[1]
    assert "@import" not in style[1]
    policy = next(
        attrs["content"] for attrs in page.named("meta") if attrs.get("http-equiv") == "Content-Security-Policy"
    )
    digest = base64.b64encode(hashlib.sha256(style[1].encode()).digest()).decode()
    assert policy == f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


def test_links_and_labels_lead_to_headings_of_the_page() -> None:
    page = Page(render_report(summary(), manifest(), [referred()], [unexamined()]))
    ids = [attrs["id"] for _, attrs in page.tags if attrs.get("id")]
    assert len(ids) == len(set(ids))
    assert {attrs["href"] for attrs in page.named("a")} <= {f"#{name}" for name in ids}
    assert {attrs["aria-labelledby"] for attrs in page.named("section")} <= set(ids)
    assert all(attrs.get("scope") for attrs in page.named("th"))
    assert all(attrs.get("aria-hidden") == "true" or attrs.get("aria-label") for attrs in page.named("svg"))


def test_no_files() -> None:
    empty: dict[str, Any] = dict.fromkeys(
        ("files", "records", "bytes", "examined", "screened_positive", "health_positive", "referred"), 0
    )
    nothing: dict[str, Any] = {
        key: {} for key in ("status", "reasons", "media_types", "rules", "risk", "stages", "not_followed")
    }
    check = {"reconciliation": {"walked": 0, "recorded": 0, "ok": True}}
    text = Page(render_report(summary(**empty, **nothing, **check), manifest(sources=[]), [], [])).text
    assert "No files were found" in text
    assert "– of the files walked" in text
    assert "Check the source" in text
    assert "every file was examined" not in text


def test_nothing_referred() -> None:
    quiet = summary(
        referred=0,
        health_positive=0,
        risk={"high": 0, "medium": 0, "low": 0, "none": 0},
        status={"complete": 1205},
        reasons={},
    )
    text = Page(render_report(quiet, manifest(), [], [])).text
    assert "Nothing was referred among 1,205 examined files" in text
    assert "No file was referred." in text
    assert "nothing was referred and every file was examined" in text


def test_files_not_examined_are_never_called_clear() -> None:
    text = Page(render_report(summary(referred=0, risk={}), manifest(), [], [unexamined()])).text
    assert "every file was examined" not in text
    assert "48 files were not examined. That does not mean they are clear" in text


def test_where_nothing_could_be_examined_nothing_is_called_unreferred() -> None:
    locked = summary(referred=0, risk={}, examined=0, files=5, status={"encrypted": 5})
    text = Page(render_report(locked, manifest(), [], [unexamined()])).text
    assert "No file could be examined" in text and "Nothing was referred" not in text


@pytest.mark.parametrize("check", [{"walked": 1200, "recorded": 1199, "ok": False}, {}, None])
def test_totals_that_do_not_reconcile_come_first(check: dict[str, Any] | None) -> None:
    html = render_report(summary(reconciliation=check), manifest(), [referred()], [])
    page = Page(html)
    assert "This scan is incomplete: its totals do not reconcile" in page.text
    assert any(attrs.get("role") == "alert" for _, attrs in page.tags)
    assert "may leak" not in page.text
    assert page.text.index("Repeat the scan") < page.text.index("Review the 2 referred files")
    assert "the totals reconcile" not in page.text


def test_undefined_values_become_dashes() -> None:
    text = Page(render_report({}, {}, [{}], [{}])).text
    assert "None" not in text
    assert "Source – Started – Duration – Read – Scan –" in text


def test_a_missing_sandbox_is_said() -> None:
    assert "Parsed without a sandbox" in render_report(
        summary(), manifest(sandbox={"landlock_abi": 0, "seccomp": False}), [], []
    )
    assert "Parsed without a sandbox" not in render_report(summary(), manifest(), [], [])


def test_long_lists_are_cut_and_say_so() -> None:
    top = [referred(uri=f"/srv/share/file-{index}.txt", container_uri=None) for index in range(MOST_REFERRED + 5)]
    passed = [unexamined(uri=f"/srv/share/locked-{index}.docx") for index in range(3_000)]
    status = {"complete": 100_000, "encrypted": 5_000}
    types = {
        f"application/x-{index}": {"files": index, "bytes": 1, "examined": 1, "referred": 0} for index in range(40)
    }
    html = render_report(summary(referred=2_105, status=status, media_types=types), manifest(), top, passed)
    page = Page(html)
    assert sum(tag == "article" for tag, _ in page.tags) == MOST_REFERRED
    assert "2,005 more referred files are not listed here" in page.text
    assert f"{5_000 - MOST_UNEXAMINED:,} more files are not listed here" in page.text
    assert "24 rarer types not shown" in page.text
    assert "file-99.txt" in page.text
    assert "file-100.txt" not in page.text
    assert len(html) < 1_000_000


def test_number_marks_in_terms_are_explained_where_they_occur() -> None:
    terms = ["stage #", "# mg"]
    report = render_report(summary(), manifest(), [referred(health_terms=terms)], [])
    assert "… stands for a number" in report and "stage …" in report and "# mg" not in report
    assert "… stands for a number" not in render_report(summary(), manifest(), [referred()], [])


def test_pairs_from_parquet_count_like_a_mapping() -> None:
    assert "phone number × 3" in render_report(
        summary(), manifest(), [referred(pii_counts=[("phone_number", 3), ("email", 0)])], []
    )


@pytest.mark.parametrize(
    ("spoken", "expected"),
    [
        (words.share(1, 0), "–"),
        (words.share(None, 5), "–"),
        (words.share(0, 5), "0 %"),
        (words.share(1, 100_000), "< 0.1 %"),
        (words.share(99_999, 100_000), "> 99.9 %"),
        (words.share(1, 3), "33.3 %"),
        (words.share(5, 5), "100 %"),
        (words.count(float("nan")), "–"),
        (words.count(True), "–"),
        (words.count(1234567), "1,234,567"),
        (words.size(999), "999 B"),
        (words.size(1_500), "1.5 kB"),
        (words.size(8_412_000_331), "8.4 GB"),
        (words.size(None), "–"),
        (words.duration(0.25), "0.25 s"),
        (words.duration(0.0000991), "under 1 ms"),
        (words.duration(59.96), "60.0 s"),
        (words.duration(3_725), "1 h 02 min"),
        (words.moment("2026-01-02T03:04:05+00:00"), "2 January 2026, 03:04 UTC"),
        (words.moment("yesterday"), "yesterday"),
        (words.moment(None), "–"),
        (words.plural(1, "file", "files"), "1 file"),
        (words.plural(None, "file", "files"), "– files"),
    ],
)
def test_words(spoken: str, expected: str) -> None:
    assert spoken == expected


@given(st.lists(st.floats(min_value=0, max_value=1e12, allow_nan=False), min_size=1, max_size=9).filter(any))
def test_slices_fill_the_bar(amounts: list[float]) -> None:
    slices = stack(("x", "", "", amount, "") for amount in amounts)
    assert sum(piece.width for piece in slices) == pytest.approx(100, abs=0.05)
    assert all(piece.width > 0 for piece, amount in zip(slices, amounts, strict=True) if amount)


@pytest.mark.parametrize(
    ("value", "largest", "expected"),
    [(None, 5, 0), (0, 5, 0), (5, 0, 0), (5, 5, 100), (9, 5, 100), (1, 10_000, 0.6), (1, 4, 25)],
)
def test_width_of_a_bar(value: float | None, largest: float, expected: float) -> None:
    assert width(value, largest) == expected


def test_a_limit_is_raised_only_where_one_was_reached() -> None:
    reasons = {"partial": {"expanded size limit (400 bytes)": 1, "corrupt (truncated)": 1}}
    both = Page(render_report(summary(reasons=reasons), manifest(), [referred()], [])).text
    assert "1 partial file that reached a limit" in both and "Raise the limit" in both
    assert "no limit was in the way" in both
    torn = summary(reasons={"partial": {"corrupt (truncated)": 2}})
    text = Page(render_report(torn, manifest(), [referred()], [])).text
    assert "2 partial files" in text and "Raise the limit" not in text


def test_folders_left_out_may_have_as_many() -> None:
    rows = [referred(uri=f"/srv/{number}/a.txt", container_uri=None) for number in range(20)]
    text = Page(render_report(summary(referred=20), manifest(), rows, [])).text
    assert "8 more folders, each with no more files than these, are not shown" in text


def test_containers_are_opened_and_no_gap() -> None:
    types = {"application/zip": {"files": 4, "bytes": 9, "examined": 0, "referred": 0, "containers": 4}}
    html = render_report(summary(media_types=types), manifest(), [referred()], [])
    assert "4 opened" in Page(html).text and "0 examined" not in Page(html).text
    (bar,) = media_types(summary(media_types=types)).bars
    assert bar.width == bar.ghost == 100
