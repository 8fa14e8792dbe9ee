"""Every plot in a real Chromium, under the real content policy: present, right, with a message where it is empty."""

import base64
import re
import shutil
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from django.db import connections
from selenium import webdriver

from review.dashboard.measuring import measured
from review.models import Kind, Referral, Verdict
from review.referrals.intake import Intake
from review.referrals.voting import Judgement, decide
from tests.review.browsing import Browser, Page, serving
from tests.review.conftest import make_user, use_database
from tests.review.made_rows import facts
from tests.review.made_scans import count_scan, file_by_file, judge, rows, shapes


@pytest.fixture
def looking(
    driver: webdriver.Chrome, sqlite_template: Path, tmp_path: Path, review_settings: Callable[..., None]
) -> Iterator[Callable[[str], Page]]:
    path = tmp_path / "review.sqlite3"
    shutil.copy(sqlite_template, path)
    use_database(f"sqlite:///{path}")
    review_settings(double_review=0)
    with serving() as address:
        browser = Browser(driver, address)
        browser.look()
        browser.is_logged_in_as(make_user("maya", "manager"))
        yield browser.see
    connections.close_all()


def drawn(page: Page) -> dict[str, str]:
    assert page.complaints == ()
    return {box.get("data-plot").removeprefix("data-"): box.get("data-drawn") for box in page.all("//div[@data-plot]")}


def numbers(page: Page, path: str, attribute: str) -> list[float]:
    return [float(each.get(attribute)) for each in page.all(path)]


def test_each_rule_stands_where_the_library_says(looking: Callable[[str], Page]) -> None:
    made = rows(150)
    count_scan(made)
    judge(make_user("ann", "reviewer"), 40)
    page = looking("/dashboard/")
    assert drawn(page) == {"rules": "yes", "by-stage": "yes"}
    ids = ["referred", *(shape.id for shape in shapes(4))]
    found = {each.rule: each for each in measured(file_by_file(made), ids)}
    marks = page.all("//*[@id='plot-rules']//*[@data-rule]")
    assert {mark.get("data-rule") for mark in marks} == set(found)
    places = []
    for mark in marks:
        rule = found[mark.get("data-rule")]
        assert rule.frp is not None and rule.tdp is not None
        places.append((*_place(mark), rule.frp, rule.tdp))
    for at, value, sign in ((0, 2, 1), (1, 3, -1)):
        for one, other in pairwise(sorted(places, key=lambda place: place[value])):
            step = (other[at] - one[at]) * sign
            assert step > 0 if other[value] > one[value] else step == pytest.approx(0)
        low, high = min(places, key=lambda place: place[value]), max(places, key=lambda place: place[value])
        for place in places:
            share = (place[value] - low[value]) / (high[value] - low[value])
            assert place[at] == pytest.approx(low[at] + share * (high[at] - low[at]))
    assert [each.text for each in page.all("//*[@class='ideal']/*[local-name()='text']")] == ["ideal"]
    assert page.all("//*[@id='plot-rules']//table//tbody/tr") and page.all("//a[contains(@href, 'csv=rules')]")


def _place(mark: Any) -> tuple[float, float]:
    """Of a rule's circle, or of the diamond of the tool as a whole."""
    if mark.get("data-rule") != "referred":
        (circle,) = mark.xpath(".//circle")
        return float(circle.get("cx")), float(circle.get("cy"))
    (diamond,) = mark.xpath(".//*[@class='diamond']")
    across, down = diamond.get("transform").removeprefix("translate(").removesuffix(")").split(",")
    return float(across), float(down)


def test_the_ceiling_is_drawn_where_an_audit_covers_all_stages(looking: Callable[[str], Page]) -> None:
    made = rows(150)
    count_scan(made)
    judge(make_user("ann", "reviewer"))
    assert not looking("/dashboard/").all("//*[@class='ceiling']")
    others = [
        {**one, "stratum": "screened only" if one["screened_positive"] else "screened negative", "probability": "1/1"}
        for one in made
        if not one["referred"] and one["status"] != "encrypted"
    ]
    Intake(facts(), Kind.NEGATIVE).take(others)
    judge(_user("ann"))
    count_scan(made)
    page = looking("/dashboard/")
    (line,) = page.all("//*[@class='ceiling']/*[local-name()='path']")
    (words,) = page.all("//*[@class='ceiling']/*[local-name()='text']")
    assert words.text.startswith("P[PHI] 0.") and "no TDP can be higher" in words.text
    height = float(line.get("d").partition(",")[2].partition("H")[0])
    marks = [_place(mark)[1] for mark in page.all("//*[@id='plot-rules']//*[@data-rule]")]
    assert height <= min(marks)


def test_time_is_to_scale_and_ticks_differ(looking: Callable[[str], Page]) -> None:
    made = rows(150)
    for number in (1, 2, 12):
        count_scan(made, number)
    ann = make_user("ann", "reviewer")
    judge(ann, 20)
    page = looking("/dashboard/time/")
    (series,) = page.all("//*[@id='plot-tdp']//*[@data-series='referred']")
    at = [float(circle.get("cx")) for circle in series.xpath(".//circle")]
    assert (at[2] - at[1]) / (at[1] - at[0]) == pytest.approx(10, rel=0.01)
    assert {circle.get("class") for circle in series.xpath(".//circle")} == {"bound"}  # not all were judged
    assert not line_of(series)
    judge(ann)
    (series,) = looking("/dashboard/time/").all("//*[@id='plot-tdp']//*[@data-series='referred']")
    assert {circle.get("class") for circle in series.xpath(".//circle")} == {None}
    assert line_of(series).count("L") == 2
    for plot in ("tdp", "frp", "sources"):
        left = page.all(f"//*[@id='plot-{plot}']//*[@class='axis'][2]//*[local-name()='text']")
        ticks = [tick.text for tick in left]
        assert len(ticks) > 2 and len(set(ticks)) == len(ticks)


def line_of(series: Any) -> str:
    """Between values alone: a worst case is none."""
    (line,) = series.xpath(".//*[@class='line']")
    return line.get("d") or ""


def test_every_other_page_draws_its_plots(looking: Callable[[str], Page]) -> None:
    made = [*rows(120), *rows(40, share="/media/stick")]
    for number in (1, 2):
        count_scan(made, number)
    both = [make_user(name, "reviewer") for name in ("ann", "bob")]
    for number, referral in enumerate(Referral.objects.order_by("pk")):
        Referral.objects.filter(pk=referral.pk).update(double=True)
        for user in both[: 1 + number % 3]:
            decide(
                referral.pk, user, Judgement(Verdict.PHI if number % 4 else Verdict.NOT_PHI, f"{user.username}{number}")
            )
    expected = {
        "/dashboard/time/": {"tdp", "frp", "sources"},
        "/dashboard/compare/?first=rule-0&second=rule-2": {"compare"},
        "/dashboard/what-if/?rule=rule-0&radius=0&join=and&other=rule-1": {"trial", "radius"},
        "/dashboard/scan/": {"status", "reasons", "prevalence", "risks", "access", "types", "stages"},
        "/dashboard/folders/": {"folders"},
        "/dashboard/queues/": {"queues", "people", "agreement"},
    }
    pages = {path: looking(path) for path in expected}
    for path, plots in expected.items():
        marked = [each.text_content() for each in pages[path].all("//nav//a[@aria-current][not(@class='slim')]")]
        assert len(marked) == 2 and marked[0] == "Dashboard", path  # and its tab
        assert drawn(pages[path]) == dict.fromkeys(plots, "yes"), path
        assert len(pages[path].all("//figure//*[local-name()='svg'][@role='img' or @role='group']")) == len(plots)
    _bars_are_as_long_as_their_numbers(pages["/dashboard/scan/"])
    _boxes_are_as_large_as_their_folders(pages["/dashboard/folders/"], made)


def _user(name: str) -> Any:
    from django.contrib.auth.models import User

    return User.objects.filter(username=name).first() or make_user(name, "reviewer")


def _bars_are_as_long_as_their_numbers(page: Page) -> None:
    bars = page.all("//*[@id='plot-status']//*[local-name()='g'][@class='bar']")
    values = [float(bar.xpath("*[@class='bar-value']")[0].text.replace(",", "")) for bar in bars]
    widths = [float(bar.xpath("*[local-name()='rect']")[0].get("width")) for bar in bars]
    assert [width / widths[0] for width in widths] == pytest.approx([value / values[0] for value in values], rel=0.01)


def _boxes_are_as_large_as_their_folders(page: Page, made: list[dict[str, Any]]) -> None:
    boxes = page.all("//*[local-name()='rect'][@data-label]")
    areas = {box.get("data-label"): float(box.get("width")) * float(box.get("height")) for box in boxes}
    counts = {label: sum(each["uri"].startswith(f"{label}/") for each in made) for label in areas}
    assert sum(counts.values()) == len(made)
    for label, area in areas.items():
        assert area / sum(areas.values()) == pytest.approx(counts[label] / len(made), rel=0.15), label


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_folders_with_more_referred_files_differ_more_from_the_page(
    looking: Callable[[str], Page], driver: webdriver.Chrome, scheme: str
) -> None:
    count_scan(rows(60))
    features = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", features)
    looking("/dashboard/folders/")
    colours = driver.execute_script(
        "const svg = document.querySelector('#plot-folders svg');"
        "const fills = [0, 1, 2, 3, 4, 5, 6].map((level) => {"
        "  const box = document.createElementNS('http://www.w3.org/2000/svg', 'rect');"
        "  box.setAttribute('class', `heat h${level}`); svg.append(box);"
        "  return getComputedStyle(box).fill; });"
        "return [getComputedStyle(document.querySelector('#plot-folders')).backgroundColor, ...fills];"
    )
    page, *levels = map(_light_of, colours)
    contrasts = [(max(level, page) + 0.05) / (min(level, page) + 0.05) for level in levels]
    assert all(before < after for before, after in pairwise(contrasts)), (scheme, contrasts)


def _light_of(colour: str) -> float:
    """Relative luminance, as the guidelines for contrast define it."""
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_on_paper_there_is_all_that_is_told_and_nothing_to_press(
    driver: webdriver.Chrome, looking: Callable[[str], Page]
) -> None:
    """Also for somebody who looks at it dark: paper is white."""
    count_scan(rows(150))
    judge(make_user("ann", "reviewer"), 40)
    dark = {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", dark)
    looking("/dashboard/scan/")
    pdf = pypdfium2.PdfDocument(
        base64.b64decode(driver.execute_cdp_cmd("Page.printToPDF", {"printBackground": True})["data"])
    )
    text = "".join(page.get_textpage().get_text_range() for page in pdf)
    assert all(words in text for words in ("Coverage of the scan", "Where the time went", "Referred per 1,000 files"))
    assert not any(word in text for word in ("What if", "Log out", "CSV", "Show"))
    assert "complete" in pdf[0].get_textpage().get_text_range()  # no plot is pushed to the next page by its table
    assert pdf[0].render().to_pil().getpixel((2, 2)) == (255, 255, 255)
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print", **dark})
    assert (
        driver.execute_script("return getComputedStyle(document.querySelector('.bar-name')).fill") == "rgb(27, 31, 35)"
    )


def test_nothing_yet_is_said_in_words(looking: Callable[[str], Page]) -> None:
    page = looking("/dashboard/")
    assert drawn(page) == {}
    assert "leakscreen refer" in page.all("//*[@id='plot-rules']//p[@class='empty']")[0].text


def test_without_reviews_the_table_stands_and_the_plot_says_why(looking: Callable[[str], Page]) -> None:
    count_scan(rows(60))
    page = looking("/dashboard/")
    assert drawn(page) == {"rules": "no", "by-stage": "yes"}
    (told,) = page.all("//*[@id='plot-rules']//p[@class='unmeasured']")
    assert told.get("hidden") is None and "decided yet" in told.text
    assert len(page.all("//*[@id='plot-rules']//tbody/tr")) == 1 + len(shapes(4))


@pytest.mark.parametrize("count", [1, 100])
def test_one_rule_and_a_hundred_rules(count: int, looking: Callable[[str], Page]) -> None:
    made = rows(200, 60)
    for place, each in enumerate(made):
        names = (
            ["rule-0"]
            if count == 1
            else [f"a-rule-with-a-long-name-{number}" for number in range(count) if (number + place) % 7 < 4]
        )
        each["rules"] = (
            [{"rule": name, "prototype": "p", "distance": 0} for name in names] if each["status"] != "encrypted" else []
        )
    count_scan(made, rules=60)
    judge(make_user("ann", "reviewer"), 60)
    page = looking("/dashboard/")
    assert drawn(page) == {"rules": "yes", "by-stage": "yes"}
    named = {hit["rule"] for each in made for hit in each["rules"]}
    assert len(named) == count
    assert {mark.get("data-rule") for mark in page.all("//*[@data-rule]")} == named | {"referred"}
    assert len(page.all("//*[@id='plot-rules']//tbody/tr")) == count + 1
    boxes = [(float(each.get("x")), float(each.get("y"))) for each in page.all("//*[@class='rule-name']")]
    assert len(boxes) == len(set(boxes))
