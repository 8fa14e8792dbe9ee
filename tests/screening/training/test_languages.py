"""Texts of other languages are read with the places of their names; what does not mark all names is left out."""

from pathlib import Path

from screening.entities.runs import PERSON
from screening.training.distil_gazetteer import latin
from screening.training.labelled import Labelled
from screening.training.languages import foreign_texts


def write(folder: Path) -> None:
    for part in ("train", "dev"):
        (folder / "es_meddocan" / part / "brat").mkdir(parents=True)
    brat = folder / "es_meddocan" / "train" / "brat"
    (brat / "a.txt").write_text("Nombre: Ana Roe. CP: 28016.")
    (brat / "a.ann").write_text("T1\tNOMBRE_SUJETO_ASISTENCIA 8 15\tAna Roe\nT2\tTERRITORIO 21 26\t28016\n")
    lines = ["Interne : [ROE](NOM) [Ana](PRENOM) le [18/02/2019](DATE)"] * 16
    (folder / "eds_pseudo_templates_fr.txt").write_text("\n".join(lines))
    (folder / "terms").mkdir()
    (folder / "terms" / "hp-de.babelon.tsv").write_text("a\tb\tc\td\te\tf\nen\tx\tHP:1\tl\tde\tMilzzyste\n")
    german = "Herr\tO\nRoe\tB-PER\n\nSiehe\tO\nPoe\tB-LIT\n\n".replace("\t", " ") * 30
    (folder / "de_legal").mkdir()
    (folder / "de_legal" / "ler_dev.conll").write_text(german)
    (folder / "de_germeval14").mkdir()
    (folder / "de_germeval14" / "NER-de-dev.tsv").write_text("# x\n1\tHerr\tO\tO\n2\tRoe\tB-PER\tO\n\n" * 60)
    for name in ("Danish-DDT/da_ddt", "Swedish-Talbanken/sv_talbanken", "Portuguese-Bosque/pt_bosque"):
        for part in ("train", "dev"):
            path = folder / "uner" / f"{name}-ud-{part}.iob2"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("# sent_id = 1\n1\tMed\tO\n2\tRoe\tB-PER\n\n")


def names(each: Labelled) -> set[str]:
    return {each.text[mark.start : mark.end] for mark in each.marked if mark.label == PERSON}


def test_names_are_where_the_sources_mark_them(tmp_path: Path) -> None:
    write(tmp_path / "languages")
    learned = list(foreign_texts(tmp_path))
    assert set.union(*map(names, learned)) == {"Ana Roe", "ROE", "Ana", "Roe"}
    case = learned[0]
    assert [case.text[mark.start : mark.end] for mark in case.marked] == ["Ana Roe"]  # a postcode is no place
    assert not any("Poe" in each.text for each in learned)  # literature names authors without marking them
    assert any(each.text == "Milzzyste" and not each.marked for each in learned)


def test_held_back_texts_are_others(tmp_path: Path) -> None:
    write(tmp_path / "languages")
    learned, held = list(foreign_texts(tmp_path)), list(foreign_texts(tmp_path, held_back=True))
    templates = [sum(each.text.count("Interne") for each in part) for part in (learned, held)]
    assert templates == [8, 8]


def test_names_of_other_alphabets_are_spelled_as_english_texts_do() -> None:
    assert [latin(name) for name in ("Щербаков", "Γεωργίου", "გელაშვილი", "CHE-WEI", "Müller")] == [
        "Shcherbakov",
        "Georgioy",
        "Gelashvili",
        "Che-Wei",
        "Müller",
    ]
