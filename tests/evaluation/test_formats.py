"""Every format of the shared tasks is read into the same document, and what is wrong in a file is named."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from core.errors import LabelError
from evaluation.categories import OTHER, Scheme, category_of
from evaluation.corpus import read_corpus, read_predictions
from evaluation.formats.document import CorpusDocument
from evaluation.spans import Marked
from evaluation.tab import tab_counts, tab_scores

TEXT = "Ann Lee saw Dr Ray\non 11/02 & left"
SPANS = (Marked(0, 7, "PATIENT"), Marked(15, 18, "DOCTOR"), Marked(22, 27, "DATE"))

I2B2_2006 = """<?xml version="1.0" encoding="UTF-8" ?>
<ROOT><RECORD ID="1"><TEXT><PHI TYPE="PATIENT">Ann Lee</PHI> saw Dr <PHI TYPE="DOCTOR">Ray</PHI>
on <PHI TYPE="DATE">11/02</PHI> &amp; left</TEXT></RECORD></ROOT>"""
I2B2_2014 = """<?xml version="1.0" encoding="UTF-8" ?>
<deIdi2b2><TEXT><![CDATA[Ann Lee saw Dr Ray
on 11/02 & left]]></TEXT><TAGS>
<NAME id="P0" start="0" end="7" text="Ann Lee" TYPE="PATIENT" comment="" />
<NAME id="P1" start="15" end="18" text="Ray" TYPE="DOCTOR" comment="" />
<DATE id="P2" start="22" end="27" text="11/02" TYPE="DATE" comment="" />
</TAGS></deIdi2b2>"""
PRESIDIO = [
    {
        "full_text": TEXT,
        "spans": [
            {"entity_type": kind, "entity_value": TEXT[start:end], "start_position": start, "end_position": end}
            for start, end, kind in SPANS
        ],
        "template_id": 1,
    }
]
TAB = [
    {
        "doc_id": "1",
        "text": TEXT,
        "annotations": {
            "a": {
                "entity_mentions": [
                    {
                        "entity_id": str(start),
                        "identifier_type": "DIRECT",
                        "entity_type": kind,
                        "start_offset": start,
                        "end_offset": end,
                    }
                    for start, end, kind in SPANS
                ]
            }
        },
    }
]
ANN = "T1\tPATIENT 0 7\tAnn Lee\nT2\tDOCTOR 15 18\tRay\nR1\tSaw Arg1:T1 Arg2:T2\nT3\tDATE 22 27\t11/02\n"
SHIFTED = {"entity_id": "e", "identifier_type": "DIRECT", "start_offset": 0, "end_offset": 6}
CONLL = "Ann B-PATIENT\nLee I-PATIENT\nsaw O\nDr O\nRay B-DOCTOR\n\non O\n11/02 B-DATE\n& O\nleft O\n"


def write(path: Path, content: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode())
    return path


def brat(folder: Path) -> Path:
    write(folder / "b" / "1.txt", TEXT)
    write(folder / "b" / "1.ann", ANN)
    return folder / "b"


@pytest.mark.parametrize(
    "made",
    [
        lambda folder: write(folder / "2006.xml", I2B2_2006),
        lambda folder: write(folder / "1.xml", I2B2_2014),
        lambda folder: write(folder / "x" / "1.xml", I2B2_2014).parent,
        lambda folder: write(folder / "p.json", json.dumps(PRESIDIO, indent=1)),
        lambda folder: write(folder / "t.json", json.dumps(TAB)),
        brat,
        lambda folder: brat(folder) / "1.ann",
    ],
    ids=["i2b2-2006", "i2b2-2014", "i2b2-2014-folder", "presidio", "tab", "brat-folder", "brat-file"],
)
def test_all_formats_give_the_same_document(tmp_path: Path, made: Callable[[Path], Path]) -> None:
    (document,) = read_corpus(made(tmp_path))
    assert (document.id, document.text, document.spans) == ("1", TEXT, SPANS)


def test_conll_in_its_forms(tmp_path: Path) -> None:
    (whole,) = read_corpus(write(tmp_path / "x" / "1.conll", CONLL).parent)
    assert (whole.id, whole.text, whole.spans) == ("1", TEXT + "\n", SPANS)
    first, second = read_corpus(write(tmp_path / "sentences.conll", CONLL))
    assert (first.text, first.spans, second.spans) == ("Ann Lee saw Dr Ray\n", SPANS[:2], (Marked(3, 8, "DATE"),))
    docs = read_corpus(
        write(tmp_path / "docs.conll", f"-DOCSTART- -X- O O\n\n{CONLL}\n-DOCSTART- O\n\nAnn S-PATIENT\n")
    )
    assert [document.spans for document in docs] == [SPANS, (Marked(0, 3, "PATIENT"),)]
    numbered = "# text = Ann Lee\n1\tAnn\tB-PER\tO\tx\n2\tLee\tI-PER\tO\tx\n3\t#\tO\tO\tx\n"
    (document,) = read_corpus(write(tmp_path / "ud.iob2", numbered))
    assert (document.text, document.spans) == ("Ann Lee #\n", (Marked(0, 7, "PER"),))
    # The last word of a sentence may look like a tag; this one was a token of the kind "baner." in a treebank.
    numbered = "# sent_id = O\n# text = Amager får S-baner.\n1\tAmager\tB-LOC\tO\tx\n2\t#\tO\tO\tx\n"
    (document,) = read_corpus(write(tmp_path / "ud.iob2", numbered))
    assert (document.text, document.spans) == ("Amager #\n", (Marked(0, 6, "LOC"),))
    # An I- of another type, or after O, begins a span; so does every B-.
    (document,) = read_corpus(write(tmp_path / "odd.conll", "a I-X\nb I-Y\nc B-Y\nd E-Y\ne I-Y\n"))
    assert document.spans == (Marked(0, 1, "X"), Marked(2, 3, "Y"), Marked(4, 7, "Y"), Marked(8, 9, "Y"))


def test_a_brat_span_in_pieces_and_a_byte_order_mark(tmp_path: Path) -> None:
    write(tmp_path / "1.txt", "\ufeffAnn or Bob\r\nLee")
    (document,) = read_corpus(write(tmp_path / "1.ann", "T1\tPER 1 4;8 11\tAnn Bob\nT2\tPER 13 16\tLee\n"))
    assert document.spans == (Marked(1, 4, "PER"), Marked(8, 11, "PER"), Marked(13, 16, "PER"))


# As the files of the challenges are laid out: what programs that read them expect, with invented text.
RELEASED_2006 = """<?xml version="1.0" encoding="UTF-8" ?>
<ROOT>
<RECORD ID="640">
<TEXT>
<PHI TYPE="ID">640-12</PHI>
<PHI TYPE="HOSPITAL">LGH</PHI>
Admission Date :
<PHI TYPE="DATE">12/05</PHI>/1994
Mr. <PHI TYPE="PATIENT">Ann Lee</PHI> is &gt; <PHI TYPE="AGE">95</PHI> , &quot;well&quot; .
<PHI TYPE="DOCTOR">RAY , JO</PHI>
[ report_end ]
</TEXT>
</RECORD>
<RECORD ID="641">
<TEXT>
Seen in <PHI TYPE="LOCATION">Hend</PHI> , call <PHI TYPE="PHONE">555-0142</PHI> .
[ report_end ]
</TEXT>
</RECORD>
</ROOT>
"""
RELEASED_2014 = (
    '<?xml version="1.0" encoding="UTF-8" ?>\r\n<deIdi2b2>\r\n<TEXT><![CDATA[\r\n\r\nRecord date: 2069-04-07\r\n\r\n'
    'Mr. Lee & "co" at Hend\r\nHospital ]]></TEXT>\r\n<TAGS>\r\n'
    '<DATE id="P0" start="15" end="25" text="2069-04-07" TYPE="DATE" comment="" />\r\n'
    '<NAME id="P1" start="31" end="34" text="Lee" TYPE="PATIENT" comment="" />\r\n'
    '<LOCATION id="P2" start="45" end="58" text="Hend\r\nHospital" TYPE="HOSPITAL" comment="" />\r\n'
    "</TAGS>\r\n</deIdi2b2>\r\n"
)


def test_files_laid_out_as_the_challenges_released_them(tmp_path: Path) -> None:
    """Records with line ends around tags and entities; CDATA, Windows line ends, a name over two lines."""
    first, second = read_corpus(write(tmp_path / "train.xml", RELEASED_2006))
    assert [(first.text[span.start : span.end], span.category) for span in first.spans] == [
        ("640-12", "ID"),
        ("LGH", "HOSPITAL"),
        ("12/05", "DATE"),
        ("Ann Lee", "PATIENT"),
        ("95", "AGE"),
        ("RAY , JO", "DOCTOR"),
    ]
    assert (first.id, second.id, '> 95 , "well"' in first.text) == ("640", "641", True)
    (note,) = read_corpus(write(tmp_path / "training-PHI-Gold-Set1" / "220-01.xml", RELEASED_2014).parent)
    assert [note.text[span.start : span.end] for span in note.spans] == ["2069-04-07", "Lee", "Hend\nHospital"]
    assert (note.id, "\r" in note.text) == ("220-01", False)


def test_the_wrong_tag_of_the_first_release_is_found_where_it_is(tmp_path: Path) -> None:
    broken = RELEASED_2006.replace(
        '<PHI TYPE="LOCATION">Hend</PHI>', '<PHI TYPE="DATE">25th of July<PHI TYPE="DOCTOR">'
    )
    with pytest.raises(LabelError, match=r"line 16: a tag is opened here and not closed") as caught:
        read_corpus(write(tmp_path / "train.xml", broken))
    assert "July" not in str(caught.value)


@pytest.mark.parametrize("types", [Scheme.I2B2, Scheme.COMMON])
def test_every_type_of_2014_has_a_category(types: Scheme) -> None:
    names = [
        "PATIENT",
        "DOCTOR",
        "USERNAME",
        "PROFESSION",
        "ROOM",
        "DEPARTMENT",
        "HOSPITAL",
        "ORGANIZATION",
        "STREET",
        "CITY",
        "STATE",
        "COUNTRY",
        "ZIP",
        "LOCATION-OTHER",
        "AGE",
        "DATE",
        "PHONE",
        "FAX",
        "EMAIL",
        "URL",
        "IPADDR",
        "SSN",
        "MEDICALRECORD",
        "HEALTHPLAN",
        "ACCOUNT",
        "LICENSE",
        "VEHICLE",
        "DEVICE",
        "BIOID",
        "IDNUM",
    ]
    assert [name for name in names if category_of(name, types) == OTHER] == []


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.xml", "<ROOT><RECORD ID='1'><TEXT>secret</PHI></TEXT></RECORD></ROOT>", "line 1: .*not well-formed XML"),
        ("a.xml", "<ROOT><RECORD ID='1'><TEXT>a & secret</TEXT></RECORD></ROOT>", "line 1: not well-formed XML"),
        ("a.xml", "<html>secret</html>", "XML of another kind"),
        ("a.xml", "<ROOT><RECORD><TEXT>secret</TEXT></RECORD></ROOT>", "line 1: a RECORD needs the attribute ID"),
        ("a.xml", "<ROOT><RECORD ID='1'><TEXT><PHI>secret</PHI></TEXT></RECORD></ROOT>", "PHI element needs"),
        ("a.xml", I2B2_2014.replace('start="15"', 'start="x"').replace("Ray", "secret"), "line 5: a tag needs whole"),
        ("a.xml", I2B2_2014.replace('start="15"', 'start="13"'), "line 5: span 13 to 18 is not the text"),
        ("a.xml", I2B2_2014.replace('end="27"', 'end="99"'), "line 6: a span lies outside of its text of 34 char"),
        ("a.conll", "secret words\nof prose\n", "line 1: expected a token and a tag"),
        ("a.conll", "Ann B-PER\nsecret\n", "line 2: expected a token and a tag"),
        ("a.ann", "T1\tPER 0 6\tsecret\n", "a.txt: cannot be read: No such file"),
        ("a.jsonl", '{"id": 1, "text": "secret", "spans": []}\n' * 2, "document '1' is in it twice"),
        ("a.json", '[{"text": "secret", "annotations": []}]', "document 1: annotations must be an object"),
        (
            "a.json",
            json.dumps(
                [
                    {
                        "full_text": "a secret",
                        "spans": [{"start_position": 0, "end_position": 6, "entity_value": "secret"}],
                    }
                ]
            ),
            "document 1: span 0 to 6 is not the text that stands beside it",
        ),
        (
            "a.json",
            json.dumps([{"doc_id": "1", "text": "a secret", "entities": [{**SHIFTED, "span_text": "secret"}]}]),
            "document 1: span 0 to 6 is not the text that stands beside it",
        ),
    ],
)
def test_what_is_wrong_is_named_without_the_text(tmp_path: Path, name: str, content: str, message: str) -> None:
    with pytest.raises(LabelError, match=message) as caught:
        read_corpus(write(tmp_path / name, content))
    assert "secret" not in str(caught.value)


def test_a_folder_holds_one_format_and_no_text_without_marks(tmp_path: Path) -> None:
    folder = brat(tmp_path)
    write(folder / "2.txt", "secret")
    with pytest.raises(LabelError, match=r"2\.txt: there is no \.ann file beside it; make an empty one"):
        read_corpus(folder)
    write(folder / "2.ann", "")
    assert read_corpus(folder)[1].spans == ()
    write(folder / "3.xml", I2B2_2014)
    with pytest.raises(LabelError, match=r"several formats are in it \(brat, i2b2\)"):
        read_corpus(folder)
    (tmp_path / "empty").mkdir()
    with pytest.raises(LabelError, match="no annotated file is in it; expected one of: i2b2 XML"):
        read_corpus(tmp_path / "empty")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("own.jsonl", '{"id": "1", "spans": [[0, 7, "PATIENT"]]}\n'),
        ("analyzer.jsonl", '[{"entity_type": "PATIENT", "start": 0, "end": 7, "score": 0.85}]\n'),
        ("analyzer.json", '[[{"entity_type": "PATIENT", "start": 0, "end": 7, "score": 0.85}]]'),
        ("full.jsonl", json.dumps({"id": 1, "text": TEXT, "spans": [[0, 7, "PATIENT"]]})),
        ("1.ann", "T1\tPATIENT 0 7\tAnn Lee\n"),
        ("1.xml", '<x><TAGS><NAME start="0" end="7" TYPE="PATIENT"/></TAGS></x>'),
    ],
)
def test_predictions_need_not_repeat_the_text(tmp_path: Path, name: str, content: str) -> None:
    corpus = [CorpusDocument("1", TEXT, SPANS)]
    assert read_predictions(write(tmp_path / name, content), corpus) == {"1": (Marked(0, 7, "PATIENT"),)}


def test_masks_of_the_program_of_tab(tmp_path: Path) -> None:
    corpus = [CorpusDocument("001-1", TEXT, SPANS), CorpusDocument("001-2", TEXT, SPANS)]
    masks = write(tmp_path / "masks.json", '{"001-1": [[0, 7]], "001-2": []}')
    assert read_predictions(masks, corpus) == {"001-1": (Marked(0, 7, "other"),), "001-2": ()}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"id": "1", "spans": []}', "nothing is said of document '2'; give an empty list"),
        ('{"id": "7", "spans": []}', "line 1: text is missing: the corpus has no document '7'"),
        ('{"id": "7", "text": "secret", "spans": []}', "line 1: the corpus has no document '7'"),
        ('{"id": "1", "text": "secret", "spans": []}', "line 1: its text is not that of the corpus"),
        ("[]\n[]\n[]\n", "line 3: the corpus has only 2 documents"),
        ('{"id": "1", "spans": [[0, 99, "X"]]}', "line 1: a span lies outside"),
    ],
)
def test_predictions_that_do_not_fit_the_corpus(tmp_path: Path, content: str, message: str) -> None:
    corpus = [CorpusDocument("1", TEXT, SPANS), CorpusDocument("2", TEXT, SPANS)]
    with pytest.raises(LabelError, match=message):
        read_predictions(write(tmp_path / "p.jsonl", content), corpus)


@pytest.mark.parametrize("people", [{"a": {"entity_mentions": []}}, {}])
def test_a_document_on_which_nobody_marked_anything_counts_in_precision(
    tmp_path: Path, people: dict[str, object]
) -> None:
    """3 of 3 masked tokens are right in the first document, 2 are wrong in the second: 3 of 5, not 3 of 3."""
    rows = [*TAB, {"doc_id": "2", "text": "Nothing here", "annotations": people}]
    documents = read_corpus(write(tmp_path / "t.json", json.dumps(rows)))
    counts = tab_counts(documents[0], [(0, 7), (15, 18)]) + tab_counts(documents[1], [(0, 12)])
    assert (counts.masked_rightly, counts.masked) == (3, 5)
    assert tab_scores(counts).precision == 0.6
