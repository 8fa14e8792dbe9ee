"""The commands that measure: evaluate, compare, sample, benchmark; in JSON, in tables and in words."""

import csv
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from core.errors import LabelError, LeakscreenError, OutputError, RuleError, SourceError
from evaluation.labels import read_labels
from leakscreen.benchmarking.dot_plot import Dot, dot_plot
from leakscreen.benchmarking.systems import run_presidio
from leakscreen.benchmarking.tables import sections
from leakscreen.commands import agreement, benchmark, compare, evaluate, sample
from leakscreen.demo.__main__ import main as make_share
from tests.measured_scan import Row, random_rows, reference_rows, write_labels, write_scan

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def scan(tmp_path: Path) -> Path:
    rows, truth = reference_rows()
    write_scan(tmp_path, rows)
    write_labels(tmp_path / "labels.csv", truth)
    return tmp_path


def printed(captured: Captured) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(captured.readouterr().out)
    return found


def test_evaluate_gives_the_published_rates_in_full(scan: Path, capsys: Captured) -> None:
    evaluate.run(str(scan), scan / "labels.csv", None, 0.02, None, (), True)
    found = printed(capsys)
    rules = {rule["rule"]: rule for rule in found["rules"]}
    assert found["n"] == 123
    assert rules["street-address"]["tdp"] == 75 / 123
    assert rules["organization-name"]["frp"] == 4 / 123
    assert rules["email"]["tdp"] == 0.0
    assert 0.02 < rules["email"]["tdp_interval"][1] < 0.04
    assert rules["referred"]["positive"] == 0
    plans = {plan["rule"]: plan for plan in found["plan"]}
    assert plans["street-address"]["more"] is None
    assert plans["street-address"]["scan_files"] > 1_000


def test_evaluate_prints_undefined_as_a_dash_and_silent_rules_apart(scan: Path, capsys: Captured) -> None:
    evaluate.run(str(scan), scan / "labels.csv", None, None, None, (), False)
    out = capsys.readouterr().out
    assert "0.6098" in out
    assert "fired on no file (1; TDP and FRP 0 of 123, at most 0.0303): email" in " ".join(out.split())


def test_compare_speaks_in_words(scan: Path, capsys: Captured) -> None:
    compare.run("street-address", "organization-name", str(scan), scan / "labels.csv", None, (), False)
    out = " ".join(capsys.readouterr().out.split())
    words = (
        "street-address finds 6 % more PHI files than organization-name, with 25 % fewer false referrals; "
        "not significant at the 5 % level."
    )
    assert words in out


def test_rules_of_which_one_finds_nothing_are_compared_in_words(tmp_path: Path, capsys: Captured) -> None:
    rows = [Row(f"/s/{n}", ("email",), referred=True) for n in range(40)] + [Row("/s/x", ("street-address",))]
    write_scan(tmp_path, rows)
    write_labels(tmp_path / "labels.csv", {row.uri: row.uri != "/s/x" for row in rows})
    for first, second, said in (
        (
            "email",
            "street-address",
            "email finds PHI files and street-address finds none, with no false referral where street-address has some",
        ),
        (
            "street-address",
            "email",
            "street-address finds no PHI file and email does, with false referrals where email",
        ),
        ("email", "organization-name", "organization-name finds none, with no false referral of either; only the"),
        ("street-address", "organization-name", "neither street-address nor organization-name finds a PHI file, with"),
    ):
        compare.run(first, second, str(tmp_path), tmp_path / "labels.csv", None, (), False)
        assert said in " ".join(capsys.readouterr().out.split())
    compare.run("email", "street-address", str(tmp_path), tmp_path / "labels.csv", None, (), False)
    assert "<0.0001" in capsys.readouterr().out


def test_compare_gives_the_reference_figures(scan: Path, capsys: Captured) -> None:
    compare.run("organization-name", "street-address", str(scan), scan / "labels.csv", None, (), True)
    found = printed(capsys)
    assert found["rtpf"]["ratio"] == pytest.approx(0.94667, abs=1e-5)
    assert found["rtpf"]["interval"] == pytest.approx([0.8255, 1.0856], abs=1e-4)
    assert found["rfpf"]["ratio"] == pytest.approx(4 / 3)


def two_stages(folder: Path) -> Path:
    """123 files, 69 of them referred and PHI, 36 only screened (24 PHI), 18 negatives; one rule screened all 105."""
    rows = [Row(f"/s/{number:03}", ("email",) if number < 105 else (), referred=number < 69) for number in range(123)]
    write_scan(folder, rows)
    write_labels(folder / "referred.csv", {row.uri: True for row in rows[:69]})
    write_labels(folder / "all.csv", {row.uri: number < 93 for number, row in enumerate(rows)})
    return folder


def test_the_tool_and_a_rule_are_not_compared_by_referred_files_alone(tmp_path: Path, capsys: Captured) -> None:
    """With what the health stage left behind unverified, the two seemed to find as much; the tool finds 69 of 93."""
    scan = two_stages(tmp_path)
    compare.run("referred", "email", str(scan), scan / "referred.csv", None, (), True)
    found = printed(capsys)
    assert (found["rtpf"]["ratio"], found["rtpf"]["interval"], found["rtpf"]["p_value"]) == (None, None, None)
    assert found["rtpf"]["bounds"] == pytest.approx([69 / 105, 1.0])
    assert found["rfpf"]["bounds"] == [0.0, None]
    compare.run("referred", "email", str(scan), scan / "referred.csv", None, (), False)
    said = " ".join(capsys.readouterr().out.split())
    assert "Nobody knows yet: referred has 0.66 to 1.00 times as many PHI files as email" in said
    assert "36 files that one of them flagged are not verified" in said
    assert "times as many PHI files as email, and the labels do not tell which of them has more false" in said
    compare.run("referred", "email", str(scan), scan / "all.csv", None, (), True)
    known = printed(capsys)["rtpf"]
    assert known["ratio"] == pytest.approx(69 / 93) and known["bounds"] is None


def test_evaluate_bounds_what_the_health_stage_left_unverified(tmp_path: Path, capsys: Captured) -> None:
    """In the documented workflow FPF was 0.0000 (0.000 to 0.070) where it is .40, prevalence .561 where it is .756."""
    scan = two_stages(tmp_path)
    evaluate.run(str(scan), scan / "referred.csv", None, None, None, (), True)
    found = printed(capsys)
    rules, parts = ({row["rule"]: row for row in found[name]} for name in ("rules", "fractions"))
    assert round(rules["referred"]["tdp"], 3) == 0.561 and rules["referred"]["frp"] == 0.0
    assert [round(limit, 3) for limit in rules["email"]["frp_bounds"]] == [0.0, 0.293]
    assert rules["email"]["frp_interval"] is None
    assert (parts["email"]["fpf"], parts["email"]["fpf_interval"], parts["email"]["prevalence"]) == (None, None, None)
    assert next(stage for stage in found["stages"] if stage["stage"] == "screened only")["phi_files_bounds"] == [0, 36]
    evaluate.run(str(scan), scan / "referred.csv", None, None, None, (), False)
    out = " ".join(capsys.readouterr().out.split())
    assert "≥0.0000 ≤0.2927" in out
    assert "The health stage left 36 files behind (screened only); none verified, so 0 to 36 contain PHI" in out
    evaluate.run(str(scan), scan / "all.csv", None, None, None, (), True)
    parts = {row["rule"]: row for row in printed(capsys)["fractions"]}
    assert parts["email"]["fpf"] == pytest.approx(0.40) and round(parts["email"]["prevalence"], 3) == 0.756


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [("nonsense", "email", "nonsense: the scan had no such rule"), ("email", "email", "two")],
)
def test_compare_refuses_rules_that_it_cannot_compare(scan: Path, first: str, second: str, said: str) -> None:
    with pytest.raises(RuleError, match=said):
        compare.run(first, second, str(scan), scan / "labels.csv", None, (), True)


def test_a_drawn_sample_filled_in_gives_estimates_near_the_truth(tmp_path: Path, capsys: Captured) -> None:
    rows, truth = random_rows(11, 1_200)
    write_scan(tmp_path, rows)
    sample.run(str(tmp_path), 500, True, "all", 5, tmp_path / "sheet.csv")
    fill_in(tmp_path / "sheet.csv", truth, 500)
    capsys.readouterr()
    evaluate.run(str(tmp_path), tmp_path / "sheet.csv", None, None, None, (), True)
    found = printed(capsys)
    examined = [row for row in rows if row.status != "failed"]
    assert found["sampled"]
    for rule in found["rules"]:
        true_tdp = sum(truth[row.uri] for row in examined if rule["rule"] in row.rules) / len(examined)
        if rule["rule"] == "referred":
            continue
        assert abs(rule["tdp"] - true_tdp) < 4 * rule["tdp_sampling_se"]
        assert rule["tdp"] <= rule["coverage"]
        assert rule["tdp_bounds"] is None
    stages = {stage["stage"]: stage for stage in found["stages"]}
    missed = sum(truth[row.uri] for row in examined if not row.rules)
    assert missed <= stages["screened negative"]["phi_files_upper"]
    assert found["fractions"][1]["tpf"] is not None
    prevalence = sum(truth[row.uri] for row in examined) / len(examined)
    low, high = found["fractions"][1]["prevalence_interval"]
    assert low <= prevalence <= high
    evaluate.run(str(tmp_path), tmp_path / "sheet.csv", None, 0.1, None, (), False)
    out = capsys.readouterr().out
    assert "~" in out
    assert "Screening left" in out
    assert "P[PHI]" in out
    assert "verify more" in out


def test_a_bound_on_the_terminal_is_the_bound_and_not_the_estimate(tmp_path: Path, capsys: Captured) -> None:
    """A draw of the referred, and nothing of what was screened only: the draw may have been off as well."""
    scan = two_stages(tmp_path)
    with (scan / "referred.csv").open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    drawn = [
        {**line, "probability": "40/69", "phi": "no" if number < 8 else "yes"} for number, line in enumerate(lines)
    ]
    with (scan / "drawn.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(drawn[0]))
        writer.writeheader()
        writer.writerows(drawn[:40])
    evaluate.run(str(scan), scan / "drawn.csv", None, 0.05, None, (), True)
    found = printed(capsys)
    rule = next(row for row in found["rules"] if row["rule"] == "email")
    planned = next(row for row in found["plan"] if row["rule"] == "email")
    (low, high), (other_low, other_high) = rule["tdp_bounds"], rule["frp_bounds"]
    assert (rule["tdp"], rule["frp"]) == (low, other_low)
    assert low < rule["estimated_phi"] / found["n"] and other_low < rule["estimated_not_phi"] / found["n"]
    assert planned["width_now"] == pytest.approx(max(high - low, other_high - other_low))
    evaluate.run(str(scan), scan / "drawn.csv", None, None, None, (), False)
    out = " ".join(capsys.readouterr().out.split())
    assert f"≥{low:.4f} ≤{high:.4f} ≥{other_low:.4f} ≤{other_high:.4f}" in out


def test_worst_cases_of_fractions_allow_for_the_draw(tmp_path: Path, capsys: Captured) -> None:
    """All 40 drawn of 69 referred files are PHI: FPF of the tool was between 0 and 0, whatever the other 29 are."""
    scan = two_stages(tmp_path)
    lines = [f"/s/{number:03},yes,40/69" for number in range(40)]
    (scan / "drawn.csv").write_text("\n".join(["uri,phi,probability", *lines]), encoding="utf-8")
    evaluate.run(str(scan), scan / "drawn.csv", None, None, None, (), True)
    found = next(row for row in printed(capsys)["fractions"] if row["rule"] == "referred")
    assert found["fpf_bounds"][0] == 0 and found["fpf_bounds"][1] > 0.01
    assert found["tpf_bounds"][0] < (69 / 123) and found["tpf_bounds"][1] == 1
    evaluate.run(str(scan), scan / "referred.csv", None, None, None, (), True)
    known = next(row for row in printed(capsys)["fractions"] if row["rule"] == "referred")
    assert known["fpf_bounds"] == [0, 0] and known["tpf_bounds"] == [pytest.approx(69 / 123), 1]


def test_rules_that_flag_the_same_files_are_not_said_to_differ(tmp_path: Path, capsys: Captured) -> None:
    rows = [Row(f"/s/{number}", ("email", "street-address"), referred=True) for number in range(6)]
    write_scan(tmp_path, rows)
    write_labels(tmp_path / "labels.csv", {row.uri: row.uri < "/s/4" for row in rows})
    compare.run("email", "street-address", str(tmp_path), tmp_path / "labels.csv", None, (), False)
    out = " ".join(capsys.readouterr().out.split())
    assert "finds as many PHI files as street-address, with as many false referrals; no verified file tells them" in out


def fill_in(sheet: Path, truth: dict[str, bool], files: int) -> None:
    with sheet.open(encoding="utf-8", newline="") as file:
        drawn = list(csv.DictReader(file))
    assert len(drawn) == files
    assert len({row["draw"] for row in drawn}) == 1  # no line tells its stage
    for row in drawn:
        row["phi"] = "yes" if truth[row["uri"]] else "no"
    with sheet.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, sample.COLUMNS)
        writer.writeheader()
        writer.writerows(drawn)


def test_copies_had_draws_of_their_own_where_files_on_disk_were_drawn(tmp_path: Path, capsys: Captured) -> None:
    """A content with ten copies is drawn ten times as often: if its label reached them all, it would count too much."""
    rows = [Row(f"/s/{n}", ("email",), referred=True, content=f"{min(n, 360):064x}") for n in range(400)]
    rows += [Row(f"/s/{n}", (), content=f"{n:064x}") for n in range(400, 500)]
    write_scan(tmp_path, rows)
    truth = {row.uri: row.content == rows[399].content for row in rows}  # one content in 40 files
    shares = []
    for seed in range(1_000, 1_020):
        sheet = tmp_path / f"{seed}.csv"
        sample.run(str(tmp_path), 60, False, "all", seed, sheet, "file")
        fill_in(sheet, truth, 60)
        capsys.readouterr()
        evaluate.run(str(tmp_path), sheet, None, None, None, (), True, "file")
        rule = printed(capsys)["rules"][0]
        assert rule["verified"] == 30
        shares.append(rule["tdp"])
    compare.run("referred", "email", str(tmp_path), sheet, None, (), True, "file")
    compared = printed(capsys)
    assert (compared["unit"], compared["n"], compared["rtpf"]["ratio"]) == ("file", 500, 1.0)
    assert sum(shares) / len(shares) == pytest.approx(40 / 500, abs=0.02)


def test_files_of_a_sheet_that_nobody_judged_widen_the_interval_and_are_told(tmp_path: Path, capsys: Captured) -> None:
    """A draw of 95 of 100 left hardly any error of the draw, although only 50 of its files were judged."""
    rows = [Row(f"/s/{n}", ("email",), referred=True, content=f"{n:064x}") for n in range(100)]
    rows += [Row(f"/s/{n}", (), content=f"{n:064x}") for n in range(100, 200)]
    write_scan(tmp_path, rows)
    truth = {row.uri: number % 2 == 0 for number, row in enumerate(rows)}
    sample.run(str(tmp_path), 190, False, "all", 1, tmp_path / "sheet.csv")
    fill_in(tmp_path / "sheet.csv", truth, 190)
    header, *lines = (tmp_path / "sheet.csv").read_text(encoding="utf-8").splitlines()
    judged = [line for line in lines if int(line.partition(",")[0].rpartition("/")[2]) >= 100]
    judged += [line for line in lines if line not in judged][:50]
    (tmp_path / "half.csv").write_text("\n".join([header, *judged]), encoding="utf-8")
    found = {}
    for name in ("sheet", "half"):
        capsys.readouterr()
        evaluate.run(str(tmp_path), tmp_path / f"{name}.csv", None, None, None, (), True)
        found[name] = printed(capsys)
    tool = found["half"]["rules"][0]
    assert tool["verified"] == 50 and tool["tdp_bounds"] is None
    # By hand: 100 files, 50 judged, half of them PHI; the variance of a total is N² (1 - n/N) s² / n.
    assert tool["tdp_sampling_se"] == pytest.approx((100**2 * 0.5 * 0.25 / 49) ** 0.5 / 200, rel=0.05)
    assert found["sheet"]["rules"][0]["tdp_sampling_se"] < tool["tdp_sampling_se"] / 3
    assert [(one["drawn"], one["drawn_not_labelled"]) for one in found.values()] == [(190, 0), (190, 45)]
    evaluate.run(str(tmp_path), tmp_path / "half.csv", None, None, None, (), False)
    assert "45 of 190 drawn files have no label" in " ".join(capsys.readouterr().out.split())


def test_a_sheet_has_each_content_once_in_an_order_that_tells_nothing(tmp_path: Path, capsys: Captured) -> None:
    rows = [
        Row(f"/s/{number}", ("email",) if number < 120 else (), referred=number < 60, content=f"{number // 3:064x}")
        for number in range(600)
    ]
    write_scan(tmp_path, rows)
    sample.run(str(tmp_path), 60, False, "all", 1, tmp_path / "sheet.csv")
    assert "60 of 200 contents drawn" in capsys.readouterr().err
    with (tmp_path / "sheet.csv").open(encoding="utf-8", newline="") as file:
        drawn = [int(row["uri"].rpartition("/")[2]) for row in csv.DictReader(file)]
    assert len({number // 3 for number in drawn}) == 60
    stages = [0 if number < 60 else 1 if number < 120 else 2 for number in drawn]
    assert [stages.count(stage) for stage in range(3)] == [20, 20, 20]
    assert stages != sorted(stages) and len(set(stages[:20])) == 3


def test_the_same_seed_draws_the_same_files(scan: Path, capsys: Captured) -> None:
    drawn = []
    for seed in (1, 1, 2):
        sample.run(str(scan), 20, False, "all", seed, None)
        drawn.append(capsys.readouterr().out)
    assert drawn[0] == drawn[1] != drawn[2]


def test_sample_and_evaluate_refuse_what_cannot_be(scan: Path, tmp_path: Path) -> None:
    with pytest.raises(OutputError, match=r"labels\.csv"):
        sample.run(str(scan), 5, False, "all", 1, scan / "labels.csv")
    with pytest.raises(LabelError, match="--plan"):
        evaluate.run(str(scan), scan / "labels.csv", None, 2.0, None, (), True)
    write_scan(tmp_path / "none", [Row("/a")])
    with pytest.raises(LabelError, match="nothing to draw"):
        sample.run(str(tmp_path / "none"), 5, False, "positives", 1, None)


CORPUS = [
    {
        "text": "Mail ann.lee@example.org or call 613-555-0142.",
        "spans": [[5, 24, "EMAIL_ADDRESS"], [33, 45, "PHONE_NUMBER"]],
    },
    {"text": "Nothing to see in this line.", "spans": []},
]


def test_benchmark_writes_figures_but_no_text(tmp_path: Path, capsys: Captured) -> None:
    (tmp_path / "corpus.jsonl").write_text("\n".join(map(json.dumps, CORPUS)), encoding="utf-8")
    wanted = benchmark.Wanted(tmp_path / "corpus.jsonl", presidio_python=str(fake_python(tmp_path)))
    benchmark.run(wanted, {}, None, tmp_path / "out", True)
    found = printed(capsys)
    ours, other = found["systems"]
    assert (ours["system"], other["system"]) == ("leakscreen", "Presidio")
    assert ours["tokens"]["recall"] == 1.0
    assert other["instances"]["correct"] == 1
    assert found["differences"]["leakscreen against Presidio"]["token recall"]["p"] <= 1
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "benchmark.json",
        "benchmark.md",
        "benchmark.svg",
    ]
    for path in (tmp_path / "out").iterdir():
        assert "ann.lee" not in path.read_text(encoding="utf-8")
    page = (tmp_path / "out" / "benchmark.md").read_text(encoding="utf-8")
    assert "| leakscreen |" in page and "| documents without a label | 1 | 1 |" in page
    benchmark.run(benchmark.Wanted(tmp_path / "corpus.jsonl", limit=1), {}, None, None, False)
    assert "By token" in capsys.readouterr().out


def test_any_number_of_systems_is_compared_pair_by_pair(tmp_path: Path, capsys: Captured) -> None:
    """Three prediction files in three formats, without leakscreen; the second marks nothing in the second document."""
    texts = ["Ann Lee saw Dr Ray on 11/02/95", "Bob Roe came"]
    records = "".join(
        f'<RECORD ID="{number}"><TEXT>{text}</TEXT></RECORD>'
        for number, text in enumerate(
            (
                '<PHI TYPE="PATIENT">Ann Lee</PHI> saw Dr <PHI TYPE="DOCTOR">Ray</PHI> on '
                '<PHI TYPE="DATE">11/02</PHI>/95',
                '<PHI TYPE="PATIENT">Bob Roe</PHI> came',
            ),
            1,
        )
    )
    gold = tmp_path / "gold.xml"
    gold.write_text(f"<ROOT>{records}</ROOT>", encoding="utf-8")
    (tmp_path / "one.xml").write_text(f"<ROOT>{records}</ROOT>", encoding="utf-8")
    marked = [[[0, 7, "PATIENT"], [22, 30, "DATE"]], []]
    rows = [{"id": str(number), "text": text, "spans": marked[number - 1]} for number, text in enumerate(texts, 1)]
    (tmp_path / "two.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    (tmp_path / "three").mkdir()
    for number, line in enumerate(("T1\tPATIENT 0 7\tAnn Lee\n", "T1\tDOCTOR 0 7\tBob Roe\n"), 1):
        (tmp_path / "three" / f"{number}.ann").write_text(line, encoding="utf-8")
    systems = tuple(f"{name}={tmp_path / name}{ending}" for name, ending in ENDINGS)
    wanted = benchmark.Wanted(gold, systems=systems, leakscreen=False)
    benchmark.run(wanted, {}, None, tmp_path / "out", True)
    found = printed(capsys)
    one, two, three = found["systems"]
    assert (one["tokens"]["f"], one["instances"]["f"], found["categories"]) == (1.0, 1.0, "i2b2")
    assert (two["tokens"]["recall"], two["instances"]["recall"], two["instances"]["precision"]) == (4 / 7, 2 / 4, 1.0)
    assert three["mistakes"]["wrong category"] == {"patient": 1}
    assert list(found["differences"]) == ["one against two", "one against three", "two against three"]
    page = (tmp_path / "out" / "benchmark.md").read_text(encoding="utf-8")
    # With two records nothing can be significant: a pair differs in neither P, R nor F.
    table = page.partition("## By instance: P, R, F")[2].splitlines()
    assert table[2:6] == ["| | two | three |", "|---|---|---|", "| one | P R F | P R F |", "| two |  | P R F |"]
    assert "| | one | three | s | s <= 0.1 |" in page.partition("## one against three")[2]
    for bad, message in (
        (("x",), "expected NAME=FILE"),
        ((systems[0], systems[0]), "the same name"),
        ((), "no system to measure"),
    ):
        with pytest.raises(LabelError, match=message):
            benchmark.run(benchmark.Wanted(gold, systems=bad, leakscreen=False), {}, None, None, True)
    with pytest.raises(LabelError, match="the name leakscreen is taken"):
        benchmark.run(benchmark.Wanted(gold, systems=(f"leakscreen={gold}",)), {}, None, None, True)


ENDINGS = (("one", ".xml"), ("two", ".jsonl"), ("three", ""))


def test_a_language_model_weighs_what_was_masked(tmp_path: Path, capsys: Captured) -> None:
    """A program like masked_tokens.py: a token weighs its length. Ann and York are masked, Ann rightly: 3 / 7."""
    program = tmp_path / "model"
    program.write_text(
        f"#!{sys.executable}\nimport json, sys\n"
        "assert sys.argv[2] == 'tiny-bert'\n"
        "for line in sys.stdin:\n"
        "    print(json.dumps([end - start for start, end in json.loads(line)[1]]))\n"
        "print(json.dumps({}))\n",
        encoding="utf-8",
    )
    program.chmod(0o755)
    mention = {"entity_id": "1", "identifier_type": "DIRECT", "start_offset": 0, "end_offset": 3}
    row = {"doc_id": "1", "text": "Ann of York", "annotations": {"a": {"entity_mentions": [mention]}}}
    (tmp_path / "t.json").write_text(json.dumps([row]), encoding="utf-8")
    (tmp_path / "masks.json").write_text('{"1": [[0, 3], [7, 11]]}', encoding="utf-8")
    wanted = benchmark.Wanted(
        tmp_path / "t.json",
        systems=(f"masks={tmp_path / 'masks.json'}",),
        leakscreen=False,
        language_model="tiny-bert",
        language_model_python=str(program),
    )
    benchmark.run(wanted, {}, None, None, True)
    results = printed(capsys)
    tables = {title: [name for name, _ in rows] for title, _, rows in sections(results) if "Benchmark" in title}
    here, there = tables.items()
    assert here == ("Text Anonymization Benchmark, measured here (no split named; WP by tiny-bert)", ["masks"])
    assert "test set" in there[0] and "masks" not in there[1] and len(there[1]) == 4
    tab = results["systems"][0]["tab"]
    assert (tab["weighted_precision"], tab["weighted_by"]) == (3 / 7, "tiny-bert")
    program.write_text(f"#!{sys.executable}\nimport no_such_module\n", encoding="utf-8")
    with pytest.raises(SourceError, match=r"language model failed \(ModuleNotFoundError\); are transformers and torch"):
        benchmark.run(wanted, {}, None, None, True)


def fake_python(folder: Path) -> Path:
    """A program that speaks like presidio_spans.py and marks e-mail addresses: this tests the pipe, not Presidio."""
    program = folder / "peer"
    program.write_text(
        f"#!{sys.executable}\n"
        "import json, re, sys\n"
        "for line in sys.stdin:\n"
        "    print(json.dumps([[*m.span(), 'EMAIL_ADDRESS'] for m in re.finditer(r'\\S+@\\S+', json.loads(line))]))\n"
        "print(json.dumps({'cpu_seconds': 0.5}))\n",
        encoding="utf-8",
    )
    program.chmod(0o755)
    return program


def test_a_python_without_presidio_is_named_and_no_text_is_repeated(tmp_path: Path) -> None:
    failing = tmp_path / "failing"
    failing.write_text(f"#!{sys.executable}\nimport sys\nraise ImportError(sys.stdin.read())\n", encoding="utf-8")
    failing.chmod(0o755)
    with pytest.raises(SourceError, match=r"Presidio failed \(ImportError\)") as caught:
        run_presidio(["a secret text"], str(failing), None)
    assert "secret" not in str(caught.value)
    with pytest.raises(LeakscreenError, match="cannot be run"):
        run_presidio([], str(tmp_path / "absent"), None)


def test_an_absent_split_is_named(tmp_path: Path) -> None:
    (tmp_path / "corpus.jsonl").write_text(json.dumps(CORPUS[0]), encoding="utf-8")
    with pytest.raises(LabelError, match="no document of the split 'test'"):
        benchmark.run(benchmark.Wanted(tmp_path / "corpus.jsonl", split="test"), {}, None, None, True)


def test_a_plot_is_svg_with_a_dot_for_each_value() -> None:
    import xml.etree.ElementTree as ElementTree

    drawn = dot_plot("a < b", [Dot("x", 0.5, 0.4, 0.6, "one"), Dot("x", 2.0, group="two")], (0, 1), (0, 1), (0.4, 0.6))
    root = ElementTree.fromstring(drawn)
    circles = [float(element.attrib["cx"]) for element in root.iter("{http://www.w3.org/2000/svg}circle")]
    assert len(circles) == 4
    assert max(circles) <= 860


DECISIONS = """uri,phi,reviewer,when,category
/share/000.txt,yes,ann,2024-01-03,
/share/000.txt,yes,bob,2024-01-09,
/share/001.txt,yes,ann,2024-02-01,
/share/001.txt,no,bob,2024-02-01,
/share/075.txt,no,ann,2024-02-02,
/share/075.txt,no,bob,2024-02-02,
"""


def test_agreement_over_all_over_time_and_per_rule(scan: Path, capsys: Captured) -> None:
    (scan / "decisions.csv").write_text(DECISIONS, encoding="utf-8")
    agreement.run(scan / "decisions.csv", str(scan), "month", True)
    found = printed(capsys)
    assert found["all"]["all"]["kappa"] == pytest.approx(0.4)
    assert {month: part["decided_twice"] for month, part in found["time"].items()} == {"2024-01": 1, "2024-02": 2}
    assert found["rule"]["organization-name"]["items"] == 2
    assert found["rule"]["street-address"]["f"] == pytest.approx(2 / 3)
    agreement.run(scan / "decisions.csv", None, "year", False)
    out = capsys.readouterr().out
    assert "0.4000" in out and "items:" not in out
    named = DECISIONS.replace(",\n", ",name\n") + "/share/075.txt,yes,ann,2024-02-02,number\n"
    (scan / "decisions.csv").write_text(named, encoding="utf-8")
    agreement.run(scan / "decisions.csv", None, "year", False)
    assert "items: a file counts once for each category" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("uri,phi\n/a,yes\n", "line 2: reviewer is missing"),
        ("uri,phi,reviewer\n", "there is no decision"),
        ("uri,phi,reviewer\n/a,yes,ann\n/a,no,ann\n", "/a: ann decided twice, and differently"),
    ],
)
def test_decisions_that_cannot_be_are_named(tmp_path: Path, content: str, said: str) -> None:
    (tmp_path / "decisions.csv").write_text(content, encoding="utf-8")
    with pytest.raises(LabelError, match=said):
        agreement.run(tmp_path / "decisions.csv", None, "month", True)


@pytest.mark.parametrize(("files", "prevalence", "phi"), [("1000", "0.0044", 4), ("60", "0.165", 10), ("40", "0", 0)])
def test_a_share_of_chosen_size_and_prevalence_with_its_truth_as_labels(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured, files: str, prevalence: str, phi: int
) -> None:
    monkeypatch.setattr(
        "sys.argv",
        ["share", str(tmp_path / "share"), "--small", "--files", files, "--prevalence", prevalence, "--seed", "3"],
    )
    make_share()
    truth = read_labels(tmp_path / "share-truth.csv")
    assert (len(truth), sum(truth.values())) == (int(files), phi)
    assert all(Path(uri).is_file() for uri in truth)


def test_an_impossible_prevalence_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["share", str(tmp_path / "share"), "--prevalence", "2"])
    with pytest.raises(SystemExit, match="2"):
        make_share()
