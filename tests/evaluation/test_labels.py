import json
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import LabelError
from evaluation.labels import Label, read_labels, read_verified


def written(folder: Path, content: str | bytes, name: str = "labels.csv") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


@pytest.mark.parametrize(
    "content",
    [
        "uri,phi\n/a.txt,yes\n/b.txt,no\n",
        "uri,phi\r\n/a.txt,TRUE\r\n/b.txt,False\r\n",
        "\ufeffuri,phi\n/a.txt,1\n/b.txt,0\n",
        "PHI , Uri,reviewer\nYes,/a.txt,ann\n no ,/b.txt,bob\n",
        "uri,phi\n/a.txt,yes\n\n/b.txt,no\n/a.txt,yes",
        'uri,phi\n"/a.txt",yes\n/b.txt,no\n',
        'uri;"phi";draw\n/a.txt;yes;\n/b.txt;no;\n',
        "uri\tphi\n/a.txt\tyes\n/b.txt\tno\n",
        '{"uri": "/a.txt", "phi": true}\n{"uri": "/b.txt", "phi": "no"}\n',
        '\ufeff{"uri": "/a.txt", "phi": 1}\n\n{"phi": 0, "uri": "/b.txt", "by": "ann"}',
    ],
)
def test_labels_are_read(tmp_path: Path, content: str) -> None:
    assert read_labels(written(tmp_path, content)) == {"/a.txt": True, "/b.txt": False}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "there is no label in it"),
        ("\n\n", "there is no label in it|the header lacks"),
        ("uri,phi\n", "there is no label in it"),
        ("file,phi\n/a,yes\n", "line 1: the header lacks uri"),
        ("/a,yes\n", "line 1: the header lacks uri and phi"),
        ("uri,phi\n/a,yes\n/b,maybe\n", "line 3: phi must be yes or no"),
        ("uri,phi\n/a,\n", "line 2: phi is empty; write yes or no, or remove the lines that nobody has judged"),
        ("uri,phi\n/a\n", "line 2: uri or phi is missing"),
        ("uri,phi\n,yes\n", "line 2: uri or phi is missing"),
        ("uri,phi\n/a,yes\n/b,no\n/a,no\n", "line 4: /a was labelled yes before and no here"),
        ('uri,phi\n"/a,yes\n', "line 2: not a line of CSV"),
        ('{"uri": "/a"}\n', "line 1: phi is missing"),
        ('{"uri": "/a", "phi": true}\n{"phi": 1}\n', "line 2: uri is missing"),
        ('{"uri": "/a", "phi": true}\n[1]\n', "line 2: not a JSON object"),
        ('{"uri": "/a", "phi": true}\n{broken\n', "line 2: not a JSON object"),
        ('{"uri": "/a", "phi": null}\n', "line 1: phi is empty"),
        ('{"uri": 5, "phi": true}\n', "line 1: uri must be a text"),
        ('{"uri": "/a", "phi": true}\n{"uri": "/a", "phi": false}\n', "line 2: /a was labelled yes before and no here"),
        (b"uri,phi\n/\xff,yes\n", "must be UTF-8; byte 9"),
        ("uri,phi,probability\n/a,yes,often\n", "line 2: probability must be a number"),
        ("uri,phi,probability\n/a,yes,1/0\n", "line 2: probability must be a number"),
        ("uri,phi,probability\n/a,yes,0\n", "line 2: probability must be above 0"),
        ("uri,phi,probability\n/a,yes,1.5\n", "line 2: probability must be above 0 and at most 1"),
        ("uri,phi,stratum\n/a,yes,high\n", "line 2: a stratum needs a probability"),
        ("uri,phi,probability\n/a,yes,0.5\n/b,no,\n", "line 3: some lines have a probability and some have none"),
        ("uri,phi,probability\n/a,yes,0.5\n/a,yes,0.25\n", "line 3: /a was listed before with another probability"),
    ],
)
def test_what_cannot_be_labels_is_named(tmp_path: Path, content: str | bytes, message: str) -> None:
    with pytest.raises(LabelError, match=message) as caught:
        read_labels(written(tmp_path, content))
    assert "labels.csv" in str(caught.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(LabelError, match=r"absent\.csv: labels cannot be read: No such file"):
        read_labels(tmp_path / "absent.csv")


@given(
    st.dictionaries(
        st.text(st.characters(codec="utf-8"), min_size=1, max_size=20), st.booleans(), min_size=1, max_size=8
    )
)
def test_json_lines_keep_any_uri(tmp_path_factory: pytest.TempPathFactory, labels: dict[str, bool]) -> None:
    lines = "\n".join(json.dumps({"uri": uri, "phi": phi}, ensure_ascii=False) for uri, phi in labels.items())
    assert read_labels(written(tmp_path_factory.mktemp("labels"), lines, "labels.jsonl")) == labels


@pytest.mark.parametrize(
    "content",
    [
        "uri,phi,probability,stratum,scan_id\n/a,yes,50/127,high,s1\n/b,no,0.1,low,s1\n",
        '{"uri": "/a", "phi": true, "probability": "50/127", "stratum": "high", "scan_id": "s1"}\n'
        '{"uri": "/b", "phi": false, "probability": 0.1, "stratum": "low", "scan_id": "s1"}\n',
    ],
)
def test_probabilities_are_kept_exactly(tmp_path: Path, content: str) -> None:
    assert read_verified(written(tmp_path, content)) == {
        "/a": Label(True, Fraction(50, 127), "high", "s1"),
        "/b": Label(False, Fraction(1, 10), "low", "s1"),
    }


def test_a_name_with_an_odd_line_separator_stays_one_name(tmp_path: Path) -> None:
    assert read_labels(written(tmp_path, "uri,phi\n/a\u2028b\x0bc,yes\n")) == {"/a\u2028b\x0bc": True}
